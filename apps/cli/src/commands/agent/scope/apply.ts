import type { GovernanceStep, Policy } from '@oikos/core/scope-policy'
import {
  getPolicyReadyAt,
  simulateEnactPolicy,
  simulateExpireRule,
  simulateLowerCap,
  simulateProposePolicy,
  simulateRemoveAllRules,
  simulateRemoveMember,
  simulateRemoveRule,
} from '@oikos/sdk'
import type { Address } from 'viem'
import type { AgentView } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import type { Context } from '../../../context.ts'
import { EXIT, type ExitCode } from '../../../exit-codes.ts'
import type { Input } from '../../../input/input.ts'
import { factLines } from '../../../output/layout.ts'
import { exactDuration, momentText } from '../../../output/speech.ts'
import { type Performed, prepareSigner } from '../../../transaction/perform.ts'
import { writeDocument } from '../../../transaction/report.ts'
import { AGENT, WRITE_AGENT } from '../options.ts'
import { type AgentWrite, performAgentWrite } from '../write.ts'
import { changeText, namesFor, policySentences } from './boundary-text.ts'
import { type PolicyPlan, planDocument, planLines, readPlan } from './plan.ts'

/** `oikos agent scope apply`: make a policy file true. */
export const apply: CommandSpec = {
  name: 'apply',
  summary: 'tighten at once what a policy file tightens, and announce, or after the delay enact, the rest',
  details:
    'Run it again after the delay, with the same file: it then enacts what it announced. Tightening is for the Owner or the guardian, the rest for the Owner.',
  args: [AGENT, ['<file>', 'scope policy; see docs/scope-policies.md']],
  options: [{ flags: '--tighten-only', text: 'leave out what has to wait' }, ...OUTPUT_OPTIONS, ...WRITE_AGENT],
  examples: [
    'oikos agent scope apply treasury policy.json --dry-run',
    'oikos agent scope apply treasury policy.json --tighten-only --from guardian --yes',
  ],
  run: async (context, input) => {
    const found = await readPlan(context, input, input.argument(0), input.argument(1))
    const { view, diff } = found
    const signer = await prepareSigner(context, input)
    for (const line of planLines(context, found)) context.output.say(line)
    const writes = [
      ...diff.changes.flatMap((change) =>
        change.steps.map((step) => stepWrite(view, step, changeText(change, namesFor(view, found.file.document)))),
      ),
      ...(input.flag('tighten-only') ? [] : laterWrites(found)),
    ]
    const performed: Performed[] = []
    for (const write of writes) {
      const isDry = input.flag('dry-run') && performed.length > 0
      if (isDry && write.functionName === 'enact') break
      const confirmed = performed.some(({ sent }) => sent !== undefined)
      performed.push(await performAgentWrite(context, input, view, signer, write, { confirmed }))
    }
    return report(context, input, found, performed)
  },
}

/** What is announced, enacted, or both where there is no delay; nothing while the delay runs. */
function laterWrites({ view, diff, pending, file }: PolicyPlan): readonly AgentWrite[] {
  const { later, delaySec } = diff
  if (later === undefined) return []
  const sentences = policySentences(later, namesFor(view, file.document)).slice(0, itemsOf(later))
  if (pending?.state === 'waiting') return []
  if (pending?.state === 'ready') return [enactWrite(view, later, sentences)]
  const proposal = proposeWrite(view, later, sentences, delaySec)
  return delaySec === 0 ? [proposal, enactWrite(view, later, sentences)] : [proposal]
}

function itemsOf({ rules, caps, members }: Policy): number {
  return rules.length + caps.length + members.length
}

function proposeWrite(
  { agent, connection, snapshot }: AgentView,
  policy: Policy,
  sentences: readonly string[],
  delaySec: number,
): AgentWrite {
  const { scope } = snapshot
  return {
    title: `Announce a change of what ${agent} may do`,
    contract: scope,
    functionName: 'propose',
    effects: [
      ...sentences.map((sentence) => `Then: ${sentence}`),
      delaySec === 0
        ? 'It can be enacted at once.'
        : `Nothing changes before ${exactDuration(BigInt(delaySec))} have passed; holders can read it and leave. It lapses 14 days later.`,
    ],
    simulate: (account) => simulateProposePolicy(connection.client, { agent, scope, policy, account }),
    event: 'PolicyProposed',
  }
}

