import type { AdapterDisposition } from '../economic/host.ts'

/** Why custody does not sign, or cannot. The table with all meanings is in `docs/custody.md`. */
export type CustodyErrorCode =
  /** The request has not the form of one. */
  | 'request_malformed'
  /** The digest of the request is not that of its bytes. */
  | 'digest_mismatch'
  /** There is no wallet of this name on this rail. */
  | 'wallet_unknown'
  /** A wallet of another network than Sepolia, devnet and regtest, or a transaction for another chain. */
  | 'network_refused'
  /** The transaction is no plain transfer from the wallet. */
  | 'transaction_refused'
  /** The destination is not on the allow list of the wallet. */
  | 'destination_refused'
  /** The amount exceeds what the allow list has for the destination. */
  | 'amount_refused'
  /** The fee exceeds what the allow list has for the destination. */
  | 'fee_refused'
  /** The approval is not known here, or approves something else. */
  | 'approval_refused'
  /** Something else was signed for this approval, or these bytes for another one. */
  | 'already_signed'
  /** No transaction of this id was signed here. */
  | 'transaction_unknown'
  /** The transaction already stands for another invoice. */
  | 'proof_conflict'
  /** What was signed does not verify. */
  | 'signature_invalid'
  /** The record of signatures cannot be read or written. */
  | 'record_failed'
  /** A secret that is no key of its rail. */
  | 'secret_malformed'
  /** A file of custody is missing, damaged, or of another kind. */
  | 'file_malformed'
  /** A wallet of this name exists. */
  | 'wallet_exists'
  /** Others than the owner can read or change a file or a folder of custody. */
  | 'permissions'
  /** The passphrase does not open the key. */
  | 'passphrase'
  /** The signer cannot be reached, or did not answer in time. */
  | 'signer_unreachable'
  /** What the signer answered is not an answer. */
  | 'signer_malformed'

/** What an error says about signatures that may have left. */
export type CustodyEffect = Exclude<AdapterDisposition, 'succeeded'>

/** Codes of faults that a rule of custody found: the same request is refused again. */
const RULES: ReadonlySet<CustodyErrorCode> = new Set<CustodyErrorCode>([
  'request_malformed',
  'digest_mismatch',
  'wallet_unknown',
  'network_refused',
  'transaction_refused',
  'destination_refused',
  'amount_refused',
  'fee_refused',
  'approval_refused',
  'already_signed',
  'transaction_unknown',
  'proof_conflict',
])

/** Custody did not sign. `disposition` is what the engine is told. Neither message nor cause ever holds a secret. */
export class CustodyError extends Error {
  override readonly name = 'CustodyError'
  readonly code: CustodyErrorCode
  readonly disposition: CustodyEffect
  readonly retryable: boolean

  constructor(
    code: CustodyErrorCode,
    detail: string,
    options: { readonly disposition?: CustodyEffect; readonly cause?: unknown } = {},
  ) {
    super(`custody ${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.disposition = options.disposition ?? (RULES.has(code) ? 'policy_rejected' : 'definitely_not_started')
    this.retryable = !RULES.has(code)
  }
}

/** Hears of every failure before the engine gets its disposition. */
export type CustodyFailureListener = (error: CustodyError) => void
