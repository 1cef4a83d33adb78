import { type Cid, isCid, parseSha256Digest, type Sha256Digest } from '../digest/index.ts'
import { type Findings, report, shown } from './findings.ts'
import { type JsonObject, type JsonValue, parseStrictJson } from './json.ts'
import type { PackageLimits } from './limits.ts'
import { matchesSchema } from './schemas.ts'

/** The required fields of a manifest. Source: ERC-8414, Manifest. */
export type Manifest = {
  readonly schemaVersion: string
  readonly name: string
  readonly taskVersion: string
  readonly summary: string
  readonly specPath: string
}

/** The required fields of a fulfillment descriptor; `maxCompletions` 0 is unbounded. Source: ERC-8414. */
export type FulfillmentDescriptor = {
  readonly schemaVersion: string
  readonly mode: 'exclusive' | 'collaborative' | 'replicated'
  readonly maxCompletions: bigint
}

/** An encrypted object: the CID that the root links, and the hash of what is inside. */
export type ConfidentialObject = { readonly ciphertext: Cid; readonly plaintextHash: Sha256Digest }

/** A confidentiality descriptor; `fields` is the whole document, for the profile to read. Source: ERC-8414. */
export type ConfidentialityDescriptor = {
  readonly schemaVersion: string
  readonly mode: string
  readonly profile: string
  readonly objects: ReadonlyMap<string, ConfidentialObject>
  readonly fields: JsonObject
}

/** Largest `maxCompletions`: the chain holds it in a uint64. */
const MAX_UINT64 = 2n ** 64n - 1n

/** Parses a document strictly; a fault becomes a finding. */
export function readJson(
  bytes: Uint8Array,
  where: string,
  limits: PackageLimits,
  findings: Findings,
): JsonValue | undefined {
  const parsed = parseStrictJson(bytes, limits)
  if (parsed.ok) return parsed.value
  report(findings, parsed.code, where, parsed.message)
  return undefined
}

/** Reads a task manifest and compares `specPath` with the root. */
export function readManifest(
  bytes: Uint8Array,
  specPath: string,
  limits: PackageLimits,
  findings: Findings,
): Manifest | undefined {
  const value = readJson(bytes, 'manifest', limits, findings)
  if (value === undefined || !matchesSchema('manifest', value, 'manifest.schema', 'manifest', findings))
    return undefined
  const manifest = value as unknown as Manifest
  if (manifest.specPath !== specPath)
    report(
      findings,
      'manifest.spec-path',
      'manifest',
      `specPath ${shown(manifest.specPath)}, expected ${shown(specPath)}`,
    )
  return {
    schemaVersion: manifest.schemaVersion,
    name: manifest.name,
    taskVersion: manifest.taskVersion,
    summary: manifest.summary,
    specPath: manifest.specPath,
  }
}

/** Reads a fulfillment descriptor and compares `maxCompletions` with the on-chain terms when they are given. */
export function readFulfillment(
  bytes: Uint8Array,
  maxCompletions: bigint | undefined,
  limits: PackageLimits,
  findings: Findings,
): FulfillmentDescriptor | undefined {
  const where = 'fulfillment'
  const value = readJson(bytes, where, limits, findings)
  if (value === undefined || !matchesSchema('fulfillment', value, 'fulfillment.schema', where, findings))
    return undefined
  const count = exactNatural(value['maxCompletions'])
  if (count === undefined || count > MAX_UINT64) {
    report(findings, 'fulfillment.schema', where, 'maxCompletions is not exactly a natural number below 2^64')
    return undefined
  }
  if (maxCompletions !== undefined && count !== maxCompletions)
    report(
      findings,
      'fulfillment.max-completions',
      where,
      `maxCompletions ${count}, expected ${maxCompletions} as on chain`,
    )
  return {
    schemaVersion: String(value['schemaVersion']),
    mode: value['mode'] as FulfillmentDescriptor['mode'],
    maxCompletions: count,
  }
}

/** The exact integer, or undefined where the text's number cannot be known from a double. */
function exactNatural(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
}

/** Reads a confidentiality descriptor; its relations to the root are judged by `checkConfidentiality`. */
export function readConfidentiality(
  bytes: Uint8Array,
  limits: PackageLimits,
  findings: Findings,
): ConfidentialityDescriptor | undefined {
  const where = 'confidentiality'
  const value = readJson(bytes, where, limits, findings)
  if (value === undefined || !matchesSchema('confidentiality', value, 'confidentiality.schema', where, findings))
    return undefined
  const objects = new Map<string, ConfidentialObject>()
  for (const [path, object] of Object.entries(value['objects'] as { [path: string]: JsonObject })) {
    const ciphertext = String(object['ciphertext'])
    if (isCid(ciphertext)) {
      objects.set(path, { ciphertext, plaintextHash: parseSha256Digest(String(object['plaintextHash'])) })
    } else {
      report(
        findings,
        'confidentiality.schema',
        `confidentiality.objects[${shown(path)}]`,
        'ciphertext is not a CID of ours',
      )
    }
  }
  return {
    schemaVersion: String(value['schemaVersion']),
    mode: String(value['mode']),
    profile: String(value['profile']),
    objects,
    fields: value,
  }
}
