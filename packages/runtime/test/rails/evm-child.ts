import { createEconomicAgent, type EconomicOutcome } from '../../src/economic/index.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { createEvmRail } from '../../src/rails/evm/rail.ts'
import { openSqliteSentTransactions } from '../../src/rails/sent/sqlite.ts'
import { createRehearsalChain, createRehearsalHost } from '../../src/rehearsal/index.ts'
import { type HostCall, listenToHost } from '../interrupted-host.ts'
import { evmProposals, suiteAddress } from './evm-wallet.ts'
import type { SuitePayment } from './rail-under-test.ts'

/** A payment on a chain that a process makes, and the moment at which it dies. */
export type EvmChildTask = {
  readonly url: string
  readonly folder: string
  readonly idempotencyKey: string
  readonly createdAtMs: string
  readonly dies?: { readonly moment: 'before' | 'after'; readonly call: HostCall }
}

/** Pays, or goes on where another process stopped; `observe` then looks once more and never pays. */
export async function runEvmTask(task: EvmChildTask, action: 'execute' | 'observe'): Promise<EconomicOutcome> {
  const journal = await openSqliteJournal(`${task.folder}/journal.sqlite`)
  const sent = await openSqliteSentTransactions(`${task.folder}/sent.sqlite`)
  const adapter = createEvmRail({ endpoints: [task.url], account: suiteAddress, sent, finality: 1 })
  const { clockMs, custody, policy } = evmProposals
  const payment: SuitePayment = {
    idempotencyKey: task.idempotencyKey,
    createdAtMs: BigInt(task.createdAtMs),
    confirmationTarget: 1,
  }
  const rehearsal = createRehearsalHost({ journal, chain: createRehearsalChain({ clockMs }), elapsedMs: clockMs })
  const dieAt = (moment: 'before' | 'after') => (call: HostCall) => {
    if (task.dies?.moment === moment && task.dies.call === call) process.kill(process.pid, 'SIGKILL')
  }
  const host = listenToHost(
    { ...rehearsal, rails: { ...rehearsal.rails, evm: adapter }, custody },
    { before: dieAt('before'), after: dieAt('after') },
  )
  const agent = createEconomicAgent(policy, host, { aborted: false })
  const source = evmProposals.source(payment)
  try {
    if (action === 'observe') return await agent.reconcile(task.idempotencyKey, source)
    return await agent.execute(source)
  } finally {
    adapter.close()
    sent.close()
    await journal.close()
  }
}

if (import.meta.main) await runEvmTask(JSON.parse(process.argv[2] ?? '') as EvmChildTask, 'execute')
