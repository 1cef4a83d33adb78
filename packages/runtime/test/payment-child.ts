import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { EconomicAgent } from '../src/economic/agent.ts'
import { createEconomicAgent } from '../src/economic/agent.ts'
import type { PaymentJournal } from '../src/economic/host.ts'
import { createRehearsalChain, createRehearsalHost, rehearsalPolicy, rehearsalSource } from '../src/rehearsal/index.ts'
import { type HostCall, listenToHost } from './interrupted-host.ts'
import { type JournalStore, openStore } from './journal-store.ts'

/** A payment that a process makes, and the moment at which it dies. */
export type PaymentChildTask = {
  readonly idempotencyKey: string
  readonly nowMs: string
  /** File of everything that left the process: one line `sign <key>` or `broadcast <key> <id>` an effect. */
  readonly effectsPath: string
  readonly dies?: { readonly moment: 'before' | 'after'; readonly call: HostCall }
}

const recipient = `0x${'11'.repeat(20)}`
/** The policy of all payments of these tests. */
export const policy = rehearsalPolicy({
  recipients: [recipient],
  maxAmountAtomic: 1000n,
  maxRolling24hAtomic: 1_000_000n,
})

/** The source run that proposes a payment of these tests. */
export function proposalOf({ idempotencyKey, nowMs }: PaymentChildTask) {
  return rehearsalSource({ idempotencyKey, recipient, amountAtomic: 10n, createdAtMs: BigInt(nowMs) })
}

/** The effects of one payment that have left any process. */
export function readEffects({ effectsPath, idempotencyKey }: PaymentChildTask) {
  const lines = readFileSync(effectsPath, 'utf8').split('\n')
  const own = lines.map((line) => line.split(' ')).filter(([, key]) => key === idempotencyKey)
  const broadcasts = own.filter(([effect]) => effect === 'broadcast').map(([, , id]) => id ?? '')
  return { signatures: own.filter(([effect]) => effect === 'sign').length, broadcasts }
}

/** An agent whose signatures and broadcasts are written down before the engine learns of them. */
export function agentOf(task: PaymentChildTask, journal: PaymentJournal): { agent: EconomicAgent; calls: HostCall[] } {
  const clockMs = () => BigInt(task.nowMs) + 1n
  const chain = createRehearsalChain({ clockMs, accepted: readEffects(task).broadcasts })
  const calls: HostCall[] = []
  const note = (line: string): void => {
    const file = openSync(task.effectsPath, 'a')
    writeSync(file, `${line}\n`)
    fsyncSync(file)
    closeSync(file)
  }
  const dieAt = (moment: 'before' | 'after', call: HostCall): void => {
    if (task.dies?.moment === moment && task.dies.call === call) process.kill(process.pid, 'SIGKILL')
  }
  const host = listenToHost(createRehearsalHost({ journal, chain, elapsedMs: () => 0n }), {
    before: (call) => {
      calls.push(call)
      dieAt('before', call)
    },
    after: (call) => {
      if (call === 'sign') note(`sign ${task.idempotencyKey}`)
      if (call === 'broadcast') note(`broadcast ${task.idempotencyKey} ${chain.broadcasts.at(-1)}`)
      dieAt('after', call)
    },
  })
  return { agent: createEconomicAgent(policy, host, { aborted: false }), calls }
}

if (import.meta.main) {
  const [storeText = '', taskText = ''] = process.argv.slice(2)
  const task = JSON.parse(taskText) as PaymentChildTask
  const journal = await openStore(JSON.parse(storeText) as JournalStore, { clockMs: () => BigInt(task.nowMs) })
  await agentOf(task, journal).agent.execute(proposalOf(task))
  await journal.close()
}
