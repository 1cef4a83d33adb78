import { listCitations, type ReasoningCitation, verifyCitation } from '@oikos/sdk'
import { z } from 'zod'
import { openAgent } from '../../../chain/open-agent.ts'
import { createInput } from '../../../input/input.ts'
import type { Reach } from '../reach.ts'
import { agentInput, decimal, decimalInput, hex } from '../schemas.ts'
import type { Tool } from '../tool.ts'
import { untrusted, untrustedText } from '../untrusted.ts'

/** Records of one list, and of one verification, which fetches them. */
const MAX_LISTED = 100
const MAX_VERIFIED = 25
/** Characters of a decision and of a rationale. */
const MAX_DECISION = 500
const MAX_RATIONALE = 4_000

const page = (most: number) => ({
  agent: agentInput,
  limit: z.int().min(1).max(most).optional().describe('records (default 25)'),
  before: decimalInput.optional().describe('only records with a smaller number: nextBefore of the result before'),
})

const citation = z.strictObject({
  number: decimal,
  action: z.string().optional(),
  blockNumber: decimal,
  transactionHash: hex,
  reasoningHash: hex,
  reasoningURI: untrustedText,
  isReplayed: z.boolean().describe('whether another action cites the same record'),
})

const listInput = z.strictObject(page(MAX_LISTED))
const listOutput = z.strictObject({
  agentRef: z.string(),
  blockNumber: decimal,
  total: z.number(),
  isComplete: z.boolean(),
  records: z.array(citation),
  nextBefore: decimal.optional(),
})

/** `list_reasoning`. */
export const listReasoning: Tool<typeof listInput, typeof listOutput> = {
  name: 'list_reasoning',
  title: 'List reasoning records',
  description: 'The reasoning records that the actions of an Agent cite, the newest first. Nothing is fetched.',
  input: listInput,
  output: listOutput,
  effects: 'reads',
  deadlineMs: 60_000,
  run: async (reach, wanted) => {
    const { about, citations, next } = await readPage(reach, wanted)
    return { ...about, records: citations.map(citationOf), ...next }
  },
}

const verifyInput = z.strictObject(page(MAX_VERIFIED))
const verifyOutput = z.strictObject({
  agentRef: z.string(),
  blockNumber: decimal,
  total: z.number(),
  isComplete: z.boolean(),
  verified: z.number(),
  records: z.array(
    z.strictObject({
      citation,
      status: z.enum(['verified', 'refused', 'unavailable']),
      findings: z.array(z.strictObject({ code: z.string(), detail: untrustedText })),
      notChecked: z.array(z.string()),
      decision: untrustedText.optional(),
      rationale: untrustedText.optional(),
    }),
  ),
  nextBefore: decimal.optional(),
})

/** `verify_reasoning`. */
export const verifyReasoning: Tool<typeof verifyInput, typeof verifyOutput> = {
  name: 'verify_reasoning',
  title: 'Verify reasoning records',
  description:
    'Fetches reasoning records of an Agent and compares hash, CID, form and binding with the call on the chain. What a record says is a claim of the Agent, also when it verifies.',
  input: verifyInput,
  output: verifyOutput,
  effects: 'reads',
  deadlineMs: 120_000,
  run: async (reach, wanted, { signal, progress }) => {
    const { about, citations, next, view } = await readPage(reach, wanted)
    const { connection, agent } = view
    const [resolver, records] = [await reach.resolver(), [] as Judged[]]
    for (const entry of citations) {
      const judged = await verifyCitation(connection.client, {
        ...{ chainId: connection.chainId, agent, citation: entry, resolver, signal },
      })
      records.push(judgedOf(judged))
      progress(records.length, `${records.length} of ${citations.length} records`)
    }
    return { ...about, verified: records.filter(({ status }) => status === 'verified').length, records, ...next }
  },
}

type Judged = ReturnType<typeof judgedOf>

function judgedOf({ citation: entry, status, verdict, findings }: Awaited<ReturnType<typeof verifyCitation>>) {
  const claims = verdict?.record?.claims
  const author = 'Agent, in its reasoning record'
  return {
    citation: citationOf(entry),
    status,
    findings: [...findings, ...(verdict?.findings ?? [])].map(({ code, message }) => ({
      code,
      detail: untrusted(author, message),
    })),
    notChecked: (verdict?.notChecked ?? []).map(({ check }) => check),
    ...(claims === undefined ? {} : { decision: untrusted(author, claims.decision, MAX_DECISION) }),
    ...(claims?.rationale === undefined ? {} : { rationale: untrusted(author, claims.rationale, MAX_RATIONALE) }),
  }
}

function citationOf(entry: ReasoningCitation) {
  const { number, action, blockNumber, transactionHash, reasoningHash, reasoningURI } = entry
  return {
    ...{ number, blockNumber, transactionHash, reasoningHash },
    ...(action === undefined ? {} : { action }),
    reasoningURI: untrusted('Executor of the Agent', reasoningURI),
    isReplayed: entry.actionCount > 1 || entry.citedBefore.length > 0,
  }
}

type Wanted = {
  readonly agent: string
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

async function readPage(reach: Reach, { agent: named, limit = 25, before }: Wanted) {
  const view = await openAgent(reach, createInput([], {}), named)
  const { agent, connection, fromBlock, ref } = view
  const { citations, blockNumber, isComplete } = await listCitations(connection.client, { agent, fromBlock })
  const end = before === undefined ? undefined : BigInt(before)
  const rest = citations.toReversed().filter(({ number }) => end === undefined || number < end)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    view,
    about: { agentRef: ref, blockNumber, total: citations.length, isComplete },
    citations: shown,
    next: rest.length > shown.length && last !== undefined ? { nextBefore: last.number } : {},
  }
}
