import { RAILS, type Rail } from '@oikos/core/economic'
import { openAllowList } from '../src/custody/allow-list.ts'
import { walletsFolder } from '../src/custody/keystore-vault.ts'
import { openSignatureRecord, type SignatureRecord } from '../src/custody/signature-record.ts'
import { createVault } from '../src/custody/vault.ts'
import { openWalletFolder } from '../src/custody/wallets.ts'
import { PASSPHRASE, requestOf, transferOf } from './custody-folder.ts'

/** What a process of custody is to do: sign one transfer for each of some approvals. */
export type CustodyChildTask = {
  readonly folder: string
  readonly rail: Rail
  /** Tells its transfers from those of another process. */
  readonly serial: number
  readonly approvals: readonly number[]
  /** Dies at the first signature: before its record is written, or when it is written and nothing has left. */
  readonly dies?: 'before-record' | 'after-record'
}

/** What it prints for each approval: the signed bytes in hexadecimal, or the code of a refusal. */
export type CustodyChildLine = { readonly approval: number; readonly signed?: string; readonly code?: string }

if (import.meta.main) {
  const task = JSON.parse(process.argv[2] ?? '') as CustodyChildTask
  if (!RAILS.includes(task.rail)) throw new Error(`rail ${task.rail}`)
  const wallets = openWalletFolder(walletsFolder(task.folder))
  const record = await openSignatureRecord(task.folder)
  const die = (): never => {
    process.kill(process.pid, 'SIGKILL')
    throw new Error('killed')
  }
  const mortal: SignatureRecord = {
    ...record,
    claim: (entry, nowMs) => {
      if (task.dies === 'before-record') die()
      const verdict = record.claim(entry, nowMs)
      if (task.dies === 'after-record') die()
      return verdict
    },
  }
  const key = await wallets.open('test.wallet', task.rail, PASSPHRASE)
  const vault = createVault({
    find: wallets.find,
    open: async () => key,
    allowList: openAllowList(task.folder),
    record: mortal,
    clockMs: () => Date.now(),
  })
  for (const approval of task.approvals) {
    const built = transferOf(task.rail, task.serial + approval)
    const line: CustodyChildLine = await vault.sign(requestOf(built, approval)).then(
      (bytes) => ({ approval, signed: Buffer.from(bytes).toString('hex') }),
      (cause: { code: string }) => ({ approval, code: cause.code }),
    )
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  record.close()
}
