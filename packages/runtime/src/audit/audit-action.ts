import type { ReasoningCode } from '@oikos/core/reasoning'
import { type JudgedCitation, type ReasoningCitation, verifyCitation } from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import type { Address, Client, Hash } from 'viem'
import { type AuditedPayment, auditEvidenceLink } from './audit-evidence-link.ts'
import { auditPackage, type PackageVerdicts } from './audit-package.ts'
import type { AuditCode } from './codes.ts'
import { type AuditFindings, addFinding, noAuditFindings } from './findings.ts'

/** One action of an Agent with what became of its record. */
export type AuditedAction = {
  readonly number: bigint
  readonly transactionHash: Hash
  readonly blockNumber: bigint
  readonly action: string | undefined
  readonly reasoningHash: Hash
  /** Text of the Agent; hostile. */
  readonly reasoningURI: string
  readonly status: JudgedCitation['status']
  readonly codes: readonly AuditCode[]
  /** What the record says; a statement of the Agent, hostile. */
  readonly decision?: string
  readonly payments: readonly AuditedPayment[]
  readonly packages: readonly { readonly taskHash: string; readonly status: string }[]
}

/** What an action is audited with. */
export type ActionContext = {
  readonly client: Client
  readonly chainId: number
  readonly agent: Address
  readonly resolver: ContentResolver
  readonly packages: PackageVerdicts
  readonly findings: AuditFindings
  readonly signal?: AbortSignal
}

/** Longest decision that a report keeps, in characters. */
const MAX_DECISION = 500

/**
 * Fetches the record of one action, checks hash, CID and binding, and follows what it links.
 * @throws RpcError; the reason of an aborted signal
 */
export async function auditAction(citation: ReasoningCitation, context: ActionContext): Promise<AuditedAction> {
  const { client, chainId, agent, resolver, signal } = context
  const own = noAuditFindings()
  const where = `action ${citation.number}`
  const judged = await verifyCitation(client, {
    ...{ chainId, agent, citation, resolver },
    ...(signal && { signal }),
  })
  judgeRecord(judged, where, own)
  const record = judged.verdict?.record
  const payments: AuditedPayment[] = []
  const packages: AuditedAction['packages'][number][] = []
  if (record !== undefined) {
    if (hasMarkup(record.claims)) addFinding(own, 'record.markup', where, 'markup or control characters in the claims')
    for (const link of record.links.evidence ?? []) {
      payments.push(await auditEvidenceLink(link, where, { ...context, findings: own }))
    }
    for (const { taskHash, uri } of record.links.packages ?? []) {
      const audited = await auditPackage({ taskHash, ...(uri !== undefined && { uri }) }, where, {
        ...context,
        findings: own,
      })
      packages.push({ taskHash, status: audited.status })
    }
  }
  for (const { code, message } of own.list) addFinding(context.findings, code, where, message)
  const { number, transactionHash, blockNumber, action, reasoningHash, reasoningURI } = citation
  return {
    ...{ number, transactionHash, blockNumber, action, reasoningHash, reasoningURI, status: judged.status },
    ...{ codes: [...own.counts.keys()], payments, packages },
    ...(record !== undefined && { decision: record.claims.decision.slice(0, MAX_DECISION) }),
  }
}

function judgeRecord(judged: JudgedCitation, where: string, findings: AuditFindings): void {
  const { citation, verdict, unresolved } = judged
  for (const { code, message } of judged.findings) {
    addFinding(
      findings,
      code === 'citation.replayed' ? 'record.replayed' : codeOfUnresolved(unresolved),
      where,
      message,
    )
  }
  if (verdict === undefined) return
  for (const { code, where: place, message } of verdict.findings) {
    addFinding(findings, codeOf(code, citation.reasoningURI), where, `${code} at ${place}: ${message}`)
  }
  if (verdict.notChecked.some(({ check }) => check === 'callHash') && verdict.record !== undefined) {
    addFinding(findings, 'record.call-unseen', where, 'the call is not in the transaction')
  }
}

function codeOfUnresolved(unresolved: JudgedCitation['unresolved']): AuditCode {
  if (unresolved === 'mismatch') return 'record.changed'
  return unresolved === 'unavailable' ? 'record.missing' : 'record.uri'
}

function codeOf(code: ReasoningCode, uri: string): AuditCode {
  if (code === 'hash.mismatch') return /^ipfs:\/\/[a-z0-9]+$/.test(uri) ? 'record.wrong-cid' : 'record.hash'
  if (code.startsWith('uri.')) return code === 'uri.cid-mismatch' ? 'record.wrong-cid' : 'record.uri'
  if (code.startsWith('hash.')) return 'record.hash'
  return code.startsWith('binding.') ? 'record.other-action' : 'record.form'
}

/** Tags, entities, script URLs, and characters that move a cursor or turn a text around. */
const MARKUP = /<[a-z!/?]|&#?\w+;|javascript:|(?![\n\t\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/iu

/** Whether any text in a value is markup; the depth of a record is bounded by its reader. */
function hasMarkup(value: unknown): boolean {
  if (typeof value === 'string') return MARKUP.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => MARKUP.test(key) || hasMarkup(member))
}
