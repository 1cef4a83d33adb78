import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capKeyOf, KEEP_DELAY, type Policy, ruleKeyOf } from '@oikos/core/scope-policy'
import {
  acceptFulfillmentAndWait,
  cancelTaskAndWait,
  type Deployment,
  declineRequestAndWait,
  deployAgentFactory,
  deployTaskMarket,
  freezeTaskAndWait,
  fundTaskAndWait,
  getVault,
  lowerCapAndWait,
  mintTaskAndWait,
  proposePolicyAndWait,
  reclaimEscrowAndWait,
  removeRuleAndWait,
  requestMintAndWait,
  requestRedeemAndWait,
  settleMintAndWait,
  settleRedeemAndWait,
  submitFulfillmentAndWait,
} from '@oikos/sdk'
import { openContentStore, packFolder } from '@oikos/sdk/node'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { type Agents, anyRule, startAgents, USDC } from '../../../packages/sdk/test/agents.ts'
import { anyTerms, startMarket, taskHashOf, tdHashOf } from '../../../packages/sdk/test/market.ts'
import { root } from '../../../scripts/toolchain.ts'

/** One coin of the chain. */
export const COIN = 10n ** 18n

/** A chain on which an Agent, some tenders and contracts of another implementation have lived. */
export type IndexStage = {
  readonly agents: Agents
  readonly deployment: Deployment
  readonly agent: Address
  /** Judged by a person: one delivery accepted, one waits; its vault got a gift of 5 wei. */
  readonly judged: bigint
  /** A real package, packed from the examples. */
  readonly packed: bigint
  /** Cancelled, and its money taken back. */
  readonly cancelled: bigint
  /** Settled by a hash lock; one delivery waits. */
  readonly proven: bigint
  readonly foreignTask: Address
  readonly foreignAgent: Address
  readonly contentFolder: string
  /** Folder of this test. */
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Sets the stage. */
export async function setIndexStage(): Promise<IndexStage> {
  const folder = mkdtempSync(join(tmpdir(), 'oikos-index-'))
  const contentFolder = join(folder, 'content')
  const market = await startMarket()
  const agents = await startAgents(market)
  const { as } = market
  const { task } = market

  const deliver = async (tokenId: bigint, result: string): Promise<void> => {
    const resultHash = keccak256(toHex(result))
    await submitFulfillmentAndWait(as.fulfiller, { task, tokenId, resultHash, resultURI: `ipfs://${result}` })
  }

  const agent = await agents.create({ name: 'Atlas', symbol: 'ATL', scope: firstBoundary(agents.token) })
  await changeBoundary(agents, agent)
  await liveAsAgent(agents, agent)

  const judged = await market.mint()
  await freezeTaskAndWait(as.publisher, { task, tokenId: judged })
  await fundTaskAndWait(as.funder, { task, tokenId: judged, amountAtomic: 3n * COIN })
  for (const result of ['first', 'second']) await deliver(judged, result)
  await acceptFulfillmentAndWait(as.judge, { task, tokenId: judged, submissionId: 1n })
  const vault = await getVault(as.stranger, { task, tokenId: judged })
  const hash = await sendTransaction(as.stranger, { to: vault, value: 5n, chain: null } as never)
  await waitForTransactionReceipt(as.stranger, { hash })
  await fundTaskAndWait(as.owner, { task, tokenId: judged, amountAtomic: COIN })

  const store = await openContentStore(contentFolder)
  const output = join(folder, 'package')
  const made = await packFolder(join(root, 'examples', 'labelling', 'task'), {
    ...{ spec: 'spec/intents.yaml', specProfile: 'x-intent-labels-v1', output, maxCompletions: 3n },
    ...{ acceptance: 'acceptance/batch-receipts.md', acceptanceProfile: 'x-batch-receipt-merkle-minage-v1' },
  })
  const objects = await openContentStore(join(output, 'objects'))
  for await (const cid of objects.list()) {
    const bytes = await objects.get(cid, { maxBytes: Number.MAX_SAFE_INTEGER })
    if (bytes !== undefined) await store.put(bytes, cid === made.rootCid ? 'dag-cbor' : 'raw')
  }
  await store.put(made.rootBytes, 'dag-cbor')
  const packed = await market.mint(
    { maxCompletions: 3n },
    { tdHash: made.tdHash, taskHash: made.taskHash, taskURI: `ipfs://${made.rootCid}` },
  )

  const cancelled = await market.mint()
  await fundTaskAndWait(as.funder, { task, tokenId: cancelled, amountAtomic: 2n * COIN })
  await cancelTaskAndWait(as.publisher, { task, tokenId: cancelled })
  await reclaimEscrowAndWait(as.funder, { task, tokenId: cancelled })

  const proven = await market.mint({}, { acceptanceAuthority: market.deployment.hashlockVerifier })
  await fundTaskAndWait(as.funder, { task, tokenId: proven, amountAtomic: COIN })
  await deliver(proven, 'proof')

  const { foreignTask, foreignAgent } = await liveAsForeigners(agents)
  for (const [cid, bytes] of agents.store.blocks) await store.put(bytes, cid.startsWith('bafy') ? 'dag-cbor' : 'raw')
  return {
    ...{ agents, deployment: { ...market.deployment, agentFactory: agents.factory }, agent, judged, packed, cancelled },
    ...{ proven, foreignTask, foreignAgent, contentFolder, folder },
    stop: async () => {
      await market.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Two rules and a cap of 50 dollars a week. */
function firstBoundary(token: Address): Omit<Policy, 'delaySec'> {
  const rules = ['0xa9059cbb', '0x095ea7b3'].map((selector) => anyRule({ target: token, selector: selector as Hex }))
  const cap = { asset: token, limit: 50n * USDC, periodSec: 604_800, lifetime: 500n * USDC }
  return { rules, caps: [cap], members: [{ set: 1n, member: 7n }] }
}

/** The second rule is taken away, the cap lowered, and a change announced. */
async function changeBoundary({ as, token, scope }: Agents, agent: Address): Promise<void> {
  const key = ruleKeyOf({ target: token, selector: '0x095ea7b3', plain: false })
  await removeRuleAndWait(as.guardian, { scope, agent, key })
  await lowerCapAndWait(as.guardian, {
    ...{ scope, agent, key: capKeyOf(token), limitAtomic: 20n * USDC, lifetimeLeftAtomic: 100n * USDC },
  })
  const policy = { rules: [anyRule({ target: token, plain: true })], caps: [], members: [], delaySec: KEEP_DELAY }
  await proposePolicyAndWait(as.owner, { scope, agent, policy })
}

/** Alice holds 90 shares and has 10 settled, Bob waits, a stranger was declined. */
async function liveAsAgent(agents: Agents, agent: Address): Promise<void> {
  const { as, address } = agents
  await agents.invest('alice', agent, 100n * USDC)
  await requestRedeemAndWait(as.alice, { agent, sharesAtomic: 10n * COIN })
  const paid = await agents.reason(agent, 'settleRedeem', [address.alice])
  await settleRedeemAndWait(as.executor, { agent, requester: address.alice, reasoning: paid })
  await agents.fund('stranger', agent, 7n * USDC)
  await requestMintAndWait(as.stranger, { agent, amountAtomic: 7n * USDC })
  const declined = await agents.reason(agent, 'decline', [address.stranger, 0])
  await declineRequestAndWait(as.executor, { agent, requester: address.stranger, kind: 'mint', reasoning: declined })
  await agents.fund('bob', agent, 30n * USDC)
  await requestMintAndWait(as.bob, { agent, amountAtomic: 30n * USDC })
}

/** The same code at addresses that no deployment names. */
async function liveAsForeigners(all: Agents): Promise<{ foreignTask: Address; foreignAgent: Address }> {
  const { as, address } = all.market
  const other = await deployTaskMarket(as.owner, as.owner, { name: 'Other', symbol: 'OTH' })
  const { event } = await mintTaskAndWait(as.publisher, {
    ...{ task: other.taskToken, to: address.owner, updateAuthority: address.publisher },
    ...{ acceptanceAuthority: address.judge, tdHash: tdHashOf('x'), taskHash: taskHashOf('y'), taskURI: 'ipfs://z' },
    terms: anyTerms,
  })
  await fundTaskAndWait(as.funder, { task: other.taskToken, tokenId: event.args.tokenId, amountAtomic: COIN })
  const { factory } = await deployAgentFactory(as.owner, as.owner)
  const foreignAgent = await all.create({ factory, name: 'Stranger' } as never)
  await all.invest('alice', foreignAgent, 20n * USDC)
  await requestRedeemAndWait(all.as.alice, { agent: foreignAgent, sharesAtomic: 5n * COIN })
  return { foreignTask: other.taskToken, foreignAgent }
}

/** Settles the deposit that waits at the end of the stage: one more action with a record. */
export async function settleBob({ agents, agent }: IndexStage): Promise<void> {
  const { as, address } = agents
  const reasoning = await agents.reason(agent, 'settleMint', [address.bob])
  await settleMintAndWait(as.executor, { agent, requester: address.bob, reasoning })
}
