import { type Address, getAddress, type Hash, isAddress, isHash } from 'viem'
import { type Deployment, DeploymentError } from './deployment.ts'

/** First member of a deployments document. */
export const DEPLOYMENTS_SCHEMA = 'oikos-deployments/1'

/** Longest document that is read, in UTF-16 units; {@link MAX_DEPLOYMENTS} entries have about half of it. */
const MAX_DOCUMENT_LENGTH = 1_048_576

/** Most Agents that one entry names. */
const MAX_AGENTS = 200

/** Most entries of one document. */
const MAX_DEPLOYMENTS = 1_000

/** Of networks and of Agents. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

/**
 * Reads a deployments document: `{"schema":"oikos-deployments/1","deployments":[{"chainId":11155111,"network":"local",
 * "genesisHash":"0x…","deployedAtBlock":"0","taskToken":"0x…","hashlockVerifier":"0x…","batchReceiptVerifier":"0x…"}]}`.
 * An entry may also have `"agentFactory":"0x…"` and, with it, `"agents":{"treasury":"0x…"}`.
 * Members that are not known are refused, so that a misspelt one does not go unnoticed.
 * @param document JSON text, or what JSON.parse made of it
 * @throws DeploymentError `malformed`, naming the member
 */
export function parseDeployments(document: unknown): readonly Deployment[] {
  const root = asObject(typeof document === 'string' ? parseJson(document) : document, 'the document')
  refuseUnknown(root, ['schema', 'deployments'], 'the document')
  if (root['schema'] !== DEPLOYMENTS_SCHEMA) throw malformed('schema', root['schema'], `"${DEPLOYMENTS_SCHEMA}"`)
  const list = root['deployments']
  if (!Array.isArray(list) || list.length > MAX_DEPLOYMENTS) {
    throw malformed('deployments', list, `a list of at most ${MAX_DEPLOYMENTS} deployments`)
  }
  return list.map((entry: unknown, index) => parseDeployment(entry, `deployments[${index}]`))
}

/** Writes a document that {@link parseDeployments} reads, ending in a line feed. */
export function formatDeployments(deployments: readonly Deployment[]): string {
  const list = deployments.map((deployment) => ({
    ...deployment,
    deployedAtBlock: deployment.deployedAtBlock.toString(),
  }))
  return `${JSON.stringify({ schema: DEPLOYMENTS_SCHEMA, deployments: list }, null, 2)}\n`
}

const ADDRESSES = ['taskToken', 'hashlockVerifier', 'batchReceiptVerifier'] as const

function parseDeployment(value: unknown, where: string): Deployment {
  const entry = asObject(value, where)
  refuseUnknown(
    entry,
    ['chainId', 'network', 'genesisHash', 'deployedAtBlock', ...ADDRESSES, 'agentFactory', 'agents'],
    where,
  )
  const { chainId, network, genesisHash, deployedAtBlock } = entry
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId < 1) {
    throw malformed(`${where}.chainId`, chainId, 'a whole number from 1')
  }
  if (typeof network !== 'string' || !NAME.test(network)) {
    throw malformed(`${where}.network`, network, 'a name of at most 40 lower-case letters, digits and hyphens')
  }
  if (typeof deployedAtBlock !== 'string' || !/^(0|[1-9][0-9]{0,19})$/.test(deployedAtBlock)) {
    throw malformed(`${where}.deployedAtBlock`, deployedAtBlock, 'a block number as text')
  }
  if (genesisHash !== undefined && !(typeof genesisHash === 'string' && isHash(genesisHash))) {
    throw malformed(`${where}.genesisHash`, genesisHash, 'the hash of block 0')
  }
  const [taskToken, hashlockVerifier, batchReceiptVerifier] = ADDRESSES.map((name) =>
    parseAddress(entry[name], `${where}.${name}`),
  ) as [Address, Address, Address]
  const genesis = genesisHash === undefined ? {} : { genesisHash: genesisHash.toLowerCase() as Hash }
  const place = { chainId, network, ...genesis, deployedAtBlock: BigInt(deployedAtBlock) }
  return { ...place, taskToken, hashlockVerifier, batchReceiptVerifier, ...parseAgents(entry, where) }
}

function parseAgents(entry: Record<string, unknown>, where: string): Pick<Deployment, 'agentFactory' | 'agents'> {
  if (entry['agentFactory'] === undefined) {
    if (entry['agents'] === undefined) return {}
    throw malformed(`${where}.agents`, entry['agents'], 'no Agents where there is no agentFactory')
  }
  const agentFactory = parseAddress(entry['agentFactory'], `${where}.agentFactory`)
  if (entry['agents'] === undefined) return { agentFactory }
  const named = Object.entries(asObject(entry['agents'], `${where}.agents`))
  if (named.length > MAX_AGENTS) throw malformed(`${where}.agents`, named.length, `at most ${MAX_AGENTS} Agents`)
  const agents = named.map(([name, address]) => {
    if (!NAME.test(name)) {
      throw malformed(`${where}.agents`, name, 'names of at most 40 lower-case letters, digits and hyphens')
    }
    return [name, parseAddress(address, `${where}.agents.${name}`)] as const
  })
  return { agentFactory, agents: Object.fromEntries(agents) }
}

function parseAddress(value: unknown, where: string): Address {
  if (typeof value !== 'string' || !isAddress(value) || /^0x0{40}$/.test(value)) {
    throw malformed(where, value, 'a contract address, with its checksum or in lower case')
  }
  return getAddress(value)
}

function parseJson(text: string): unknown {
  if (text.length > MAX_DOCUMENT_LENGTH) throw malformed('the document', `${text.length} characters`, 'at most 1 MiB')
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw malformed('the document', text, 'JSON', cause)
  }
}

function asObject(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw malformed(where, value, 'an object')
}

function refuseUnknown(value: Record<string, unknown>, known: readonly string[], where: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw malformed(where, unknown, `no members but ${known.join(', ')}`)
}

function malformed(where: string, got: unknown, expected: string, cause?: unknown): DeploymentError {
  const shown = (JSON.stringify(got) ?? 'nothing').slice(0, 80)
  return new DeploymentError('malformed', `Deployments: ${where} has ${shown}; expected ${expected}.`, {
    advice: 'Correct the file, or write it anew by deploying.',
    cause,
  })
}
