import { type ReasoningVerdict, readReasonedCall, verifyReasoning } from '@oikos/core/reasoning'
import type { AgentAction } from '@oikos/indexer/rest'
import { createContentResolver } from '@oikos/sdk/content'
import { type Client, getAddress, type Hex, isAddressEqual } from 'viem'
import { getTransaction } from 'viem/actions'

/** What this browser found about a record, or why it could not look. */
export type RecordCheck =
  | {
      readonly ok: boolean
      readonly verdict: ReasoningVerdict
      readonly evidence: readonly string[]
      readonly checkedAtSec: number
    }
  | { readonly ok: undefined; readonly message: string; readonly checkedAtSec: number }

/** Fetches the record of an action, compares its bytes with the chain's hash and its binding with the call that cites it. */
export async function checkRecord(
  client: Client,
  { action, signal }: { action: AgentAction; signal: AbortSignal },
): Promise<RecordCheck> {
  const checkedAtSec = Math.floor(Date.now() / 1000)
  const resolver = createContentResolver({ gateways: [location.origin], fetch: (url, init) => fetch(url, init) })
  const resolved = await resolver.resolve(action.record.uri, { maxBytes: 262_144, signal })
  if (!resolved.ok) return { ok: undefined, message: resolved.message, checkedAtSec }
  const call = await citingCall(client, action)
  const verdict = verifyReasoning(resolved.bytes, {
    hash: action.record.hash as Hex,
    uri: action.record.uri,
    binding: {
      chainId: BigInt(action.chainId),
      agent: getAddress(action.agent),
      ...(call === undefined ? {} : { action: call.action, callHash: call.callHash }),
    },
  })
  const evidence = verdict.record?.links.evidence?.map(({ digest }) => digest) ?? []
  return { ok: verdict.ok && verdict.anchored, verdict, evidence, checkedAtSec }
}

/** The call that cites the record; undefined where another contract called the Agent. */
async function citingCall(client: Client, action: AgentAction) {
  const { to, input } = await getTransaction(client, { hash: action.place.tx as Hex })
  if (to === null || !isAddressEqual(to, getAddress(action.agent))) return undefined
  try {
    const call = readReasonedCall(input)
    return call.reasoningHash === action.record.hash ? call : undefined
  } catch {
    return undefined
  }
}
