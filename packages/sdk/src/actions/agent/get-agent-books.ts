import { iValuationAbi } from '@oikos/core/abi'
import { type Address, type Client, decodeFunctionResult, encodeFunctionData, maxUint160, size } from 'viem'
import { call } from 'viem/actions'
import { ContractRevertedError } from '../../errors/contract-reverted-error.ts'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { type BlockMoment, getBlockMoment } from '../block.ts'
import { getAgentCode } from './get-agent-code.ts'
import { type AgentFees, getAgentFees } from './get-agent-fees.ts'
import { type AgentGuard, getAgentGuard } from './get-agent-guard.ts'
import { getExchangeRate } from './get-exchange-rate.ts'
import { getShareBalance } from './get-share-balance.ts'
import { getValuations } from './get-valuations.ts'
import { isAgentPaused } from './is-agent-paused.ts'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** One line of the books: what a valuation says. */
export type BookedValuation =
  | { readonly valuation: Address; readonly state: 'fresh' | 'stale'; readonly assetsAtomic: bigint }
  /** Gives no answer that the Agent takes; settlement waits for it. */
  | { readonly valuation: Address; readonly state: 'unreadable' }

/**
 * The books of an Agent, all at one block. Amounts are smallest units of the Accept Token, shares smallest units of which
 * one share has 1e18, rates Accept Token smallest units per share.
 */
export type AgentBooks = {
  readonly agent: Address
  /** Block whose state this is, and its time, which is the clock of the Agent. */
  readonly blockNumber: bigint
  readonly blockTimestampSec: bigint
  readonly acceptToken: Address
  /** What the Agent holds of the Accept Token. */
  readonly balanceAtomic: bigint
  /** What others own of it: `requestsAtomic` and the fees owed. Out of every Executor's reach. */
  readonly reserveAtomic: bigint
  /** Pending deposits and claimable payouts together; getAgentPosition says whose. */
  readonly requestsAtomic: bigint
  readonly fees: AgentFees
  /** What execute can spend: the balance above the reserve. */
  readonly freeAtomic: bigint
  /** What is missing from the reserve; settlement waits while it is not zero. */
  readonly shortfallAtomic: bigint
  readonly valuations: readonly BookedValuation[]
  /** Sum of the readable valuations, as the Agent adds them up. */
  readonly valuedAtomic: bigint
  /** What shares are worth together: free and valued. */
  readonly assetsAtomic: bigint
  /** Shares that exist, escrowed ones included. */
  readonly supplyAtomic: bigint
  /** Shares settled and not yet claimed. */
  readonly unclaimedAtomic: bigint
  /** Shares that pricing counts: both. */
  readonly effectiveSupplyAtomic: bigint
  /** Shares that wait for redemption. */
  readonly escrowedAtomic: bigint
  readonly initialRate: bigint
  readonly isFixedPrice: boolean
  /** The published rate; undefined while a valuation cannot be read. */
  readonly rate: bigint | undefined
  readonly isPaused: boolean
  readonly guard: AgentGuard
}

/** Parameters of {@link getAgentBooks}. */
export type GetAgentBooksParameters = AgentReadParameters

/** Gas that the Agent gives to a valuation, and what a call costs before it begins. Source: AgentBooks.sol, VALUATION_GAS. */
const VALUATION_CALL_GAS = 500_000n + 22_000n

/**
 * The books of an Agent: plain calls at one block number, so it needs no other contract and a transport that batches
 * sends them in one request.
 * @throws ContractRevertedError, NoContractError where the address is no Agent of ours, WrongChainError, RpcError
 */
export async function getAgentBooks(client: Client, parameters: GetAgentBooksParameters): Promise<AgentBooks> {
  const block = await getBlockMoment(client, parameters.blockNumber)
  return readBooks(client, parameters, block)
}

/** As {@link getAgentBooks}, at a block that is known already. */
export async function readBooks(
  client: Client,
  parameters: GetAgentBooksParameters,
  block: BlockMoment,
): Promise<AgentBooks> {
  const { agent } = parameters
  const at = { ...parameters, blockNumber: block.number }
  const [books, fees, guard, isPaused, escrowedAtomic, rate, valuations, code, acceptToken] = await Promise.all([
    readAgent(client, at, 'books', []),
    getAgentFees(client, at),
    getAgentGuard(client, at),
    isAgentPaused(client, at),
    getShareBalance(client, { ...at, account: agent }),
    orUndefined(getExchangeRate(client, at)),
    getValuations(client, at).then((list) =>
      Promise.all(list.map((valuation) => readBooked(client, agent, valuation, block.number))),
    ),
    getAgentCode(client, at),
    readAgent(client, at, 'acceptToken', []),
  ])
  const [balanceAtomic, reserveAtomic, valuedAtomic, supplyAtomic, unclaimedAtomic] = books
  const freeAtomic = balanceAtomic > reserveAtomic ? balanceAtomic - reserveAtomic : 0n
  return {
    ...{ agent, blockNumber: block.number, blockTimestampSec: block.timestampSec, acceptToken },
    ...{ balanceAtomic, reserveAtomic, requestsAtomic: reserveAtomic - fees.owedAtomic, fees, freeAtomic },
    shortfallAtomic: reserveAtomic > balanceAtomic ? reserveAtomic - balanceAtomic : 0n,
    ...{ valuations, valuedAtomic, assetsAtomic: freeAtomic + valuedAtomic },
    ...{ supplyAtomic, unclaimedAtomic, effectiveSupplyAtomic: supplyAtomic + unclaimedAtomic, escrowedAtomic },
    ...{ initialRate: code?.initialRate ?? 0n, isFixedPrice: code?.fixedPrice ?? false, rate, isPaused, guard },
  }
}

/** A valuation is a stranger: asked with the gas that the Agent gives it, and judged as the Agent judges its answer. */
async function readBooked(
  client: Client,
  agent: Address,
  valuation: Address,
  blockNumber: bigint,
): Promise<BookedValuation> {
  const unreadable = { valuation, state: 'unreadable' } as const
  const data = encodeFunctionData({ abi: iValuationAbi, functionName: 'valueOf', args: [agent] })
  try {
    const reply = await call(client, { to: valuation, data, gas: VALUATION_CALL_GAS, blockNumber })
    if (reply.data === undefined || size(reply.data) < 64) return unreadable
    const [assetsAtomic, isFresh] = decodeFunctionResult({
      abi: iValuationAbi,
      functionName: 'valueOf',
      data: reply.data,
    })
    if (assetsAtomic > maxUint160) return unreadable
    return { valuation, state: isFresh ? 'fresh' : 'stale', assetsAtomic }
  } catch (error) {
    const failure = toOikosError(error, { contract: valuation, functionName: 'valueOf' })
    if (failure.retryable && !(failure instanceof ContractRevertedError)) throw failure
    return unreadable
  }
}

async function orUndefined<value>(answer: Promise<value>): Promise<value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ContractRevertedError) return undefined
    throw error
  }
}
