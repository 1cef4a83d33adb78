import { AUDIT_CODES, type AuditCode, type AuditReport, auditAgent, auditTender } from '@oikos/runtime/audit'
import { getFactoryTerms } from '@oikos/sdk'
import { z } from 'zod'
import { openAgent } from '../../../chain/open-agent.ts'
import { isTaskName, openTask } from '../../../chain/open-task.ts'
import { createInput } from '../../../input/input.ts'
import type { Reach } from '../reach.ts'
import { agentInput, decimal, taskInput } from '../schemas.ts'
import type { Call, Tool } from '../tool.ts'
import { untrusted, untrustedText } from '../untrusted.ts'

/** Findings of one result. */
const MAX_FINDINGS = 50

const input = z.strictObject({
  what: z.union([taskInput, agentInput]).describe('an Agent or a tender'),
  fromBlock: decimal.max(20).optional(),
  toBlock: decimal.max(20).optional(),
})

const output = z.strictObject({
  kind: z.enum(['agent', 'tender']),
  subject: z.string(),
  status: z.enum(['verified', 'incomplete', 'refused']),
  range: z.strictObject({ fromBlock: decimal, toBlock: decimal, toBlockHash: z.string() }),
  actions: z
    .strictObject({ total: z.number(), verified: z.number(), refused: z.number(), unavailable: z.number() })
    .optional(),
  deliveries: z.number(),
  booksAtBlocks: z.array(decimal),
  counts: z.array(z.strictObject({ code: z.string(), weight: z.string(), count: z.number(), meaning: z.string() })),
  findings: z.array(z.strictObject({ code: z.string(), weight: z.string(), where: z.string(), detail: untrustedText })),
})

/** `audit`. */
export const audit: Tool<typeof input, typeof output> = {
  name: 'audit',
  title: 'Audit an Agent or a tender',
  description:
    'Re-derives what an Agent did, or what became of a tender, from node and gateways alone, and says what does not hold. A summary; "oikos audit" writes the whole report and can go on after an interruption.',
  input,
  output,
  effects: 'reads',
  deadlineMs: 600_000,
  run: async (reach, wanted, call) => {
    const report = await reportOf(reach, wanted, call)
    const { chainId, range, counts, findings, status, kind } = report
    const weightOf = (code: string) => AUDIT_CODES[code as AuditCode]
    return {
      ...{ kind, status },
      subject: kind === 'agent' ? `${chainId}:${report.agent}` : `${chainId}:${report.task}:${report.tokenId}`,
      range: { fromBlock: range.fromBlock, toBlock: range.toBlock, toBlockHash: range.toBlockHash },
      ...(kind === 'agent' ? { actions: countsOf(report.actions) } : {}),
      deliveries: kind === 'agent' ? report.deliveryCounts.total : report.deliveries.length,
      booksAtBlocks: kind === 'agent' ? report.books.map(({ blockNumber }) => blockNumber) : [],
      counts: Object.entries(counts).map(([code, count]) => {
        const [weight, meaning] = weightOf(code)
        return { code, weight, count, meaning }
      }),
      findings: findings.slice(0, MAX_FINDINGS).map(({ code, severity, where, message }) => ({
        ...{ code, weight: severity, where },
        detail: untrusted('what was found; may quote strangers', message),
      })),
    }
  },
}

type Report = Exclude<AuditReport, { readonly kind: 'evidence' }>

async function reportOf(
  reach: Reach,
  { what, fromBlock, toBlock }: z.output<typeof input>,
  call: Call,
): Promise<Report> {
  const common = {
    resolver: await reach.resolver(),
    signal: call.signal,
    onProgress: ({ actions, deliveries }: { actions: number; deliveries: number }) =>
      call.progress(actions + deliveries, `${actions} actions, ${deliveries} deliveries`),
    ...(toBlock === undefined ? {} : { toBlock: BigInt(toBlock) }),
  }
  if (isTaskName(what)) {
    const { connection, target } = await openTask(reach, what)
    const deployment = await connection.knownDeployment()
    const isKnown = deployment?.taskToken.toLowerCase() === target.task.toLowerCase()
    const first = fromBlock === undefined ? (isKnown ? deployment.deployedAtBlock : 0n) : BigInt(fromBlock)
    return auditTender(connection.client, { ...common, task: target.task, tokenId: target.tokenId, fromBlock: first })
  }
  const view = await openAgent(reach, createInput([], {}), what)
  const { client, knownDeployment } = view.connection
  const factory = (await knownDeployment())?.agentFactory
  const known = factory === undefined ? [] : [(await getFactoryTerms(client, { factory })).implementation]
  const first = fromBlock === undefined ? view.fromBlock : BigInt(fromBlock)
  return auditAgent(client, { ...common, agent: view.agent, fromBlock: first, knownImplementations: known })
}

function countsOf({ total, verified, refused, unavailable }: Extract<Report, { kind: 'agent' }>['actions']) {
  return { total, verified, refused, unavailable }
}
