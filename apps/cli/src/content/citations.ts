import { type Cid, isCid, parseSha256Digest, type Sha256Digest, toDagCborCid } from '@oikos/core'
import {
  type EventPage,
  getAgentURI,
  listAgentCreated,
  listAgentEvents,
  listTaskEvents,
  type TaskUpdatedEvent,
} from '@oikos/sdk'
import { findCidsInText } from '@oikos/sdk/node'
import { type Address, getAddress } from 'viem'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { parseAddress } from '../input/address.ts'
import { readInputText } from '../input/file.ts'
import type { Input } from '../input/input.ts'

/** Everything that chain and user rely on in a content store. */
export type Citations = {
  readonly cids: ReadonlySet<Cid>
  /** Every 32 bytes that an event holds, taken as a SHA-256 digest: too much rather than too little. */
  readonly digests: ReadonlySet<Sha256Digest>
  /** What was read, for the report. */
  readonly sources: readonly string[]
}

/** Bytes of a file of CIDs: a million of them. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/**
 * Reads what is cited: every CID and every 32 bytes in the events of the task contract, of the factory's Agents, and of the
 * Agents that the command line names, and the CIDs of a file. All events from the first block of the deployment are read.
 * @throws UsageError when nothing says what is cited, DeploymentError, RpcError
 */
export async function readCitations(context: Context, input: Input): Promise<Citations> {
  const found = { cids: new Set<Cid>(), digests: new Set<Sha256Digest>(), sources: [] as string[] }
  const file = input.text('cited')
  if (file !== undefined) await addFile(context, file, found)
  if (!input.flag('only-cited')) await addChain(context, input, found)
  if (found.sources.length === 0) {
    throw new UsageError('Nothing says what is cited.', 'Leave out --only-cited, or give --cited <file>.')
  }
  return found
}

type Found = { readonly cids: Set<Cid>; readonly digests: Set<Sha256Digest>; readonly sources: string[] }

async function addFile(context: Context, file: string, { cids, sources }: Found): Promise<void> {
  const text = await readInputText(context.terminal.cwd, file, { maxBytes: MAX_FILE_BYTES })
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.trim().replace(/^ipfs:\/\//, '')
    if (entry === '' || entry.startsWith('#')) continue
    if (!isCid(entry)) throw new UsageError(`${file}: line ${index + 1} is no CID.`, 'Write one CID a line.')
    cids.add(entry)
  }
  sources.push(file)
}

async function addChain(context: Context, input: Input, found: Found): Promise<void> {
  const connection = await context.connection()
  const deployment = await connection.deployment()
  const fromBlock = deployment.deployedAtBlock
  const { client } = connection
  const task = await connection.contract()
  await scan(context, found, `task contract ${task}`, fromBlock, (block) =>
    listTaskEvents(client, { task, fromBlock: block }),
  )
  const agents = new Set<Address>()
  for (const named of input.list('agent')) agents.add(getAddress(await parseAddress(context, named, '--agent')))
  for (const known of Object.values(deployment.agents ?? {})) agents.add(getAddress(known))
  const { agentFactory: factory } = deployment
  if (factory !== undefined) {
    for await (const event of allEvents(fromBlock, (block) =>
      listAgentCreated(client, { factory, fromBlock: block }),
    )) {
      agents.add(getAddress(event.args.agent))
    }
  }
  for (const agent of agents) {
    await scan(context, found, `Agent ${agent}`, fromBlock, (block) =>
      listAgentEvents(client, { agent, fromBlock: block }),
    )
    for (const cid of findCidsInText(await getAgentURI(client, { agent }))) found.cids.add(cid)
  }
}

async function scan<event extends { readonly eventName: string; readonly args: unknown }>(
  context: Context,
  found: Found,
  source: string,
  fromBlock: bigint,
  list: (fromBlock: bigint) => Promise<EventPage<event>>,
): Promise<void> {
  let count = 0
  for await (const event of allEvents(fromBlock, list)) {
    context.terminal.signal.throwIfAborted()
    count += 1
    addValue(event.args, found)
    if (isTaskUpdated(event)) found.cids.add(toDagCborCid(parseSha256Digest(event.args.taskHash)))
  }
  context.output.say(`read ${count} events of the ${source}`)
  found.sources.push(source)
}

function isTaskUpdated(event: { readonly eventName: string }): event is TaskUpdatedEvent {
  return event.eventName === 'TaskUpdated'
}

async function* allEvents<event>(
  fromBlock: bigint,
  list: (fromBlock: bigint) => Promise<EventPage<event>>,
): AsyncGenerator<event> {
  for (let next: bigint | undefined = fromBlock; next !== undefined; ) {
    const page: EventPage<event> = await list(next)
    yield* page.events
    next = page.nextFromBlock
  }
}

const DIGEST = /^0x[0-9a-f]{64}$/i

function addValue(value: unknown, found: Found): void {
  if (typeof value === 'string') {
    if (DIGEST.test(value)) found.digests.add(parseSha256Digest(value))
    else for (const cid of findCidsInText(value)) found.cids.add(cid)
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) addValue(member, found)
  }
}
