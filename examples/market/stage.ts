import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TaskHash, TdHash } from '@oikos/core'
import {
  type Asset,
  approveAssetAndWait,
  type Deployment,
  deployAgentFactory,
  deployTaskMarket,
  formatAmount,
  fundTaskAndWait,
  getAssetBalance,
  getTender,
  isNativeAsset,
  listTaskUpdated,
  nativeAsset,
  type TaskTarget,
} from '@oikos/sdk'
import {
  type ContentStore,
  createContentResolver,
  fetchTaskPackage,
  openContentStore,
  type PackFolderOptions,
  packFolder,
} from '@oikos/sdk/node'
import {
  type Account,
  type Address,
  bytesToHex,
  type Chain,
  type Client,
  createClient,
  createTestClient,
  createWalletClient,
  type Hash,
  type Hex,
  http,
  parseEther,
  publicActions,
  type Transport,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { sepolia } from 'viem/chains'
import { deployDollar, deploySavings, giveDollars } from '../treasury/tokens.ts'
import type { Narrator } from './narrator.ts'

/** The parties of the examples, by the index of their account. Index 6 is left to whoever reads along. */
const accountIndex = {
  demander: 0,
  patron: 1,
  operator: 2,
  owner: 3,
  judge: 4,
  stranger: 5,
  guardian: 7,
  ada: 8,
  ben: 9,
  cleo: 10,
  shop: 11,
  researcher: 12,
  clerk: 13,
} as const

/** The parties of the examples, each with an account that has money for gas. */
export type Party = keyof typeof accountIndex
/** A client that signs as one party. */
export type PartyClient = Client<Transport, Chain, Account>

/** Everything a worked tender needs: a chain with the contracts, signing parties, a content store, and who listens. */
export type Stage = {
  deployment: Deployment & { agentFactory: Address }
  /** The token that shares are bought with and tenders pay in: six decimals, and anybody may make more. */
  dollar: Asset
  /** An ERC-4626 vault for it. */
  savings: Address
  client: Readonly<Record<Party, PartyClient>>
  store: ContentStore
  /** The node of the chain. */
  rpcUrl: string
  /** A folder that is not there yet, for the purse of the Agent. */
  purseFolder: string
  /** Where the operators keep their databases. */
  operatorsFolder: string
  /** Where reports of audits are left. */
  auditsFolder: string
  say: Narrator
  /** Moves the chain's clock. */
  passTime: (seconds: bigint) => Promise<void>
}

/** A package as it was packed, and where it can be found. */
export type PublishedPackage = { taskHash: TaskHash; tdHash: TdHash; uri: string }

/** The mnemonic that anvil funds; public, and worth nothing anywhere else. */
const developmentMnemonic = 'test test test test test test test test test test test junk'

/** What each party has at the start, in whole dollars. */
const dollars: Readonly<Partial<Record<Party, bigint>>> = {
  demander: 1_000n,
  researcher: 1_000n,
  patron: 1_250n,
  stranger: 220n,
  ada: 5_000n,
  ben: 4_000n,
  cleo: 2_500n,
}

/** Deploys market, factory, token and vault on the chain at `url`, and gives every party an account with money. */
export async function setStage(options: {
  url: string
  contentFolder: string
  purseFolder: string
  /** Default: beside the purse. */
  operatorsFolder?: string
  say: Narrator
}): Promise<Stage> {
  const transport = http(options.url)
  const signAs = (addressIndex: number): PartyClient => {
    const account = mnemonicToAccount(developmentMnemonic, { addressIndex })
    return createClient({ account, chain: sepolia, transport, pollingInterval: 20 })
  }
  const client = Object.fromEntries(
    Object.entries(accountIndex).map(([party, index]) => [party, signAs(index)]),
  ) as Record<Party, PartyClient>
  const deployer = createWalletClient({ account: client.demander.account, chain: sepolia, transport })
  const node = createTestClient({ mode: 'anvil', chain: sepolia, transport, pollingInterval: 20 }).extend(publicActions)
  // anvil funds the accounts 0 to 9; the shop has nothing but what it sells
  for (const party of ['cleo', 'researcher', 'clerk'] as const)
    await node.setBalance({ address: client[party].account.address, value: parseEther('10000') })
  const market = await deployTaskMarket(deployer, node, { name: 'Oikos Tasks', symbol: 'TASK' })
  const { factory: agentFactory } = await deployAgentFactory(deployer, node)
  const dollar = await deployDollar(client.demander)
  const savings = await deploySavings(client.demander, dollar)
  for (const [party, whole] of Object.entries(dollars))
    await giveDollars(client.demander, dollar, client[party as Party].account.address, whole)
  await mkdir(options.contentFolder, { recursive: true })
  return {
    deployment: { ...market, agentFactory },
    dollar,
    savings,
    client,
    store: await openContentStore(options.contentFolder),
    rpcUrl: options.url,
    purseFolder: options.purseFolder,
    operatorsFolder: options.operatorsFolder ?? join(dirname(options.purseFolder), 'operators'),
    auditsFolder: join(dirname(options.purseFolder), 'audits'),
    say: options.say,
    passTime: async (seconds) => {
      await node.increaseTime({ seconds: Number(seconds) })
      await node.mine({ blocks: 1 })
    },
  }
}

/** Private key of the funded account with this index: for the embedded chain only, where everybody knows it. */
export function testKey(addressIndex: number): Hex {
  const { privateKey } = mnemonicToAccount(developmentMnemonic, { addressIndex }).getHdKey()
  if (privateKey === null) throw new Error(`account ${addressIndex} has no key`)
  return bytesToHex(privateKey)
}

/** Packs `folder` and puts every object of the package into the stage's content store. */
export async function publishPackage(
  stage: Stage,
  folder: string,
  packing: PackFolderOptions,
): Promise<PublishedPackage> {
  const parent = await mkdtemp(join(tmpdir(), 'oikos-pack-'))
  try {
    const output = join(parent, 'package')
    const packed = await packFolder(folder, { ...packing, output })
    const objects = await openContentStore(join(output, 'objects'))
    for await (const cid of objects.list()) {
      const bytes = await objects.get(cid, { maxBytes: Number.MAX_SAFE_INTEGER })
      if (bytes !== undefined) await stage.store.put(bytes, cid === packed.rootCid ? 'dag-cbor' : 'raw')
    }
    await stage.store.put(packed.rootBytes, 'dag-cbor')
    return { taskHash: packed.taskHash, tdHash: packed.tdHash, uri: `ipfs://${packed.rootCid}` }
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

/** What a stranger does before trusting a tender: fetch its package and verify every byte against the chain. */
export async function verifyAgainstChain(stage: Stage, target: TaskTarget): Promise<void> {
  const tender = await getTender(stage.client.stranger, target)
  const { taskHash, tdHash, version } = tender.binding
  const { events } = await listTaskUpdated(stage.client.stranger, {
    ...target,
    fromBlock: stage.deployment.deployedAtBlock,
  })
  const { verdict } = await fetchTaskPackage({
    uri: tender.taskURI,
    taskHash,
    binding: { tdHash, version },
    history: events.map(({ args }) => ({ taskHash: args.taskHash, version: args.version })),
    terms: { maxCompletions: tender.terms.maxCompletions },
    resolver: createContentResolver({ store: stage.store }),
  })
  if (!verdict.ok) {
    const codes = verdict.findings.map(({ code, where }) => `${code} at ${where}`).join(', ')
    throw new Error(`the package of task ${target.tokenId} does not verify: ${codes}`)
  }
  stage.say.fact('verdict', `${verdict.status}: every object matches version ${version} on the chain`)
}

/** The account of a party. */
export function addressOf(stage: Stage, party: Party): Address {
  return stage.client[party].account.address
}

/** What an account has of an asset, in smallest units. */
export function balanceOf(stage: Stage, account: Address, asset: Asset = stage.dollar): Promise<bigint> {
  return getAssetBalance(stage.client.stranger, { asset: asset.address, account })
}

/** Puts money into the vault of a tender; of a token, the approval for exactly it comes first. */
export async function fundTender(
  stage: Stage,
  party: Party,
  target: TaskTarget,
  { asset, amountAtomic }: { asset: Asset; amountAtomic: bigint },
): Promise<void> {
  const client = stage.client[party]
  if (!isNativeAsset(asset)) {
    await approveAssetAndWait(client, { token: asset.address, spender: target.task, amountAtomic })
  }
  tellTransaction(stage, await fundTaskAndWait(client, { ...target, amountAtomic }))
}

/** An amount as people read it. */
export function amount(amountAtomic: bigint, asset: Asset = nativeAsset): string {
  return formatAmount(amountAtomic, asset)
}

/** Tells where a step ended on the chain. */
export function tellTransaction(stage: Stage, sent: { hash: Hash; receipt: { blockNumber: bigint } }): void {
  stage.say.fact('transaction', `${sent.hash} in block ${sent.receipt.blockNumber}`)
}
