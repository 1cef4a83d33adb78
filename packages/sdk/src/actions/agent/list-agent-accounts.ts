import type { Address, Client } from 'viem'
import { listExecutorUpdated } from '../../events/agent/executor-updated.ts'
import { listMintRequested } from '../../events/agent/mint-requested.ts'
import { listRedeemRequested } from '../../events/agent/redeem-requested.ts'
import { collectEvents } from '../../events/collect-events.ts'
import { latestBlockNumber } from '../block.ts'
import { mapBounded } from '../page.ts'
import { type AgentPosition, getAgentPosition } from './get-agent-position.ts'
import { isAgentExecutor } from './is-agent-executor.ts'
import type { AgentReadParameters } from './read-agent.ts'

/** Most accounts that one listing reads; the oldest come first. */
export const MAX_LISTED_ACCOUNTS = 2_000

/** Accounts that are read at the same time. */
const CONCURRENCY = 20

/** Parameters of {@link listAgentExecutors} and {@link listAgentRequesters}. */
export type ListAgentAccountsParameters = AgentReadParameters & {
  /** First block that is read; the birth of the Agent is early enough. */
  fromBlock: bigint
}

/** Accounts that events name and the state of one block confirms. */
export type AgentAccountPage<account> = {
  readonly accounts: readonly account[]
  readonly blockNumber: bigint
  /** False when blocks or accounts were left out, so that there may be more. */
  readonly isComplete: boolean
}

/** Who may act for the Agent now: named by events, confirmed by the contract. Throws WrongChainError, RpcError. */
export async function listAgentExecutors(
  client: Client,
  parameters: ListAgentAccountsParameters,
): Promise<AgentAccountPage<Address>> {
  const blockNumber = parameters.blockNumber ?? (await latestBlockNumber(client))
  const at = { ...parameters, blockNumber }
  const { events, isComplete } = await collectEvents(parameters.fromBlock, (fromBlock) =>
    listExecutorUpdated(client, { ...target(at), fromBlock, toBlock: blockNumber }),
  )
  const named = distinct(events.map(({ args }) => args.executor))
  const confirmed = await mapBounded(named.list, CONCURRENCY, async (account) =>
    (await isAgentExecutor(client, { ...at, account })) ? [account] : [],
  )
  return { accounts: confirmed.flat(), blockNumber, isComplete: isComplete && named.isComplete }
}

/** A requester with something pending or claimable. */
export type AgentRequester = { readonly user: Address; readonly mint: AgentPosition; readonly redeem: AgentPosition }

/**
 * Everybody who has something pending or claimable at an Agent: named by events, read from the contract.
 * @throws ContractRevertedError, NoContractError, WrongChainError, RpcError
 */
export async function listAgentRequesters(
  client: Client,
  parameters: ListAgentAccountsParameters,
): Promise<AgentAccountPage<AgentRequester>> {
  const blockNumber = parameters.blockNumber ?? (await latestBlockNumber(client))
  const at = { ...parameters, blockNumber }
  const range = { ...target(at), toBlock: blockNumber }
  const [mints, redeems] = await Promise.all([
    collectEvents(parameters.fromBlock, (fromBlock) => listMintRequested(client, { ...range, fromBlock })),
    collectEvents(parameters.fromBlock, (fromBlock) => listRedeemRequested(client, { ...range, fromBlock })),
  ])
  const named = distinct([...mints.events, ...redeems.events].map(({ args }) => args.requester))
  const read = await mapBounded(named.list, CONCURRENCY, async (user): Promise<AgentRequester> => {
    const [mint, redeem] = await Promise.all([
      getAgentPosition(client, { ...at, user, kind: 'mint' }),
      getAgentPosition(client, { ...at, user, kind: 'redeem' }),
    ])
    return { user, mint, redeem }
  })
  const isOpen = ({ pendingAtomic, claimableAtomic }: AgentPosition): boolean => pendingAtomic + claimableAtomic > 0n
  return {
    accounts: read.filter(({ mint, redeem }) => isOpen(mint) || isOpen(redeem)),
    blockNumber,
    isComplete: mints.isComplete && redeems.isComplete && named.isComplete,
  }
}

function target({ agent, chainId }: AgentReadParameters): { agent: Address; chainId?: number } {
  return { agent, ...(chainId === undefined ? {} : { chainId }) }
}

function distinct(accounts: readonly Address[]): { list: readonly Address[]; isComplete: boolean } {
  const list = [...new Set(accounts)]
  return { list: list.slice(0, MAX_LISTED_ACCOUNTS), isComplete: list.length <= MAX_LISTED_ACCOUNTS }
}
