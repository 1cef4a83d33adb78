import { parseSignature, SignatureFormatError } from '../call-data/index.ts'
import { cidCodec, cidDigest, isCid, sha256 } from '../digest/index.ts'
import {
  type Finding,
  type Findings,
  noFindings,
  report,
  shown,
  statusOf,
  type VerdictStatus,
} from '../task-package/findings.ts'
import { type AgentCode, hasSelector, readAgentCode } from './clone-code.ts'
import type { MetadataCode } from './codes.ts'
import { type AgentMetadata, type OikosProperties, RECLAIM_METHOD, readAgentMetadata } from './document.ts'

/** The parts of a verification, in their order. */
export const METADATA_CHECKS = ['document', 'uri', 'code', 'reclaim', 'horizon', 'properties'] as const
/** One part of a verification. */
export type MetadataCheck = (typeof METADATA_CHECKS)[number]

/** What the chain says about the Agent; what is absent is not checked and said to be so. */
export type AgentFacts = {
  readonly chainId?: bigint
  /** Runtime code at the Agent's address, `0x` and hexadecimal. */
  readonly code?: string
  /** Runtime code of the implementation that a clone names. */
  readonly implementationCode?: string
  /** Implementations that are trusted to be an Agent of ours, e.g. of the factory in the deployments. */
  readonly knownImplementations?: readonly string[]
  /** Of an Agent that is no clone of ours, where its view says so. */
  readonly reclaimHorizonSec?: bigint
  readonly acceptToken?: string
}

/** The result of a verification. `ok` is `status === 'valid'`: no clause is broken among the parts in `checked`. */
export type MetadataVerdict = {
  readonly ok: boolean
  readonly status: VerdictStatus
  readonly checked: readonly MetadataCheck[]
  readonly notChecked: readonly { readonly check: MetadataCheck; readonly reason: string }[]
  readonly findings: readonly Finding<MetadataCode>[]
  readonly omittedFindings: number
  readonly metadata?: AgentMetadata
  /** What the Agent's own code says, where it is a clone of our factory. */
  readonly agentCode?: AgentCode
}

type Run = {
  readonly findings: Findings<MetadataCode>
  readonly checked: MetadataCheck[]
  readonly notChecked: { readonly check: MetadataCheck; readonly reason: string }[]
}

/**
 * Verifies a metadata document against its URI and the chain, so that the reclaim disclosure and the code agree. Never
 * throws; hostile bytes give findings. Source: ERC-8406 §6.4.6, §6.5; docs/agent-metadata.md.
 */
export function verifyAgentMetadata(
  bytes: Uint8Array,
  expected: { readonly uri?: string; readonly facts?: AgentFacts } = {},
): MetadataVerdict {
  const run: Run = { findings: noFindings<MetadataCode>(), checked: ['document'], notChecked: [] }
  const facts = expected.facts ?? {}
  const metadata = readAgentMetadata(bytes, run.findings)
  checkUri(bytes, expected.uri, run)
  const agentCode = checkCode(facts, run)
  if (metadata === undefined)
    for (const check of ['reclaim', 'horizon', 'properties'] as const)
      skip(run, check, 'the document could not be read')
  else {
    checkReclaim(metadata, facts, agentCode, run)
    checkHorizon(metadata, facts, agentCode, run)
    checkProperties(metadata.oikos, facts, agentCode, run)
  }
  const { findings, checked, notChecked } = run
  const status = statusOf(findings)
  return {
    ok: status === 'valid',
    status,
    checked,
    notChecked,
    findings: findings.list,
    omittedFindings: findings.omitted,
    ...(metadata !== undefined && { metadata }),
    ...(agentCode !== undefined && { agentCode }),
  }
}

function skip(run: Run, check: MetadataCheck, reason: string): void {
  run.notChecked.push({ check, reason })
}

function checkUri(bytes: Uint8Array, uri: string | undefined, run: Run): void {
  const cid = uri?.startsWith('ipfs://') === true ? uri.slice('ipfs://'.length) : ''
  if (!isCid(cid) || cidCodec(cid) !== 'raw') {
    const reason =
      uri === undefined ? 'no agentURI was given' : 'the agentURI does not name one raw block by its digest'
    skip(run, 'uri', reason)
    return
  }
  run.checked.push('uri')
  const got = sha256(bytes)
  if (got !== cidDigest(cid))
    report(run.findings, 'uri.cid-mismatch', 'uri', `the bytes have SHA-256 ${got}, expected ${cidDigest(cid)}`)
}

