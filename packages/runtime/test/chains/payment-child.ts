import { createEconomicAgent, type EconomicAgentHost, type EconomicOutcome } from '../../src/economic/index.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { createBitcoinRail } from '../../src/rails/bitcoin/rail.ts'
import type { SentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { openSqliteSentTransactions } from '../../src/rails/sent/sqlite.ts'
import { createSolanaRail } from '../../src/rails/solana/rail.ts'
import { createRehearsalChain, createRehearsalHost } from '../../src/rehearsal/index.ts'
import { type HostCall, listenToHost } from '../interrupted-host.ts'
import { bitcoinProposals, endpointOf } from './bitcoin/under-test.ts'
import { solanaProposals } from './solana/under-test.ts'

/** A payment on a chain of another process, and the moment at which this one dies. */
export type ChainChildTask = {
  readonly chain: 'solana' | 'bitcoin-core' | 'esplora'
  readonly url: string
  readonly folder: string
  readonly idempotencyKey: string
  readonly createdAtMs: string
  readonly dies?: { readonly moment: 'before' | 'after'; readonly call: HostCall }
}

/** Pays, or goes on where another process stopped; `observe` then looks once more and never pays. */
export async function runChainTask(task: ChainChildTask, action: 'execute' | 'observe'): Promise<EconomicOutcome> {
  const journal = await openSqliteJournal(`${task.folder}/journal.sqlite`)
  const sent = await openSqliteSentTransactions(`${task.folder}/sent.sqlite`)
  const { rail, proposals } = await openRail(task, sent)
  const { clockMs, custody, policy, source } = proposals
  const rehearsal = createRehearsalHost({ journal, chain: createRehearsalChain({ clockMs }), elapsedMs: clockMs })
  const dieAt = (moment: 'before' | 'after') => (call: HostCall) => {
    if (task.dies?.moment === moment && task.dies.call === call) process.kill(process.pid, 'SIGKILL')
  }
  const name = task.chain === 'solana' ? 'solana' : 'bitcoin'
  const host: EconomicAgentHost = { ...rehearsal, rails: { ...rehearsal.rails, [name]: rail }, custody }
  const agent = createEconomicAgent(policy, listenToHost(host, { before: dieAt('before'), after: dieAt('after') }), {
    aborted: false,
  })
  const { idempotencyKey } = task
  const proposal = source({ idempotencyKey, createdAtMs: BigInt(task.createdAtMs), confirmationTarget: 1 })
  try {
    if (action === 'observe') return await agent.reconcile(idempotencyKey, proposal)
    return await agent.execute(proposal)
  } finally {
    rail.close()
    sent.close()
    await journal.close()
  }
}

async function openRail({ chain, url }: ChainChildTask, sent: SentTransactions) {
  if (chain === 'solana') {
    const proposals = await solanaProposals()
    const account = proposals.wallet.address
    return { proposals, rail: createSolanaRail({ endpoints: [url], account, sent, finality: 'confirmed' }) }
  }
  const proposals = bitcoinProposals()
  const account = proposals.wallet.address
  return { proposals, rail: createBitcoinRail({ speaks: chain, endpoints: [endpointOf(url)], account, sent }) }
}

if (import.meta.main) await runChainTask(JSON.parse(process.argv[2] ?? '') as ChainChildTask, 'execute')
