import { type RawCid, rawCidOf, type Sha256Digest } from '../digest/index.ts'
import { type Finding, type Findings, noFindings, report } from '../task-package/findings.ts'
import { encodeSortedJson, type JsonObject, type JsonValue, parseStrictJson } from '../task-package/json.ts'
import { withLimits } from '../task-package/limits.ts'
import { matchesCode, type SchemaCode } from '../task-package/schemas.ts'
import type { MetadataCode } from './codes.ts'
import * as generated from './schemas.gen.ts'

/** Bytes of a document (256 KiB). The agentURI itself has at most 8,192, so a `data:` URI is far below. */
export const MAX_METADATA_BYTES = 256 * 1024
/** Nesting of a document; free properties need room. */
const MAX_METADATA_DEPTH = 16

/** The signature of our Agents' reclaim function. Source: AgentRequests.sol. */
export const RECLAIM_METHOD = 'reclaim()'

/** How a pending request is got back, or that it is not. Source: ERC-8406 §6.4.6. */
export type ReclaimDisclosure =
  | 'none'
  | {
      /** Seconds since the most recent request. */
      readonly horizon: number
      /** Function signature. */
      readonly method: string
    }

/** Our own properties: disclosures that can be compared with the chain, and two statements of the Owner. */
export type OikosProperties = {
  readonly chainId?: bigint
  readonly acceptToken?: `0x${string}`
  readonly initialRate?: bigint
  readonly fixedPrice?: boolean
  /** The Scope policy as it was at birth, by the SHA-256 of its document. */
  readonly scopePolicy?: { readonly sha256: Sha256Digest; readonly uri?: string }
  /** When and by whom requests are settled. Source: ERC-8406, Settlement-timing centralization. A statement. */
  readonly settlement?: string
  /** Who holds which role, and whether they are separate. Source: ERC-8406, Role concentration. A statement. */
  readonly roles?: string
}

/** What an agentURI leads to. Source: ERC-8406 §6.5.3. All of it is the Owner's word until it is compared with the chain. */
export type AgentMetadata = {
  readonly name: string
  readonly description: string
  /** URI. */
  readonly image: string
  readonly externalUrl?: string
  readonly reclaim: ReclaimDisclosure
  readonly oikos?: OikosProperties
  /** Other properties, as they are. */
  readonly properties?: JsonObject
}

/** A document as it is stored and named. */
export type BuiltMetadata = {
  readonly metadata: AgentMetadata
  readonly bytes: Uint8Array
  readonly cid: RawCid
  /** `ipfs://` and the CID: the agentURI. */
  readonly uri: string
}

/** A metadata document was to be built and breaks clauses. Not retryable; `findings` names each clause. */
export class AgentMetadataError extends Error {
  override readonly name = 'AgentMetadataError'
  readonly retryable = false
  readonly findings: readonly Finding<MetadataCode>[]

  constructor(findings: Findings<MetadataCode>) {
    const [first] = findings.list
    const reason = first === undefined ? 'unknown' : `${first.code} at ${first.where}: ${first.message}`
    super(`agent metadata refused (${findings.list.length + findings.omitted} findings), first: ${reason}`)
    this.findings = findings.list
  }
}

/**
 * Builds a document: compact JSON with sorted keys, so that equal metadata have one URI.
 * @throws AgentMetadataError
 */
export function buildAgentMetadata(metadata: AgentMetadata): BuiltMetadata {
  const { externalUrl, oikos, properties = {}, name, description, image, reclaim } = metadata
  const ours = oikos && {
    schema: 'oikos-agent/1',
    ...(oikos.chainId !== undefined && { chainId: oikos.chainId.toString() }),
    ...(oikos.acceptToken !== undefined && { acceptToken: oikos.acceptToken }),
    ...(oikos.initialRate !== undefined && { initialRate: oikos.initialRate.toString() }),
    ...(oikos.fixedPrice !== undefined && { fixedPrice: oikos.fixedPrice }),
    ...(oikos.scopePolicy !== undefined && { scopePolicy: { ...oikos.scopePolicy } }),
    ...(oikos.settlement !== undefined && { settlement: oikos.settlement }),
    ...(oikos.roles !== undefined && { roles: oikos.roles }),
  }
  const bytes = encodeSortedJson({
    name,
    description,
    image,
    ...(externalUrl !== undefined && { external_url: externalUrl }),
    reclaim: reclaim === 'none' ? reclaim : { horizon: reclaim.horizon, method: reclaim.method },
    properties: { ...properties, ...(ours !== undefined && { oikos: ours }) },
  })
  const findings = noFindings<MetadataCode>()
  const read = readAgentMetadata(bytes, findings)
  if (read === undefined) throw new AgentMetadataError(findings)
  const cid = rawCidOf(bytes)
  return { metadata: read, bytes, cid, uri: `ipfs://${cid}` }
}

/** Reads a document; what is wrong becomes findings. Unknown fields are ignored (§6.5.3). */
export function readAgentMetadata(bytes: Uint8Array, findings: Findings<MetadataCode>): AgentMetadata | undefined {
  const parsed = parseStrictJson(bytes, withLimits({ jsonBytes: MAX_METADATA_BYTES, jsonDepth: MAX_METADATA_DEPTH }))
  if (!parsed.ok) {
    report(findings, parsed.code, 'metadata', parsed.message)
    return undefined
  }
  const { value } = parsed
  if (isObject(value) && value['reclaim'] === undefined)
    report(findings, 'reclaim.undisclosed', 'reclaim', 'expected "none", or an object with horizon and method')
  const matches = matchesCode<MetadataCode>(
    generated.validateDocument as SchemaCode,
    value,
    'schema.mismatch',
    'metadata',
    findings,
  )
  if (!matches) return undefined
  const { oikos, ...properties } = (value['properties'] ?? {}) as JsonObject
  return {
    name: String(value['name']),
    description: String(value['description']),
    image: String(value['image']),
    ...(value['external_url'] !== undefined && { externalUrl: String(value['external_url']) }),
    reclaim: readReclaim(value['reclaim'] ?? 'none'),
    ...(isObject(oikos) && { oikos: readOikos(oikos) }),
    properties,
  }
}

function readReclaim(value: JsonValue): ReclaimDisclosure {
  return isObject(value) ? { horizon: Number(value['horizon']), method: String(value['method']) } : 'none'
}

function readOikos(value: JsonObject): OikosProperties {
  const policy = value['scopePolicy'] as unknown as NonNullable<OikosProperties['scopePolicy']> | undefined
  return {
    ...(value['chainId'] !== undefined && { chainId: BigInt(String(value['chainId'])) }),
    ...(value['acceptToken'] !== undefined && {
      acceptToken: String(value['acceptToken']).toLowerCase() as `0x${string}`,
    }),
    ...(value['initialRate'] !== undefined && { initialRate: BigInt(String(value['initialRate'])) }),
    ...(value['fixedPrice'] !== undefined && { fixedPrice: value['fixedPrice'] === true }),
    ...(policy !== undefined && {
      scopePolicy: { sha256: policy.sha256, ...(policy.uri !== undefined && { uri: policy.uri }) },
    }),
    ...(value['settlement'] !== undefined && { settlement: String(value['settlement']) }),
    ...(value['roles'] !== undefined && { roles: String(value['roles']) }),
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