function checkCode({ code, knownImplementations }: AgentFacts, run: Run): AgentCode | undefined {
  if (code === undefined) {
    skip(run, 'code', 'the code of the Agent was not given')
    return undefined
  }
  if (code === '0x') {
    run.checked.push('code')
    report(run.findings, 'code.empty', 'code', 'no contract is at this address')
    return undefined
  }
  const agentCode = readAgentCode(code)
  if (knownImplementations === undefined) skip(run, 'code', 'no known implementations were given')
  else {
    run.checked.push('code')
    const known = knownImplementations.map((address) => address.toLowerCase())
    if (agentCode === undefined || !known.includes(agentCode.implementation))
      report(
        run.findings,
        'code.not-ours',
        'code',
        `${agentCode === undefined ? 'it is no clone of our factory' : `its implementation is ${agentCode.implementation}`}; what it does is not known`,
      )
  }
  return agentCode
}

function checkReclaim(metadata: AgentMetadata, facts: AgentFacts, agentCode: AgentCode | undefined, run: Run): void {
  const { reclaim } = metadata
  const method = reclaim === 'none' ? RECLAIM_METHOD : reclaim.method
  const selector = selectorOf(method)
  if (selector === undefined) {
    run.checked.push('reclaim')
    report(run.findings, 'reclaim.method', 'reclaim.method', `${shown(method)} is no function signature`)
    return
  }
  // a clone runs the code of its implementation
  const dispatcher = agentCode === undefined ? facts.code : facts.implementationCode
  if (dispatcher === undefined || dispatcher === '0x') {
    const what = agentCode === undefined ? 'the code of the Agent' : 'the code of its implementation'
    skip(run, 'reclaim', `${what} was not given`)
    return
  }
  run.checked.push('reclaim')
  const isThere = hasSelector(dispatcher, selector)
  if (reclaim === 'none' && isThere)
    report(run.findings, 'reclaim.contradicted', 'reclaim', `the code answers to ${method}`)
  if (reclaim !== 'none' && !isThere)
    report(
      run.findings,
      'reclaim.method-absent',
      'reclaim.method',
      `the code does not answer to ${shown(method)} (${selector})`,
    )
}

function selectorOf(method: string): string | undefined {
  try {
    return parseSignature(method).selector
  } catch (cause) {
    if (cause instanceof SignatureFormatError) return undefined
    throw cause
  }
}

function checkHorizon(metadata: AgentMetadata, facts: AgentFacts, agentCode: AgentCode | undefined, run: Run): void {
  const actual = agentCode === undefined ? facts.reclaimHorizonSec : BigInt(agentCode.reclaimHorizonSec)
  if (metadata.reclaim === 'none') skip(run, 'horizon', 'the document discloses no reclaim')
  else if (actual === undefined) skip(run, 'horizon', 'the horizon of the Agent was not given')
  else {
    run.checked.push('horizon')
    const { horizon } = metadata.reclaim
    if (BigInt(horizon) !== actual)
      report(run.findings, 'reclaim.horizon', 'reclaim.horizon', `got ${horizon} seconds, and the Agent has ${actual}`)
  }
}

function checkProperties(
  properties: OikosProperties | undefined,
  facts: AgentFacts,
  agentCode: AgentCode | undefined,
  run: Run,
): void {
  const acceptToken = agentCode?.acceptToken ?? facts.acceptToken?.toLowerCase()
  const pairs = [
    ['property.chain-id', 'chainId', properties?.chainId, facts.chainId],
    ['property.accept-token', 'acceptToken', properties?.acceptToken, acceptToken],
    ['property.initial-rate', 'initialRate', properties?.initialRate, agentCode?.initialRate],
    ['property.fixed-price', 'fixedPrice', properties?.fixedPrice, agentCode?.fixedPrice],
  ] as const
  const comparable = pairs.filter(([, , got, want]) => got !== undefined && want !== undefined)
  if (comparable.length === 0) {
    skip(run, 'properties', 'there is no property of ours for which the chain gave a value')
    return
  }
  run.checked.push('properties')
  for (const [code, field, got, want] of comparable)
    if (got !== want) report(run.findings, code, `properties.oikos.${field}`, `got ${got}, and the chain has ${want}`)
}
