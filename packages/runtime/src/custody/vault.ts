import {
  isDomainDigest,
  isIdentifier,
  isRail,
  isTransactionId,
  PRODUCTION_LIMITS,
  type Rail,
  unsignedDigest,
} from '@oikos/core/economic'
import { DurableStoreError } from '../durable/database.ts'
import type { SigningRequest } from '../economic/host.ts'
import { type PaymentProof, paymentProofText } from '../x402/paid-by-transaction/proof.ts'
import { type IssuedInvoice, invoiceTermsDigest } from '../x402/paid-by-transaction/terms.ts'
import { type AllowList, findAllowed } from './allow-list.ts'
import { CustodyError } from './errors.ts'
import type { RailKey } from './rail-key.ts'
import type { SignatureEntry, SignatureRecord } from './signature-record.ts'
import { type CheckedTransfer, checkSigned, checkTransfer } from './transfer-check.ts'
import type { WalletDescription } from './wallets.ts'

/** What an approver gave, as custody may look it up. Amounts in the smallest unit of the asset. */
export type KnownApproval = {
  readonly walletId: string
  readonly rail: Rail
  readonly recipient: string
  readonly amountAtomic: bigint
  readonly maxFeeAtomic: bigint
  /** Milliseconds since 1970. */
  readonly expiresAtMs: bigint
}

/** What a vault is made of. */
export type VaultOptions = {
  readonly find: (walletId: string, rail: Rail) => Promise<WalletDescription | undefined>
  /** Called only after everything else was found right. */
  readonly open: (walletId: string, rail: Rail) => Promise<RailKey>
  readonly allowList: AllowList
  readonly record: SignatureRecord
  /**
   * Finds an approval by its digest, in a place that the engine cannot write. With it, custody does not take the engine's
   * word that something was approved. Undefined for a digest that nobody approved.
   */
  readonly findApproval?: (approvalDigest: string) => Promise<KnownApproval | undefined>
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
}

/** A request to sign that a transaction pays an invoice. */
export type ProofRequest = {
  readonly walletId: string
  readonly transactionId: string
  readonly invoice: IssuedInvoice
  /** 16 to 128 letters, digits, `-` and `_`. */
  readonly paymentId: string
}

/** Keys with their rules and their memory. Whoever holds one can have signed what its rules allow, and nothing else. */
export type Vault = {
  /** Signs one transaction for one approval. Throws {@link CustodyError}. */
  readonly sign: (request: SigningRequest) => Promise<Uint8Array>
  /** Signs that a transaction which was signed here pays an invoice, one invoice for each. Throws {@link CustodyError}. */
  readonly prove: (request: ProofRequest) => Promise<PaymentProof>
}

const PAYMENT_ID = /^[A-Za-z0-9_-]{16,128}$/

/**
 * Signs only what it has read itself: the digest must be that of the bytes, the bytes a plain transfer from the wallet on a
 * test network, the destination on the allow list within its amounts. The signature is verified and recorded, synced to
 * disk, before it is given: for an approval that was seen before the same bytes give the same signature, others none.
 */
export function createVault(options: VaultOptions): Vault {
  const { record, clockMs } = options
  return {
    sign: async (request) => {
      const rail = readRequest(request)
      const transfer = await admit(request, rail, options)
      const { approvalDigest, walletId, unsignedTransactionDigest } = request
      const claimed = { approvalDigest, unsignedDigest: unsignedTransactionDigest }
      if (recorded(() => record.look(claimed)) === 'conflict') throw alreadySigned(claimed)
      const key = await options.open(walletId, rail)
      if (key.address !== transfer.from) throw new CustodyError('wallet_unknown', `the key is that of ${key.address}`)
      const bytes = await signWith(key, transfer)
      const signed = checkSigned(transfer, bytes)
      const entry: SignatureEntry = {
        ...claimed,
        walletId,
        rail,
        signedDigest: signed.digest,
        transactionId: signed.transactionId,
        destination: transfer.destination,
        amountAtomic: transfer.amountAtomic,
      }
      // From here on the signature may be known outside; before, nobody has seen it.
      if (recorded(() => record.claim(entry, clockMs())) === 'conflict') throw alreadySigned(claimed)
      return bytes
    },
    prove: async ({ walletId, transactionId, invoice, paymentId }) => {
      const { rail } = invoice
      if (!isTransactionId(rail, transactionId) || !PAYMENT_ID.test(paymentId))
        throw new CustodyError('request_malformed', 'no transaction id, or no payment identifier')
      const entry = recorded(() => record.find(rail, transactionId))
      if (entry === undefined || entry.walletId !== walletId)
        throw new CustodyError('transaction_unknown', `${walletId} did not sign ${transactionId}`)
      if (entry.destination !== invoice.payTo || entry.amountAtomic !== invoice.amountAtomic)
        throw new CustodyError(
          'proof_conflict',
          'the transaction pays another recipient or amount than the invoice asks',
        )
      const digest = invoiceTermsDigest(invoice)
      const key = await options.open(walletId, rail)
      const proof = { rail, transactionId, invoice: digest, paymentId }
      const verdict = recorded(() => record.claimProof(proof, clockMs()))
      if (verdict === 'conflict')
        throw new CustodyError('proof_conflict', `${transactionId} stands for another invoice already`)
      return { ...proof, payer: key.address, signature: await key.signMessage(paymentProofText(proof)) }
    },
  }
}

