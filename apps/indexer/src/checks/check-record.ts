import { type ReasoningCitation, verifyCitation } from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import type { Client } from 'viem'
import { type Citation, citationSchema } from '../rest/types.ts'
import type { CheckOutcome } from './check-store.ts'

/** Codes of one verdict that are kept. */
const MAX_CODES = 20

/** Checks a record against the chain. Throws RpcError where the node does not answer; the reason of an aborted signal. */
export async function checkRecord(
  subject: string,
  {
    client,
    resolver,
    signal,
  }: { readonly client: Client; readonly resolver: ContentResolver; readonly signal: AbortSignal },
): Promise<Omit<CheckOutcome, 'retryAtSec'>> {
  const cited = citationSchema.parse(JSON.parse(subject))
  const { chainId, agent } = cited
  const judged = await verifyCitation(client, {
    ...{ chainId, agent: agent as `0x${string}`, citation: toCitation(cited), resolver, signal },
  })
  const { status: state, verdict, findings } = judged
  const codes = [...findings.map(({ code }) => code), ...(verdict?.findings.map(({ code }) => code) ?? [])]
  return { state, codes: [...new Set<string>(codes)].slice(0, MAX_CODES), from: judged.from ?? null, title: null }
}

function toCitation({ record, action, actionCount, citedBefore, place }: Citation): ReasoningCitation {
  return {
    number: 1n,
    ...{ reasoningHash: record.hash as `0x${string}`, reasoningURI: record.uri },
    ...{ transactionHash: place.tx as `0x${string}`, blockNumber: BigInt(place.block) },
    ...{ action: action ?? undefined, actionCount, citedBefore: citedBefore as readonly `0x${string}`[] },
  }
}
