import { ReasoningRecordError } from '@oikos/core/reasoning'
import { type BlockMoment, getBlockMoment, judgeAgentCall } from '@oikos/sdk'
import { storeReasoning } from '@oikos/sdk/content'
import type { Address, Hex } from 'viem'
import type { Decision } from '../action.ts'
import { actionFields, type OperatorContext } from '../context.ts'
import { errorFields, keepable } from '../log.ts'
import type { Fence } from '../store/leases.ts'
import { quoteFees } from './fees.ts'
import { type FollowReport, followActions } from './follow.ts'
import { type Intent, type PreparedIntent, prepareIntent } from './intent.ts'
import { type Hindrance, quoteGas } from './sign.ts'

/** What came of an intent. */
export type Performance =
  /** It is in a block, or on its way there. */
  | { readonly kind: 'begun'; readonly follow: FollowReport }
  /** Nothing was planned; the refusal is kept. */
  | { readonly kind: 'refused'; readonly hindrance: Hindrance }
  /** It would have been done, but this is a dry run; that is kept. */
  | { readonly kind: 'dry-run' }

const DAY_MS = 86_400_000n
/** First pause between two looks for a receipt; it doubles. */
const LOOK_MS = 25

/**
 * Does what is intended: checks limits, Scope and simulation, stores its record and reads it back, plans it in the database, and
 * only then signs and sends. Waits for a block as long as the settings say.
 */
export async function performIntent(
  context: OperatorContext,
  fence: Fence,
  intent: Intent,
  signal: AbortSignal,
): Promise<Performance> {
  const { store, agent, chainId, identity, content, clockMs, settings, log, telemetry } = context
  const number = await store.actions.getNextNumber(identity.agent)
  const refuse = async (hindrance: Hindrance): Promise<Performance> => {
    await keepRefusal(context, fence, intent, hindrance)
    return { kind: 'refused', hindrance }
  }
  const prepared = prepareOrRefuse(intent, { chainId, agent, number })
  if ('code' in prepared) return refuse(prepared)
  const { plan, reasoning } = prepared
  const hindrance = await findHindrance(context, intent, plan)
  if (hindrance !== undefined) return refuse(hindrance)
  if (settings.dryRun) {
    await keepRefusal(context, fence, intent, { code: 'dry-run', reason: 'It would be done now.', isFinal: false })
    return { kind: 'dry-run' }
  }
  if (reasoning !== undefined) await storeReasoning(content, reasoning)
  const action = await store.actions.plan(fence, plan, clockMs())
  if (action === undefined) {
    return refuse({ code: 'done-before', reason: 'it was done before', isFinal: true })
  }
  telemetry.countAction(action.kind, 'planned')
  log.info({ ...actionFields(action), reasoningURI: action.reasoning?.reasoningURI }, action.title)
  return { kind: 'begun', follow: await awaitBlock(context, fence, signal) }
}

/** What a decider or a worker says may be more than a record can hold. */
function prepareOrRefuse(intent: Intent, at: Parameters<typeof prepareIntent>[1]): PreparedIntent | Hindrance {
  try {
    return prepareIntent(intent, at)
  } catch (cause) {
    if (!(cause instanceof ReasoningRecordError) && !(cause instanceof RangeError)) throw cause
    return { code: 'record', reason: `no record can hold its reasons: ${errorFields(cause).reason}`, isFinal: true }
  }
}

/** Follows the open actions until all are in blocks, or the patience of one pass is over. */
export async function awaitBlock(context: OperatorContext, fence: Fence, signal: AbortSignal): Promise<FollowReport> {
  const until = performance.now() + context.settings.mineWaitMs
  const changed: FollowReport['changed'][number][] = []
  for (let pauseMs = LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const head: BlockMoment = await getBlockMoment(context.client)
    const report = await followActions(context, fence, head)
    changed.push(...report.changed)
    if (report.isClear || signal.aborted || performance.now() >= until) return { ...report, changed }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function findHindrance(
  context: OperatorContext,
  intent: Intent,
  plan: { readonly to: Address; readonly data: Hex },
): Promise<Hindrance | undefined> {
  const { client, store, identity, settings, clockMs } = context
  const stopped = await context.killSwitch.findReason()
  if (stopped !== undefined) return { code: 'halted', reason: stopped, isFinal: false }
  const since = clockMs() - DAY_MS
  const failures = await store.actions.countFailures(identity.agent, intent.kind, intent.subject, since)
  if (failures >= settings.maxFailures)
    return { code: 'failures', reason: `it failed ${failures} times within a day`, isFinal: false }
  const refused = await findScopeRefusal(context, intent)
  if (refused !== undefined) return refused
  const quote = await quoteFees(client, settings.gas)
  if (!quote.ok) return { code: 'gas.price', reason: quote.reason, isFinal: false }
  const gas = await quoteGas(context, plan)
  if ('code' in gas) return gas
  const spent = await store.actions.getSpent(identity.agent, since)
  const costWei = gas.gasLimit * quote.fees.maxFeePerGasWei
  if (spent.gasWei + costWei > settings.budget.gasWei) {
    const reason = `${spent.gasWei} wei went into gas within a day, this may take ${costWei}, and the budget is ${settings.budget.gasWei}`
    return { code: 'budget.gas', reason, isFinal: false }
  }
  if (intent.spendAtomic > 0n && spent.spendAtomic + intent.spendAtomic > settings.budget.spendAtomic) {
    const reason = `${spent.spendAtomic} were spent within a day, this takes ${intent.spendAtomic}, and the budget is ${settings.budget.spendAtomic}`
    return { code: 'budget.spend', reason, isFinal: false }
  }
  return undefined
}

/** Whether the Scope lets the Agent make the call, where the intent is one that the Scope judges. */
async function findScopeRefusal({ client, agent }: OperatorContext, { call }: Intent): Promise<Hindrance | undefined> {
  if (call.form !== 'reasoned' || (call.action !== 'execute' && call.action !== 'executeWithAllowance'))
    return undefined
  const [target, valueWei, data, allowanceAtomic] = call.args as readonly [Address, bigint, Hex, bigint | undefined]
  const judgment = await judgeAgentCall(client, {
    ...{ agent, target, valueWei, data },
    ...(allowanceAtomic !== undefined && { allowanceAtomic }),
  })
  return judgment.isAllowed
    ? undefined
    : { code: `${judgment.refusedBy}.${judgment.code}`, reason: judgment.reason, isFinal: true }
}

/** What is refused is kept with its reason, once for the same reason. */
async function keepRefusal(
  { store, identity, clockMs, log, telemetry }: OperatorContext,
  fence: Fence,
  intent: Intent,
  { code, reason }: Hindrance,
): Promise<void> {
  const id = `${intent.kind} ${intent.subject}`
  const known = await store.notes.findDecision(identity.agent, id)
  telemetry.countDecision(intent.kind, 'wait', code)
  if (known?.code === code && known.reason === keepable(reason)) return
  const decision: Decision = {
    ...{ id, kind: intent.kind, subject: intent.subject, optionId: 'wait', code, reason, decidedBy: 'limits' },
    detail: { title: intent.title, ...(intent.decisionId !== undefined && { decisionId: intent.decisionId }) },
    atMs: clockMs(),
  }
  await store.notes.putDecision(fence, decision)
  log.info({ kind: intent.kind, subject: intent.subject, code, reason }, 'not done')
}
