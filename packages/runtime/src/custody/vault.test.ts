import { isSolanaAddress, RAILS, type Rail, solanaAddressBytes, unsignedDigest } from '@oikos/core/economic'
import { Transaction } from '@scure/btc-signer'
import { getTransactionDecoder } from '@solana/kit'
import { bytesToHex, parseTransaction, recoverTransactionAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
import { createInvoiceIssuer } from '../x402/paid-by-transaction/issuer.ts'
import { verifyPaymentProof } from '../x402/paid-by-transaction/proof.ts'
import { openAllowList } from './allow-list.ts'
import { CustodyError } from './errors.ts'
import { openKeystoreVault } from './keystore-vault.ts'
import type { RailKey } from './rail-key.ts'
import type { SignatureRecord } from './signature-record.ts'
import { checkTransfer } from './transfer-check.ts'
import { createVault, type KnownApproval, type Vault } from './vault.ts'

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

describe.each(RAILS)('a vault on %s', (rail) => {
  test('signs what another library reads as the transfer, signed by the wallet', async () => {
    const built = transferOf(rail)
    await expectSigned(rail, await vault.sign(requestOf(built)), built.bytes)
  })

  test('gives the same bytes for the same approval as often as it is asked, also after a restart', async () => {
    const request = requestOf(transferOf(rail))
    const first = await vault.sign(request)
    expect(await vault.sign(request)).toEqual(first)
    vault.close()
    vault = await openVault()
    expect(await vault.sign(request)).toEqual(first)
  })

  test('never signs two transactions for one approval', async () => {
    await vault.sign(requestOf(transferOf(rail, 0)))
    await expect(vault.sign(requestOf(transferOf(rail, 1)))).rejects.toEqual(refusedWith('already_signed'))
    await vault.sign(requestOf(transferOf(rail, 1), 2))
  })

  test('never signs one transaction for two approvals', async () => {
    await vault.sign(requestOf(transferOf(rail)))
    await expect(vault.sign(requestOf(transferOf(rail), 2))).rejects.toEqual(refusedWith('already_signed'))
  })

  test('refuses bytes that are not those of the digest', async () => {
    const request = { ...requestOf(transferOf(rail)), unsignedTransactionDigest: transferOf(rail, 1).digest }
    await expect(vault.sign(request)).rejects.toEqual(refusedWith('digest_mismatch'))
  })

  test('refuses a destination that is not on its own list, whatever was approved', async () => {
    const to = keyOf(rail, 8).address
    const built = unsignedTransfer({ rail, from: keyOf(rail, 5).address, to, amountAtomic: 1_000n })
    await expect(vault.sign(requestOf(built))).rejects.toEqual(refusedWith('destination_refused'))
  })

  test('refuses more than the list has for the destination, and signs exactly that much', async () => {
    const over = requestOf(transferOf(rail, 0, MAX_AMOUNT_ATOMIC + 1n))
    await expect(vault.sign(over)).rejects.toEqual(refusedWith('amount_refused'))
    await vault.sign(requestOf(transferOf(rail, 0, MAX_AMOUNT_ATOMIC)))
  })

  test('refuses a transfer that can cost more than the list has', async () => {
    const { maxFeeAtomic } = checkTransfer(rail, keyOf(rail, 5).address, transferOf(rail).bytes)
    const row = { walletId: WALLET, rail, destination: payeeOf(rail), maxAmountAtomic: MAX_AMOUNT_ATOMIC }
    await openAllowList(folder).put({ ...row, maxFeeAtomic: maxFeeAtomic - 1n })
    await expect(vault.sign(requestOf(transferOf(rail)))).rejects.toEqual(refusedWith('fee_refused'))
    await openAllowList(folder).put({ ...row, maxFeeAtomic })
    await vault.sign(requestOf(transferOf(rail)))
  })

  test('a destination that was taken off the list is refused at once', async () => {
    await openAllowList(folder).remove({ walletId: WALLET, rail, destination: payeeOf(rail) })
    await expect(vault.sign(requestOf(transferOf(rail)))).rejects.toEqual(refusedWith('destination_refused'))
  })

  test('refuses a transfer from another wallet than its own', async () => {
    const built = unsignedTransfer({ rail, from: keyOf(rail, 6).address, to: payeeOf(rail), amountAtomic: 1_000n })
    // An Ethereum transaction does not say who it is from: whatever is signed is from the wallet.
    if (rail === 'evm') await expectSigned(rail, await vault.sign(requestOf(built)), built.bytes)
    else await expect(vault.sign(requestOf(built))).rejects.toEqual(refusedWith('transaction_refused'))
  })

  test('refuses every change of a byte that leaves no transfer to the payee', async () => {
    const { bytes } = transferOf(rail)
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Uint8Array.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 0x01
      const request = {
        ...requestOf(transferOf(rail)),
        unsignedTransaction: changed,
        unsignedTransactionDigest: unsignedDigest(changed),
      }
      const outcome = await vault
        .sign({ ...request, approvalDigest: approvalDigestOf(1_000 + index) })
        .catch((cause) => cause)
      if (outcome instanceof CustodyError) continue
      // What was signed is still a transfer from the wallet to its payee, within the list.
      const { destination, amountAtomic, maxFeeAtomic } = checkTransfer(rail, keyOf(rail, 5).address, changed)
      expect(destination).toBe(payeeOf(rail))
      expect(amountAtomic).toBeLessThanOrEqual(MAX_AMOUNT_ATOMIC)
      expect(maxFeeAtomic).toBeLessThanOrEqual(MAX_FEE_ATOMIC)
    }
  })

  test('refuses a wallet that it does not have', async () => {
    const request = { ...requestOf(transferOf(rail)), walletId: 'other.wallet' }
    await expect(vault.sign(request)).rejects.toEqual(refusedWith('wallet_unknown'))
  })

  test('a signature that does not verify never leaves', async () => {
    const wrong = vaultWith({ rail, address: keyOf(rail, 5).address, signTransaction: keyOf(rail, 6).signTransaction })
    await expect(wrong.vault.sign(requestOf(transferOf(rail)))).rejects.toEqual(
      refusedWith('signature_invalid', 'definitely_not_started'),
    )
    expect(wrong.claims).toEqual([])
  })

  test('what a key throws is not repeated: it could hold a secret', async () => {
    const failing = vaultWith({
      rail,
      address: keyOf(rail, 5).address,
      signTransaction: async () => {
        throw new Error('private key 0505050505')
      },
    })
    const error: unknown = await failing.vault.sign(requestOf(transferOf(rail))).catch((cause: unknown) => cause)
    expect(JSON.stringify([String(error), (error as Error).cause, (error as Error).stack])).not.toContain('0505050505')
  })

  test('a record that fails stops the signature, and says whether it may be there', async () => {
    const { DurableStoreError } = await import('../durable/database.ts')
    for (const [effect, disposition] of [
      ['not_started', 'definitely_not_started'],
      ['uncertain', 'failed_uncertain'],
    ] as const) {
      const claim = () => {
        throw new DurableStoreError('signatures.sqlite', effect, 'disk')
      }
      const failing = vaultWith(keyOf(rail, 5), { claim })
      await expect(failing.vault.sign(requestOf(transferOf(rail)))).rejects.toEqual(
        refusedWith('record_failed', disposition),
      )
    }
  })

  test('proves for one invoice that a transaction which it signed pays it', async () => {
    const built = transferOf(rail)
    const signed = await vault.sign(requestOf(built))
    const transactionId = await idOf(rail, signed)
    const invoice = invoiceOf(rail)
    const request = { walletId: WALLET, transactionId, invoice, paymentId: 'key_0123456789abcdef' }
    const proof = await vault.prove(request)
    expect(await verifyPaymentProof(proof)).toBe(true)
    expect(await vault.prove(request)).toEqual(proof)
    await expect(vault.prove({ ...request, invoice: invoiceOf(rail) })).rejects.toEqual(refusedWith('proof_conflict'))
    await expect(vault.prove({ ...request, paymentId: 'key_fedcba9876543210' })).rejects.toEqual(
      refusedWith('proof_conflict'),
    )
  })

  test('proves nothing for a transaction that it did not sign, or that pays something else', async () => {
    const transactionId = await idOf(rail, await vault.sign(requestOf(transferOf(rail))))
    const request = { walletId: WALLET, transactionId, invoice: invoiceOf(rail), paymentId: 'key_0123456789abcdef' }
    const unknown = await idOf(rail, await keyOf(rail, 5).signTransaction(transferOf(rail, 7).bytes))
    await expect(vault.prove({ ...request, transactionId: unknown })).rejects.toEqual(
      refusedWith('transaction_unknown'),
    )
    await expect(vault.prove({ ...request, walletId: 'other.wallet' })).rejects.toEqual(
      refusedWith('transaction_unknown'),
    )
    await expect(vault.prove({ ...request, invoice: invoiceOf(rail, 999n) })).rejects.toEqual(
      refusedWith('proof_conflict'),
    )
    await expect(vault.prove({ ...request, transactionId: 'x' })).rejects.toEqual(refusedWith('request_malformed'))
    await expect(vault.prove({ ...request, paymentId: 'short' })).rejects.toEqual(refusedWith('request_malformed'))
  })
})

