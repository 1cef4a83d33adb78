import { RAILS, unsignedDigest } from '@oikos/core/economic'
import { parseEther, serializeTransaction, toBytes } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectingSink } from '../../test/collecting-sink.ts'
import {
  approvalDigestOf,
  MAX_AMOUNT_ATOMIC,
  makeCustodyFolder,
  PASSPHRASE,
  payeeOf,
  requestOf,
  transferOf,
  WALLET,
} from '../../test/custody-folder.ts'
import { keyOf } from '../../test/payer.ts'
import { MAX_FEE_ATOMIC, unsignedTransfer } from '../../test/unsigned-transfer.ts'
import { createWalletCustody } from './adapter.ts'
import { openAllowList } from './allow-list.ts'
import type { CustodyError } from './errors.ts'
import { openKeystoreVault } from './keystore-vault.ts'
import type { KnownApproval, Vault } from './vault.ts'

const nowMs = 1_900_000_000_000
let folder: string
let remove: () => Promise<void>
let vault: Vault & { readonly close: () => void }

beforeEach(async () => {
  const made = await makeCustodyFolder(RAILS)
  folder = made.folder
  remove = made.remove
  vault = await openVault()
})
afterEach(async () => {
  vault.close()
  await remove()
})

function openVault(findApproval?: (digest: string) => Promise<KnownApproval | undefined>) {
  return openKeystoreVault(folder, {
    passphraseOf: async () => PASSPHRASE,
    clockMs: () => nowMs,
    keepsKeysOpen: true,
    ...(findApproval === undefined ? {} : { findApproval }),
  })
}

const refusedWith = (code: string, disposition = 'policy_rejected') =>
  expect.objectContaining({ name: 'CustodyError', code, disposition })

describe('networks', () => {
  test.each([1, 137, 8453, 11_155_112])('a transaction for chain %s is refused', async (chainId) => {
    const transaction = {
      type: 'eip1559',
      chainId,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 4n,
      maxPriorityFeePerGas: 2n,
      to: payeeOf('evm') as `0x${string}`,
      value: 1_000n,
    } as const
    const bytes = toBytes(serializeTransaction(transaction))
    const request = {
      ...requestOf(transferOf('evm')),
      unsignedTransaction: bytes,
      unsignedTransactionDigest: unsignedDigest(bytes),
    }
    await expect(vault.sign(request)).rejects.toEqual(refusedWith('network_refused'))
  })
})

describe('hostile requests', () => {
  const good = () => requestOf(transferOf('evm'))

  test.each([
    ['a wallet id that is a path', { walletId: '../other' }],
    ['a rail that is none', { rail: 'mainnet' }],
    ['a rail of the prototype', { rail: 'toString' }],
    ['an approval digest that is none', { approvalDigest: 'sha256:x' }],
    ['an approval digest in capitals', { approvalDigest: `sha256:${'AB'.repeat(32)}` }],
    ['no bytes', { unsignedTransaction: 'abc' }],
    ['too many bytes', { unsignedTransaction: new Uint8Array(1_048_577) }],
    ['nothing', { walletId: undefined }],
  ])('%s is malformed', async (_what, fields) => {
    await expect(vault.sign({ ...good(), ...(fields as object) })).rejects.toEqual(refusedWith('request_malformed'))
  })

  test.each([
    ['call data', { data: '0x00' }],
    ['an access list', { accessList: [{ address: `0x${'11'.repeat(20)}`, storageKeys: [] }] }],
    ['more gas', { gas: 21_001n }],
    ['no recipient', { to: undefined }],
    ['no value', { value: 0n }],
    ['a value of more than 64 bits', { value: parseEther('1000') }],
    ['a fee that no base fee gives', { maxFeePerGas: 5n }],
  ])('an Ethereum transaction with %s is refused', async (_what, fields) => {
    const bytes = toBytes(
      serializeTransaction({
        type: 'eip1559',
        chainId: 11_155_111,
        nonce: 0,
        gas: 21_000n,
        maxFeePerGas: 4n,
        maxPriorityFeePerGas: 2n,
        to: payeeOf('evm') as `0x${string}`,
        value: 1_000n,
        ...(fields as object),
      }),
    )
    const request = { ...good(), unsignedTransaction: bytes, unsignedTransactionDigest: unsignedDigest(bytes) }
    const isLarge = 'value' in fields && fields.value !== 0n
    await expect(vault.sign(request)).rejects.toEqual(refusedWith(isLarge ? 'amount_refused' : 'transaction_refused'))
  })

  test('bytes of another rail are no transaction of this one', async () => {
    for (const rail of RAILS)
      for (const other of RAILS.filter((candidate) => candidate !== rail)) {
        const request = { ...requestOf(transferOf(other)), rail }
        await expect(vault.sign(request)).rejects.toEqual(refusedWith('transaction_refused'))
      }
  })
})

