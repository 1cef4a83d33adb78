import { type Cid, packTaskPackage, rawCidOf, sha256 } from '@oikos/core'
import { agentAbi, taskTokenAbi } from '@oikos/core/abi'
import { buildAgentMetadata } from '@oikos/core/agent-metadata'
import type { BuiltReasoning } from '@oikos/core/reasoning'
import * as sdk from '@oikos/sdk'
import { type ContentResolver, createContentResolver } from '@oikos/sdk/content'
import {
  type Address,
  type Client,
  createClient,
  custom,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import { type Agents, anyRule, startAgents, USDC } from '../../sdk/test/agents.ts'
import { compileMocks } from '../../sdk/test/compile-mocks.ts'
import { rpc } from '../../sdk/test/market.ts'
import {
  type AgentAuditReport,
  AUDIT_CODES,
  type AuditAgentOptions,
  type AuditCode,
  auditAgent,
} from '../src/audit/index.ts'

/** A log as a node gives it. */
export type RawLog = { address: Hex; topics: Hex[]; data: Hex; transactionHash: Hex; logIndex: Hex; blockNumber: Hex }

/** An Agent that did every kind of action on a real chain, and a tender that it delivered to. */
export type AuditedLife = {
  readonly agents: Agents
  readonly agent: Address
  readonly tokenId: bigint
  /** What gateways hold. A test takes away or changes what it likes. */
  readonly content: Map<Cid, Uint8Array>
  readonly rootCid: Cid
  readonly delivery: Cid
  readonly resolver: () => ContentResolver
  /** A node that may lie about logs. */
  readonly client: (change?: (logs: RawLog[]) => RawLog[]) => Client
  /** Sends an action with any record, checked by nobody. */
  readonly act: (args: { requester: Address; reasoningHash: Hex; reasoningURI: string }) => Promise<void>
  /** Puts bytes where gateways find them. */
  readonly publish: (bytes: Uint8Array) => Cid
  /** A record of a settlement, published. */
  readonly record: (requester: Address, parts?: Partial<RecordParts>) => BuiltReasoning
  /** Runs something on the chain and takes it back afterwards. */
  readonly withSnapshot: <T>(work: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

type RecordParts = Pick<Parameters<typeof sdk.buildActionReasoning<'settleMint'>>[0], 'claims' | 'links' | 'agent'>

const vaultAbi = parseAbi(['function deposit(uint256 assets, address receiver)'])
const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** Audits the life, from a node that may lie about logs. */
export function auditLife(
  life: AuditedLife,
  options: Partial<AuditAgentOptions> = {},
  change?: (logs: RawLog[]) => RawLog[],
): Promise<AgentAuditReport> {
  return auditAgent(life.client(change), {
    ...{ agent: life.agent, resolver: life.resolver(), fromBlock: 0n },
    knownImplementations: [life.agents.implementation],
    ...options,
  })
}

/** Codes that weigh, without warnings and notes. */
export function weighing(counts: Readonly<Record<string, number>>): string[] {
  return Object.keys(counts)
    .filter((code) => ['fault', 'gap'].includes(AUDIT_CODES[code as AuditCode][0]))
    .sort()
}

/** Plays the life. */
export async function startAuditedLife(): Promise<AuditedLife> {
  const agents = await startAgents()
  const { market, as, address, token, store } = agents
  const content = new Map<Cid, Uint8Array>()
  const publish = (bytes: Uint8Array): Cid => {
    const cid = rawCidOf(bytes)
    content.set(cid, bytes)
    return cid
  }
  const { TestVault } = compileMocks()
  const vault = await market.deployMock(TestVault, [token])
  const submit = toFunctionSelector('submitFulfillment(uint256,bytes32,string)')
  const deposit = toFunctionSelector('deposit(uint256,address)')
  const metadata = buildAgentMetadata({
    ...{ name: 'Atlas', description: 'Labels pictures.', image: '' },
    reclaim: { horizon: 86_400, method: 'reclaim()' },
  })
  publish(metadata.bytes)
  const agent = await agents.create({
    ...{ agentURI: metadata.uri, reclaimHorizonSec: 86_400 },
    fees: { mintFeeBps: 100, redeemFeeBps: 0, recipient: address.stranger },
    scope: {
      rules: [
        anyRule({ target: market.task, selector: submit }),
        anyRule({ target: vault, selector: deposit, maxTokenOut: 100n * USDC }),
      ],
      caps: [{ asset: token, limit: 100n * USDC, periodSec: 86_400, lifetime: 2n ** 255n }],
      members: [],
    },
  })

  // settlements, alone and together, a redemption, a decline
  await agents.invest('alice', agent, 50n * USDC)
  for (const who of ['alice', 'bob'] as const) {
    await agents.fund(who, agent, 10n * USDC)
    await sdk.requestMintAndWait(as[who], { agent, amountAtomic: 10n * USDC })
  }
  const requesters = [address.alice, address.bob]
  const batch = await agents.reason(agent, 'settleMintBatch', [requesters])
  await sdk.settleMintBatchAndWait(as.executor, { agent, requesters, reasoning: batch })
  await sdk.requestRedeemAndWait(as.alice, { agent, sharesAtomic: 10n ** 18n })
  const redeem = await agents.reason(agent, 'settleRedeem', [address.alice])
  await sdk.settleRedeemAndWait(as.executor, { agent, requester: address.alice, reasoning: redeem })
  await sdk.claimTokensAndWait(as.alice, { agent, user: address.alice })
  await agents.fund('bob', agent, 3n * USDC)
  await sdk.requestMintAndWait(as.bob, { agent, amountAtomic: 3n * USDC })
  const decline = await agents.reason(agent, 'decline', [address.bob, 0])
  await sdk.declineRequestAndWait(as.executor, { agent, requester: address.bob, kind: 'mint', reasoning: decline })

  // capital into a vault, and a delivery to a tender
  const invest = encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [5n * USDC, agent] })
  const allowed = await agents.reason(agent, 'executeWithAllowance', [vault, 0n, invest, 5n * USDC])
  await sdk.executeWithAllowanceAndWait(as.executor, {
    ...{ agent, target: vault, valueWei: 0n, data: invest, allowanceAtomic: 5n * USDC, reasoning: allowed },
  })
  const packed = packTaskPackage({
    files: new Map([
      ['TASK.md', text('# Label\n')],
      ['data/a.txt', text('a')],
    ]),
  })
  for (const [cid, bytes] of packed.blocks) content.set(cid, bytes)
  const tokenId = await market.mint(
    {},
    { tdHash: packed.tdHash, taskHash: packed.taskHash, taskURI: `ipfs://${packed.rootCid}` },
  )
  await sdk.fundTaskAndWait(market.as.funder, { task: market.task, tokenId, amountAtomic: 10n ** 18n })
  const result = text('the labels')
  const delivery = publish(result)
  const data = encodeFunctionData({
    ...{ abi: taskTokenAbi, functionName: 'submitFulfillment' },
    args: [tokenId, sha256(result), `ipfs://${delivery}`],
  })
  const delivered = await agents.reason(agent, 'execute', [market.task, 0n, data])
  await sdk.executeAndWait(as.executor, { agent, target: market.task, valueWei: 0n, data, reasoning: delivered })
  await sdk.acceptFulfillmentAndWait(market.as.judge, { task: market.task, tokenId, submissionId: 1n })

  // what stays open: a pending deposit, claimable shares, an offered ownership
  await agents.fund('bob', agent, 2n * USDC)
  await sdk.requestMintAndWait(as.bob, { agent, amountAtomic: 2n * USDC })
  await sdk.transferAgentOwnershipAndWait(as.owner, { agent, newOwner: address.stranger })
  await sdk.revokeExecutorAndWait(as.guardian, { agent, executor: address.bob })
  for (const [cid, bytes] of store.blocks) content.set(cid, bytes)

  const serve = async (url: string): Promise<Response> => {
    const bytes = content.get(url.split('/ipfs/')[1]?.split('?')[0] as Cid)
    return bytes === undefined ? new Response(null, { status: 404 }) : new Response(new Uint8Array(bytes))
  }
  return {
    ...{ agents, agent, tokenId, content, publish, delivery, rootCid: packed.rootCid },
    resolver: () => createContentResolver({ gateways: ['https://gateway.example'], fetch: serve }),
    client: (change) => {
      const node = http(market.chain.url)({ retryCount: 0 })
      const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
        const answer = await node.request({ method, params } as never)
        return method === 'eth_getLogs' && change !== undefined ? change(answer as RawLog[]) : answer
      }
      return createClient({ transport: custom({ request }) })
    },
    act: async ({ requester, reasoningHash, reasoningURI }) => {
      const args = [requester, reasoningHash, reasoningURI] as const
      const call = { abi: agentAbi, address: agent, functionName: 'settleMint', args, chain: null } as const
      await waitForTransactionReceipt(as.executor, { hash: await writeContract(as.executor, call as never) })
    },
    record: (requester, parts = {}) => {
      const built = sdk.buildActionReasoning({
        ...{ chainId: 11155111, agent, action: 'settleMint', args: [requester], claims: { decision: 'A test.' } },
        ...parts,
      })
      publish(built.bytes)
      return built
    },
    withSnapshot: async (work) => {
      const id = await rpc(as.owner, 'evm_snapshot')
      const before = new Map(content)
      try {
        return await work()
      } finally {
        await rpc(as.owner, 'evm_revert', [id])
        content.clear()
        for (const [cid, bytes] of before) content.set(cid, bytes)
      }
    },
    stop: () => agents.stop(),
  }
}
