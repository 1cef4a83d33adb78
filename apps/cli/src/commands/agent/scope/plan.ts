import { comparePolicies, type PolicyChange, type PolicyDiff } from '@oikos/core/scope-policy'
import { type Boundary, changeIdOf, type PendingChange } from '@oikos/sdk'
import { type AgentView, openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import type { Context } from '../../../context.ts'
import { UsageError } from '../../../errors.ts'
import { EXIT } from '../../../exit-codes.ts'
import type { Input } from '../../../input/input.ts'
import { factLines } from '../../../output/layout.ts'
import { plain } from '../../../output/plain.ts'
import { exactDuration } from '../../../output/speech.ts'
import { AGENT, READ_AGENT } from '../options.ts'
import { type PolicyFile, readPolicyFile } from '../policy-file.ts'
import { changeText, namesFor, pendingText, readBoundary } from './boundary-text.ts'

/** A wanted policy against what is in force. */
export type PolicyPlan = {
  readonly view: AgentView
  readonly boundary: Boundary
  readonly file: PolicyFile
  readonly diff: PolicyDiff
  /** The change to propose, and where it stands when it is announced already. */
  readonly changeId: `0x${string}` | undefined
  readonly pending: PendingChange | undefined
}

/** `oikos agent scope plan`: what a policy file would change. */
export const plan: CommandSpec = {
  name: 'plan',
  summary: 'compare a policy file with the chain: what tightens at once, what waits for the delay',
  details: 'The file is the whole policy: what it does not have is to go.',
  args: [AGENT, ['<file>', 'scope policy; see docs/scope-policies.md']],
  options: [...OUTPUT_OPTIONS, ...READ_AGENT],
  examples: ['oikos agent scope plan treasury policy.json'],
  run: async (context, input) => {
    const { output } = context
    const found = await readPlan(context, input, input.argument(0), input.argument(1))
    const { view, diff, changeId, pending, file } = found
    output.result({ ok: true, agentRef: view.ref, ...planDocument(found) }, planLines(context, found))
    const isSame = diff.changes.length === 0
    output.next(isSame ? `agent scope show ${view.named}` : `agent scope apply ${view.named} ${input.argument(1)}`)
    if (pending !== undefined && changeId !== undefined) output.say('The change is announced already.')
    if (file.warnings.length > 0) output.say('Warnings do not keep the policy from being applied.')
    return EXIT.done
  },
}

/** Reads file and chain and compares them. Throws UsageError where the history is not whole. */
export async function readPlan(context: Context, input: Input, agent: string, path: string): Promise<PolicyPlan> {
  const file = await readPolicyFile(context, path)
  const view = await openAgent(context, input, agent)
  const boundary = await readBoundary(view)
  if (!boundary.isComplete) {
    throw new UsageError(
      'The history of this Scope was not read as a whole, so caps and sets may be missing.',
      'Name a block at or before the birth of the Agent with --from-block, or ask another node.',
    )
  }
  const diff = comparePolicies(boundary.state, file.policy)
  const changeId = diff.later === undefined ? undefined : changeIdOf(diff.later)
  const pending = boundary.pending.find((change) => change.changeId === changeId && change.state !== 'lapsed')
  return { view, boundary, file, diff, changeId, pending }
}

/** A plan as JSON. */
export function planDocument({ view, diff, changeId, pending, file, boundary }: PolicyPlan) {
  const names = namesFor(view, file.document)
  return {
    blockNumber: boundary.blockNumber,
    changes: diff.changes.map((change) => ({
      ...{ of: change.of, kind: change.kind, when: change.when, fields: change.fields },
      text: changeText(change, names),
    })),
    steps: diff.steps,
    ...{ later: diff.later, delaySec: diff.delaySec, changeId, pending, warnings: file.warnings },
  }
}

/** A plan as lines. */
export function planLines({ output }: Context, { view, boundary, file, diff, pending }: PolicyPlan): readonly string[] {
  const names = namesFor(view, file.document)
  const of = (when: PolicyChange['when']): readonly string[] =>
    diff.changes.filter((change) => change.when === when).map((change) => changeText(change, names))
  if (diff.changes.length === 0) return [`The policy is in force already at ${view.agent}.`]
  return [
    output.paint('bold', `What changes at ${view.agent}, compared at block ${boundary.blockNumber}`),
    ...factLines(
      [
        ['at once', of('now')],
        [diff.delaySec === 0 ? 'by a proposal' : `after ${exactDuration(BigInt(diff.delaySec))}`, of('after-delay')],
        ...(pending === undefined ? [] : ([['announced', pendingText(pending, boundary.blockTimestampSec)]] as const)),
        ['warning', file.warnings.map(({ where, message }) => output.paint('warning', plain(`${where}: ${message}`)))],
      ],
      output.paint,
      '  ',
    ),
  ]
}
