import { isIdentifier } from '@oikos/core/economic'
import type { SigningRequest } from '../economic/host.ts'
import type { PaymentProof } from '../x402/paid-by-transaction/proof.ts'
import { readInvoiceTerms, wireInvoice } from '../x402/paid-by-transaction/terms.ts'
import { type CustodyEffect, CustodyError, type CustodyErrorCode } from './errors.ts'
import type { ProofRequest } from './vault.ts'

/**
 * What goes over the socket of a signer: one line of JSON there, one line back, then the connection ends. No key, no
 * passphrase and no signed bytes that were not asked for.
 */
const PROTOCOL = 'oikos.signer.v1'

/** The longest line: the longest unsigned or signed transaction in hexadecimal, and what stands around it. */
export const MAX_LINE_BYTES = 4_194_304 + 16_384

/** A call of a signer. */
export type SignerCall =
  | { readonly call: 'sign'; readonly request: SigningRequest }
  | { readonly call: 'prove'; readonly request: ProofRequest }

/** What a signer answers. */
export type SignerAnswer =
  | { readonly signed: Uint8Array }
  | { readonly proof: PaymentProof }
  | { readonly error: CustodyError }

const HEX = /^(?:[0-9a-f]{2})*$/

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function bytesOf(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' && HEX.test(value) ? new Uint8Array(Buffer.from(value, 'hex')) : undefined
}

/** The line of a call, its LF included. */
export function renderCall({ call, request }: SignerCall): string {
  switch (call) {
    case 'sign': {
      const { unsignedTransaction, ...texts } = request
      return line({ protocol: PROTOCOL, call, ...texts, unsignedTransaction: hex(unsignedTransaction) })
    }
    case 'prove':
      return line({ protocol: PROTOCOL, call, ...request, invoice: wireInvoice(request.invoice) })
    default:
      return call satisfies never
  }
}

/** Reads the line of a call. Throws {@link CustodyError} `request_malformed`. */
export function readCall(text: string): SignerCall {
  const fields = readRecord(text)
  const { protocol, call, walletId, rail, unsignedTransactionDigest, approvalDigest, transactionId, paymentId } = fields
  const malformed = new CustodyError('request_malformed', `not a call of ${PROTOCOL}`)
  if (protocol !== PROTOCOL || typeof walletId !== 'string' || !isIdentifier(walletId)) throw malformed
  if (call === 'sign') {
    const unsignedTransaction = bytesOf(fields['unsignedTransaction'])
    if (typeof rail !== 'string' || typeof unsignedTransactionDigest !== 'string') throw malformed
    if (typeof approvalDigest !== 'string' || unsignedTransaction === undefined) throw malformed
    return { call, request: { walletId, rail, unsignedTransactionDigest, unsignedTransaction, approvalDigest } }
  }
  if (call !== 'prove' || typeof transactionId !== 'string' || typeof paymentId !== 'string') throw malformed
  try {
    return { call, request: { walletId, transactionId, invoice: readInvoiceTerms(fields['invoice']), paymentId } }
  } catch (cause) {
    throw new CustodyError('request_malformed', cause instanceof Error ? cause.message : 'no invoice')
  }
}

/** The line of an answer, its LF included. */
export function renderAnswer(answer: SignerAnswer): string {
  if ('signed' in answer) return line({ protocol: PROTOCOL, signed: hex(answer.signed) })
  if ('proof' in answer) return line({ protocol: PROTOCOL, proof: answer.proof })
  const { code, disposition, message } = answer.error
  return line({ protocol: PROTOCOL, error: { code, disposition, message } })
}

const DISPOSITIONS: readonly string[] = [
  'definitely_not_started',
  'failed_uncertain',
  'policy_rejected',
] satisfies readonly CustodyEffect[]

/** Reads the line of an answer; undefined when it is none. What it says is not yet checked. */
export function readAnswer(text: string): SignerAnswer | undefined {
  const fields = readRecord(text)
  const { protocol, proof, error } = fields
  if (protocol !== PROTOCOL) return undefined
  const signed = bytesOf(fields['signed'])
  if (signed !== undefined) return { signed }
  if (isRecord(proof)) return readProof(proof)
  if (!isRecord(error)) return undefined
  const { code, disposition, message } = error
  if (typeof code !== 'string' || typeof disposition !== 'string' || typeof message !== 'string') return undefined
  if (!DISPOSITIONS.includes(disposition)) return undefined
  // A code that is not known here stays readable; nothing is decided by it.
  const known = { disposition: disposition as CustodyEffect }
  return { error: new CustodyError(code as CustodyErrorCode, message.slice(0, MAX_DETAIL), known) }
}

/** The longest detail that is repeated, characters. */
const MAX_DETAIL = 500

function readProof(proof: Readonly<Record<string, unknown>>): SignerAnswer | undefined {
  const { rail, transactionId, invoice, paymentId, payer, signature } = proof
  const texts = [rail, transactionId, invoice, paymentId, payer, signature]
  // Each value is compared with what was asked for, and the signature verified, by the caller.
  return texts.every((text) => typeof text === 'string') ? { proof: proof as unknown as PaymentProof } : undefined
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

function readRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
