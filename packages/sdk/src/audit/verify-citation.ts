import {
  type ExpectedReasoning,
  MAX_RECORD_BYTES,
  type ReasonedCall,
  ReasonedCallError,
  type ReasoningVerdict,
  readReasonedCall,
  verifyReasoning,
} from '@oikos/core/reasoning'
import { type Address, type Client, type Hex, isAddressEqual } from 'viem'
import { getTransaction } from 'viem/actions'
import type { ContentResolver, ResolvedBytes } from '../content/resolver.ts'
import { toOikosError } from '../errors/to-oikos-error.ts'
import type { ReasoningCitation } from './list-citations.ts'

/** What is wrong with a citation beside the record itself. Stable codes. */
export type CitationFinding = {
  readonly code: 'record.unavailable' | 'record.unverifiable' | 'citation.replayed'
  readonly message: string
}

/**
 * A citation, judged. `verified`: the bytes are those that the chain anchors, they are a record, it names this action, and
 * no other action cites it. `unavailable`: nothing gave the bytes. `refused`: something is broken.
 */
export type JudgedCitation = {
  readonly citation: ReasoningCitation
  readonly status: 'verified' | 'refused' | 'unavailable'
  /** Where the bytes came from. */
  readonly from?: string
  /** Absent where there were no bytes. */
  readonly verdict?: ReasoningVerdict
  readonly findings: readonly CitationFinding[]
  /** Why there were no bytes. */
  readonly unresolved?: Extract<ResolvedBytes, { ok: false }>['code']
  readonly attempts: ResolvedBytes['attempts']
}

/** Parameters of {@link verifyCitation}. */
export type VerifyCitationParameters = {
  chainId: number
  agent: Address
  citation: ReasoningCitation
  resolver: ContentResolver
  signal?: AbortSignal
}

/**
 * Fetches the record of a citation and compares it with the chain: hash and URI of the event, and the call that cites it.
 * Where the Agent was called by another contract, the call data are not in the transaction, and `callHash` stays unchecked.
 * @throws RpcError; the reason of an aborted signal
 */
export async function verifyCitation(client: Client, parameters: VerifyCitationParameters): Promise<JudgedCitation> {
  const { chainId, agent, citation, resolver, signal } = parameters
  const call = await readCitingCall(client, agent, citation)
  const resolved = await resolver.resolve(citation.reasoningURI, {
    maxBytes: MAX_RECORD_BYTES,
    ...(signal === undefined ? {} : { signal }),
  })
  const findings = replaysOf(citation)
  if (!resolved.ok) {
    const code = resolved.code === 'unverifiable' ? 'record.unverifiable' : 'record.unavailable'
    const status = findings.length > 0 ? 'refused' : 'unavailable'
    return {
      citation,
      status,
      findings: [...findings, { code, message: resolved.message }],
      unresolved: resolved.code,
      attempts: resolved.attempts,
    }
  }
  const verdict = verifyReasoning(resolved.bytes, {
    hash: citation.reasoningHash,
    uri: citation.reasoningURI,
    binding: bindingOf(chainId, agent, citation, call),
  })
  const status = verdict.ok && verdict.anchored && findings.length === 0 ? 'verified' : 'refused'
  return { citation, status, from: resolved.from, verdict, findings, attempts: resolved.attempts }
}

function bindingOf(
  chainId: number,
  agent: Address,
  citation: ReasoningCitation,
  call: ReasonedCall | undefined,
): NonNullable<ExpectedReasoning['binding']> {
  const action = call?.action ?? citation.action
  return {
    ...{ chainId: BigInt(chainId), agent },
    ...(action === undefined ? {} : { action }),
    ...(call === undefined ? {} : { callHash: call.callHash }),
  }
}

function replaysOf({ citedBefore, actionCount }: ReasoningCitation): readonly CitationFinding[] {
  const code = 'citation.replayed'
  const [first] = citedBefore
  return [
    ...(first === undefined ? [] : [{ code, message: `the transaction ${first} cites this record, too` } as const]),
    ...(actionCount < 2 ? [] : [{ code, message: `${actionCount} actions of this transaction cite it` } as const]),
  ]
}

/** The call of a citation; undefined where the transaction does not hold it. Throws RpcError. */
async function readCitingCall(
  client: Client,
  agent: Address,
  { transactionHash, reasoningHash }: ReasoningCitation,
): Promise<ReasonedCall | undefined> {
  let transaction: { to: Address | null; input: Hex }
  try {
    transaction = await getTransaction(client, { hash: transactionHash })
  } catch (error) {
    throw toOikosError(error, { contract: agent })
  }
  if (transaction.to === null || !isAddressEqual(transaction.to, agent)) return undefined
  try {
    const call = readReasonedCall(transaction.input)
    return call.reasoningHash === reasoningHash ? call : undefined
  } catch (cause) {
    if (cause instanceof ReasonedCallError) return undefined
    throw cause
  }
}