/** Puts an announced change into effect. */
export function enactWrite(
  { agent, connection, snapshot }: AgentView,
  policy: Policy,
  sentences: readonly string[],
): AgentWrite {
  const { scope } = snapshot
  return {
    title: `Enact a change of what ${agent} may do`,
    contract: scope,
    functionName: 'enact',
    effects: [...sentences, 'From now on Executors can do this.'],
    simulate: (account) => simulateEnactPolicy(connection.client, { agent, scope, policy, account }),
    event: 'PolicyApplied',
  }
}

/** @param text what changes, in words */
function stepWrite({ agent, connection, snapshot }: AgentView, step: GovernanceStep, text: string): AgentWrite {
  const { client } = connection
  const at = { agent, scope: snapshot.scope }
  const common = { contract: at.scope, functionName: step.call, title: `Tighten what ${agent} may do` }
  const write = (event: string, simulate: AgentWrite['simulate'], effect = text): AgentWrite => ({
    ...{ ...common, event, simulate },
    effects: [effect, 'At once; to loosen it again takes a proposal and its delay.'],
  })
  switch (step.call) {
    case 'removeAllRules': {
      const simulate = (account: Address) => simulateRemoveAllRules(client, { ...at, account })
      return write('RulesRemoved', simulate, 'Every call is refused from now on.')
    }
    case 'removeRule':
      return write('RuleRemoved', (account) => simulateRemoveRule(client, { ...at, key: step.key, account }))
    case 'expireRule': {
      const { key, expiresAt: expiresAtSec } = step
      return write('RuleExpirySet', (account) => simulateExpireRule(client, { ...at, key, expiresAtSec, account }))
    }
    case 'lowerCap': {
      const { key, limit: limitAtomic, lifetimeLeft: lifetimeLeftAtomic } = step
      const cap = { ...at, key, limitAtomic, lifetimeLeftAtomic }
      return write('CapLowered', (account) => simulateLowerCap(client, { ...cap, account }))
    }
    case 'removeMember': {
      const { set, member } = step
      return write('MemberRemoved', (account) => simulateRemoveMember(client, { ...at, set, member, account }))
    }
    default:
      return step satisfies never
  }
}

async function report(
  { output }: Context,
  input: Input,
  found: PolicyPlan,
  performed: readonly Performed[],
): Promise<ExitCode> {
  const { view, changeId, pending, diff, boundary } = found
  const { agent, connection, snapshot, named, ref } = view
  const isEnacted = performed.some(({ write, sent }) => write.functionName === 'enact' && sent !== undefined)
  const readyAtSec =
    changeId === undefined || isEnacted
      ? undefined
      : await getPolicyReadyAt(connection.client, { agent, scope: snapshot.scope, changeId })
  const isWaiting = readyAtSec !== undefined && readyAtSec !== 0n
  const lines = performed.flatMap(({ sent }) => (sent === undefined ? [] : [['transaction', sent.hash] as const]))
  output.result(
    {
      ...{ ok: true, sent: lines.length > 0, agentRef: ref, ...planDocument(found) },
      ...{ readyAtSec: isWaiting ? readyAtSec : undefined, transactions: performed.map(writeDocument) },
    },
    diff.changes.length === 0
      ? [`The policy is in force already at ${agent}.`]
      : factLines(
          [
            ...lines,
            ...(isWaiting ? ([['can be enacted', momentText(readyAtSec, boundary.blockTimestampSec)]] as const) : []),
          ],
          output.paint,
        ),
  )
  if (input.flag('dry-run')) return EXIT.done
  if (pending?.state === 'waiting')
    output.say('The change is announced and its delay runs; nothing else was to be done.')
  output.next(...(isWaiting ? [`agent scope apply ${named} ${input.argument(1)}`] : []), `agent scope show ${named}`)
  return EXIT.done
}
