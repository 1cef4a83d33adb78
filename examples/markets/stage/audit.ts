import { type AuditCode, auditTender, type TenderAuditReport } from '@oikos/runtime/audit'
import type { TaskTarget } from '@oikos/sdk'
import { createContentResolver, nodeSha256 } from '@oikos/sdk/node'
import type { Stage } from '../../market/stage.ts'

/**
 * Audits a tender from the node and the content store, as `oikos audit` does, and throws unless the verdict is `verified`
 * with exactly the expected warnings and notes.
 */
export async function auditMarket(
  stage: Stage,
  target: TaskTarget,
  expected: readonly AuditCode[] = [],
): Promise<TenderAuditReport> {
  stage.say.step('A stranger', 'audits the tender: every version, every delivery, every count.')
  const report = await auditTender(stage.client.stranger, {
    ...target,
    resolver: createContentResolver({ store: stage.store, hash: nodeSha256 }),
    fromBlock: stage.deployment.deployedAtBlock,
  })
  const codes = Object.keys(report.counts).sort()
  if (report.status !== 'verified' || codes.join() !== [...expected].sort().join()) {
    const found = report.findings.map(({ code, where, message }) => `${code} at ${where}: ${message}`)
    throw new Error(`the audit says ${report.status}, with ${found.join('; ') || 'no finding'}`)
  }
  const { deliveries, versions } = report
  stage.say.fact('verdict', `verified: ${versions.length} version(s), ${deliveries.length} deliveries`)
  for (const { code, message } of report.findings) stage.say.fact('warning', `${code}: ${message}`)
  stage.say.check(`npm run oikos -- audit ${target.tokenId}`)
  return report
}
