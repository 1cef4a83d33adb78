import { checkFactoryCode, type Deployment, getFactoryTerms } from '@oikos/sdk'
import { type Client, createClient, http } from 'viem'
import { getBlock, getChainId } from 'viem/actions'
import { type ChainPlan, formatPlan, type IndexPlan, parsePlan } from './index-plan.ts'
import { IndexPlanError } from './plan-error.ts'

/** Hosts of nodes on this machine: on a chain of one's own, every transfer can be looked at. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** What an index is planned from. */
export type PlanOptions = {
  /** As `parseDeployments` reads them. Several of one network are indexed together. */
  readonly deployments: readonly Deployment[]
  /** URLs of nodes by chain id, one at least for every chain. */
  readonly rpcUrls: Readonly<Record<number, string | readonly string[]>>
  readonly pollingIntervalMs?: number
  /** Default: where the first node is on this machine. */
  readonly followAllTransfers?: boolean
}

/**
 * Reads from the chains what a plan needs beside the deployments: that the node is of that chain, and the Scope of every
 * factory, whose code is compared with ours. Throws IndexPlanError, RpcError.
 */
export async function planChains(options: PlanOptions): Promise<readonly ChainPlan[]> {
  const byChain = new Map<number, Deployment[]>()
  for (const deployment of options.deployments) {
    const list = byChain.get(deployment.chainId) ?? []
    byChain.set(deployment.chainId, [...list, deployment])
  }
  if (byChain.size === 0) throw new IndexPlanError('deployments', 'none', 'one at least')
  return Promise.all([...byChain].map(([chainId, deployments]) => planChain(chainId, deployments, options)))
}

async function planChain(
  chainId: number,
  deployments: readonly Deployment[],
  { rpcUrls, pollingIntervalMs = 1_000, followAllTransfers }: PlanOptions,
): Promise<ChainPlan> {
  const [first] = deployments
  const networks = new Set(deployments.map(({ network }) => network))
  if (first === undefined || networks.size > 1) {
    throw new IndexPlanError('deployments', `${[...networks].join(' and ')} on chain ${chainId}`, 'one network a chain')
  }
  const given = rpcUrls[chainId] ?? []
  const urls = typeof given === 'string' ? [given] : given
  const [url] = urls
  if (url === undefined) throw new IndexPlanError(`rpcUrls[${chainId}]`, 'nothing', 'the URL of a node')
  const client = createClient({ transport: http(url) })
  const connected = await getChainId(client)
  if (connected !== chainId) throw new IndexPlanError(`rpcUrls[${chainId}]`, `chain ${connected}`, `chain ${chainId}`)
  const { hash: genesisHash } = await getBlock(client, { blockNumber: 0n })
  const other = deployments.find((one) => one.genesisHash !== undefined && one.genesisHash !== genesisHash)
  if (other !== undefined) {
    throw new IndexPlanError(
      `rpcUrls[${chainId}]`,
      `block 0 ${genesisHash}`,
      `block 0 ${other.genesisHash} of the deployment`,
    )
  }
  const factories = new Set(deployments.flatMap(({ agentFactory }) => agentFactory ?? []))
  const verifiers = deployments.flatMap((one) => [one.hashlockVerifier, one.batchReceiptVerifier])
  return {
    ...{ chainId, network: first.network, genesisHash, rpcUrls: [...urls] },
    startBlock: Number(deployments.reduce((least, one) => min(least, one.deployedAtBlock), first.deployedAtBlock)),
    ...{ pollingIntervalMs, followAllTransfers: followAllTransfers ?? LOOPBACK.has(new URL(url).hostname) },
    taskContracts: lowered(deployments.map(({ taskToken }) => taskToken)),
    verifiers: lowered(verifiers),
    agentFactories: await Promise.all([...factories].map((factory) => planFactory(client, factory))),
  }
}

async function planFactory(client: Client, factory: `0x${string}`): Promise<ChainPlan['agentFactories'][number]> {
  const problem = await checkFactoryCode(client, { factory })
  if (problem !== undefined) throw new IndexPlanError(`agentFactory ${factory}`, problem, 'the factory of this version')
  const { scope } = await getFactoryTerms(client, { factory })
  return { address: factory.toLowerCase(), scope: scope.toLowerCase() }
}

/** A whole plan as text, after a round trip through the reader that the processes use. */
export function writePlan(plan: Omit<IndexPlan, 'schema'>): string {
  const text = formatPlan(plan)
  parsePlan(text)
  return text
}

const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)
const lowered = (addresses: readonly string[]): string[] => [...new Set(addresses.map((one) => one.toLowerCase()))]
