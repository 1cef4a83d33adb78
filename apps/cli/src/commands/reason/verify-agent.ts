import { type JudgedCitation, listCitations, type ReasoningCitation, verifyCitation } from '@oikos/sdk'
import { openAgent } from '../../chain/open-agent.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { MAX_UINT64, parseWhole } from '../../input/number.ts'
import { tableLines } from '../../output/layout.ts'
import type { Paint } from '../../output/paint.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

/** Records that are fetched at the same time. */
const CONCURRENCY = 8
/** Characters of a decision in a row; --json has all. */
const DECISION_CHARACTERS = 60

/** Checks every record that the events of an Agent cite, one page of them. */
export async function verifyAgentRecords(context: Context, input: Input, named: string): Promise<ExitCode> {
  const { output } = context
  const pageSize = Number(parseWhole(input.text('limit') ?? '100', '--limit', { min: 1n, max: 500n }))
  const view = await openAgent(context, input, named)
  const { agent, connection, fromBlock } = view
  output.say(`Reading the actions of ${agent} from block ${fromBlock} ...`)
  const { citations, blockNumber, isComplete } = await listCitations(connection.client, { agent, fromBlock })
  const page = pageOf(citations, input, pageSize)
  const resolver = await context.resolver()
  const judged: JudgedCitation[] = []
  for (let at = 0; at < page.citations.length; at += CONCURRENCY) {
    const part = page.citations.slice(at, at + CONCURRENCY).map((citation) =>
      verifyCitation(connection.client, {
        ...{ chainId: connection.chainId, agent, citation, resolver, signal: context.terminal.signal },
      }),
    )
    judged.push(...(await Promise.all(part)))
  }
  const verified = judged.filter(({ status }) => status === 'verified').length
  const ok = verified === judged.length
  output.result(
    {
      ...{ ok, agentRef: view.ref, agent, fromBlock, blockNumber, isComplete },
      ...{ citations: citations.length, judged: judged.length, verified, nextCursor: page.next },
      records: judged.map(documentOf),
    },
    [headOf(judged, citations.length, output.paint), ...rowsOf(judged, output.paint)],
  )
  if (!isComplete) output.say('The history is too long to be read as a whole; later actions are missing.')
  if (judged.some(({ status }) => status === 'unavailable'))
    output.say('Add --gateway <url> to look for the missing records in more places.')
  const [bad] = judged.filter(({ status }) => status === 'refused')
  output.next(
    ...(bad === undefined ? [] : [`reason show ${plain(bad.citation.reasoningURI)}`]),
    ...(page.next === undefined
      ? []
      : [`reason verify --agent ${named} --cursor ${page.next}${input.flag('oldest') ? ' --oldest' : ''}`]),
  )
  return ok ? EXIT.done : EXIT.refused
}

function pageOf(
  citations: readonly ReasoningCitation[],
  input: Input,
  pageSize: number,
): { readonly citations: readonly ReasoningCitation[]; readonly next: bigint | undefined } {
  const ordered = input.flag('oldest') ? citations : citations.toReversed()
  const cursor = input.text('cursor')
  const first = cursor === undefined ? undefined : parseWhole(cursor, '--cursor', { min: 1n, max: MAX_UINT64 })
  const start = first === undefined ? 0 : ordered.findIndex(({ number }) => number === first)
  if (start === -1) return { citations: [], next: undefined }
  return { citations: ordered.slice(start, start + pageSize), next: ordered[start + pageSize]?.number }
}

function headOf(judged: readonly JudgedCitation[], all: number, paint: Paint): string {
  if (all === 0) return 'No record is cited.'
  const count = (status: JudgedCitation['status']): number => judged.filter((one) => one.status === status).length
  const [verified, refused, unavailable] = [count('verified'), count('refused'), count('unavailable')]
  const parts = [
    `${verified} of ${countOf(judged.length, 'record')} verified`,
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(unavailable === 0 ? [] : [`${unavailable} not to be had`]),
    ...(judged.length === all ? [] : [`${all} are cited in all`]),
  ]
  return paint(refused > 0 ? 'bad' : unavailable > 0 ? 'warning' : 'good', parts.join(', '))
}

const COLUMNS = [
  { title: 'number', align: 'right' },
  { title: 'block', align: 'right' },
  { title: 'action' },
  { title: 'record' },
  { title: 'decision (a claim)' },
] as const

function rowsOf(judged: readonly JudgedCitation[], paint: Paint): string[] {
  if (judged.length === 0) return []
  const table = tableLines(
    COLUMNS,
    judged.map(({ citation, status, verdict }) => [
      String(citation.number),
      String(citation.blockNumber),
      plain(verdict?.record?.binding.action ?? citation.action ?? 'not known'),
      status,
      decisionOf(verdict?.record?.claims.decision),
    ]),
    paint,
  )
  return [...table, ...judged.flatMap((one) => detailLines(one, paint))]
}

function decisionOf(decision: string | undefined): string {
  const text = plain(decision ?? '').replaceAll('\n', ' ')
  return text.length > DECISION_CHARACTERS ? `${text.slice(0, DECISION_CHARACTERS)}…` : text
}

function detailLines({ citation, verdict, findings, attempts, status }: JudgedCitation, paint: Paint): string[] {
  const unchecked = (verdict?.notChecked ?? []).filter(({ check }) => check !== 'nonce')
  const broken = [...findings, ...(verdict?.findings ?? [])]
  if (status === 'verified' && unchecked.length === 0) return []
  return [
    `${citation.number}  ${citation.transactionHash}`,
    ...broken.map(
      ({ code, message }) => `    ${paint(status === 'unavailable' ? 'warning' : 'bad', code)}: ${plain(message)}`,
    ),
    ...unchecked.map(({ check, reason }) => `    ${check} not checked: ${plain(reason)}`),
    ...attempts
      .filter(({ outcome }) => outcome !== 'ok')
      .map(({ from, outcome }) => `    asked ${plain(from)}: ${outcome}`),
  ]
}

function documentOf({ citation, status, from, verdict, findings, attempts }: JudgedCitation): object {
  return {
    ...citation,
    ...{ status, from, anchored: verdict?.anchored ?? false, bound: verdict?.bound ?? false },
    findings: [...findings, ...(verdict?.findings ?? [])],
    ...{ checked: verdict?.checked ?? [], notChecked: verdict?.notChecked ?? [] },
    ...{ record: verdict?.record, attempts: attempts.filter(({ outcome }) => outcome !== 'ok') },
  }
}
