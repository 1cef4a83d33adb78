import { type Findings, noFindings, report } from '../task-package/findings.ts'
import { encodeSortedJson, type JsonValue, parseStrictJson } from '../task-package/json.ts'
import { withLimits } from '../task-package/limits.ts'
import { matchesCode, type SchemaCode } from '../task-package/schemas.ts'
import type { PolicyCode } from './codes.ts'
import { PolicyDocumentError } from './errors.ts'
import * as generated from './schemas.gen.ts'

/** Marker of a policy document. */
export const POLICY_SCHEMA = 'oikos-scope-policy/1'

/** Bytes of a document (256 KiB): 64 rules with all their conditions and long notes. */
export const MAX_POLICY_BYTES = 256 * 1024
/** Nesting of a document: policy, rules, rule, when, condition, value. */
const MAX_POLICY_DEPTH = 8

/** The text that stands for the Agent itself, whose address a policy need not know. */
export const THE_AGENT = 'the agent'
/** A rule for a call without data. */
export const PLAIN_PAYMENT = 'plain payment'
/** An amount without a bound. */
export const UNLIMITED = 'unlimited'
/** A bucket that never refills. */
export const NEVER = 'never'
/** The delay of a document that leaves it as it is. */
export const KEEP = 'keep'

/** A word as text, integer or boolean, read by the type of its parameter. */
export type PolicyValue = string | number | bigint | boolean

/** Where a condition looks: at a parameter by name, at `offset` bytes behind the selector, or at the length of the whole call. */
export type PolicyCondition = {
  readonly parameter?: string
  readonly offset?: number
  readonly is?: typeof THE_AGENT
  readonly equals?: PolicyValue
  readonly not?: PolicyValue
  readonly atMost?: PolicyValue
  readonly atLeast?: PolicyValue
  /** `0x` and 58 digits: the first 29 bytes of the word's keccak256. */
  readonly hashIs?: string
  readonly in?: string
  readonly eachIn?: string
  readonly length?: number | bigint
}

/** One kind of call that is allowed. */
export type PolicyRule = {
  /** Name of `contracts` or `assets`, or an address. */
  readonly to: string
  /** `deposit(uint256 assets, address receiver)`, a selector `0x…`, or {@link PLAIN_PAYMENT}. */
  readonly call: string
  readonly when?: readonly PolicyCondition[]
  /** Most that one call takes along; absent is none. */
  readonly perCall?: { readonly native?: string; readonly acceptToken?: string }
  /** Asset whose cap is charged with the value of a parameter. */
  readonly charge?: { readonly asset: string; readonly parameter?: string; readonly offset?: number }
  readonly calls?: { readonly limit: number; readonly refill: string }
  /** From this moment (UTC) on the rule allows nothing. */
  readonly until?: string
  readonly codeHash?: string
  readonly note?: string
}

/** Most that leaves of one asset over all rules. */
export type PolicyCap = {
  readonly asset: string
  readonly limit: string
  readonly refill: string
  readonly lifetime?: string
}

/** A policy as people write and read it. Source: docs/scope-policies.md. */
export type PolicyDocument = {
  readonly schema: typeof POLICY_SCHEMA
  readonly title?: string
  /** Delay of later changes: a duration, or {@link KEEP}. */
  readonly delay: string
  /** Name of the Agent's Accept Token in `assets`. */
  readonly acceptToken?: string
  readonly assets?: { readonly [symbol: string]: { readonly address: string; readonly decimals: number } }
  readonly contracts?: { readonly [name: string]: string }
  readonly sets?: { readonly [name: string]: { readonly id: string; readonly members: readonly PolicyValue[] } }
  readonly rules: readonly PolicyRule[]
  readonly caps?: readonly PolicyCap[]
}

/**
 * Reads the JSON of a document. Hostile bytes are refused, never obeyed.
 * @throws PolicyDocumentError
 */
export function parsePolicyDocument(bytes: Uint8Array): PolicyDocument {
  const findings = noFindings<PolicyCode>()
  const parsed = parseStrictJson(bytes, withLimits({ jsonBytes: MAX_POLICY_BYTES, jsonDepth: MAX_POLICY_DEPTH }))
  if (!parsed.ok) report(findings, parsed.code, 'document', parsed.message)
  else if (matchesDocument(parsed.value, findings)) return parsed.value as unknown as PolicyDocument
  throw new PolicyDocumentError(findings)
}

/** Judges the form of a document; what is wrong becomes findings. */
export function matchesDocument(value: JsonValue, findings: Findings<PolicyCode>): boolean {
  return matchesCode(generated.validateDocument as SchemaCode, value, 'document.schema', 'document', findings)
}

/** The one byte string of a document: compact JSON with sorted keys. Its hash names the policy in an Agent's metadata. */
export function encodePolicyDocument(document: PolicyDocument): Uint8Array {
  return encodeSortedJson(document as unknown as JsonValue)
}
