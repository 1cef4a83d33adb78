import { readFile } from 'node:fs/promises'
import {
  checkDeployment,
  connectedChainId,
  type Deployment,
  DeploymentError,
  getDeployment,
  parseDeployments,
  WrongChainError,
} from '@oikos/sdk'
import { type Address, type Client, createClient, getAddress, http, isAddress } from 'viem'
import { DeploymentMismatchError, NotFoundError, UsageError } from '../errors.ts'
import type { Input } from '../input/input.ts'
import type { Settings } from '../settings.ts'

/** A chain that answers, and the task market on it. */
export type Connection = {
  /** For reads: requests of one moment go together, and a read is tried again. */
  readonly client: Client
  readonly chainId: number
  readonly rpcUrl: string
  /** The task contract that numbers without a contract mean. Throws what {@link Connection.deployment} throws. */
  readonly contract: () => Promise<Address>
  /** The market of this chain, checked against it. Throws DeploymentError, DeploymentMismatchError. */
  readonly deployment: () => Promise<Deployment>
  /** As `deployment`, or undefined where there is none that fits. */
  readonly knownDeployment: () => Promise<Deployment | undefined>
}

/** How long a node may take to answer one request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000
/** How often a read is tried again. */
const READ_RETRIES = 2
/** Calls that go in one request; the smallest limit that public providers document is 100. */
const BATCH_SIZE = 50

/**
 * Connects to the node of the settings. Throws RpcError when it does not answer, and WrongChainError later when a task
 * of another chain is named.
 */
export async function connect(settings: Settings, input: Input): Promise<Connection> {
  const { rpcUrl } = settings
  const client = createClient({
    transport: http(rpcUrl, {
      batch: { batchSize: BATCH_SIZE },
      retryCount: READ_RETRIES,
      timeout: REQUEST_TIMEOUT_MS,
    }),
    pollingInterval: isLoopback(rpcUrl) ? 50 : 2_000,
  })
  const chainId = await connectedChainId(client)
  let known: Promise<Deployment> | undefined
  const deployment = (): Promise<Deployment> => {
    known ??= findDeployment(client, chainId, settings, input.text('network'))
    return known
  }
  const named = input.text('contract')
  return {
    client,
    chainId,
    rpcUrl,
    deployment,
    contract: async () => (named === undefined ? (await deployment()).taskToken : parseContract(named)),
    knownDeployment: async () => {
      try {
        return await deployment()
      } catch (error) {
        if (error instanceof DeploymentError || error instanceof DeploymentMismatchError) return undefined
        throw error
      }
    },
  }
}

/** Refuses a task of another chain than the one that is connected. Throws WrongChainError. */
export function assertSameChain(connection: Connection, chainId: number): void {
  if (chainId !== connection.chainId) throw new WrongChainError(connection.chainId, chainId)
}

function isLoopback(url: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname)
}

function parseContract(text: string): Address {
  if (isAddress(text)) return getAddress(text)
  throw new UsageError(`--contract: ${JSON.stringify(text.slice(0, 80))} is no address.`, 'Check its digits.')
}

async function findDeployment(
  client: Client,
  chainId: number,
  settings: Settings,
  network: string | undefined,
): Promise<Deployment> {
  const deployments = await readDeployments(settings)
  const deployment = getDeployment(chainId, { deployments, ...(network === undefined ? {} : { network }) })
  const verdict = await checkDeployment(client, deployment)
  if (verdict.ok) return deployment
  throw new DeploymentMismatchError(
    verdict.findings.map(({ message }) => message),
    verdict.findings.map(({ code }) => code),
    `The addresses are from ${settings.deployments.file}. A local chain forgets its contracts when it restarts: run "npm start" again, or name another file with --deployments.`,
  )
}

async function readDeployments({ deployments }: Settings): Promise<readonly Deployment[]> {
  try {
    return parseDeployments(await readFile(deployments.file, 'utf8'))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
    if (!deployments.named) return []
    throw new NotFoundError(`There is no deployments file ${deployments.file}.`, 'Check --deployments.', { cause })
  }
}
