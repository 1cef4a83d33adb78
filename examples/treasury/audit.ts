import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AgentAuditReport,
  type AuditReport,
  auditAgent,
  auditTender,
  renderAuditReport,
  type TenderAuditReport,
} from '@oikos/runtime/audit'
import { getFactoryTerms, type TaskTarget } from '@oikos/sdk'
import { createContentResolver } from '@oikos/sdk/node'
import type { HiredOperator } from '../market/operators.ts'
import type { Stage } from '../market/stage.ts'

/** What a stranger found, from the chain and the content store alone. */
export type Audits = { readonly agents: readonly AgentAuditReport[]; readonly tenders: readonly TenderAuditReport[] }

/** Audits everything that was played, and leaves a report for people of each audit. */
export async function playAudits(
  stage: Stage,
  { operators, tenders }: { operators: readonly HiredOperator[]; tenders: readonly TaskTarget[] },
): Promise<Audits> {
  const { client, deployment, say, store } = stage
  say.chapter('A stranger audits all of it, from the chain and the content store alone')
  const resolver = createContentResolver({ store })
  const fromBlock = deployment.deployedAtBlock
  const { implementation } = await getFactoryTerms(client.stranger, { factory: deployment.agentFactory })
  const agents: AgentAuditReport[] = []
  for (const { agent, name } of operators) {
    say.step(
      'A stranger',
      `audits ${name}: every action, its reason, its deliveries, its payments, its books, its boundary.`,
    )
    const report = await auditAgent(client.stranger, {
      ...{ agent, fromBlock, resolver, knownImplementations: [implementation] },
    })
    agents.push(report)
    const { actions, deliveries, payments, books } = report
    say.fact(
      'actions',
      `${actions.verified} of ${actions.total}: each cites a record that is the reason of this very call`,
    )
    say.fact('deliveries', `${deliveries.length}, each verified at the version that it was made for`)
    if (payments.length > 0) say.fact('payments', `${payments.length}, its Evidence replayed and found on the chain`)
    say.fact('books', `added up from events and compared with the contract at ${books.length} blocks`)
    await tellVerdict(stage, name.toLowerCase(), report)
    say.check(`npm run oikos -- audit ${name.toLowerCase()}`)
  }
  const judged: TenderAuditReport[] = []
  for (const { task, tokenId } of tenders) {
    say.step('A stranger', `audits tender ${tokenId}: every version, every delivery, every unit of its vault.`)
    const report = await auditTender(client.stranger, { task, tokenId, fromBlock, resolver })
    judged.push(report)
    await tellVerdict(stage, `tender-${tokenId}`, report)
    say.check(`npm run oikos -- audit ${tokenId}`)
  }
  return { agents, tenders: judged }
}

async function tellVerdict({ auditsFolder, say }: Stage, name: string, report: AuditReport): Promise<void> {
  await mkdir(auditsFolder, { recursive: true })
  const file = join(auditsFolder, `${name}.html`)
  await writeFile(file, renderAuditReport(report))
  const counts = Object.entries(report.counts).map(([code, count]) => `${code} ${count}`)
  say.fact('verdict', `${report.status}${counts.length === 0 ? '' : `, told: ${counts.join(', ')}`}`)
  say.fact('report', file)
  if (report.status !== 'verified')
    throw new Error(
      `the audit of ${name} is ${report.status}: ${report.findings.map(({ code, where, message }) => `${code} at ${where}: ${message}`).join('; ')}`,
    )
}
