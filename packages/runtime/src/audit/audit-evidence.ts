import type { Client } from 'viem'
import { auditEvidenceBytes } from './audit-evidence-link.ts'
import { noAuditFindings, statusOfFindings } from './findings.ts'
import { AUDIT_SCHEMA, type EvidenceAuditReport } from './report.ts'

/**
 * Audits the Evidence of one payment, and matches it with a chain where one is given.
 * @throws RpcError
 */
export async function auditEvidence(
  bytes: Uint8Array,
  options: {
    /** How the user named it. */
    readonly where: string
    readonly digest?: string
    readonly chain?: { readonly client: Client; readonly chainId: number }
  },
): Promise<EvidenceAuditReport> {
  const findings = noAuditFindings()
  const payment = await auditEvidenceBytes(bytes, options.where, {
    findings,
    ...(options.digest !== undefined && { digest: options.digest }),
    ...options.chain,
  })
  return {
    ...{ schema: AUDIT_SCHEMA, kind: 'evidence', status: statusOfFindings(findings), payment },
    counts: Object.fromEntries(findings.counts),
    findings: findings.list,
  }
}
