import { parseCanonical, refuseAs, renderCanonical } from '../canonical.ts'
import type { Asset, Network, Rail } from '../catalog.ts'
import { documentSchema, isRail, RAIL_NETWORKS, RAILS } from '../catalog.ts'
import { limitExceeded, notCanonical, policyInvariant } from '../diagnostics.ts'
import type { Identifier } from '../identifier.ts'
import { isIdentifier } from '../identifier.ts'
import type { JsonValue } from '../json.ts'
import type { LimitName, Limits } from '../limits.ts'
import { LIMIT_NAMES, LIMITS_THAT_MAY_BE_ZERO, PRODUCTION_LIMITS } from '../limits.ts'
import { NONCLAIMS } from '../nonclaims.ts'
import type { RailAddress } from '../rails/address.ts'
import { isRailAddress } from '../rails/address.ts'
import { identifierShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import type { Shape } from '../shape.ts'
import { anyText, exactly, integers, isArray, isObject, listOf, oneOf, record, textOf, u64 } from '../shape.ts'
import { compareUtf8, isStrictlyIncreasing, utf8Length } from '../text.ts'
import { isX402Origin, isX402Resource } from '../x402.ts'

/** HTTP methods of an x402 payment. */
export type X402Method = 'GET' | 'POST'

/** What may be paid on one rail. Amounts in the smallest unit of `asset`. */
export type NetworkPolicy = {
  readonly rail: Rail
  readonly network: Network
  readonly asset: Asset
  /** 1 to 128 addresses of the rail, strictly increasing. */
  readonly recipients: readonly RailAddress[]
  readonly max_amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly max_rolling_24h_atomic: bigint
}

/** What may be paid to one x402 origin. Every list is strictly increasing and not empty. */
export type X402OriginPolicy = {
  readonly origin: string
  readonly methods: readonly X402Method[]
  readonly resources: readonly string[]
  readonly settlement_rails: readonly Rail[]
  readonly max_amount_atomic: bigint
}

/** The owner's bounds for every payment of one wallet. Source: notes, section 3. */
export type Policy = {
  readonly schema: 'semaprax.economic-agent-policy.v1'
  readonly economic_agent_id: Identifier
  readonly wallet_id: Identifier
  readonly network_policies: readonly NetworkPolicy[]
  readonly x402_origins: readonly X402OriginPolicy[]
  readonly limits: Limits
  readonly nonclaims: typeof NONCLAIMS
}

/** A rail, as text. */
export const railShape: Shape<Rail> = oneOf(...RAILS)

/** An address of any rail. Which rail it must be of is checked where the rail is known. */
export const railAddressShape: Shape<RailAddress> = textOf(
  (text): text is RailAddress => RAILS.some((rail) => isRailAddress(rail, text)),
  'an address of a rail',
)

const networkPolicyShape = record<NetworkPolicy>({
  rail: railShape,
  network: oneOf('sepolia', 'devnet', 'regtest'),
  asset: oneOf('native:eth', 'native:sol', 'native:btc'),
  recipients: listOf(railAddressShape),
  max_amount_atomic: u64,
  max_fee_atomic: u64,
  max_rolling_24h_atomic: u64,
})

const x402OriginShape = record<X402OriginPolicy>({
  origin: anyText,
  methods: listOf(oneOf('GET', 'POST')),
  resources: listOf(anyText),
  settlement_rails: listOf(railShape),
  max_amount_atomic: u64,
})

/** The 32 limits in canonical order. */
export const limitsShape = integers(LIMIT_NAMES)

/** Canonical form of a policy. */
export const policyShape = record<Policy>({
  schema: oneOf(documentSchema('policy')),
  economic_agent_id: identifierShape,
  wallet_id: identifierShape,
  network_policies: listOf(networkPolicyShape),
  x402_origins: listOf(x402OriginShape),
  limits: limitsShape,
  nonclaims: exactly(NONCLAIMS),
})

const refuse = refuseAs('policy')

/**
 * Reads and checks a policy; the first rule that fails decides. Throws SPX-G210, SPX-G211 or SPX-G216 in the order of the
 * notes, section 4.
 */
export function parsePolicy(bytes: Uint8Array): Sealed<'policy', Policy> {
  const { object, text, depth } = parseCanonical('policy', bytes)
  const fields = policyShape.readKeys(object, refuse, 'policy')
  const agentId = anyText.read(fields.economic_agent_id, refuse, 'economic_agent_id')
  const walletId = anyText.read(fields.wallet_id, refuse, 'wallet_id')
  if (!isIdentifier(agentId) || !isIdentifier(walletId)) throw policyInvariant('identifiers')
  const policy: Policy = {
    schema: documentSchema('policy'),
    economic_agent_id: agentId,
    wallet_id: walletId,
    network_policies: readNetworkPolicies(fields.network_policies),
    x402_origins: readOrigins(fields.x402_origins),
    limits: readLimits(fields.limits),
    nonclaims: NONCLAIMS,
  }
  checkRowsAgainstLimits(policy)
  readNonclaims(fields.nonclaims)
  if (renderCanonical(policyShape, policy) !== text) throw notCanonical('policy', 'rendered again, the text differs')
  const { max_policy_bytes, max_json_depth } = policy.limits
  if (BigInt(bytes.length) > max_policy_bytes) throw limitExceeded('policy_bytes', max_policy_bytes)
  if (BigInt(depth) > max_json_depth) throw limitExceeded('json_depth', max_json_depth)
  return sealText('policy', policy, text, bytes)
}

function readNetworkPolicies(value: JsonValue): readonly NetworkPolicy[] {
  if (!isArray(value)) return refuse('network_policies: expected an array')
  if (value.length === 0 || BigInt(value.length) > PRODUCTION_LIMITS.max_network_policies)
    throw policyInvariant('network_policies', `got ${value.length} rows, expected 1 to 16`)
  const rows = value.map((row, index) => readNetworkPolicy(row, `network_policies[${index}]`))
  const ordered = rows.every((row, index) => {
    const before = rows[index - 1]
    return before === undefined || compareUtf8(before.rail, row.rail) < 0
  })
  if (!ordered) throw policyInvariant('network_policies.order')
  return rows
}

function readNetworkPolicy(value: JsonValue, at: string): NetworkPolicy {
  const fields = networkPolicyShape.readKeys(value, refuse, at)
  const rail = anyText.read(fields.rail, refuse, `${at}.rail`)
  const network = anyText.read(fields.network, refuse, `${at}.network`)
  const asset = anyText.read(fields.asset, refuse, `${at}.asset`)
  if (!isRail(rail)) throw policyInvariant('network_policies.rail', `got ${rail}`)
  const allowed = RAIL_NETWORKS[rail]
  if (network !== allowed.network || asset !== allowed.asset)
    throw policyInvariant('network_policies.network', `got ${network} and ${asset} on ${rail}`)
  const recipients = listOf(anyText).read(fields.recipients, refuse, `${at}.recipients`)
  if (!areRecipients(rail, recipients)) throw policyInvariant('network_policies.recipients')
  const row: NetworkPolicy = {
    rail,
    network: allowed.network,
    asset: allowed.asset,
    recipients,
    max_amount_atomic: u64.read(fields.max_amount_atomic, refuse, `${at}.max_amount_atomic`),
    max_fee_atomic: u64.read(fields.max_fee_atomic, refuse, `${at}.max_fee_atomic`),
    max_rolling_24h_atomic: u64.read(fields.max_rolling_24h_atomic, refuse, `${at}.max_rolling_24h_atomic`),
  }
  const inRange =
    isAmount(row.max_amount_atomic) &&
    row.max_fee_atomic <= PRODUCTION_LIMITS.max_fee_atomic &&
    row.max_rolling_24h_atomic >= row.max_amount_atomic
  if (!inRange) throw policyInvariant('network_policies.limits')
  return row
}

function areRecipients(rail: Rail, texts: readonly string[]): texts is readonly RailAddress[] {
  return (
    texts.length >= 1 &&
    BigInt(texts.length) <= PRODUCTION_LIMITS.max_recipients &&
    texts.every((text) => isRailAddress(rail, text)) &&
    isStrictlyIncreasing(texts)
  )
}

function isAmount(amount: bigint): boolean {
  return amount >= 1n && amount <= PRODUCTION_LIMITS.max_amount_atomic
}

function readOrigins(value: JsonValue): readonly X402OriginPolicy[] {
  if (!isArray(value)) return refuse('x402_origins: expected an array')
  if (BigInt(value.length) > PRODUCTION_LIMITS.max_x402_origins)
    throw policyInvariant('x402_origins', `got ${value.length} rows, expected 32 or less`)
  const rows = value.map((row, index) => readOrigin(row, `x402_origins[${index}]`))
  if (!isStrictlyIncreasing(rows.map((row) => row.origin))) throw policyInvariant('x402_origins.order')
  return rows
}

function readOrigin(value: JsonValue, at: string): X402OriginPolicy {
  const fields = x402OriginShape.readKeys(value, refuse, at)
  const origin = anyText.read(fields.origin, refuse, `${at}.origin`)
  if (!isX402Origin(origin)) throw policyInvariant('x402_origins.origin', `got ${origin}`)
  const methods = listOf(anyText).read(fields.methods, refuse, `${at}.methods`)
  const resources = listOf(anyText).read(fields.resources, refuse, `${at}.resources`)
  const rails = listOf(anyText).read(fields.settlement_rails, refuse, `${at}.settlement_rails`)
  const maxAmount = u64.read(fields.max_amount_atomic, refuse, `${at}.max_amount_atomic`)
  if (!rails.every(isRail)) throw policyInvariant('x402_origins.settlement_rails')
  const lists = [methods, resources, rails]
  if (!lists.every((list) => list.length > 0 && isStrictlyIncreasing(list)))
    throw policyInvariant('x402_origins', `${at}: a list is empty or not strictly increasing`)
  if (!methods.every(isMethod)) throw policyInvariant('x402_origins', `${at}.methods: expected GET or POST`)
  if (!resources.every(isX402Resource)) throw policyInvariant('x402_origins', `${at}.resources: not a plain path`)
  if (!isAmount(maxAmount)) throw policyInvariant('x402_origins', `${at}.max_amount_atomic: got ${maxAmount}`)
  return { origin, methods, resources, settlement_rails: rails, max_amount_atomic: maxAmount }
}

function isMethod(text: string): text is X402Method {
  return text === 'GET' || text === 'POST'
}

function readLimits(value: JsonValue): Limits {
  if (!isObject(value)) return refuse('limits: expected an object')
  const refuseKeys = (detail: string): never => {
    throw policyInvariant('limits', detail)
  }
  const fields = limitsShape.readKeys(value, refuseKeys, 'limits')
  const limits: { [Name in LimitName]?: bigint } = {}
  for (const name of LIMIT_NAMES) {
    const limit = u64.read(fields[name], refuse, `limits.${name}`)
    if (limit > PRODUCTION_LIMITS[name] || (limit === 0n && !LIMITS_THAT_MAY_BE_ZERO.has(name)))
      throw policyInvariant(`limits.${name}`, `got ${limit}, expected at most ${PRODUCTION_LIMITS[name]}`)
    limits[name] = limit
  }
  return limits as Limits
}

function checkRowsAgainstLimits(policy: Policy): void {
  const { limits, network_policies: rows, x402_origins: origins } = policy
  const longest = Math.max(utf8Length(policy.economic_agent_id), utf8Length(policy.wallet_id))
  if (BigInt(longest) > limits.max_identifier_bytes) throw policyInvariant('limits.max_identifier_bytes')
  const fits =
    BigInt(rows.length) <= limits.max_network_policies &&
    BigInt(origins.length) <= limits.max_x402_origins &&
    rows.every(
      (row) =>
        BigInt(row.recipients.length) <= limits.max_recipients &&
        row.max_amount_atomic <= limits.max_amount_atomic &&
        row.max_fee_atomic <= limits.max_fee_atomic &&
        row.max_rolling_24h_atomic <= limits.max_amount_atomic,
    ) &&
    origins.every((row) => row.max_amount_atomic <= limits.max_amount_atomic)
  if (!fits) throw policyInvariant('limits', 'a row exceeds a limit of the same policy')
}

function readNonclaims(value: JsonValue): void {
  listOf(anyText).read(value, refuse, 'nonclaims')
  exactly(NONCLAIMS).read(
    value,
    (detail) => {
      throw policyInvariant('nonclaims', detail)
    },
    'nonclaims',
  )
}
