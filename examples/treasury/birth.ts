import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '@oikos/core'
import { type BuiltMetadata, buildAgentMetadata, RECLAIM_METHOD, verifyAgentMetadata } from '@oikos/core/agent-metadata'
import {
  compilePolicy,
  describePolicy,
  encodePolicyDocument,
  type PolicyDocument,
  parsePolicyDocument,
} from '@oikos/core/scope-policy'
import { createAgent, getAgentURI, getFactoryTerms } from '@oikos/sdk'
import { createContentResolver } from '@oikos/sdk/node'
import type { Address } from 'viem'
import { getCode } from 'viem/actions'
import { addressOf, type Party, type Stage, tellTransaction } from '../market/stage.ts'

/** Seven days: as long as nobody settles a request, so long does its requester wait to take it back. */
const reclaimHorizonSec = 604_800
/** One hour: nobody is settled at a price that was there to see when the request was made. */
export const minRequestAgeSec = 3_600
/** One dollar, in its smallest units, for one share. */
const initialRate = 1_000_000n
/** Who an Agent is. */
export type Character = {
  /** Name under which the deployments know it. */
  readonly key: string
  readonly name: string
  readonly symbol: string
  readonly description: string
  /** File of this folder with what it may do. */
  readonly policy: string
  readonly executor: Party
}

/** The two Agents of the story: one writes reports and saves what it earns, one labels messages. */
export const characters = {
  atlas: {
    ...{ key: 'atlas', name: 'Atlas', symbol: 'ATLAS', policy: 'policy.json', executor: 'operator' },
    description: 'Writes reports, and saves what it earns.',
  },
  mira: {
    ...{ key: 'mira', name: 'Mira', symbol: 'MIRA', policy: 'labels-policy.json', executor: 'clerk' },
    description: 'Labels messages.',
  },
} as const satisfies Record<string, Character>

/** Writes down what an Agent may do, lets it be born, and shows what a buyer checks before paying. */
export async function playBirth(stage: Stage, character: Character): Promise<Address> {
  const { client, deployment, say } = stage
  const { key, name, symbol, executor } = character
  say.step(
    'The owner',
    `writes down what ${name} may do. Before it exists, this is all that it will ever be able to do.`,
  )
  const document = await readPolicy(stage, character)
  for (const { text } of describePolicy(document)) say.note(text)
  const { policy } = compilePolicy(document)

  say.step('The owner', `lets ${name} be born: price, powers, boundary and metadata in one transaction.`)
  const metadata = await describeAgent(stage, character, document)
  const born = await createAgent(client.owner, client.owner, {
    factory: deployment.agentFactory,
    acceptToken: stage.dollar.address,
    initialPrice: '1.00',
    reclaimHorizonSec,
    ...{ name, symbol },
    owner: addressOf(stage, 'owner'),
    guardian: addressOf(stage, 'guardian'),
    executors: [addressOf(stage, executor)],
    agentURI: metadata.uri,
    minRequestAgeSec,
    corridorBpsPerDay: 5_000,
    scope: policy,
    scopeDelaySec: policy.delaySec,
  })
  tellTransaction(stage, born)
  say.fact('Agent', born.agent)
  say.fact('Executor', `${addressOf(stage, executor)}: it signs, within the boundary, and cannot widen it`)
  say.check(`npm run oikos -- agent show ${key}`)

  say.step('Ada', 'reads the metadata and compares it with the code before she pays.')
  await verifyMetadata(stage, born.agent)
  return born.agent
}

/** The policy of the folder, with the addresses of this chain. */
async function readPolicy(stage: Stage, character: Character): Promise<PolicyDocument> {
  const { deployment, dollar, savings } = stage
  const document = parsePolicyDocument(await readFile(join(import.meta.dirname, character.policy)))
  return {
    ...document,
    assets: { [dollar.symbol]: { address: dollar.address, decimals: dollar.decimals } },
    contracts: Object.fromEntries(
      Object.entries({ market: deployment.taskToken, savings }).filter(([name]) =>
        document.rules.some(({ to }) => to === name),
      ),
    ),
  }
}

/** Stores the policy and the metadata that names it. */
async function describeAgent(
  stage: Stage,
  { name, description }: Character,
  document: PolicyDocument,
): Promise<BuiltMetadata> {
  const policy = encodePolicyDocument(document)
  const built = buildAgentMetadata({
    ...{ name, description },
    image: '',
    reclaim: { horizon: reclaimHorizonSec, method: RECLAIM_METHOD },
    oikos: {
      chainId: BigInt(stage.deployment.chainId),
      acceptToken: stage.dollar.address,
      initialRate,
      fixedPrice: false,
      scopePolicy: { sha256: sha256(policy), uri: `ipfs://${await stage.store.put(policy)}` },
      settlement: 'All requests that are an hour old, together, at one price, whenever the operator settles.',
      roles: 'Owner, guardian and Executor are three keys.',
    },
  })
  await stage.store.put(built.bytes)
  return built
}

async function verifyMetadata(stage: Stage, agent: Address): Promise<void> {
  const { client, deployment, say, store } = stage
  const uri = await getAgentURI(client.ada, { agent })
  const { implementation } = await getFactoryTerms(client.ada, { factory: deployment.agentFactory })
  const [code, implementationCode] = await Promise.all([
    getCode(client.ada, { address: agent }),
    getCode(client.ada, { address: implementation }),
  ])
  const resolved = await createContentResolver({ store }).resolve(uri)
  if (!resolved.ok || code === undefined || implementationCode === undefined)
    throw new Error('the Agent cannot be read')
  const facts = {
    chainId: BigInt(deployment.chainId),
    code,
    implementationCode,
    knownImplementations: [implementation],
  }
  const { ok, findings, agentCode, checked } = verifyAgentMetadata(resolved.bytes, { uri, facts })
  if (!ok) throw new Error(`the metadata do not verify: ${findings.map(({ message }) => message).join('; ')}`)
  say.fact('verdict', `what the metadata say is what the code does (${checked.join(', ')})`)
  say.fact(
    'way out',
    `a request that nobody settles can be taken back after ${(agentCode?.reclaimHorizonSec ?? 0) / 86_400} days, by ${RECLAIM_METHOD}`,
  )
}
