import {
  type AgentSnapshot,
  type Asset,
  type Deployment,
  getAgent,
  getAgentCode,
  getAssetMetadata,
  getFactoryTerms,
  OikosError,
  shortAddress,
} from '@oikos/sdk'
import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'
import type { Context } from '../context.ts'
import { NotFoundError, UsageError } from '../errors.ts'
import type { Input } from '../input/input.ts'
import { MAX_UINT64, parseWhole } from '../input/number.ts'
import { assertSameChain, type Connection } from './connect.ts'

/** An Agent with everything that commands say about it. */
export type AgentView = {
  readonly connection: Connection
  readonly agent: Address
  readonly snapshot: AgentSnapshot
  /** The Accept Token. */
  readonly asset: Asset
  /** Whether its code is that of the factory in the deployments, which was compared with this version. */
  readonly isKnown: boolean
  /** First block of its history that is read. */
  readonly fromBlock: bigint
  /** `chainId:agent`. */
  readonly ref: string
  /** As the user named it, for the next command. */
  readonly named: string
}

/**
 * Reads the Agent that a text names: an address, `chainId:address`, or a name in the deployments.
 * @throws UsageError, NotFoundError, WrongChainError, and what getAgent throws
 */
export async function openAgent(context: Pick<Context, 'connection'>, input: Input, text: string): Promise<AgentView> {
  const connection = await context.connection()
  const { client, chainId } = connection
  const deployment = await connection.knownDeployment()
  const agent = findAgent(connection, deployment, text)
  const code = await getAgentCode(client, { agent })
  if (code === undefined) {
    throw new NotFoundError(
      `There is no Agent of the known form at ${agent} on chain ${chainId}.`,
      'Check the address and the chain; "agent list" shows those of the factory.',
    )
  }
  const snapshot = await getAgent(client, { agent })
  const asset = notShares(await getAssetMetadata(client, { asset: snapshot.books.acceptToken }))
  const isKnown = await isOfFactory(connection, deployment, code.implementation)
  const named = input.text('from-block')
  const known = isKnown && deployment !== undefined ? deployment.deployedAtBlock : 0n
  const fromBlock = named === undefined ? known : parseWhole(named, '--from-block', { min: 0n, max: MAX_UINT64 })
  return { connection, agent, snapshot, asset, isKnown, fromBlock, ref: `${chainId}:${agent}`, named: text }
}

/** A token that calls itself like the unit of shares is written by its address, so that no amount can be mistaken. */
function notShares(asset: Asset): Asset {
  return /^shares?$/i.test(asset.symbol) ? { ...asset, symbol: shortAddress(asset.address) } : asset
}

/** The factory that --factory names, else that of the deployment. Throws UsageError, NotFoundError, DeploymentError. */
export async function findFactory(connection: Connection, input: Input): Promise<Address> {
  const named = input.text('factory')
  if (named !== undefined) return parseContract(named, '--factory')
  const { agentFactory } = await connection.deployment()
  if (agentFactory !== undefined) return agentFactory
  throw new NotFoundError(
    'The deployments name no factory of Agents on this chain.',
    'Give it with --factory, or another file with --deployments.',
  )
}

/** What a reader should know before trusting an Agent; nothing when its code is known. */
export function standingWarnings({ agent, isKnown, asset }: AgentView): readonly string[] {
  const warnings = asset.warnings.map(
    (warning) => `The Accept Token ${asset.address} is not what it seems: ${warning}.`,
  )
  if (isKnown) return warnings
  return [`${agent} is not of the factory in your deployments: what its code does is not known here.`, ...warnings]
}

function findAgent(connection: Connection, deployment: Deployment | undefined, text: string): Address {
  const [chain, address] = /^([0-9]{1,15}):(0x[0-9a-fA-F]*)$/.exec(text)?.slice(1) ?? [undefined, text]
  if (chain !== undefined) assertSameChain(connection, Number(chain))
  if (address !== undefined && /^0x/i.test(address)) return parseContract(address, 'agent')
  const found = Object.entries(deployment?.agents ?? {}).find(([name]) => name === text)?.[1]
  if (found !== undefined) return found
  const known = Object.keys(deployment?.agents ?? {}).join(', ')
  throw new UsageError(
    `${JSON.stringify(text.slice(0, 80))} names no Agent.`,
    `Give its address, or chain:address${known === '' ? '' : `, or one of ${known}`}.`,
  )
}

function parseContract(text: string, what: string): Address {
  if (isAddress(text)) return getAddress(text)
  throw new UsageError(
    `${what}: ${JSON.stringify(text.slice(0, 80))} is no address, or its checksum is wrong.`,
    'Check it against where you have it from, or write it in lower case.',
  )
}

async function isOfFactory(
  { client }: Connection,
  deployment: Deployment | undefined,
  implementation: Address,
): Promise<boolean> {
  if (deployment?.agentFactory === undefined) return false
  try {
    const terms = await getFactoryTerms(client, { factory: deployment.agentFactory })
    return isAddressEqual(terms.implementation, implementation)
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) return false
    throw error
  }
}
