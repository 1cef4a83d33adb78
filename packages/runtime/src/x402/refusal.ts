import type { AdapterDisposition } from '../economic/host.ts'

/** Why an invoice was not taken, by the first fact that shows it. The table with all meanings is in `docs/x402.md`. */
export type X402RefusalCode =
  /** The caller gave up before anything left. */
  | 'cancelled'
  /** Origin, method or resource is none that a policy can list, or not the one that was quoted. */
  | 'address_refused'
  /** The host name has no address, or the resolver failed. */
  | 'name_unresolved'
  /** One of the addresses of the host is not public. */
  | 'private_address'
  /** No connection, or no trusted certificate for the name. */
  | 'unreachable'
  /** The connection went to another address than the one that was checked. */
  | 'address_changed'
  /** No whole answer in time. */
  | 'timeout'
  /** The answer broke off. */
  | 'connection_lost'
  /** Head or body of the answer is longer than allowed. */
  | 'oversize'
  /** The body is compressed, which was not asked for. */
  | 'encoding'
  /** The answer points elsewhere. */
  | 'redirect'
  /** The answer has a status other than 402. */
  | 'not_payment_required'
  /** There is no `PAYMENT-REQUIRED` header, or more than one. */
  | 'header_missing'
  /** The header is not base64 of a JSON object with the fields of x402. */
  | 'header_malformed'
  /** Not version 2 of x402. */
  | 'version'
  /** The offer is about another resource or method. */
  | 'resource_mismatch'
  /** No entry has our scheme on a wanted network. */
  | 'no_match'
  /** More than one entry has. */
  | 'ambiguous'
  /** A field of the entry or of its invoice is missing or has no legal value. */
  | 'terms_malformed'
  /** The invoice has no end. */
  | 'expiry_missing'
  /** Entry and invoice contradict each other. */
  | 'terms_conflict'
  /** The invoice is over. */
  | 'expired'
  /** The invoice is valid for longer than any invoice may be. */
  | 'expiry_too_far'
  /** The server does not take a payment identifier, so that a repeated request could cost twice. */
  | 'identifier_missing'
  /** The server asks for something else than it did when the invoice was quoted. */
  | 'terms_changed'

/** What a refusal says about the world outside. */
export type X402Effect = Exclude<AdapterDisposition, 'succeeded'>

/**
 * An x402 server, or what lies between it and us, gave nothing that can be paid. `disposition` is what the engine is told:
 * `policy_rejected` where a rule of ours refused before anything left or after an answer that rules an effect out (402, or
 * a redirect), `definitely_not_started` where no connection was made, `failed_uncertain` in every other case.
 */
export class X402Refusal extends Error {
  override readonly name = 'X402Refusal'
  readonly code: X402RefusalCode
  readonly disposition: X402Effect
  /** Whether the same request may succeed later. */
  readonly retryable: boolean

  constructor(code: X402RefusalCode, disposition: X402Effect, detail: string, cause?: unknown) {
    super(`x402 ${code}: ${detail}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.disposition = disposition
    this.retryable = disposition !== 'policy_rejected'
  }
}

/** A refusal by a rule of ours: nothing has changed outside. */
export function refusedByRule(code: X402RefusalCode, detail: string): X402Refusal {
  return new X402Refusal(code, 'policy_rejected', detail)
}

/** Hears of every refusal before the engine gets its disposition. */
export type X402RefusalListener = (refusal: X402Refusal) => void
