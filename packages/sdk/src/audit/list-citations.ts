import { agentAbi } from '@oikos/core/abi'
import { type Client, type Hash, type Hex, toFunctionSelector } from 'viem'
import type { AgentTarget } from '../actions/agent/target.ts'
import { latestBlockNumber } from '../actions/block.ts'
import { listAgentEvents } from '../events/agent/all-agent-events.ts'
import type { AgentEvent, AnyAgentEvent } from '../events/agent/define-agent-event.ts'
import { collectEvents } from '../events/collect-events.ts'

/** One record as a transaction cites it: what the events of an Agent say about it. */
export type ReasoningCitation = {
  /** From 1, in the order of the chain, within what was read. */
  readonly number: bigint
  readonly reasoningHash: Hash
  readonly reasoningURI: string
  readonly transactionHash: Hash
  readonly blockNumber: bigint
  /** Name of the function as the events tell it; undefined for an action that our Agents do not have. */
  readonly action: string | undefined
  /** Actions of this transaction that cite the record; more than one is a replay. */
  readonly actionCount: number
  /** Earlier transactions of what was read that cite the same record; any is a replay. */
  readonly citedBefore: readonly Hash[]
}

/** Citations in the order of the chain, and whether they are all of them. */
export type CitationList = {
  readonly citations: readonly ReasoningCitation[]
  readonly blockNumber: bigint
  readonly isComplete: boolean
}

/** Parameters of {@link listCitations}. */
export type ListCitationsParameters = AgentTarget & {
  /** First block that is read; the birth of the Agent is early enough. */
  fromBlock: bigint
  /** Last block; default the latest. */
  toBlock?: bigint
}

/** The events that cite a record. Source: ERC-8406, section 5. */
type CitingEvent = AgentEvent<'Settled' | 'Executed' | 'Reasoned'>

/**
 * Every record that an Agent's events cite, oldest first. The events of one action are one citation: a batch has one
 * `Reasoned` and many `Settled`.
 * @throws WrongChainError, RpcError
 */
export async function listCitations(client: Client, parameters: ListCitationsParameters): Promise<CitationList> {
  const blockNumber = parameters.toBlock ?? (await latestBlockNumber(client))
  const { agent, chainId } = parameters
  const target = { agent, ...(chainId === undefined ? {} : { chainId }) }
  const { events, isComplete } = await collectEvents(parameters.fromBlock, (fromBlock) =>
    listAgentEvents(client, { ...target, fromBlock, toBlock: blockNumber }),
  )
  return { citations: groupCitations(events), blockNumber, isComplete }
}

/** The citations in events that are in the order of the chain. */
export function groupCitations(events: readonly AnyAgentEvent[]): readonly ReasoningCitation[] {
  const groups = new Map<string, CitingEvent[]>()
  for (const event of events) {
    if (!isCiting(event)) continue
    const key = `${event.transactionHash} ${event.args.reasoningHash} ${event.args.reasoningURI}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [event])
    else group.push(event)
  }
  const seen = new Map<Hash, Hash[]>()
  return [...groups.values()].flatMap((group, index) => {
    const [first] = group
    if (first === undefined) return []
    const { args, transactionHash, blockNumber } = first
    const before = seen.get(args.reasoningHash) ?? []
    seen.set(args.reasoningHash, [...before, transactionHash])
    const { reasoningHash, reasoningURI } = args
    return [
      {
        ...{ number: BigInt(index + 1), reasoningHash, reasoningURI, transactionHash, blockNumber },
        ...{ action: actionOf(group), actionCount: countActions(group), citedBefore: before },
      },
    ]
  })
}

function isCiting(event: AnyAgentEvent): event is CitingEvent {
  return event.eventName === 'Settled' || event.eventName === 'Executed' || event.eventName === 'Reasoned'
}

/** Names of the agent actions by selector, as `Reasoned` gives it. */
const ACTION_NAMES: ReadonlyMap<Hex, string> = new Map(
  agentAbi.filter((item) => item.type === 'function').map((item) => [toFunctionSelector(item), item.name]),
)

function actionOf(group: readonly CitingEvent[]): string | undefined {
  const reasoned = group.find((event) => event.eventName === 'Reasoned')
  if (reasoned?.eventName === 'Reasoned') return ACTION_NAMES.get(reasoned.args.action)
  const [first] = group
  if (first?.eventName === 'Settled') return first.args.kind === 0 ? 'settleMint' : 'settleRedeem'
  return 'execute'
}

/** A batch explains its `Settled`, and executeWithAllowance its `Executed`, by a `Reasoned` beside them. */
function countActions(group: readonly CitingEvent[]): number {
  const count = (name: CitingEvent['eventName']): number => group.filter(({ eventName }) => eventName === name).length
  const [reasoned, executed, settled] = [count('Reasoned'), count('Executed'), count('Settled')]
  return Math.max(reasoned, executed, reasoned === 0 ? settled + executed : 0)
}
