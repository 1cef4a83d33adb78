import {
  type PackageHash,
  parseTaskHash,
  type Sha256Digest,
  toDagCborCid,
  verifySkillPackage,
  verifyTaskPackage,
} from '@oikos/core'
import type { ContentResolver } from '@oikos/sdk/content'
import { type PackageVerdicts, takeTurn } from './audit-package.ts'
import { type AuditFindings, addFinding } from './findings.ts'

type Context = {
  readonly resolver: ContentResolver
  readonly packages: PackageVerdicts
  readonly findings: AuditFindings
  readonly signal?: AbortSignal
}

/** What became of a delivery whose bytes have the committed hash. */
export type AuditedResult = 'verified' | 'broken' | 'unavailable'

/**
 * Judges a delivery as a package where its bytes read as the root of a task or of a skill (ERC-8338), or where the URI names
 * them as a root:
 * every object is fetched under the limits and compared, and nothing is run. Other bytes are what they are. Throws the
 * reason of an aborted signal.
 * @param bytes have the SHA-256 `resultHash`
 */
export function auditSkill(
  delivered: { readonly bytes: Uint8Array; readonly resultHash: Sha256Digest; readonly uri: string },
  where: string,
  context: Context,
): Promise<AuditedResult> {
  return takeTurn(context.packages, () => auditInTurn(delivered, where, context))
}

async function auditInTurn(
  { bytes, resultHash, uri }: Parameters<typeof auditSkill>[0],
  where: string,
  { resolver, findings, signal }: Context,
): Promise<AuditedResult> {
  const packageHash = resultHash as PackageHash // a claim until the verdict
  const rootCid = toDagCborCid(packageHash)
  const isNamedRoot = uri.includes(rootCid)
  const blocks = resolver.source({ ...(signal && { signal }) })
  const source: typeof blocks = {
    attempts: blocks.attempts,
    get: async (cid, bounds) => (cid === rootCid ? bytes : blocks.get(cid, bounds)),
  }
  // operators deliver in the form of a task package
  const taskHash = parseTaskHash(resultHash)
  const [task, skill] = [
    await verifyTaskPackage({ taskHash, source, level: 'root' }),
    await verifySkillPackage({ packageHash, source, level: 'root' }),
  ]
  if (task.root === undefined && skill.root === undefined && !isNamedRoot) return 'verified'
  const isTask = task.root !== undefined
  const verdict = isTask
    ? await verifyTaskPackage({ taskHash, source })
    : await verifySkillPackage({ packageHash, source })
  signal?.throwIfAborted()
  if (verdict.ok) return 'verified'
  const [first] = verdict.findings
  const isTampered = blocks.attempts.some(({ outcome }) => outcome === 'mismatch')
  const isBroken = verdict.status === 'invalid' || isTampered
  const message = `${packageHash}: ${isTampered ? 'a place gave other bytes; ' : ''}${first?.code} at ${first?.where}, ${first?.message}`
  addFinding(
    findings,
    isBroken ? 'package.invalid' : 'package.missing',
    `${where}, ${isTask ? 'its own' : 'skill'} package`,
    message,
  )
  return isBroken ? 'broken' : 'unavailable'
}
