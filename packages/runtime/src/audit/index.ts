export type { AuditedAction } from './audit-action.ts'
export { type AuditAgentOptions, auditAgent, MAX_CHOSEN_BLOCKS } from './audit-agent.ts'
export type { AuditedDelivery } from './audit-delivery.ts'
export { auditEvidence } from './audit-evidence.ts'
export { type AuditedPayment, MAX_EVIDENCE_BYTES } from './audit-evidence-link.ts'
export type { AuditedMetadata } from './audit-metadata.ts'
export { type AuditTenderOptions, auditTender } from './audit-tender.ts'
export type { CheckpointStore } from './checkpoint.ts'
export { AUDIT_CODES, type AuditCode, type AuditSeverity } from './codes.ts'
export type { BookLine, ComparedBooks } from './compare-books.ts'
export type { AuditFinding, AuditStatus } from './findings.ts'
export { renderAuditReport } from './render-report.ts'
export {
  type AgentAuditReport,
  AUDIT_SCHEMA,
  type AuditProgress,
  type AuditRange,
  type AuditReport,
  type EvidenceAuditReport,
  type TenderAuditReport,
} from './report.ts'
export type { RoleChange, RolePeriod } from './roles.ts'
