import type { TaskHash, TdHash, VerifyTaskOptions } from '@oikos/core'
import type { ContentResolver } from '@oikos/sdk/content'
import { fetchTaskPackage } from '@oikos/sdk/content'
import { type AuditFindings, addFinding } from './findings.ts'

/** What an audit found out about one package. */
export type AuditedPackage = {
  readonly taskHash: TaskHash
  readonly version?: bigint
  readonly status: 'verified' | 'refused' | 'unavailable'
  /** Codes of the verdict on the package. */
  readonly codes: readonly string[]
}

/** Packages with their verdicts, so that one that many deliveries cite is fetched once. */
export type PackageVerdicts = Map<string, AuditedPackage>

/** Verdicts that are kept; what is beyond is verified again. */
const MAX_KEPT = 1_000

/** The package to be fetched, and what it must agree with. */
type Demand = {
  readonly taskHash: TaskHash
  readonly tdHash?: TdHash
  readonly version?: bigint
  readonly uri?: string
  readonly history?: VerifyTaskOptions['history']
  readonly terms?: VerifyTaskOptions['terms']
}

type Context = {
  readonly resolver: ContentResolver
  readonly packages: PackageVerdicts
  readonly findings: AuditFindings
  readonly signal?: AbortSignal
}

/** The last package that an audit works on. */
const turns = new WeakMap<PackageVerdicts, Promise<unknown>>()

/**
 * Fetches and verifies a package against its hashes. One audit takes one package at a time: records that name many large ones
 * must not fill the memory. Throws the reason of an aborted signal.
 */
export function auditPackage(demand: Demand, where: string, context: Context): Promise<AuditedPackage> {
  return takeTurn(context.packages, () => auditInTurn(demand, where, context))
}

/** Works on a package when the one before it, of the same audit, is done. Throws what the work throws. */
export function takeTurn<result>(packages: PackageVerdicts, work: () => Promise<result>): Promise<result> {
  const done = (turns.get(packages) ?? Promise.resolve()).then(work)
  // the next one waits for the end of this one, whatever it is
  turns.set(
    packages,
    done.catch(() => {}),
  )
  return done
}

async function auditInTurn(demand: Demand, where: string, context: Context): Promise<AuditedPackage> {
  const { taskHash, tdHash, version, uri, history, terms } = demand
  const key = `${taskHash} ${tdHash ?? ''} ${version ?? ''}`
  const known = context.packages.get(key)
  if (known !== undefined) return known
  const { verdict, attempts } = await fetchTaskPackage({
    taskHash,
    resolver: context.resolver,
    ...(tdHash !== undefined && version !== undefined && { binding: { tdHash, version } }),
    ...(uri !== undefined && { uri }),
    ...(history !== undefined && { history }),
    ...(terms !== undefined && { terms }),
    ...(context.signal && { signal: context.signal }),
  })
  const codes = [...new Set(verdict.findings.map(({ code }) => code))]
  const isTampered = attempts.some(({ outcome }) => outcome === 'mismatch')
  const status = verdict.ok ? 'verified' : verdict.status === 'incomplete' && !isTampered ? 'unavailable' : 'refused'
  if (status !== 'verified') {
    const [first] = verdict.findings
    const tampered = isTampered ? 'a place gave other bytes; ' : ''
    const message = `${taskHash}: ${tampered}${first?.code} at ${first?.where}, ${first?.message}`
    addFinding(context.findings, status === 'refused' ? 'package.invalid' : 'package.missing', where, message)
  }
  const audited: AuditedPackage = { taskHash, status, codes, ...(version !== undefined && { version }) }
  if (context.packages.size < MAX_KEPT) context.packages.set(key, audited)
  return audited
}