/** A vault over one key and a record in memory. */
function vaultWith(key: Omit<RailKey, 'signMessage'>, changes: Partial<SignatureRecord> = {}) {
  const claims: unknown[] = []
  const record: SignatureRecord = {
    look: () => 'new',
    claim: (entry) => {
      claims.push(entry)
      return 'new'
    },
    find: () => undefined,
    claimProof: () => 'new',
    close: () => {},
    ...changes,
  }
  const wallet = { walletId: WALLET, rail: key.rail, network: 'sepolia', address: key.address } as const
  const made = createVault({
    find: async () => wallet,
    open: async () => ({ ...key, signMessage: async () => '' }),
    allowList: openAllowList(folder),
    record,
    clockMs: () => nowMs,
  })
  return { vault: made, claims }
}

let nonces = 0
function invoiceOf(rail: Rail, amountAtomic = 1_000n) {
  const issuer = createInvoiceIssuer({
    secrets: [new Uint8Array(32)],
    clockMs: () => nowMs,
    createNonce: () => {
      nonces += 1
      return String(nonces).padStart(16, '0')
    },
  })
  const resource = 'https://market.example.org/data'
  return issuer.issue({
    rail,
    amountAtomic,
    payTo: payeeOf(rail),
    confirmations: 1,
    method: 'GET',
    resource,
    lifetimeSec: 60,
  })
}

