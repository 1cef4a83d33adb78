import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskHash, TdHash } from '@oikos/core'
import {
  type Asset,
  type Deployment,
  deployTaskMarket,
  formatAmount,
  getTender,
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
  bytesToHex,
  type Chain,
  type Client,
  createClient,
  createTestClient,
  createWalletClient,
  type Hash,
  type Hex,
  http,
  publicActions,
  type Transport,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { getBalance } from 'viem/actions'
import { sepolia } from 'viem/chains'
import type { Narrator } from './narrator.ts'

/** The parties of the examples, each with an account that the embedded chain has funded. */
export type Party = 'demander' | 'patron' | 'worker' | 'author' | 'judge' | 'stranger'
/** A client that signs as one party. */
export type PartyClient = Client<Transport, Chain, Account>

/** Everything a worked tender needs: a chain with the contracts, signing parties, a content store, and who listens. */
export type Stage = {
  deployment: Deployment
  client: Readonly<Record<Party, PartyClient>>
  store: ContentStore
  say: Narrator
  /** Moves the chain's clock. */
  passTime: (seconds: bigint) => Promise<void>
}

/** A package as it was packed, and where it can be found. */
export type PublishedPackage = { taskHash: TaskHash; tdHash: TdHash; uri: string }

/** The mnemonic that anvil funds; public, and worth nothing anywhere else. */
const developmentMnemonic = 'test test test test test test test test test test test junk'

/** Deploys the task market on the chain at `url` and gives every party an account of it. */
export async function setStage(options: { url: string; contentFolder: string; say: Narrator }): Promise<Stage> {
  const transport = http(options.url)
  const signAs = (addressIndex: number): PartyClient => {
    const account = mnemonicToAccount(developmentMnemonic, { addressIndex })
    return createClient({ account, chain: sepolia, transport, pollingInterval: 20 })
  }
  const client: Record<Party, PartyClient> = {
    demander: signAs(0),
    patron: signAs(1),
    worker: signAs(2),
    author: signAs(3),
    judge: signAs(4),
    stranger: signAs(5),
  }
  const deployer = createWalletClient({ account: client.demander.account, chain: sepolia, transport })
  const node = createTestClient({ mode: 'anvil', chain: sepolia, transport, pollingInterval: 20 }).extend(publicActions)
  const deployment = await deployTaskMarket(deployer, node, { name: 'Oikos Tasks', symbol: 'TASK' })
  await mkdir(options.contentFolder, { recursive: true })
  return {
    deployment,
    client,
    store: await openContentStore(options.contentFolder),
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
export function addressOf(stage: Stage, party: Party): `0x${string}` {
  return stage.client[party].account.address
}

/** Native balance of an address, in wei. */
export function balanceOf(stage: Stage, address: `0x${string}`): Promise<bigint> {
  return getBalance(stage.client.stranger, { address })
}

/** An amount as people read it. */
export function amount(amountAtomic: bigint, asset: Asset = nativeAsset): string {
  return formatAmount(amountAtomic, asset)
}

/** Tells where a step ended on the chain. */
export function tellTransaction(stage: Stage, sent: { hash: Hash; receipt: { blockNumber: bigint } }): void {
  stage.say.fact('transaction', `${sent.hash} in block ${sent.receipt.blockNumber}`)
}
