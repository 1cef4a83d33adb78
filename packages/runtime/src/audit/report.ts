import type { AgentSnapshot, Asset, Tender } from '@oikos/sdk'
import type { Address, Hash } from 'viem'
import type { AuditedAction } from './audit-action.ts'
import type { DeliveryState } from './audit-deliveries.ts'
import type { AuditedDelivery } from './audit-delivery.ts'
import type { AuditedPayment } from './audit-evidence-link.ts'
import type { AuditedMetadata } from './audit-metadata.ts'
import type { AuditedScope } from './audit-scope.ts'
import type { BookLine, ComparedBooks } from './compare-books.ts'
import type { AuditFinding, AuditStatus } from './findings.ts'
import type { Ledger } from './ledger.ts'
import type { RoleChange, RolePeriod } from './roles.ts'

/** First member of every report. Members are added, never changed in meaning, under one name. */
export const AUDIT_SCHEMA = 'oikos-audit/1'

/** The blocks that an audit covers; the last one by its hash as well. */
export type AuditRange = {
  readonly fromBlock: bigint
  readonly toBlock: bigint
  readonly toBlockHash: Hash
  readonly toBlockTimestampSec: bigint
}

/** What every report has. */
type AuditReportBase = {
  readonly schema: typeof AUDIT_SCHEMA
  /** `verified`: all that was promised holds and was checked. `incomplete`: something could not be. `refused`: something is broken. */
  readonly status: AuditStatus
  /** Findings by code, all of them. */
  readonly counts: Readonly<Record<string, number>>
  /** The first findings of each code. */
  readonly findings: readonly AuditFinding[]
}

/** The audit of an Agent. Texts of strangers are as they are; a reader must not render them as markup. */
export type AgentAuditReport = AuditReportBase & {
  readonly kind: 'agent'
  readonly chainId: number
  readonly agent: Address
  readonly range: AuditRange
  readonly name: string
  readonly symbol: string
  readonly acceptToken: Address
  /** The Accept Token as amounts are written in it; its symbol is a claim. */
  readonly asset: Asset
  readonly actions: {
    readonly total: number
    readonly verified: number
    readonly refused: number
    readonly unavailable: number
    /** The first of them, and later ones with a fault or gap, as far as there is room. */
    readonly listed: readonly AuditedAction[]
  }
  readonly payments: readonly AuditedPayment[]
  /** The first of them, and later ones that are not verified, as far as there is room. */
  readonly deliveries: readonly AuditedDelivery[]
  /** All of them, by what became of their packages. */
  readonly deliveryCounts: DeliveryState['counts']
  readonly books: readonly ComparedBooks[]
  readonly totals: Ledger['totals']
  readonly roles: {
    readonly owner: Address
    readonly guardian: Address
    readonly executors: readonly Address[]
    readonly feeRecipient: Address
    readonly scopeDelaySec: number
    readonly periods: readonly RolePeriod[]
    readonly changes: readonly RoleChange[]
    readonly omittedChanges: number
  }
  readonly boundary: AuditedScope
  readonly metadata: AuditedMetadata
  readonly snapshot: Pick<AgentSnapshot, 'scope' | 'scopeRevision' | 'reclaimHorizonSec' | 'factory'>
}

/** The audit of a tender. */
export type TenderAuditReport = AuditReportBase & {
  readonly kind: 'tender'
  readonly chainId: number
  readonly task: Address
  readonly tokenId: bigint
  readonly range: AuditRange
  readonly tender: Tender
  readonly versions: readonly {
    readonly version: bigint
    readonly taskHash: string
    readonly tdHash: string
    readonly package: string
  }[]
  readonly deliveries: readonly AuditedDelivery[]
  /** Counts and credits: what events add up to, and what the contract says. */
  readonly lines: readonly BookLine[]
  readonly changes: readonly RoleChange[]
}

/** The audit of the Evidence of one payment. */
export type EvidenceAuditReport = AuditReportBase & { readonly kind: 'evidence'; readonly payment: AuditedPayment }

/** Any report. */
export type AuditReport = AgentAuditReport | TenderAuditReport | EvidenceAuditReport

/** How far an audit has come. */
export type AuditProgress = {
  readonly block: bigint
  readonly toBlock: bigint
  readonly actions: number
  readonly deliveries: number
}
