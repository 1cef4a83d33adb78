import { type Action, agentKey, type Decision, type OperatorStore } from '@oikos/runtime/operator'
import { formatEther } from 'viem'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseWhole } from '../../input/number.ts'
import { plain } from '../../output/plain.ts'
import { roughDuration } from '../../output/speech.ts'
import { AGENT, READ_AGENT } from './options.ts'
import { readConfig } from './run.ts'
import { CONFIG_OPTION, openOperatorDatabase } from './run-database.ts'

const DAY_MS = 86_400_000n

/** `oikos agent status`: what an operator is doing, and why it did not do the rest. */
export const status: CommandSpec = {
  name: 'status',
  summary: 'what the operator of an Agent is doing, waiting for, and declined, from its database',
  args: [AGENT],
  options: [
    CONFIG_OPTION,
    { flags: '--limit <count>', text: 'actions and decisions to list, newest first (default 10)' },
    ...OUTPUT_OPTIONS,
    ...READ_AGENT,
  ],
  examples: [
    'oikos agent status treasury --config operator.json',
    'oikos agent status treasury --config operator.json --json',
  ],
  run: async (context, input) => {
    const config = await readConfig(context, input)
    const { agent, connection, named } = await openAgent(context, input, input.argument(0))
    const limit = Number(parseWhole(input.text('limit') ?? '10', '--limit', { min: 1n, max: 1_000n }))
    const store = await openOperatorDatabase(config, { mustExist: true })
    try {
      const found = await readStatus(store, agentKey(connection.chainId, agent), limit)
      context.output.result({ ok: true, agent, ...documentOf(found) }, linesOf(found, BigInt(Date.now())))
      context.output.next(`agent show ${named}`)
      return EXIT.done
    } finally {
      await store.close()
    }
  },
}

type Status = Awaited<ReturnType<typeof readStatus>>

async function readStatus({ actions, notes }: OperatorStore, agent: string, limit: number) {
  const [reports, halt, recent, declined, spent] = await Promise.all([
    notes.listReports(agent),
    notes.findHalt(agent),
    actions.listRecent(agent, limit),
    notes.listDecisions(agent, { limit, declined: true }),
    actions.getSpent(agent, BigInt(Date.now()) - DAY_MS),
  ])
  return { reports, halt, recent, declined, spent }
}

function documentOf({ reports, halt, recent, declined, spent }: Status): Readonly<Record<string, unknown>> {
  return {
    halted: halt === undefined ? null : { reason: halt.reason, atMs: halt.atMs.toString() },
    operators: reports.map(({ holder, detail, atMs }) => ({ holder, atMs: atMs.toString(), ...detail })),
    spentWithinADay: { gasWei: spent.gasWei.toString(), spendAtomic: spent.spendAtomic.toString() },
    actions: recent.map(actionDocument),
    declined: declined.map(({ kind, subject, code, reason, decidedBy, atMs }) => ({
      ...{ kind, subject, code, reason, decidedBy, atMs: atMs.toString() },
    })),
  }
}

function actionDocument(action: Action): Readonly<Record<string, unknown>> {
  const { id, kind, subject, title, state, hash, nonce, blockNumber, succeeded, gasCostWei, outcome, reasoning } =
    action
  return {
    ...{ id, kind, subject, title, state, hash, nonce: nonce?.toString(), blockNumber: blockNumber?.toString() },
    ...{ succeeded, gasCostWei: gasCostWei.toString(), outcome, reasoningURI: reasoning?.reasoningURI },
  }
}

function linesOf({ reports, halt, recent, declined, spent }: Status, nowMs: bigint): readonly string[] {
  const ago = (atMs: bigint): string => `${roughDuration(nowMs > atMs ? (nowMs - atMs) / 1_000n : 0n)} ago`
  const lines: string[] = []
  if (halt !== undefined) lines.push(`HALTED ${ago(halt.atMs)}: ${plain(halt.reason)}`)
  if (reports.length === 0) lines.push('No operator has run yet.')
  for (const { holder, detail, atMs } of reports) {
    lines.push(`operator ${holder}: ${String(detail['status'])}, ${ago(atMs)}, decided by ${String(detail['decider'])}`)
    const waiting = Array.isArray(detail['waiting']) ? detail['waiting'] : []
    for (const sentence of waiting) lines.push(`  waiting  ${plain(String(sentence))}`)
  }
  lines.push(
    `spent within a day: ${formatEther(spent.gasWei)} ETH of gas, ${spent.spendAtomic} units of the Accept Token`,
  )
  for (const action of recent) lines.push(actionLine(action, ago))
  for (const decision of declined) lines.push(declinedLine(decision, ago))
  return lines
}

function actionLine(
  { number, kind, subject, state, outcome, updatedAtMs }: Action,
  ago: (atMs: bigint) => string,
): string {
  const what = outcome === undefined ? '' : `: ${plain(outcome.text)}`
  return `action ${number}  ${kind} ${plain(subject)}  ${state} ${ago(updatedAtMs)}${what}`
}

function declinedLine({ kind, subject, code, reason, atMs }: Decision, ago: (atMs: bigint) => string): string {
  return `declined  ${kind} ${plain(subject)}  ${code} ${ago(atMs)}: ${plain(reason)}`
}