describe('the order of checks', () => {
  test('each refusal comes before all that follow', async () => {
    const { bytes } = transferOf('evm', 3, MAX_AMOUNT_ATOMIC + 1n)
    const foreign = unsignedTransfer({
      rail: 'evm',
      from: keyOf('evm', 5).address,
      to: keyOf('evm', 8).address,
      amountAtomic: MAX_AMOUNT_ATOMIC + 1n,
    }).bytes
    await openAllowList(folder).put({
      walletId: WALLET,
      rail: 'evm',
      destination: payeeOf('evm'),
      maxAmountAtomic: MAX_AMOUNT_ATOMIC,
      maxFeeAtomic: 0n,
    })
    vault.close()
    vault = await openVault(async () => undefined)
    const noTransfer = Uint8Array.of(2, 0xc0)
    const asked = (unsignedTransaction: Uint8Array, fields: object = {}) => ({
      ...requestOf(transferOf('evm')),
      unsignedTransaction,
      unsignedTransactionDigest: unsignedDigest(unsignedTransaction),
      ...fields,
    })
    const within = transferOf('evm', 4).bytes
    const rows = [
      [
        'request_malformed',
        asked(noTransfer, {
          approvalDigest: '',
          unsignedTransactionDigest: transferOf('evm').digest,
          walletId: 'other',
        }),
      ],
      [
        'digest_mismatch',
        asked(noTransfer, { unsignedTransactionDigest: transferOf('evm').digest, walletId: 'other' }),
      ],
      ['wallet_unknown', asked(noTransfer, { walletId: 'other' })],
      ['transaction_refused', asked(noTransfer)],
      ['destination_refused', asked(foreign)],
      ['amount_refused', asked(bytes)],
      ['fee_refused', asked(within)],
    ] as const
    for (const [code, request] of rows) await expect(vault.sign(request)).rejects.toEqual(refusedWith(code))
    await openAllowList(folder).put({
      walletId: WALLET,
      rail: 'evm',
      destination: payeeOf('evm'),
      maxAmountAtomic: MAX_AMOUNT_ATOMIC,
      maxFeeAtomic: MAX_FEE_ATOMIC,
    })
    await expect(vault.sign(asked(within))).rejects.toEqual(refusedWith('approval_refused'))
  })
})

describe('a vault that looks approvals up itself', () => {
  const approval: KnownApproval = {
    walletId: WALLET,
    rail: 'evm',
    recipient: payeeOf('evm'),
    amountAtomic: 1_000n,
    maxFeeAtomic: MAX_FEE_ATOMIC,
    expiresAtMs: BigInt(nowMs) + 1n,
  }

  test.each([
    ['nobody gave', undefined],
    ['is for another wallet', { ...approval, walletId: 'other' }],
    ['is for another rail', { ...approval, rail: 'solana' as const }],
    ['is for another recipient', { ...approval, recipient: keyOf('evm', 8).address }],
    ['is for less', { ...approval, amountAtomic: 999n }],
    ['is for more', { ...approval, amountAtomic: 1_001n }],
    ['is for a smaller fee', { ...approval, maxFeeAtomic: 1n }],
    ['is over', { ...approval, expiresAtMs: BigInt(nowMs) }],
  ])('refuses an approval that %s', async (_what, known) => {
    vault.close()
    vault = await openVault(async () => known)
    await expect(vault.sign(requestOf(transferOf('evm')))).rejects.toEqual(refusedWith('approval_refused'))
  })

  test('signs for one that is for this payment, and asks for it by its digest', async () => {
    const asked: string[] = []
    vault.close()
    vault = await openVault(async (digest) => {
      asked.push(digest)
      return approval
    })
    await vault.sign(requestOf(transferOf('evm')))
    expect(asked).toEqual([approvalDigestOf(1)])
  })
})

describe('the adapter of the engine', () => {
  test('pushes the signature, or tells a disposition and the operator a cause', async () => {
    const errors: CustodyError[] = []
    const custody = createWalletCustody(vault, (error) => errors.push(error))
    const { sink, text } = collectingSink()
    expect(await custody.sign({ ...requestOf(transferOf('evm')), walletId: 'other' }, sink)).toBe('policy_rejected')
    expect(text()).toBe('')
    expect(await custody.sign(requestOf(transferOf('evm')), sink)).toBe('succeeded')
    expect(text()).not.toBe('')
    expect(errors.map(({ code }) => code)).toEqual(['wallet_unknown'])
  })
})