function alreadySigned({ approvalDigest }: { readonly approvalDigest: string }): CustodyError {
  return new CustodyError('already_signed', `approval ${approvalDigest} and these bytes do not belong together`)
}

/** Checks the form of what the engine, or whoever stands in its place, sent. */
function readRequest(request: SigningRequest): Rail {
  const { walletId, rail, unsignedTransactionDigest: digest, unsignedTransaction: bytes, approvalDigest } = request
  const isWellFormed =
    typeof walletId === 'string' &&
    isIdentifier(walletId) &&
    typeof digest === 'string' &&
    isDomainDigest(digest) &&
    typeof approvalDigest === 'string' &&
    isDomainDigest(approvalDigest) &&
    bytes instanceof Uint8Array &&
    BigInt(bytes.length) <= PRODUCTION_LIMITS.max_unsigned_transaction_bytes
  if (!isWellFormed || typeof rail !== 'string' || !isRail(rail))
    throw new CustodyError('request_malformed', 'wallet, rail, digests or bytes are none')
  if (unsignedDigest(bytes) !== digest)
    throw new CustodyError('digest_mismatch', `the bytes are not those of ${digest}`)
  return rail
}

async function admit(request: SigningRequest, rail: Rail, options: VaultOptions): Promise<CheckedTransfer> {
  const { walletId, unsignedTransaction, approvalDigest } = request
  const wallet = await options.find(walletId, rail)
  if (wallet === undefined) throw new CustodyError('wallet_unknown', `${walletId} on ${rail}`)
  const transfer = checkTransfer(rail, wallet.address, unsignedTransaction)
  const { destination, amountAtomic, maxFeeAtomic } = transfer
  const row = findAllowed(await options.allowList.list(), { walletId, rail, destination })
  if (amountAtomic > row.maxAmountAtomic)
    throw new CustodyError(
      'amount_refused',
      `got ${amountAtomic}, allowed for ${destination} are ${row.maxAmountAtomic}`,
    )
  if (maxFeeAtomic > row.maxFeeAtomic)
    throw new CustodyError('fee_refused', `it can cost ${maxFeeAtomic}, allowed are ${row.maxFeeAtomic}`)
  if (options.findApproval !== undefined)
    assertApproved(await options.findApproval(approvalDigest), walletId, transfer, options.clockMs())
  return transfer
}

function assertApproved(
  approval: KnownApproval | undefined,
  walletId: string,
  transfer: CheckedTransfer,
  nowMs: number,
): void {
  if (approval === undefined) throw new CustodyError('approval_refused', 'nobody gave this approval')
  const isForThis =
    approval.walletId === walletId &&
    approval.rail === transfer.rail &&
    approval.recipient === transfer.destination &&
    approval.amountAtomic === transfer.amountAtomic &&
    transfer.maxFeeAtomic <= approval.maxFeeAtomic
  if (!isForThis) throw new CustodyError('approval_refused', 'the approval is for another payment')
  if (BigInt(nowMs) >= approval.expiresAtMs)
    throw new CustodyError('approval_refused', `the approval ended at ${approval.expiresAtMs}`)
}

async function signWith(key: RailKey, transfer: CheckedTransfer): Promise<Uint8Array> {
  try {
    return await key.signTransaction(transfer.built.bytes)
  } catch {
    // What a signing library throws could quote the key.
    throw new CustodyError('signature_invalid', `the key of ${transfer.from} could not sign`)
  }
}

/** Failures of the record, as custody tells them. */
function recorded<T>(ask: () => T): T {
  try {
    return ask()
  } catch (cause) {
    if (!(cause instanceof DurableStoreError)) throw cause
    const disposition = cause.effect === 'uncertain' ? 'failed_uncertain' : 'definitely_not_started'
    throw new CustodyError('record_failed', cause.message, { disposition, cause })
  }
}
