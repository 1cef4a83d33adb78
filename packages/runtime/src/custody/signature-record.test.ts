import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvalDigestOf } from '../../test/custody-folder.ts'
import { keyOf, transactionIdOf } from '../../test/payer.ts'
import { openSignatureRecord, type SignatureEntry, type SignatureRecord } from './signature-record.ts'

let folder: string
let record: SignatureRecord
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oikos-record-'))
  record = await openSignatureRecord(folder)
})
afterEach(async () => {
  record.close()
  await rm(folder, { recursive: true, force: true })
})

const entryOf = (number: number, changes: Partial<SignatureEntry> = {}): SignatureEntry => ({
  approvalDigest: approvalDigestOf(number),
  walletId: 'wallet',
  rail: 'evm',
  unsignedDigest: approvalDigestOf(1_000 + number),
  signedDigest: approvalDigestOf(2_000 + number),
  transactionId: transactionIdOf('evm', number),
  destination: keyOf('evm', 9).address,
  amountAtomic: 18_446_744_073_709_551_615n,
  ...changes,
})

describe('the record of signatures', () => {
  test('keeps every digit of an amount', () => {
    record.claim(entryOf(1), 1)
    expect(record.find('evm', transactionIdOf('evm', 1))).toEqual(entryOf(1))
    expect(record.find('solana', transactionIdOf('evm', 1))).toBeUndefined()
  })

  test('one approval has one transaction, one transaction one approval, and both one signature', () => {
    expect(record.claim(entryOf(1), 1)).toBe('new')
    expect(record.claim(entryOf(1), 2)).toBe('same')
    expect(record.claim(entryOf(1, { unsignedDigest: approvalDigestOf(7) }), 2)).toBe('conflict')
    expect(record.claim(entryOf(1, { approvalDigest: approvalDigestOf(7) }), 2)).toBe('conflict')
    // A key that signs the same bytes in two ways would make two transactions of them.
    expect(record.claim(entryOf(1, { signedDigest: approvalDigestOf(7) }), 2)).toBe('conflict')
  })

  test('what mixes two recorded signatures is neither of them', () => {
    record.claim(entryOf(1), 1)
    record.claim(entryOf(2), 1)
    expect(record.look({ ...entryOf(1), unsignedDigest: entryOf(2).unsignedDigest })).toBe('conflict')
  })

  test('says beforehand what it would say, and writes nothing by that', () => {
    expect(record.look(entryOf(1))).toBe('new')
    expect(record.look(entryOf(1))).toBe('new')
    record.claim(entryOf(1), 1)
    expect(record.look(entryOf(1))).toBe('same')
  })

  test('a transaction stands for one invoice', () => {
    const proof = {
      rail: 'evm',
      transactionId: transactionIdOf('evm', 1),
      invoice: 'sha256:a',
      paymentId: 'p',
    } as const
    expect(record.claimProof(proof, 1)).toBe('new')
    expect(record.claimProof(proof, 2)).toBe('same')
    expect(record.claimProof({ ...proof, invoice: 'sha256:b' }, 2)).toBe('conflict')
    expect(record.claimProof({ ...proof, paymentId: 'q' }, 2)).toBe('conflict')
    expect(record.claimProof({ ...proof, rail: 'bitcoin' }, 2)).toBe('new')
  })
})
