import { formatAmount, formatDecimal } from '@oikos/sdk'
import type { AuditedDelivery } from './audit-delivery.ts'
import { AUDIT_CODES, type AuditCode } from './codes.ts'
import type { BookLine } from './compare-books.ts'
import type { AuditFinding } from './findings.ts'
import { type Html, html, join } from './html.ts'
import type { AgentAuditReport, AuditRange, AuditReport, TenderAuditReport } from './report.ts'
import { AUDIT_STYLE } from './report-style.ts'
import type { RoleChange } from './roles.ts'

/**
 * A report as one HTML page for people: no script, no link, nothing from elsewhere, and all text of strangers escaped, with
 * its controls shown as code points. It prints well.
 */
export function renderAuditReport(report: AuditReport): string {
  const title = titleOf(report)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${AUDIT_STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="verdict ${report.status}">${VERDICTS[report.status]}</p>
</header>
${findingsSection(report)}
${bodyOf(report)}
<footer><p>${report.schema}. What strangers wrote is shown as text and is not verified by being shown here.</p></footer>
</body>
</html>
`.html
}

/** Decimals of the shares of every Agent. Source: ShareToken.sol. */
const SHARE_DECIMALS = 18

const VERDICTS: Readonly<Record<AuditReport['status'], string>> = {
  verified: 'VERIFIED: all that was promised was checked and holds.',
  incomplete: 'INCOMPLETE: nothing is broken, and some of it could not be checked.',
  refused: 'REFUSED: something that was promised does not hold.',
}

function titleOf(report: AuditReport): string {
  switch (report.kind) {
    case 'agent':
      return `Audit of the Agent ${report.agent} on chain ${report.chainId}`
    case 'tender':
      return `Audit of the tender ${report.chainId}:${report.task}:${report.tokenId}`
    case 'evidence':
      return `Audit of the payment ${report.payment.digest}`
    default:
      return report satisfies never
  }
}

function bodyOf(report: AuditReport): Html {
  switch (report.kind) {
    case 'agent':
      return agentBody(report)
    case 'tender':
      return tenderBody(report)
    case 'evidence': {
      const { digest, status, result = 'not read', transactionId = 'none', isOnChain } = report.payment
      return factTable('Payment', [
        ['Evidence', digest],
        ['Verdict', status],
        ['Result', result],
        ['Transaction', transactionId],
        ['On the chain', isOnChain === undefined ? 'not compared' : isOnChain ? 'yes, as signed' : 'no'],
      ])
    }
    default:
      return report satisfies never
  }
}

function findingsSection({ findings, counts }: AuditReport): Html {
  if (findings.length === 0) return html`<section><h2>Findings</h2><p>None.</p></section>`
  const rows = Object.entries(counts).map(([code, count]) => {
    const [severity, meaning] = AUDIT_CODES[code as AuditCode]
    return html`<tr class="${severity}"><td class="k">${severity}</td><td class="k"><code>${code}</code></td><td class="n">${count}</td><td>${meaning}</td></tr>`
  })
  return html`<section><h2>Findings</h2>
<table><thead><tr><th>Weight</th><th>Code</th><th class="n">Count</th><th>Meaning</th></tr></thead><tbody>
${join(rows)}
</tbody></table>
<h3>Where</h3>
<table><thead><tr><th>Code</th><th>Where</th><th>What was found</th></tr></thead><tbody>
${join(findings.map(findingRow))}
</tbody></table></section>`
}

function findingRow({ code, severity, where, message }: AuditFinding): Html {
  return html`<tr class="${severity}"><td class="k"><code>${code}</code></td><td>${where}</td><td>${message}</td></tr>`
}

function agentBody(report: AgentAuditReport): Html {
  const { actions, roles, metadata, totals, snapshot } = report
  const amount = (atomic: bigint): string => formatAmount(atomic, report.asset)
  const shares = (atomic: bigint): string => formatDecimal(atomic, SHARE_DECIMALS)
  return join([
    factTable('Agent', [
      ...rangeFacts(report.range),
      ['Name, by its creator', `${report.name} (${report.symbol})`],
      ['Accept Token', `${report.asset.symbol}, ${report.acceptToken}`],
      ['Code', metadata.implementation ?? 'not of the known form'],
      ['Scope', `${snapshot.scope}, revision ${snapshot.scopeRevision}`],
      [
        'Reclaim',
        `after ${snapshot.reclaimHorizonSec} s; metadata ${metadata.status}, compared: ${metadata.checked.join(', ') || 'nothing'}`,
      ],
      ['Deposited', amount(totals.deposited)],
      ['Shares claimed, redeemed', `${shares(totals.minted)}, ${shares(totals.redeemed)}`],
      ['Paid out, reclaimed, fees', [totals.paid, totals.reclaimed, totals.fees].map(amount).join(', ')],
    ]),
    ...report.books.map(({ blockNumber, lines, openAccounts, comparedAccounts }) =>
      linesTable(
        `Books at block ${blockNumber} (${comparedAccounts} of ${openAccounts} open accounts compared; smallest units)`,
        lines,
      ),
    ),
    factTable('Powers', [
      ['Owner', roles.owner],
      ['Guardian', roles.guardian],
      ['Executors', roles.executors.join(', ') || 'none'],
      ['Fees go to', roles.feeRecipient],
      ['Delay before the boundary can be loosened', `${roles.scopeDelaySec} s`],
    ]),
    html`<section><h2>What Executors may do at the last block</h2>
<p>Revision <code>${report.boundary.revision}</code>; its history ${report.boundary.isReplayed ? 'adds up to it' : 'does not add up to it'}.</p>
<ul>
${join(report.boundary.sentences.map((sentence) => html`<li>${sentence}</li>`))}
</ul></section>`,
    html`<section><h2>Who could do what, when</h2>
<table><thead><tr><th>Power</th><th>Account</th><th class="n">From block</th><th class="n">To block</th></tr></thead><tbody>
${join(
  roles.periods.map(
    ({ role, account, fromBlock, toBlock }) =>
      html`<tr><td class="k">${role}</td><td><code>${account}</code></td><td class="n">${fromBlock}</td><td class="n">${toBlock ?? 'now'}</td></tr>`,
  ),
)}
</tbody></table></section>`,
    changesTable(roles.changes, roles.omittedChanges),
    html`<section><h2>Actions</h2>
<p>${actions.total} actions: ${actions.verified} verified, ${actions.refused} refused, ${actions.unavailable} without a record that anyone gives. ${
      actions.listed.length < actions.total
        ? `Listed are ${actions.listed.length}: the first ones, and later ones with a fault or gap.`
        : ''
    }</p>
<table><thead><tr><th class="n">No.</th><th class="n">Block</th><th>Action</th><th>Record</th><th>What the Agent says</th><th>Codes</th></tr></thead><tbody>
${join(
  actions.listed.map(
    (row) =>
      html`<tr class="${row.status}"><td class="n">${row.number}</td><td class="n">${row.blockNumber}</td><td>${row.action ?? 'unknown'}</td><td>${row.status}</td><td class="said">${row.decision ?? ''}</td><td>${row.codes.join(', ')}</td></tr>`,
  ),
)}
</tbody></table></section>`,
    deliveriesTable(report.deliveries, report.deliveryCounts.total),
    html`<section><h2>Payments</h2>
<table><thead><tr><th>Evidence</th><th>Linked by</th><th>Verdict</th><th>Result</th><th>Transaction</th></tr></thead><tbody>
${join(
  report.payments.map(
    ({ digest, where, status, result = '', transactionId = '', isOnChain }) =>
      html`<tr class="${status}"><td><code>${digest}</code></td><td>${where}</td><td>${status}</td><td>${result}</td><td><code>${transactionId}</code> ${isOnChain === true ? 'on the chain as signed' : ''}</td></tr>`,
  ),
)}
</tbody></table></section>`,
  ])
}

function tenderBody(report: TenderAuditReport): Html {
  const { tender } = report
  return join([
    factTable('Tender', [
      ...rangeFacts(report.range),
      ['Owner', tender.owner],
      ['Judge', tender.acceptanceAuthority],
      ['Publisher', tender.updateAuthority],
      ['State', `${tender.frozen ? 'final' : 'not final'}, ${tender.cancelled ? 'cancelled' : 'open'}`],
      ['Vault', `${tender.vault} holds ${tender.balanceAtomic}, promised ${tender.lockedAtomic}`],
    ]),
    html`<section><h2>Versions</h2>
<table><thead><tr><th class="n">Version</th><th>Package</th><th>Verdict</th></tr></thead><tbody>
${join(
  report.versions.map(
    (row) =>
      html`<tr class="${row.package}"><td class="n">${row.version}</td><td><code>${row.taskHash}</code></td><td>${row.package}</td></tr>`,
  ),
)}
</tbody></table></section>`,
    linesTable('Counts and credits', report.lines),
    deliveriesTable(report.deliveries, report.deliveries.length),
    changesTable(report.changes, 0),
  ])
}

function rangeFacts(range: AuditRange): readonly (readonly [string, string])[] {
  const at = timeText(range.toBlockTimestampSec)
  return [['Blocks', `${range.fromBlock} to ${range.toBlock} (${at}), ${range.toBlockHash}`]]
}

function factTable(title: string, facts: readonly (readonly [string, string])[]): Html {
  return html`<section><h2>${title}</h2><table class="facts"><tbody>
${join(facts.map(([label, value]) => html`<tr><th>${label}</th><td>${value}</td></tr>`))}
</tbody></table></section>`
}

function linesTable(title: string, lines: readonly BookLine[]): Html {
  const rows = lines.map(({ what, derived, contract }) => {
    const isSame = derived === contract
    return html`<tr class="${isSame ? 'verified' : 'refused'}"><td>${what}</td><td class="n">${derived}</td><td class="n">${contract}</td><td>${isSame ? 'same' : `differs by ${contract - derived}`}</td></tr>`
  })
  return html`<section><h2>${title}</h2>
<table><thead><tr><th>Amount</th><th class="n">From events</th><th class="n">From the contract</th><th></th></tr></thead><tbody>
${join(rows)}
</tbody></table></section>`
}

function changesTable(changes: readonly RoleChange[], omitted: number): Html {
  return html`<section><h2>History of powers and boundary</h2>
${omitted === 0 ? '' : html`<p>${omitted} changes more are not listed.</p>`}
<table><thead><tr><th class="n">Block</th><th>Time</th><th>What changed</th></tr></thead><tbody>
${join(
  changes.map(
    ({ blockNumber, timestampSec, text }) =>
      html`<tr><td class="n">${blockNumber}</td><td class="k">${timestampSec === undefined ? '' : timeText(timestampSec)}</td><td>${text}</td></tr>`,
  ),
)}
</tbody></table></section>`
}

function deliveriesTable(deliveries: readonly AuditedDelivery[], total: number): Html {
  const isCut = deliveries.length < total
  return html`<section><h2>Deliveries</h2>
<p>${total} deliveries${isCut ? `; listed are ${deliveries.length}: the first ones, and later ones that are not verified` : ''}.</p>
<table><thead><tr><th class="n">Task</th><th class="n">Delivery</th><th>By</th><th class="n">Version</th><th>Package</th><th>Result</th></tr></thead><tbody>
${join(
  deliveries.map(
    (row) =>
      html`<tr class="${row.package}"><td class="n">${row.tokenId}</td><td class="n">${row.submissionId}</td><td><code>${row.fulfiller}</code></td><td class="n">${row.version}</td><td>${row.package}</td><td>${row.result}</td></tr>`,
  ),
)}
</tbody></table></section>`
}

/** Last second that a date can hold. Source: ECMA-262, Time Values and Time Range. */
const MAX_DATE_SEC = 8_640_000_000_000n

function timeText(unixSec: bigint): string {
  if (unixSec > MAX_DATE_SEC) return `second ${unixSec}`
  return `${new Date(Number(unixSec) * 1000).toISOString().slice(0, -5).replace('T', ' ')} UTC`
}
