import { join } from 'node:path'
import { RAILS, type Rail } from '@oikos/core/economic'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runChild } from '../../test/child-process.ts'
import type { CustodyChildLine, CustodyChildTask } from '../../test/custody-child.ts'
import { makeCustodyFolder, PASSPHRASE, requestOf, transferOf } from '../../test/custody-folder.ts'
import { openKeystoreVault } from './keystore-vault.ts'

const program = join(import.meta.dirname, '../../test/custody-child.ts')
const EVM_SERIALS = { one: 0, two: 10_000 }

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  const made = await makeCustodyFolder(RAILS)
  folder = made.folder
  remove = made.remove
})
afterEach(() => remove())

async function run(task: Omit<CustodyChildTask, 'folder'>): Promise<{ lines: CustodyChildLine[]; end: unknown }> {
  const child = runChild(program, { folder, ...task })
  const end = await child.ended
  return { lines: child.lines as CustodyChildLine[], end }
}

test('two processes of custody race for one approval: exactly one signs, for each of many', async () => {
  const approvals = Array.from({ length: 40 }, (_, index) => index)
  const [one, two] = await Promise.all([
    run({ rail: 'evm', serial: EVM_SERIALS.one, approvals }),
    run({ rail: 'evm', serial: EVM_SERIALS.two, approvals }),
  ])
  expect([one.end, two.end]).toEqual([0, 0])
  const outcomes = approvals.map((approval) => {
    const lines = [one, two].map(({ lines }) => lines.find((line) => line.approval === approval))
    return [
      lines.filter((line) => line?.signed !== undefined).length,
      lines.filter((line) => line?.code === 'already_signed').length,
    ]
  })
  expect(outcomes).toEqual(approvals.map(() => [1, 1]))
})

test('two processes that are asked for the same transaction give the same bytes', async () => {
  const approvals = Array.from({ length: 20 }, (_, index) => index)
  const task = { rail: 'bitcoin', serial: 0, approvals } as const
  const [one, two] = await Promise.all([run(task), run(task)])
  expect(one.lines).toEqual(two.lines)
  expect(one.lines.every(({ signed }) => signed !== undefined)).toBe(true)
})

describe.each(RAILS)('kill -9 on %s', (rail: Rail) => {
  /** Signs in this process, after the other one is dead. */
  async function sign(serial: number): Promise<string> {
    const passphraseOf = async () => PASSPHRASE
    const vault = await openKeystoreVault(folder, { passphraseOf, clockMs: () => Date.now() })
    try {
      return Buffer.from(await vault.sign(requestOf(transferOf(rail, serial + 1)))).toString('hex')
    } finally {
      vault.close()
    }
  }

  test('between record and signature: the same transaction is signed again with the same bytes, another one never', async () => {
    const died = await run({ rail, serial: 0, approvals: [1], dies: 'after-record' })
    expect(died).toEqual({ lines: [], end: 'SIGKILL' })
    await expect(sign(5)).rejects.toMatchObject({ code: 'already_signed' })
    const first = await sign(0)
    expect(await sign(0)).toBe(first)
    await expect(sign(5)).rejects.toMatchObject({ code: 'already_signed' })
  })

  test('before the record: nothing is remembered, since nothing left', async () => {
    const died = await run({ rail, serial: 0, approvals: [1], dies: 'before-record' })
    expect(died).toEqual({ lines: [], end: 'SIGKILL' })
    expect(await sign(5)).toMatch(/^[0-9a-f]+$/)
  })
})
