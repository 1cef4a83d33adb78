import type { JsonObject } from '@oikos/core'
import { agentAbi, taskTokenAbi } from '@oikos/core/abi'
import { outcomeReasons, settlementOutcomeOf, toOikosError } from '@oikos/sdk'
import { type Abi, type Client, isAddressEqual, type Log, parseEventLogs, type TransactionReceipt } from 'viem'
import { call } from 'viem/actions'
import type { Action, ActionOutcome } from '../action.ts'

/** What a mined action did, read from its receipt; why it failed, found by making the call again on the state of its block. */
export async function readOutcome(client: Client, action: Action, receipt: TransactionReceipt): Promise<ActionOutcome> {
  return receipt.status === 'success' ? readEffect(action, receipt) : explainRevert(client, action, receipt)
}

function readEffect(action: Action, { logs }: TransactionReceipt): ActionOutcome {
  switch (action.kind) {
    case 'settle-mint':
    case 'settle-redeem':
      return readSettlement(eventsOf(agentAbi, logs, action))
    case 'deliver':
      return readDelivery(logs, action)
    default:
      return { code: 'done', text: 'It had its effect.' }
  }
}

type NamedEvent = { readonly eventName: string; readonly args: Readonly<Record<string, unknown>> }

function eventsOf(abi: Abi, logs: readonly Log[], action: Action): readonly NamedEvent[] {
  const own = logs.filter(({ address }) => isAddressEqual(address, action.to))
  return parseEventLogs({ abi, logs: own, strict: true }) as unknown as readonly NamedEvent[]
}

function readSettlement(events: readonly NamedEvent[]): ActionOutcome {
  if (events.some(({ eventName }) => eventName === 'SettlementStopped'))
    return {
      code: 'corridor',
      text: 'The rate had left its corridor: settlement has stopped until the Owner or the guardian confirms the rate.',
    }
  const settled = events.filter(({ eventName }) => eventName === 'Settled')
  const skipped: JsonObject[] = events
    .filter(({ eventName }) => eventName === 'SettlementSkipped')
    .map(({ args }) => {
      const outcome = settlementOutcomeOf(Number(args['outcome']))
      const reason = outcome === undefined ? 'the Agent gave a reason that is not known here' : outcomeReasons[outcome]
      return { requester: String(args['requester']), outcome: outcome ?? 'unknown', reason }
    })
  const text = `${settled.length} settled, ${skipped.length} skipped.`
  const reasons = skipped.map(({ requester, reason }) => `${String(requester)}: ${String(reason)}`)
  return {
    code: settled.length === 0 ? 'skipped' : 'done',
    text: reasons.length === 0 ? text : `${text} ${reasons.slice(0, 5).join('; ')}.`,
    detail: { settled: settled.map(({ args }) => String(args['requester'])), skipped },
  }
}

/** The Agent calls the task contract, so the event is that of another contract than the one that was called. */
function readDelivery(logs: readonly Log[], action: Action): ActionOutcome {
  const events = parseEventLogs({ abi: taskTokenAbi, eventName: 'FulfillmentSubmitted', logs: [...logs], strict: true })
  const own = events.find(({ args }) => isAddressEqual(args.fulfiller, action.to))
  if (own === undefined) return { code: 'no-event', text: 'The task contract did not say that it took the delivery.' }
  const { tokenId, submissionId } = own.args
  return {
    code: 'done',
    text: `Delivery ${submissionId} of task ${tokenId}.`,
    detail: { task: own.address, tokenId: tokenId.toString(), submissionId: submissionId.toString() },
  }
}

async function explainRevert(client: Client, action: Action, receipt: TransactionReceipt): Promise<ActionOutcome> {
  const { from, blockNumber } = receipt
  try {
    await call(client, { account: from, to: action.to, data: action.data, blockNumber })
  } catch (cause) {
    const error = toOikosError(cause, { contract: action.to })
    const code = 'errorName' in error ? String(error.errorName) : error.name
    return { code, text: error.shortMessage }
  }
  const text = 'It was undone for a reason that had passed by the end of its block, or for want of gas.'
  return { code: 'reverted', text }
}
