import { MAX_METADATA_BYTES, verifyAgentMetadata } from '@oikos/core/agent-metadata'
import { type AgentSnapshot, getAgentCode, toOikosError } from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import type { Address, Client } from 'viem'
import { getCode } from 'viem/actions'
import { type AuditFindings, addFinding } from './findings.ts'

/** What an audit found out about metadata and code. */
export type AuditedMetadata = {
  readonly uri: string
  readonly status: 'verified' | 'refused' | 'unavailable'
  readonly codes: readonly string[]
  /** Parts that were compared with bytecode and chain. */
  readonly checked: readonly string[]
  readonly implementation?: Address
}

/** Fetches the metadata of an Agent and holds its reclaim disclosure to the bytecode. Throws RpcError. */
export async function auditMetadata(
  client: Client,
  snapshot: AgentSnapshot,
  context: {
    readonly resolver: ContentResolver
    readonly findings: AuditFindings
    /** Implementations that are trusted. */
    readonly knownImplementations?: readonly Address[]
    readonly signal?: AbortSignal
  },
): Promise<AuditedMetadata> {
  const { agent, agentURI: uri, blockNumber } = snapshot
  const { findings, knownImplementations } = context
  const parsed = await getAgentCode(client, { agent, blockNumber })
  const implementation = parsed === undefined ? undefined : (parsed.implementation as Address)
  const isKnown = knownImplementations?.some((known) => known.toLowerCase() === implementation?.toLowerCase())
  if (isKnown !== true) {
    addFinding(findings, 'code.unknown', agent, `the code is that of ${implementation ?? 'no known form'}`)
  }
  const named = { uri, ...(implementation === undefined ? {} : { implementation }) }
  const resolved = await context.resolver.resolve(uri, {
    maxBytes: MAX_METADATA_BYTES,
    ...(context.signal && { signal: context.signal }),
  })
  if (!resolved.ok) {
    const code = resolved.code === 'mismatch' ? 'metadata.invalid' : 'metadata.missing'
    addFinding(findings, code, agent, resolved.message)
    const status = code === 'metadata.invalid' ? 'refused' : 'unavailable'
    return { ...named, status, codes: [], checked: [] }
  }
  const [code, implementationCode] = await Promise.all([
    readCode(client, agent, blockNumber),
    implementation === undefined ? undefined : readCode(client, implementation, blockNumber),
  ])
  const verdict = verifyAgentMetadata(resolved.bytes, {
    uri,
    facts: {
      chainId: BigInt(snapshot.chainId),
      reclaimHorizonSec: BigInt(snapshot.reclaimHorizonSec),
      acceptToken: snapshot.books.acceptToken,
      ...(code === undefined ? {} : { code }),
      ...(implementationCode === undefined ? {} : { implementationCode }),
      ...(knownImplementations === undefined ? {} : { knownImplementations }),
    },
  })
  for (const finding of verdict.findings) {
    // said above, from the same comparison
    if (finding.code === 'code.not-ours') continue
    const kind = finding.code.startsWith('reclaim.') ? 'metadata.reclaim' : 'metadata.invalid'
    addFinding(findings, kind, agent, `${finding.code} at ${finding.where}: ${finding.message}`)
  }
  const { ok, checked } = verdict
  return { ...named, status: ok ? 'verified' : 'refused', codes: verdict.findings.map((found) => found.code), checked }
}

async function readCode(client: Client, address: Address, blockNumber: bigint): Promise<string | undefined> {
  try {
    return await getCode(client, { address, blockNumber })
  } catch (error) {
    throw toOikosError(error, { contract: address })
  }
}
