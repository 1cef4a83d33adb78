import { DIAGNOSTIC_MEANING, type DiagnosticCode, type IntentRejection } from './diagnostics.ts'
import type { LimitName } from './limits.ts'
import { LIMIT_NAMES, PRODUCTION_LIMITS } from './limits.ts'

/** What each rule of a policy asks for, by the field that SPX-G211 names. Source: notes, section 4. */
const POLICY_RULES: Readonly<Record<string, string>> = {
  identifiers: 'The ids of agent and wallet have 1 to 128 characters of a-z 0-9 . _ : - each.',
  network_policies: 'A policy has at least one row of networks, and at most 16.',
  'network_policies.rail': 'A row is for the rail evm, solana or bitcoin.',
  'network_policies.network':
    'Each rail has one network and one asset: evm has sepolia and native:eth, solana has devnet and native:sol, bitcoin has regtest and native:btc.',
  'network_policies.recipients':
    'The recipients of a row are 1 to 128 addresses of its rail, each once, in the order of their letters; those of evm in lower case.',
  'network_policies.limits':
    'A row allows an amount of 1 to 10^18 and a fee of at most 10^15 in the smallest unit, and within 24 hours at least one such amount.',
  'network_policies.order': 'The rows are in the order bitcoin, evm, solana, each rail once.',
  x402_origins:
    'There are at most 32 origins. Methods (GET, POST), resources (plain absolute paths) and rails of each are not empty and in the order of their letters, and its amount is 1 to 10^18.',
  'x402_origins.origin':
    'An origin is https:// and a public host name of two parts or more in lower case, without port, path or address.',
  'x402_origins.settlement_rails': 'The rails of an origin are evm, solana or bitcoin.',
  'x402_origins.order': 'The origins are in the order of their letters, each once.',
  limits: 'All 32 limits are there, no other, and no row asks for more than the limits of the same policy.',
  'limits.max_identifier_bytes': 'The ids of agent and wallet are no longer than the limit of this policy.',
  nonclaims: 'The policy repeats the 28 nonclaims of the standard in their order.',
}

/** What is wrong with a payment, by the reason of SPX-G212. */
const REJECTIONS: Readonly<Record<IntentRejection, string>> = {
  'agent run not completed':
    'The run of the agent did not end with this proposal, or its record does not hold: only a completed run may propose.',
  'wallet mismatch': 'The proposal is for another wallet than the policy.',
  'rail/network/asset not allowed': 'The policy has no row for this rail, network and asset.',
  'recipient not allowed': 'The recipient is not in the list of the policy for this rail.',
  'origin/method/resource not allowed':
    'The policy does not list this origin, method, resource and settlement rail together, or only for a smaller amount.',
  expired:
    'A proposal lives between 1 ms and 10 minutes, and is paid before its end, that of its invoice, plan, simulation and approval.',
  'amount or fee not allowed':
    'The amount is at least 1, and amount, fee and rail settings are at most what row and limits allow; within 24 hours all payments together are, too.',
  'idempotency already bound': 'The key belongs to another payment.',
}

/** What a limit counts, by the field that SPX-G216 names, where it is no length of a document. */
const LIMITED: Readonly<Record<string, string>> = {
  json_depth: 'Objects and arrays are nested too deeply',
  identifier_bytes: 'An identifier is too long',
  memo_bytes: 'The memo is too long',
  utxos: 'There are too many unspent outputs',
  reconciliations: 'The chain was asked too often about this payment',
  compute_units: 'The payment asks for too many compute units',
  trace_events: 'The run needs more steps than the policy lets it record',
  builder_bytes: 'The run needs more memory than the policy gives it',
  concurrency: 'Another call of the same agent is under way',
}

const POLICY_MESSAGE = /: ([a-z0-9_.]+)$/
const REJECTION_MESSAGE = /^Economic Agent payment intent was rejected: (.+)$/
const LIMIT_MESSAGE = /^([a-z0-9_]+) exceeds ([0-9]+)$/

/**
 * A diagnostic in plain words: what its rule asks for, as far as its message names one, else what its code means. Takes
 * the exact messages of the standard; never throws.
 */
export function explainDiagnostic({
  code,
  message,
}: {
  readonly code: DiagnosticCode
  readonly message: string
}): string {
  switch (code) {
    case 'SPX-G211':
      return explainPolicyRule(POLICY_MESSAGE.exec(message)?.[1] ?? '')
    case 'SPX-G212': {
      const reason = REJECTION_MESSAGE.exec(message)?.[1] ?? ''
      return Object.hasOwn(REJECTIONS, reason) ? REJECTIONS[reason as IntentRejection] : DIAGNOSTIC_MEANING[code]
    }
    case 'SPX-G216': {
      const [, field = '', maximum = ''] = LIMIT_MESSAGE.exec(message) ?? []
      return maximum === '' ? DIAGNOSTIC_MEANING[code] : explainLimit(field, maximum)
    }
    default:
      return DIAGNOSTIC_MEANING[code]
  }
}

function explainPolicyRule(field: string): string {
  const rule = Object.hasOwn(POLICY_RULES, field) ? POLICY_RULES[field] : undefined
  if (rule !== undefined) return rule
  const limit = LIMIT_NAMES.find((name): name is LimitName => `limits.${name}` === field)
  return limit === undefined
    ? DIAGNOSTIC_MEANING['SPX-G211']
    : `The limit ${limit} is at most ${PRODUCTION_LIMITS[limit]}, and not 0 where 0 would allow nothing.`
}

function explainLimit(field: string, maximum: string): string {
  const what = Object.hasOwn(LIMITED, field) ? LIMITED[field] : undefined
  if (what !== undefined) return `${what}; at most ${maximum} are allowed.`
  const document = /^(.+)_bytes$/.exec(field)?.[1]
  return document === undefined
    ? DIAGNOSTIC_MEANING['SPX-G216']
    : `The ${document.replaceAll('_', ' ')} is longer than ${maximum} bytes.`
}
