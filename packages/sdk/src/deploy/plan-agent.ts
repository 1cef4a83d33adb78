import { KEEP_DELAY, type Policy } from '@oikos/core/scope-policy'
import { type Address, type Client, getAddress, type Hash, zeroAddress, zeroHash } from 'viem'
import type { AgentBirth } from '../actions/agent-factory/birth.ts'
import { predictAgent } from '../actions/agent-factory/predict-agent.ts'
import type { FactoryTarget } from '../actions/agent-factory/target.ts'
import { getAssetMetadata } from '../actions/asset/get-asset-metadata.ts'
import { parseDecimal } from '../asset/amount.ts'
import type { Asset } from '../asset/asset.ts'
import { BirthError } from './birth-error.ts'

/** An Agent as people describe one. */
export type AgentDescription = {
  /** Token that shares are bought and paid out with; its decimals are read. */
  acceptToken: Address
  /** Accept Token for one share at birth, as a decimal number: `1.00`, `0.25`. Excess precision is refused. */
  initialPrice: string
  /** Whether that is the price for ever. Default: the books decide. */
  isFixedPrice?: boolean
  /** After a request, until what is pending can be taken back: 1 hour to 365 days. */
  reclaimHorizonSec: number
  /** Of the Agent and of its shares: up to 64 and 16 bytes of UTF-8. */
  name: string
  symbol: string
  owner: Address
  /** Who may brake beside the Owner. Default: nobody. */
  guardian?: Address
  /** At most 16. */
  executors?: readonly Address[]
  /** Basis points, at most 500 each; only ever lowered later. Default: no fees. */
  fees?: { mintFeeBps: number; redeemFeeBps: number; recipient: Address }
  /** Where the metadata is. Default: empty, to be set later. */
  agentURI?: string
  /** Least age of a request when it is settled. Default 0. */
  minRequestAgeSec?: number
  /** Most that the rate of a settlement may move, in basis points a day. Default 0: no corridor. */
  corridorBpsPerDay?: number
  /** First boundary, in effect at once. Default: nothing is allowed. */
  scope?: Omit<Policy, 'delaySec'>
  /** Delay of later changes that loosen the boundary; at most 30 days. */
  scopeDelaySec: number
  /** Tells two Agents apart that are otherwise the same. Default zero. */
  salt?: Hash
}

/** Parameters of {@link planAgent}. */
export type PlanAgentParameters = FactoryTarget & AgentDescription

/** A birth with the address that it will have. */
export type AgentPlan = {
  readonly factory: Address
  readonly birth: AgentBirth
  readonly salt: Hash
  /** Known before; it commits to the whole birth, whoever sends it. */
  readonly agent: Address
  readonly asset: Asset
}

const nothingAllowed = { rules: [], caps: [], members: [] } as const

/** Highest initial rate. Source: AgentFactory.sol, MAX_INITIAL_RATE. */
const MAX_INITIAL_RATE = 10n ** 30n

/**
 * Turns a description into the birth that the factory takes, exactly: the price of a share with the decimals of the token
 * becomes the rate, since a share has 1e18 units and a rate is per 1e18 units. Nothing is sent.
 * @throws BirthError for a price that is not exact or out of range, and for a token that does not say its decimals;
 *   NoContractError, WrongChainError, RpcError
 */
export async function planAgent(client: Client, parameters: PlanAgentParameters): Promise<AgentPlan> {
  const { factory, chainId, acceptToken, salt = zeroHash } = parameters
  const chain = chainId === undefined ? {} : { chainId }
  const asset = await getAssetMetadata(client, { asset: acceptToken, ...chain })
  if (asset.warnings.includes('decimals-unreadable') || asset.address === zeroAddress) {
    throw new BirthError('acceptToken', acceptToken, 'a token contract that says how many decimals it has')
  }
  const birth = birthOf(parameters, asset)
  const agent = await predictAgent(client, { factory, birth, salt, ...chain })
  return { factory, birth, salt, agent: getAddress(agent), asset }
}

function birthOf(description: AgentDescription, asset: Asset): AgentBirth {
  const { fees, scope = nothingAllowed, scopeDelaySec } = description
  if (!Number.isInteger(scopeDelaySec) || scopeDelaySec < 0 || scopeDelaySec >= KEEP_DELAY) {
    throw new BirthError('scopeDelaySec', String(scopeDelaySec), 'a whole number of seconds')
  }
  return {
    acceptToken: description.acceptToken,
    initialRate: initialRateOf(description.initialPrice, asset),
    fixedPrice: description.isFixedPrice ?? false,
    reclaimHorizonSec: description.reclaimHorizonSec,
    name: description.name,
    symbol: description.symbol,
    constitution: {
      owner: description.owner,
      guardian: description.guardian ?? zeroAddress,
      feeRecipient: fees?.recipient ?? zeroAddress,
      executors: description.executors ?? [],
      agentURI: description.agentURI ?? '',
      mintFeeBps: fees?.mintFeeBps ?? 0,
      redeemFeeBps: fees?.redeemFeeBps ?? 0,
      minRequestAgeSec: description.minRequestAgeSec ?? 0,
      corridorBpsPerDay: description.corridorBpsPerDay ?? 0,
    },
    policy: { rules: scope.rules, caps: scope.caps, members: scope.members, delaySec: scopeDelaySec },
  }
}

/**
 * The rate of a price for one share: Accept Token smallest units per 1e18 share units.
 * @throws BirthError for excess precision, zero, and a rate above 1e30
 */
export function initialRateOf(price: string, asset: Pick<Asset, 'decimals' | 'symbol'>): bigint {
  const rate = parseDecimal(price, asset.decimals)
  if (rate === undefined || rate === 0n || rate > MAX_INITIAL_RATE) {
    const expected = `a price above 0 in ${asset.symbol} with at most ${asset.decimals} decimals, such as ${asset.decimals === 0 ? '1' : '1.00'}`
    throw new BirthError('initialPrice', price, expected)
  }
  return rate
}
