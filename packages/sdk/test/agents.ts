import type { Rule } from '@oikos/core/scope-policy'
import { type Address, type Client, zeroAddress } from 'viem'
import { storeReasoning } from '../src/content/store-reasoning.ts'
import type { StoredReasoning } from '../src/content/stored-reasoning.ts'
import {
  type AgentDescription,
  approveAssetAndWait,
  buildActionReasoning,
  claimSharesAndWait,
  createAgent,
  deployAgentFactory,
  type ReasonedAction,
  requestMintAndWait,
  settleMintAndWait,
} from '../src/index.ts'
import { compileMocks } from './compile-mocks.ts'
import { type Market, startMarket } from './market.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'

/** People of the tests. */
type AgentRole = 'owner' | 'guardian' | 'executor' | 'alice' | 'bob' | 'stranger'

/** A factory of Agents on a chain of its own, with a token of six decimals. */
export type Agents = {
  market: Market
  factory: Address
  scope: Address
  implementation: Address
  token: Address
  store: MemoryStore
  as: Record<AgentRole, Client>
  address: Record<AgentRole, Address>
  /** Creates an Agent at one USDC a share, and gives its address. */
  create: (description?: Partial<AgentDescription>) => Promise<Address>
  /** Stores a record for one action. */
  reason: <action extends ReasonedAction>(
    agent: Address,
    action: action,
    args: Parameters<typeof buildActionReasoning<action>>[0]['args'],
  ) => Promise<StoredReasoning>
  /** Gives somebody the token, and the Agent's approval for it. */
  fund: (role: AgentRole, agent: Address, amountAtomic: bigint) => Promise<void>
  /** Funds, deposits, settles and claims, so that the role holds shares. */
  invest: (role: AgentRole, agent: Address, amountAtomic: bigint) => Promise<void>
  stop: () => Promise<void>
}

/** One unit of the token. */
export const USDC = 10n ** 6n

/** Any description that a test does not care about. */
export const anyAgent = {
  initialPrice: '1.00',
  reclaimHorizonSec: 86_400,
  name: 'Test Agent',
  symbol: 'TEST',
  scopeDelaySec: 3_600,
} as const

/** A rule without conditions, bounds of time and caps. */
export function anyRule(rule: Pick<Rule, 'target'> & Partial<Rule>): Rule {
  return {
    ...{ selector: '0x00000000', plain: false, expiresAt: 0, maxValue: 0n, maxTokenOut: 0n },
    codeHash: `0x${'0'.repeat(64)}`,
    ...{ spendAsset: zeroAddress, spendOffset: 0, callLimit: 0, callPeriodSec: 0, conditions: [] },
    ...rule,
  }
}

/** Deploys factory and token on the chain of a market, or on a new one. */
export async function startAgents(given?: Market): Promise<Agents> {
  const market = given ?? (await startMarket())
  const { as: clients, address: addresses } = market
  const as: Agents['as'] = {
    ...{ owner: clients.owner, guardian: clients.publisher, executor: clients.judge },
    ...{ alice: clients.funder, bob: clients.fulfiller, stranger: clients.stranger },
  }
  const address: Agents['address'] = {
    ...{ owner: addresses.owner, guardian: addresses.publisher, executor: addresses.judge },
    ...{ alice: addresses.funder, bob: addresses.fulfiller, stranger: addresses.stranger },
  }
  const { TestToken } = compileMocks()
  const { factory, scope, implementation } = await deployAgentFactory(as.owner, as.owner)
  const token = await market.deployMock(TestToken, ['USDC', 6])
  const store = createMemoryStore()

  let count = 0
  const create: Agents['create'] = async (description = {}) => {
    count += 1
    const { agent } = await createAgent(as.owner, as.owner, {
      ...anyAgent,
      ...{ factory, acceptToken: token, owner: address.owner, guardian: address.guardian },
      executors: [address.executor],
      salt: `0x${count.toString(16).padStart(64, '0')}`,
      ...description,
    })
    return agent
  }
  const reason: Agents['reason'] = (agent, action, args) =>
    storeReasoning(
      store,
      buildActionReasoning({ chainId: 11155111, agent, action, args, claims: { decision: 'It is a test.' } }),
    )
  const fund: Agents['fund'] = async (role, agent, amountAtomic) => {
    await market.tell(TestToken, token, 'mint', [address[role], amountAtomic])
    await approveAssetAndWait(as[role], { token, spender: agent, amountAtomic })
  }
  const invest: Agents['invest'] = async (role, agent, amountAtomic) => {
    await fund(role, agent, amountAtomic)
    await requestMintAndWait(as[role], { agent, amountAtomic })
    const requester = address[role]
    const reasoning = await reason(agent, 'settleMint', [requester])
    await settleMintAndWait(as.executor, { agent, requester, reasoning })
    await claimSharesAndWait(as[role], { agent, user: requester })
  }
  return {
    ...{ market, factory, scope, implementation, token, store, as, address, create, reason, fund, invest },
    stop: () => market.stop(),
  }
}
