import { cidCodec, cidDigest, isCid, keccak256, type Sha256Digest, sha256 } from '../digest/index.ts'
import {
  type Finding,
  type Findings,
  noFindings,
  report,
  shown,
  statusOf,
  type VerdictStatus,
} from '../task-package/findings.ts'
import { encodeSortedJson, type JsonValue } from '../task-package/json.ts'
import type { ReasoningCode } from './codes.ts'
import { MAX_REASONING_URI_BYTES, MAX_RECORD_BYTES } from './limits.ts'
import { parseRecordJson, REASONING_SCHEMA, type ReasoningBinding, type ReasoningRecord, readRecord } from './record.ts'

/** The parts of a verification, in their order. */
export const REASONING_CHECKS = [
  'hash',
  'uri',
  'json',
  'schema',
  'canonical',
  'chainId',
  'agent',
  'action',
  'callHash',
  'nonce',
] as const

/** One part of a verification. */
export type ReasoningCheck = (typeof REASONING_CHECKS)[number]

/** A part that was not judged, and why. */
export type UncheckedReasoning = { readonly check: ReasoningCheck; readonly reason: string }

/** What the record is compared with; what is absent is not checked and said to be so. */
export type ExpectedReasoning = {
  /** reasoningHash as the chain has it. */
  readonly hash?: string
  /** reasoningURI as the chain has it. */
  readonly uri?: string
  readonly binding?: { readonly [Field in keyof ReasoningBinding]?: ReasoningBinding[Field] | string }
}

/**
 * The result of a verification. `ok` is `status === 'valid'`: no clause is broken among the parts in `checked`. A record that
 * is valid may still have parts in `notChecked`; `bound` says whether chain, Agent, action and call data were all compared.
 */
export type ReasoningVerdict = {
  readonly ok: boolean
  readonly status: VerdictStatus
  /** keccak256 of the bytes is the given hash: the bytes are those that the chain anchors (§6.2.1). */
  readonly anchored: boolean
  /** The record names exactly this action on this chain. */
  readonly bound: boolean
  readonly checked: readonly ReasoningCheck[]
  readonly notChecked: readonly UncheckedReasoning[]
  readonly findings: readonly Finding<ReasoningCode>[]
  readonly omittedFindings: number
  /** Present where the bytes could be read as a record, valid or not. */
  readonly record?: ReasoningRecord
}

const BINDING_CODES = {
  chainId: 'binding.chain-id',
  agent: 'binding.agent',
  action: 'binding.action',
  callHash: 'binding.call-hash',
  nonce: 'binding.nonce',
} as const satisfies Record<keyof ReasoningBinding, ReasoningCode>

const IPFS = 'ipfs://'
const ZERO_HASH = `0x${'0'.repeat(64)}`

type Run = {
  readonly findings: Findings<ReasoningCode>
  readonly checked: ReasoningCheck[]
  readonly notChecked: UncheckedReasoning[]
}

/**
 * Verifies the bytes of a record against what cites them. Never throws; hostile bytes give findings. Source: ERC-8406 §6.2,
 * docs/reasoning.md.
 */
export function verifyReasoning(bytes: Uint8Array, expected: ExpectedReasoning = {}): ReasoningVerdict {
  const run: Run = { findings: noFindings<ReasoningCode>(), checked: [], notChecked: [] }
  let record: ReasoningRecord | undefined
  if (bytes.length > MAX_RECORD_BYTES) {
    report(run.findings, 'json.too-large', 'record', `${bytes.length} bytes, expected ${MAX_RECORD_BYTES} or less`)
    for (const check of REASONING_CHECKS) skip(run, check, 'the record is too large')
  } else {
    checkHash(bytes, expected.hash, run)
    checkUri(bytes, expected.uri, run)
    record = checkContent(bytes, run)
    checkBinding(record, expected.binding ?? {}, run)
  }
  const { findings, checked, notChecked } = run
  const broken = (...codes: readonly string[]) => findings.list.some(({ code }) => codes.includes(code))
  const status = statusOf(findings)
  return {
    ok: status === 'valid',
    status,
    anchored: checked.includes('hash') && !broken('hash.malformed', 'hash.zero', 'hash.mismatch'),
    bound:
      (['chainId', 'agent', 'action', 'callHash'] as const).every((check) => checked.includes(check)) &&
      !broken('binding.chain-id', 'binding.agent', 'binding.action', 'binding.call-hash'),
    checked,
    notChecked,
    findings: findings.list,
    omittedFindings: findings.omitted,
    ...(record !== undefined && { record }),
  }
}

