import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PackTaskOptions, packTaskPackage } from '@oikos/core'
import {
  approveAssetAndWait,
  freezeTaskAndWait,
  fundTaskAndWait,
  getBlockMoment,
  mintTaskAndWait,
  requestMintAndWait,
  type TenderTerms,
} from '@oikos/sdk'
import { createContentResolver } from '@oikos/sdk/content'
import { type Address, createClient, http, type LocalAccount, parseAbi, toFunctionSelector } from 'viem'
import { workedVaultBytecode } from '../../../../examples/treasury/contracts.gen.ts'
import { type Agents, anyRule, startAgents, USDC } from '../../../sdk/test/agents.ts'
import { compileMocks } from '../../../sdk/test/compile-mocks.ts'
import { anyTerms } from '../../../sdk/test/market.ts'
import {
  createOperator,
  type Operator,
  type OperatorOptions,
  type OperatorSettings,
  type OperatorStore,
  openSqliteOperatorStore,
} from '../../src/operator/index.ts'
import { chooseFirst } from './doubles.ts'

export { USDC } from '../../../sdk/test/agents.ts'

/** A chain with a market, an Agent that may deliver and save, and what an operator needs. */
export type OperatorStage = {
  readonly agents: Agents
  readonly agent: Address
  readonly vault: Address
  readonly folder: string
  readonly store: OperatorStore
  readonly executor: LocalAccount
  readonly url: string
  /** Tenders of other tests lie before it. */
  readonly fromBlock: bigint
  /** An operator over the store of the stage; a test changes what it likes. */
  readonly operator: (settings?: Partial<OperatorSettings>, parts?: Partial<OperatorOptions>) => Operator
  /** What every operator here is made of. */
  readonly parts: (settings?: Partial<OperatorSettings>) => OperatorOptions
  readonly requestMint: (who: 'alice' | 'bob' | 'stranger', units: bigint) => Promise<void>
  /** A frozen, funded tender that pays in the Accept Token and that bob judges. */
  readonly openTender: (options?: {
    readonly terms?: Partial<TenderTerms>
    readonly authority?: Address
    readonly files?: PackTaskOptions['files']
    readonly specProfile?: string
    readonly isFrozen?: boolean
    readonly fundedUnits?: bigint
  }) => Promise<bigint>
  readonly stop: () => Promise<void>
}

/** Settings for a chain of a test: blocks come at once and are final at once. */
const swift: Partial<OperatorSettings> = {
  finalityBlocks: 1n,
  mineWaitMs: 2_000,
  pollMs: 20,
  budget: { gasWei: 10n ** 18n, spendAtomic: 1_000n * USDC },
}

/** Limits under which the tenders of the stage are taken. */
export function tenderSettings(stage: OperatorStage, more: object = {}): NonNullable<OperatorSettings['tenders']> {
  return {
    markets: [{ task: stage.agents.market.task, fromBlock: stage.fromBlock }],
    rewards: [{ asset: stage.agents.token, minRewardAtomic: USDC }],
    ...{ minSecondsLeft: 60n, judged: true, verifiers: [], maxJudgmentWindowSec: 86_400n, requireFrozen: true },
    ...{ maxDeliveriesPerTender: 1n, maxAttemptsPerTender: 1n, maxPackageBytes: 1_000_000 },
    work: { timeoutMs: 10_000, memoryMiB: 64, outputBytes: 10_000 },
    resources: {},
    ...more,
  }
}

/** Sets it up, on a chain that is given or on its own; the executor of the Agent is the operator. */
export async function startOperatorStage(given?: Agents): Promise<OperatorStage> {
  const agents = given ?? (await startAgents())
  const { market, as, address, token, store: content } = agents
  const folder = mkdtempSync(join(tmpdir(), 'oikos-operator-'))
  const store = await openSqliteOperatorStore(join(folder, 'operator.sqlite'))
  const vault = await market.deployMock(
    { abi: parseAbi(['constructor(address asset)']), bytecode: workedVaultBytecode },
    [token],
  )
  const fromBlock = (await getBlockMoment(as.owner)).number
  const agent = await agents.create({
    scope: {
      rules: [
        anyRule({ target: market.task, selector: toFunctionSelector('submitFulfillment(uint256,bytes32,string)') }),
        anyRule({ target: vault, selector: toFunctionSelector('deposit(uint256,address)'), maxTokenOut: 2n ** 128n }),
        anyRule({ target: vault, selector: toFunctionSelector('redeem(uint256,address,address)') }),
      ],
      caps: [{ asset: token, limit: 1_000n * USDC, periodSec: 86_400, lifetime: 2n ** 255n }],
      members: [],
    },
  })
  const executor = as.executor.account as LocalAccount
  const { url } = market.chain
  const client = createClient({ transport: http(url, { batch: true, retryCount: 0 }), pollingInterval: 20 })
  const parts: OperatorStage['parts'] = (settings = {}) => ({
    ...{ client, chainId: 11_155_111, account: executor, agent, agentFromBlock: 0n, store, content },
    resolver: createContentResolver({ store: content }),
    decider: chooseFirst('settle', 'work'),
    settings: { ...swift, ...settings },
    clockMs: () => BigInt(Date.now()),
  })
  const stage: OperatorStage = {
    ...{ agents, agent, vault, folder, store, executor, url, fromBlock, parts },
    operator: (settings, more = {}) => createOperator({ ...parts(settings), ...more }),
    requestMint: async (who, units) => {
      await agents.fund(who, agent, units * USDC)
      await requestMintAndWait(as[who], { agent, amountAtomic: units * USDC })
    },
    openTender: async (options = {}) => {
      const { specProfile = 'x-test-v1', isFrozen = true, fundedUnits = 10n, authority = address.bob } = options
      const files = options.files ?? new Map([['TASK.md', new TextEncoder().encode('# What is six times seven?')]])
      const packed = packTaskPackage({ files, specProfile, maxCompletions: 1n })
      for (const [cid, bytes] of packed.blocks) await content.put(bytes, cid === packed.rootCid ? 'dag-cbor' : 'raw')
      const terms = { ...anyTerms, asset: token, rewardPerCompletionAtomic: 10n * USDC, maxCompletions: 1n }
      const { event } = await mintTaskAndWait(market.as.publisher, {
        ...{ task: market.task, to: address.owner, updateAuthority: market.address.publisher },
        ...{ acceptanceAuthority: authority, tdHash: packed.tdHash, taskHash: packed.taskHash },
        ...{ taskURI: `ipfs://${packed.rootCid}`, terms: { ...terms, ...options.terms } },
      })
      const { tokenId } = event.args
      if (isFrozen) await freezeTaskAndWait(market.as.publisher, { task: market.task, tokenId })
      if (fundedUnits > 0n) {
        const { TestToken } = compileMocks()
        await market.tell(TestToken, token, 'mint', [address.alice, fundedUnits * USDC])
        const spender = market.task
        await approveAssetAndWait(as.alice, { token, spender, amountAtomic: fundedUnits * USDC })
        await fundTaskAndWait(as.alice, { task: market.task, tokenId, amountAtomic: fundedUnits * USDC })
      }
      return tokenId
    },
    stop: async () => {
      await store.close()
      if (given === undefined) await agents.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return stage
}
