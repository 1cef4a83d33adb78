import { writeSync } from 'node:fs'
import { stdin } from 'node:process'
import type { RollingReservation } from '../src/economic/host.ts'
import { type JournalStore, openStore } from './journal-store.ts'

/**
 * A process that writes to a journal while others do, or until it is killed. It says `ready`, waits for a line, and
 * prints one line per finished step, before it begins the next.
 */
export type JournalChildTask =
  | { readonly work: 'race'; readonly name: string; readonly rounds: number; readonly nowMs: string }
  | { readonly work: 'march'; readonly name: string; readonly nowMs: string }

/** One line of a child. */
export type JournalChildReport = { readonly key: string; readonly version: number; readonly disposition: string }

const [storeText = '', taskText = ''] = process.argv.slice(2)
const store = JSON.parse(storeText) as JournalStore
const task = JSON.parse(taskText) as JournalChildTask
const nowMs = BigInt(task.nowMs)
const journal = await openStore(store, { clockMs: () => nowMs })

const say = (line: unknown): void => {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
const reservation = (walletId: string, maxRolling24hAtomic: bigint): RollingReservation => ({
  walletId,
  ...{ rail: 'evm', network: 'sepolia', asset: 'native:eth' },
  ...{ requestedAtMs: nowMs, amountAtomic: 10n, maxRolling24hAtomic },
})

say('ready')
await new Promise((resolve) => stdin.once('data', resolve))
stdin.pause()

switch (task.work) {
  case 'race':
    for (let round = 0; round < task.rounds; round += 1) {
      const key = `${task.name}.${round}`
      const rolling = { kind: 'reserve', reservation: reservation(`wallet.${round}`, 10n) } as const
      say({ key, version: 1, disposition: await journal.compareAndSwap(key, 0n, `${key}\n`, rolling) })
    }
    break
  case 'march':
    for (let payment = 0; ; payment += 1) {
      const key = `${task.name}.${payment}`
      const rolling = { kind: 'reserve', reservation: reservation('march', 1_000_000_000n) } as const
      say({ key, version: 1, disposition: await journal.compareAndSwap(key, 0n, `${key} 1\n`, rolling) })
      const last = payment % 3 === 0 ? 3 : 9
      for (let version = 2; version <= last; version += 1) {
        const kind = version === last && last === 3 ? 'release' : 'retain'
        const disposition = await journal.compareAndSwap(key, BigInt(version - 1), `${key} ${version}\n`, { kind })
        say({ key, version, disposition })
      }
    }
  default:
    throw new Error(`journal child: got ${JSON.stringify(task)}, expected race or march`)
}
await journal.close()
