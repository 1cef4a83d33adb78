import {
  type ApprovalRequest,
  documentDigest,
  EconomicError,
  type NetworkPolicy,
  type PaymentIntent,
  type Policy,
  parseApprovalRequest,
  parseIntent,
  parsePolicy,
  type Rail,
  type Sealed,
  utf8,
} from '@oikos/core/economic'
import { ApprovalError } from './errors.ts'
import { plainText } from './plain-text.ts'

/** What an approver may know beside the request. Texts count only when their digests are those of the request. */
export type RequestContext = {
  /** The intent, for what the payment is for. */
  readonly intent?: string
  /** The policy, for what it allows. */
  readonly policy?: string
  /**
   * What all payments of the request's wallet, rail and asset have reserved of the rolling 24 hours, this one included; in
   * the smallest unit.
   */
  readonly reservedAtomic?: bigint
}

/** A request with everything that an approver is shown. */
export type RequestView = {
  readonly request: Sealed<'approval_request', ApprovalRequest>
  /** The intent of the request; undefined when it was not handed over, or another was. */
  readonly intent: PaymentIntent | undefined
  /** The policy's row for the rail of the request; undefined likewise. */
  readonly row: NetworkPolicy | undefined
  readonly reservedAtomic: bigint | undefined
}

/** One line of a request as people read it. `origin` says whose words the text is. */
export type ViewLine = { readonly label: string; readonly text: string; readonly origin: 'checked' | 'claimed' }

/**
 * Reads a request and what was handed over with it. A document of another digest is as if it were absent. Throws
 * {@link ApprovalError} `request_malformed`.
 */
export function readRequest(requestText: string, context: RequestContext = {}): RequestView {
  try {
    const request = parseApprovalRequest(utf8(requestText))
    const { document } = request
    const policy = documentOf(context.policy, document.policy.digest, 'policy', parsePolicy)
    return {
      request,
      intent: documentOf(context.intent, document.intent.digest, 'intent', parseIntent),
      row: rowOf(policy, document),
      reservedAtomic: context.reservedAtomic,
    }
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    throw new ApprovalError('request_malformed', cause.detail ?? cause.message, { cause })
  }
}

function documentOf<Kind extends 'policy' | 'intent', T>(
  text: string | undefined,
  digest: string,
  kind: Kind,
  parse: (bytes: Uint8Array) => Sealed<Kind, T>,
): T | undefined {
  if (text === undefined) return undefined
  const bytes = utf8(text)
  return documentDigest(kind, bytes) === digest ? parse(bytes).document : undefined
}

function rowOf(policy: Policy | undefined, request: ApprovalRequest): NetworkPolicy | undefined {
  if (policy?.wallet_id !== request.wallet_id) return undefined
  return policy.network_policies.find(({ rail, asset }) => rail === request.rail && asset === request.asset)
}

/** What is paid, to whom, why, and what the policy leaves: the same lines on a terminal, on a page and in a log. */
export function describeRequest(view: RequestView, nowMs: number): readonly ViewLine[] {
  const { request, intent, row, reservedAtomic } = view
  const { document } = request
  const { rail } = document
  const checked = (label: string, text: string): ViewLine => ({ label, text, origin: 'checked' })
  const claimed = (label: string, text: string): ViewLine => ({ label, text: plainText(text), origin: 'claimed' })
  return [
    checked('pays', `${amountText(rail, document.amount_atomic)} on ${NETWORK_NAMES[rail]}`),
    checked('to', document.recipient),
    checked('fee at most', amountText(rail, document.max_fee_atomic)),
    checked('from wallet', document.wallet_id),
    ...(document.origin === null ? [] : [claimed('for', `${document.method} ${document.origin}${document.resource}`)]),
    ...(intent === undefined
      ? [checked('why', 'not known here: the intent was not handed over')]
      : [claimed('why', intent.memo ?? 'no reason is given'), checked('intent', intent.intent_id)]),
    ...policyLines(row, reservedAtomic, rail).map(([label, text]) => checked(label, text)),
    checked('valid for', `${secondsLeft(document.expires_at_ms, nowMs)} seconds more`),
    checked('request', request.digest),
  ]
}

function policyLines(
  row: NetworkPolicy | undefined,
  reservedAtomic: bigint | undefined,
  rail: Rail,
): readonly (readonly [string, string])[] {
  if (row === undefined) return [['policy', 'not known here: the policy was not handed over']]
  const ceiling = `at most ${amountText(rail, row.max_amount_atomic)} each, to ${row.recipients.length} recipients`
  const window = row.max_rolling_24h_atomic
  if (reservedAtomic === undefined)
    return [
      ['policy', ceiling],
      ['24 hours', `at most ${amountText(rail, window)}; what is left is not known here`],
    ]
  const left = reservedAtomic > window ? 0n : window - reservedAtomic
  return [
    ['policy', ceiling],
    ['24 hours', `at most ${amountText(rail, window)}`],
    ['reserved', `${amountText(rail, reservedAtomic)} by the payer's journal, this payment included`],
    ['left', `${amountText(rail, left)} after this payment`],
  ]
}

function secondsLeft(expiresAtMs: bigint, nowMs: number): bigint {
  const left = expiresAtMs - BigInt(nowMs)
  return left < 0n ? 0n : left / 1000n
}

/** Test networks, as people know them. None of them moves anything of value. */
const NETWORK_NAMES: Readonly<Record<Rail, string>> = {
  evm: 'Sepolia (a test network)',
  solana: 'Solana devnet (a test network)',
  bitcoin: 'Bitcoin regtest (a test network)',
}

/** Coins and their decimal places. */
const COINS: Readonly<Record<Rail, { readonly symbol: string; readonly decimals: number; readonly atom: string }>> = {
  evm: { symbol: 'ETH', decimals: 18, atom: 'wei' },
  solana: { symbol: 'SOL', decimals: 9, atom: 'lamports' },
  bitcoin: { symbol: 'BTC', decimals: 8, atom: 'satoshi' },
}

/** An amount with every digit, in the coin and in its smallest unit; nothing is rounded. */
export function amountText(rail: Rail, amountAtomic: bigint): string {
  const { symbol, decimals, atom } = COINS[rail]
  const digits = amountAtomic.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${symbol} (${amountAtomic} ${atom})`
}
