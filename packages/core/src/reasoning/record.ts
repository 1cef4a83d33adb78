import { type Address, readAddress } from '../call-data/index.ts'
import { type Keccak256Digest, keccak256, type RawCid, rawCidOf, type TaskHash } from '../digest/index.ts'
import type { DocumentDigest } from '../economic/index.ts'
import { type Findings, noFindings, report } from '../task-package/findings.ts'
import { encodeSortedJson, type JsonObject, type JsonValue, parseStrictJson } from '../task-package/json.ts'
import { withLimits } from '../task-package/limits.ts'
import { matchesCode, type SchemaCode } from '../task-package/schemas.ts'
import type { ReasoningCode } from './codes.ts'
import { ReasoningRecordError } from './errors.ts'
import { MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from './limits.ts'
import * as generated from './schemas.gen.ts'

/** The envelope marker. Source: ERC-8406 §6.2.3. */
export const REASONING_SCHEMA = 'fat-reasoning/1'

/** What one record is for, so that it serves no other action. Each field can be compared with the chain. */
export type ReasoningBinding = {
  readonly chainId: bigint
  /** Lower case in the record. */
  readonly agent: Address
  /** Name of the function, e.g. `settleMint`. */
  readonly action: string
  /** Of `readReasonedCall`. */
  readonly callHash: Keccak256Digest
  /** 32 bytes that no other record of this Agent has: tells two equal calls apart. */
  readonly nonce: `0x${string}`
}

/** The Evidence of a payment: digest of the Evidence document (Economic Agent v1). */
export type EvidenceLink = { readonly digest: DocumentDigest<'evidence'>; readonly uri?: string }
/** A task package that was worked on or paid for. */
export type PackageLink = { readonly taskHash: TaskHash; readonly uri?: string }

/** Other content that the reasoning rests on; a digest can be compared, whatever the text says about it. */
export type ReasoningLinks = { readonly evidence?: readonly EvidenceLink[]; readonly packages?: readonly PackageLink[] }

/**
 * What the author says. Nobody can check it; a reader shows it as a statement of the Agent. `decision` in one sentence; all
 * other fields are free, and some have a usual name. Source: ERC-8406 §6.2.3, domain fields.
 */
export type ReasoningClaims = {
  readonly decision: string
  readonly rationale?: string
  readonly model?: string
  readonly prompt?: string
  readonly [field: string]: JsonValue | undefined
}

/** A record, with facts (`binding`, `links`) apart from `claims`. */
export type ReasoningRecord = {
  readonly binding: ReasoningBinding
  readonly claims: ReasoningClaims
  readonly links: ReasoningLinks
}

/** A record as it is stored and cited. */
export type BuiltReasoning = {
  readonly record: ReasoningRecord
  /** The one raw block: UTF-8, compact JSON, keys in code-unit order. */
  readonly bytes: Uint8Array
  readonly reasoningHash: Keccak256Digest
  readonly cid: RawCid
  /** `ipfs://` and the CID. */
  readonly reasoningURI: string
}

/** What {@link buildReasoning} takes: digests and addresses as text of any source, checked here. */
export type ReasoningInput = {
  readonly binding: Omit<ReasoningBinding, 'callHash' | 'agent'> & { readonly agent: string; readonly callHash: string }
  readonly claims: ReasoningClaims
  readonly links?: {
    readonly evidence?: readonly { readonly digest: string; readonly uri?: string }[]
    readonly packages?: readonly { readonly taskHash: string; readonly uri?: string }[]
  }
}

/**
 * Builds a record from its parts; equal parts give equal bytes.
 * @throws ReasoningRecordError for parts that break the schema or the limits
 * @throws RangeError for claims that are no JSON: not-finite numbers, endless nesting
 */
export function buildReasoning(input: ReasoningInput): BuiltReasoning {
  const { binding, claims, links = {} } = input
  const findings = noFindings<ReasoningCode>()
  const agent = readAddress(binding.agent)
  if (agent === undefined)
    report(findings, 'schema.mismatch', 'binding.agent', 'is no address, or its checksum is wrong')
  const value = toJson(
    {
      schema: REASONING_SCHEMA,
      binding: {
        chainId: binding.chainId.toString(),
        agent: agent ?? binding.agent,
        action: binding.action,
        callHash: binding.callHash.toLowerCase(),
        nonce: binding.nonce.toLowerCase(),
      },
      claims,
      ...(hasLinks(links) && { links }),
    },
    1,
  )
  const bytes = encodeSortedJson(value)
  const parsed = parseRecordJson(bytes)
  if (!parsed.ok) report(findings, parsed.code, 'record', parsed.message)
  const record = parsed.ok ? readRecord(parsed.value, findings) : undefined
  if (record === undefined || findings.list.length > 0) throw new ReasoningRecordError(findings)
  const cid = rawCidOf(bytes)
  return { record, bytes, reasoningHash: keccak256(bytes), cid, reasoningURI: `ipfs://${cid}` }
}

function hasLinks({ evidence = [], packages = [] }: NonNullable<ReasoningInput['links']>): boolean {
  return evidence.length + packages.length > 0
}

/** Leaves out what is undefined, at every level: JSON has no such value. A number that JSON does not have is refused. */
function toJson(value: unknown, depth: number): JsonValue {
  if (depth > MAX_RECORD_DEPTH + 1) throw new RangeError(`the record nests deeper than ${MAX_RECORD_DEPTH} levels`)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} is no number of JSON`)
  if (value === null || typeof value !== 'object') return value as JsonValue
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1))
  const object: Record<string, JsonValue> = Object.create(null)
  for (const [key, field] of Object.entries(value)) if (field !== undefined) object[key] = toJson(field, depth + 1)
  return object
}

/** Strict JSON under the limits of a record. */
export function parseRecordJson(bytes: Uint8Array) {
  return parseStrictJson(bytes, withLimits({ jsonBytes: MAX_RECORD_BYTES, jsonDepth: MAX_RECORD_DEPTH }))
}

/** Reads a parsed record; what the schema forbids becomes findings. Unknown fields stay in `claims` only. */
export function readRecord(value: JsonValue, findings: Findings<ReasoningCode>): ReasoningRecord | undefined {
  if (!matchesCode<ReasoningCode>(generated.validateRecord as SchemaCode, value, 'schema.mismatch', 'record', findings))
    return undefined
  const binding = value['binding'] as JsonObject
  const links = (value['links'] ?? {}) as JsonObject
  return {
    binding: {
      chainId: BigInt(String(binding['chainId'])),
      agent: binding['agent'] as Address,
      action: String(binding['action']),
      callHash: binding['callHash'] as Keccak256Digest,
      nonce: binding['nonce'] as `0x${string}`,
    },
    claims: value['claims'] as ReasoningClaims,
    links: {
      ...(links['evidence'] !== undefined && { evidence: links['evidence'] as unknown as readonly EvidenceLink[] }),
      ...(links['packages'] !== undefined && { packages: links['packages'] as unknown as readonly PackageLink[] }),
    },
  }
}
