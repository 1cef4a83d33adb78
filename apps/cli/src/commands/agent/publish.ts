import { type RawCid, rawCidOf } from '@oikos/core'
import {
  type AgentMetadata,
  AgentMetadataError,
  buildAgentMetadata,
  MAX_METADATA_BYTES,
  type OikosProperties,
  RECLAIM_METHOD,
} from '@oikos/core/agent-metadata'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputText } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'

/** Puts bytes into the content store and reads them back; in a dry run it only says where they would be. */
export async function publishBytes(context: Context, input: Input, bytes: Uint8Array): Promise<RawCid> {
  const cid = rawCidOf(bytes)
  if (input.flag('dry-run')) return cid
  const store = await context.store()
  await store.put(bytes)
  const back = await store.get(cid, { maxBytes: bytes.length })
  if (back !== undefined) return cid
  throw new UsageError(`${cid} was stored and cannot be read back.`, 'Check the content store with --content.')
}

/** What the chain says about an Agent that its metadata disclose. */
export type Disclosure = { readonly name: string; readonly reclaimHorizonSec: number; readonly oikos: OikosProperties }

/**
 * Builds the metadata document of an Agent from what people write (description, image, external_url, properties) and what
 * the chain says, and stores it.
 * @returns the agentURI
 * @throws UsageError, NotFoundError
 */
export async function publishMetadata(
  context: Context,
  input: Input,
  path: string,
  { name, reclaimHorizonSec, oikos }: Disclosure,
): Promise<string> {
  const value = parseObject(await readInputText(context.terminal.cwd, path, { maxBytes: MAX_METADATA_BYTES }), path)
  const unknown = Object.keys(value).find((member) => !MEMBERS.includes(member))
  if (unknown !== undefined) {
    throw new UsageError(`${path} has ${JSON.stringify(unknown.slice(0, 40))}.`, `Known are ${MEMBERS.join(', ')}.`)
  }
  const metadata = {
    ...{ name: value['name'] ?? name, description: value['description'], image: value['image'] },
    ...(value['external_url'] === undefined ? {} : { externalUrl: value['external_url'] }),
    ...(value['properties'] === undefined ? {} : { properties: value['properties'] }),
    reclaim: { horizon: reclaimHorizonSec, method: RECLAIM_METHOD },
    oikos,
  } as AgentMetadata
  try {
    const { bytes, uri } = buildAgentMetadata(metadata)
    await publishBytes(context, input, bytes)
    return uri
  } catch (cause) {
    if (!(cause instanceof AgentMetadataError)) throw cause
    const [first] = cause.findings
    throw new UsageError(
      `${path}: ${first?.where ?? 'metadata'} ${first?.message ?? 'cannot be used'}.`,
      'Write {"description":"…","image":"ipfs://…"}; docs/agent-metadata.md describes it.',
      { cause },
    )
  }
}

const MEMBERS: readonly string[] = ['name', 'description', 'image', 'external_url', 'properties']

function parseObject(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new UsageError(`${path} is no JSON.`, 'Check the file.', { cause })
  }
  throw new UsageError(`${path} holds no JSON object.`, 'Check the file.')
}