function skip(run: Run, check: ReasoningCheck, reason: string): void {
  run.notChecked.push({ check, reason })
}

function checkHash(bytes: Uint8Array, hash: string | undefined, run: Run): void {
  if (hash === undefined) {
    skip(run, 'hash', 'no reasoningHash was given')
    return
  }
  run.checked.push('hash')
  if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) report(run.findings, 'hash.malformed', 'hash', `got ${shown(hash)}`)
  else if (hash === ZERO_HASH) report(run.findings, 'hash.zero', 'hash', 'a record is cited by its hash, never by zero')
  else {
    const got = keccak256(bytes)
    if (got !== hash.toLowerCase())
      report(run.findings, 'hash.mismatch', 'hash', `the bytes hash to ${got}, expected ${hash.toLowerCase()}`)
  }
}

function checkUri(bytes: Uint8Array, uri: string | undefined, run: Run): void {
  const reason = whyUncheckable(uri)
  if (uri === undefined || reason !== undefined) {
    skip(run, 'uri', reason ?? 'no reasoningURI was given')
    return
  }
  run.checked.push('uri')
  const size = new TextEncoder().encode(uri).length
  if (size === 0) report(run.findings, 'uri.empty', 'uri', 'expected a resolvable pointer')
  else if (size > MAX_REASONING_URI_BYTES)
    report(run.findings, 'uri.too-long', 'uri', `${size} bytes, expected ${MAX_REASONING_URI_BYTES} or less`)
  else {
    const got = sha256(bytes)
    const named = rawDigest(uri)
    if (got !== named)
      report(run.findings, 'uri.cid-mismatch', 'uri', `the bytes have SHA-256 ${got}, expected ${named}`)
  }
}

/** Why nobody can judge by the bytes alone whether the URI leads to them; undefined where one can. */
function whyUncheckable(uri: string | undefined): string | undefined {
  if (uri === undefined) return 'no reasoningURI was given'
  if (uri === '' || uri.length > MAX_REASONING_URI_BYTES || rawDigest(uri) !== undefined) return undefined
  return uri.startsWith(IPFS)
    ? 'the CID is not that of one raw block with SHA-256, so only a gateway could judge it'
    : 'the URI does not name its content by a digest'
}

/** The digest in `ipfs://` and the CID of one raw block. */
function rawDigest(uri: string): Sha256Digest | undefined {
  const cid = uri.startsWith(IPFS) ? uri.slice(IPFS.length) : ''
  return isCid(cid) && cidCodec(cid) === 'raw' ? cidDigest(cid) : undefined
}

function checkContent(bytes: Uint8Array, run: Run): ReasoningRecord | undefined {
  run.checked.push('json')
  const parsed = parseRecordJson(bytes)
  if (!parsed.ok) {
    report(run.findings, parsed.code, 'record', parsed.message)
    skip(run, 'schema', 'the bytes are not JSON of a record')
    skip(run, 'canonical', 'the bytes are not JSON of a record')
    return undefined
  }
  run.checked.push('schema', 'canonical')
  const isMarked = hasMarker(parsed.value)
  const record = isMarked ? readRecord(parsed.value, run.findings) : undefined
  if (!isMarked)
    report(run.findings, 'schema.marker', 'record', `expected an object with "schema": "${REASONING_SCHEMA}"`)
  if (!isSame(encodeSortedJson(parsed.value), bytes))
    report(run.findings, 'record.not-canonical', 'record', 'written again in canonical form, the bytes differ')
  return record
}

function hasMarker(value: JsonValue): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (value as { readonly [key: string]: JsonValue })['schema'] === REASONING_SCHEMA
  )
}

function checkBinding(
  record: ReasoningRecord | undefined,
  expected: NonNullable<ExpectedReasoning['binding']>,
  run: Run,
): void {
  for (const field of ['chainId', 'agent', 'action', 'callHash', 'nonce'] as const) {
    const wanted = expected[field]
    if (wanted === undefined) skip(run, field, 'nothing was given to compare it with')
    else if (record === undefined) skip(run, field, 'the record could not be read')
    else {
      run.checked.push(field)
      const got = record.binding[field].toString()
      const want = field === 'action' ? wanted.toString() : wanted.toString().toLowerCase()
      if (got !== want)
        report(run.findings, BINDING_CODES[field], `binding.${field}`, `got ${shown(got)}, expected ${shown(want)}`)
    }
  }
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