/** The id that another library has for a signed transaction. */
async function idOf(rail: Rail, signed: Uint8Array): Promise<string> {
  switch (rail) {
    case 'evm': {
      const { keccak256 } = await import('viem')
      return keccak256(signed)
    }
    case 'solana': {
      const { getBase58Decoder } = await import('@solana/kit')
      return getBase58Decoder().decode(signed.subarray(1, 65))
    }
    case 'bitcoin':
      return Transaction.fromRaw(signed).id
    default:
      return rail satisfies never
  }
}

/** Checks a signature with the rail's own library. */
async function expectSigned(rail: Rail, signed: Uint8Array, unsigned: Uint8Array): Promise<void> {
  const { address } = keyOf(rail, 5)
  switch (rail) {
    case 'evm': {
      const serializedTransaction = bytesToHex(signed) as `0x02${string}`
      expect((await recoverTransactionAddress({ serializedTransaction })).toLowerCase()).toBe(address)
      const { r: _r, s: _s, v: _v, yParity: _y, ...fields } = parseTransaction(serializedTransaction)
      expect(fields).toEqual(parseTransaction(bytesToHex(unsigned) as `0x02${string}`))
      return
    }
    case 'solana': {
      const { messageBytes, signatures } = getTransactionDecoder().decode(signed)
      expect(Uint8Array.from(messageBytes)).toEqual(unsigned)
      expect(Object.keys(signatures)).toEqual([address])
      if (!isSolanaAddress(address)) throw new Error('no address')
      const raw = Uint8Array.from(solanaAddressBytes(address))
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', true, ['verify'])
      const signature = Uint8Array.from(Object.values(signatures)[0] ?? [])
      expect(await crypto.subtle.verify('Ed25519', key, signature, Uint8Array.from(messageBytes))).toBe(true)
      return
    }
    case 'bitcoin': {
      const transaction = Transaction.fromRaw(signed)
      const psbt = Transaction.fromPSBT(unsigned)
      expect([transaction.inputsLength, transaction.outputsLength]).toEqual([psbt.inputsLength, psbt.outputsLength])
      for (let index = 0; index < transaction.outputsLength; index += 1)
        expect(transaction.getOutput(index)).toMatchObject({ ...psbt.getOutput(index) })
      return
    }
    default:
      rail satisfies never
  }
}
