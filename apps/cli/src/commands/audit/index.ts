import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import {
  AUDIT_CODES,
  type AuditCode,
  type AuditProgress,
  type AuditReport,
  auditAgent,
  auditEvidence,
  auditTender,
  MAX_CHOSEN_BLOCKS,
  MAX_EVIDENCE_BYTES,
  renderAuditReport,
} from '@oikos/runtime/audit'
import { getFactoryTerms } from '@oikos/sdk'
import { createContentResolver, nodeSha256 } from '@oikos/sdk/node'
import type { Address } from 'viem'
import type { Connection } from '../../chain/connect.ts'
import { openAgent } from '../../chain/open-agent.ts'
import { openTask } from '../../chain/open-task.ts'
import { CHAIN_OPTIONS, type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { createFetchFromStrangers } from '../../content/fetch-from-strangers.ts'
import { writeNewFile } from '../../content/new-file.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseDuration } from '../../input/duration.ts'
import { readInputFile } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { MAX_UINT64, parseWhole } from '../../input/number.ts'
import { tableLines } from '../../output/layout.ts'
import type { Output } from '../../output/output.ts'
import { plain } from '../../output/plain.ts'
import { checkpointFile } from './checkpoint-file.ts'

/** `oikos audit`. */
export const audit: CommandSpec = {
  name: 'audit',
  summary: 'check all that an Agent did, a tender, or a payment, from a node and gateways alone',
  details:
    'An Agent is an address, chain:address or a name in the deployments; a tender is a number or chain:contract:number; a payment is the file of its Evidence. Records, packages, deliveries, books, roles, boundary, metadata and payments are checked, differences shown. Ends with 1 unless all of it holds and was checked. See docs/audit.md.',
  args: [['<what>', 'an Agent, a tender, or a file with Evidence']],
  options: [
    { flags: '--out <file>', text: 'write the report for people: one HTML page; must not exist' },
    { flags: '--checkpoint <file>', text: 'keep how far it came, and go on from there (Agents)' },
    { flags: '--books-at <block>', text: 'compare the books there as well; may be repeated', many: true },
    { flags: '--from-block <number>', text: 'first block (default: that of the deployment, else 0)' },
    { flags: '--to-block <number>', text: 'last block (default the latest)' },
    { flags: '--timeout <time>', text: 'how long one place may take to give content (default "10s")' },
    { flags: '--offline', text: 'do not look for a payment on the chain (Evidence)' },
    { flags: '--strict', text: 'end with 1 on warnings as well' },
    ...CHAIN_OPTIONS,
    ...FETCH_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos audit 0x5FbDB2315678afecb367f032d93F642f64180aa3 --gateway https://ipfs.example --out audit.html',
    'oikos audit 7 --json',
    'oikos audit evidence.json',
  ],
  run: async (context, input) => {
    const report = await makeReport(context, input)
    const { output, terminal } = context
    const out = input.text('out')
    if (out !== undefined)
      await writeNewFile(terminal.cwd, out, Readable.from([Buffer.from(renderAuditReport(report))]))
    output.result({ ok: report.status === 'verified', report, file: out }, reportLines(report, output))
    if (out !== undefined) output.say(`The report for people is ${out}.`)
    const warned = Object.keys(report.counts).some((code) => AUDIT_CODES[code as AuditCode][0] === 'warning')
    return report.status === 'verified' && !(input.flag('strict') && warned) ? EXIT.done : EXIT.refused
  },
}

async function makeReport(context: Context, input: Input): Promise<AuditReport> {
  const what = input.argument(0)
  const isTender = /^\d+$/.test(what) || /^\d+:0x[0-9a-fA-F]{40}:\d+$/.test(what)
  if (isTender) return auditOneTender(context, input, what)
  const file = await stat(resolve(context.terminal.cwd, what)).catch(() => undefined)
  return file?.isFile() ? auditOnePayment(context, input, what) : auditOneAgent(context, input, what)
}

async function auditOneAgent(context: Context, input: Input, what: string): Promise<AuditReport> {
  const { agent, connection, fromBlock } = await openAgent(context, input, what)
  const checkpoint = input.text('checkpoint')
  const booksAt = input.list('books-at').map((text) => parseBlock(text, '--books-at'))
  if (booksAt.length > MAX_CHOSEN_BLOCKS) {
    throw new UsageError(`The books are compared at ${MAX_CHOSEN_BLOCKS} blocks at most.`, 'Name fewer.')
  }
  return auditAgent(connection.client, {
    ...{ agent, fromBlock, booksAt, ...(await commonOptions(context, input)) },
    knownImplementations: await knownImplementations(connection),
    ...(checkpoint === undefined ? {} : { checkpoint: checkpointFile(context.terminal.cwd, checkpoint) }),
  })
}

async function auditOneTender(context: Context, input: Input, what: string): Promise<AuditReport> {
  const { connection, target } = await openTask(context, what)
  const deployment = await connection.knownDeployment()
  const named = input.text('from-block')
  const isKnown = deployment?.taskToken.toLowerCase() === target.task.toLowerCase()
  const known = isKnown ? (deployment?.deployedAtBlock ?? 0n) : 0n
  return auditTender(connection.client, {
    ...{ task: target.task, tokenId: target.tokenId },
    fromBlock: named === undefined ? known : parseBlock(named, '--from-block'),
    ...(await commonOptions(context, input)),
  })
}

async function auditOnePayment(context: Context, input: Input, what: string): Promise<AuditReport> {
  const bytes = await readInputFile(context.terminal.cwd, what, { maxBytes: MAX_EVIDENCE_BYTES })
  if (input.flag('offline')) return auditEvidence(bytes, { where: what })
  const { client, chainId } = await context.connection()
  return auditEvidence(bytes, { where: what, chain: { client, chainId } })
}

async function commonOptions(context: Context, input: Input) {
  const toBlock = input.text('to-block')
  const timeoutMs = Number(parseDuration(input.text('timeout') ?? '10s', '--timeout')) * 1_000
  if (timeoutMs < 1_000) throw new UsageError('--timeout is too short.', 'Give a second or more.')
  const { gateways } = context.settings
  const resolver = createContentResolver({
    store: await context.store(),
    gateways,
    fetch: createFetchFromStrangers(fetch, gateways),
    hash: nodeSha256,
    limits: { timeoutMs },
    // strangers write these URIs: neither files nor servers of this machine are theirs to name
    allowLoopbackUris: input.flag('allow-loopback'),
  })
  const { signal } = context.terminal
  const onProgress = createProgress(context.output)
  return {
    resolver,
    signal,
    onProgress,
    ...(toBlock === undefined ? {} : { toBlock: parseBlock(toBlock, '--to-block') }),
  }
}

async function knownImplementations({ client, knownDeployment }: Connection): Promise<readonly Address[]> {
  const factory = (await knownDeployment())?.agentFactory
  return factory === undefined ? [] : [(await getFactoryTerms(client, { factory })).implementation]
}

function parseBlock(text: string, option: string): bigint {
  return parseWhole(text, option, { min: 0n, max: MAX_UINT64 })
}

/** Milliseconds between two lines of progress. */
const PROGRESS_INTERVAL_MS = 1_000

function createProgress(output: Output): (progress: AuditProgress) => void {
  let last = Date.now()
  return ({ block, toBlock, actions, deliveries }) => {
    if (Date.now() - last < PROGRESS_INTERVAL_MS) return
    last = Date.now()
    output.say(`block ${block} of ${toBlock}: ${actions} actions, ${deliveries} deliveries`)
  }
}

const TONES = { verified: 'good', incomplete: 'warning', refused: 'bad' } as const

function reportLines(report: AuditReport, { paint }: Output): string[] {
  const head = paint(TONES[report.status], report.status.toUpperCase())
  const rows = Object.entries(report.counts).map(([code, count]) => {
    const [severity, meaning] = AUDIT_CODES[code as AuditCode]
    return [severity, code, String(count), meaning]
  })
  const columns = [
    { title: 'weight' },
    { title: 'code' },
    { title: 'count', align: 'right' },
    { title: 'meaning' },
  ] as const
  const faults = report.findings.filter(({ severity }) => severity === 'fault' || severity === 'gap')
  return [
    `${head}  ${subjectOf(report)}`,
    ...(rows.length === 0 ? [] : tableLines(columns, rows, paint)),
    ...faults.slice(0, MAX_SHOWN).map(({ code, where, message }) => `  ${code} at ${plain(where)}: ${plain(message)}`),
    ...(faults.length > MAX_SHOWN ? [`  and ${faults.length - MAX_SHOWN} more; --json and --out have them`] : []),
  ]
}

/** Findings that a terminal shows in full. */
const MAX_SHOWN = 20

function subjectOf(report: AuditReport): string {
  switch (report.kind) {
    case 'agent': {
      const { total, verified } = report.actions
      return `${plain(report.name)} ${report.agent}: ${verified} of ${total} actions verified, ${report.deliveryCounts.total} deliveries, books at ${report.books.length} blocks`
    }
    case 'tender':
      return `${report.chainId}:${report.task}:${report.tokenId}: ${report.versions.length} versions, ${report.deliveries.length} deliveries`
    case 'evidence':
      return `${report.payment.digest}: ${report.payment.result ?? 'not read'}`
    default:
      return report satisfies never
  }
}
