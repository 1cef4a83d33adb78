import { decompilePolicy, describePolicy } from '@oikos/core/scope-policy'
import type { AgentDetail } from '@oikos/indexer/rest'
import { getBoundary } from '@oikos/sdk'
import { type Client, getAddress, zeroAddress } from 'viem'
import { KNOWN_FUNCTIONS } from './known-calls.ts'

/** The boundary of an Agent in plain sentences, read from its contract by this browser. */
export type ScopeSentences = {
  readonly block: bigint
  readonly sentences: readonly string[]
  /** Whether the events account for every change that took effect. */
  readonly isComplete: boolean
  readonly pending: readonly {
    readonly readyAtSec: bigint
    readonly state: string
    readonly sentences: readonly string[]
  }[]
}

/** Signatures that rules are usually for; another function is shown by its selector. */
const SIGNATURES = KNOWN_FUNCTIONS.map((text) => text.replace('function ', ''))

/** Reads the boundary and writes it in sentences. Throws OikosError. */
export async function readScopeSentences(client: Client, agent: AgentDetail): Promise<ScopeSentences> {
  if (agent.scope === null) throw new Error('The index knows no boundary of this Agent.')
  const boundary = await getBoundary(client, {
    scope: getAddress(agent.scope),
    agent: getAddress(agent.address),
    fromBlock: BigInt(agent.createdAt.block),
  })
  const token = agent.acceptToken
  const acceptToken = {
    symbol: token?.symbol ?? 'TOKEN',
    address: getAddress(token?.address ?? zeroAddress),
    decimals: token?.decimals ?? 0,
  }
  const names = { acceptToken, signatures: SIGNATURES }
  const describe = (policy: Parameters<typeof decompilePolicy>[0]): readonly string[] =>
    describePolicy(decompilePolicy(policy, names)).map(({ text }) => text)
  return {
    block: boundary.blockNumber,
    sentences: describe({ ...boundary.state }),
    isComplete: boundary.isComplete,
    pending: boundary.pending.map(({ change, readyAtSec, state }) => ({
      readyAtSec,
      state,
      sentences: describe(change),
    })),
  }
}
