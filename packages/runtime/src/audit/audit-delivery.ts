import { keccak256, parseTaskHash, parseTdHash, rawCidOf, sha256, type TaskHash, type TdHash } from '@oikos/core'
import type { TaskEvent } from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import type { Address, Hex } from 'viem'
import { auditPackage, type PackageVerdicts } from './audit-package.ts'
import { type AuditedResult, auditSkill } from './audit-skill.ts'
import { type AuditFindings, addFinding } from './findings.ts'

/** A binding of a tender, by its version. */
export type BoundVersion = { readonly version: bigint; readonly taskHash: TaskHash; readonly tdHash: TdHash }

/** One delivery with what became of its package and its result. */
export type AuditedDelivery = {
  readonly task: Address
  readonly tokenId: bigint
  readonly submissionId: bigint
  readonly fulfiller: Address
  readonly blockNumber: bigint
  /** Version of the binding when it was delivered. */
  readonly version: bigint
  readonly package: 'verified' | 'refused' | 'unavailable'
  /**
   * `broken`: a skill package that does not verify; `uncommitted`: the hash commits to something else than the plain bytes;
   * `none`: there is no URI.
   */
  readonly result: AuditedResult | 'uncommitted' | 'changed' | 'none'
  readonly resultHash: Hex
  /** Text of the fulfiller; hostile. */
  readonly resultURI: string
}

/** Reads the binding out of an event. */
export function boundVersionOf({ args }: TaskEvent<'TaskUpdated'>): BoundVersion {
  const { version, taskHash, tdHash } = args
  return { version, taskHash: parseTaskHash(taskHash), tdHash: parseTdHash(tdHash) }
}

/**
 * Verifies the package at the version that a delivery cites, and the result against its hash.
 * @param versions all bindings of the tender so far
 * @throws the reason of an aborted signal
 */
export async function auditDelivery(
  event: TaskEvent<'FulfillmentSubmitted'>,
  versions: readonly BoundVersion[],
  context: {
    readonly resolver: ContentResolver
    readonly packages: PackageVerdicts
    readonly findings: AuditFindings
    readonly taskURI?: string
    readonly signal?: AbortSignal
  },
): Promise<AuditedDelivery> {
  const { tokenId, submissionId, fulfiller, resultHash, resultURI, taskVersion: version } = event.args
  const where = `task ${tokenId}, delivery ${submissionId}`
  const bound = versions.find((entry) => entry.version === version)
  let state: AuditedDelivery['package'] = 'refused'
  if (bound === undefined) {
    addFinding(context.findings, 'package.version', where, `version ${version} was never bound`)
  } else {
    const history = versions.filter((entry) => entry.version < version)
    const uri = context.taskURI
    const demand = { ...bound, history, ...(uri === undefined ? {} : { uri }) }
    state = (await auditPackage(demand, where, context)).status
  }
  const result = await auditResult(resultHash, resultURI, where, context)
  const { address: task, blockNumber } = event
  const about = { task, tokenId, submissionId, fulfiller, blockNumber, version }
  return { ...about, package: state, result, resultHash, resultURI }
}

async function auditResult(
  resultHash: Hex,
  uri: string,
  where: string,
  context: {
    readonly resolver: ContentResolver
    readonly packages: PackageVerdicts
    readonly findings: AuditFindings
    readonly signal?: AbortSignal
  },
): Promise<AuditedDelivery['result']> {
  if (uri === '') return 'none'
  const resolved = await context.resolver.resolve(uri, { ...(context.signal && { signal: context.signal }) })
  if (!resolved.ok) {
    const isChanged = resolved.attempts.some(({ outcome }) => outcome === 'mismatch')
    addFinding(context.findings, isChanged ? 'delivery.changed' : 'delivery.missing', where, resolved.message)
    return isChanged ? 'changed' : 'unavailable'
  }
  const { bytes } = resolved
  const digest = sha256(bytes)
  if (digest === resultHash) return auditSkill({ bytes, resultHash: digest, uri }, where, context)
  if (keccak256(bytes) === resultHash) return 'verified'
  const message = `${rawCidOf(bytes)} has the SHA-256 ${digest}, committed is ${resultHash}`
  addFinding(context.findings, 'delivery.differs', where, message)
  return 'uncommitted'
}
