import {
  documentDigest,
  type Evidence,
  PRODUCTION_LIMITS,
  parseEvidence,
  parseTrace,
  SEPOLIA_CHAIN_ID,
  signedDigest,
  utf8,
  verifyEvidence,
} from '@oikos/core/economic'
import { toOikosError } from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import { type Client, type Hash, hexToBytes, serializeTransaction, TransactionNotFoundError } from 'viem'
import { getTransaction, getTransactionReceipt } from 'viem/actions'
import { type AuditFindings, addFinding } from './findings.ts'

/** What an audit found out about one payment. */
export type AuditedPayment = {
  readonly digest: string
  /** Which action links it, or what the user named. */
  readonly where: string
  readonly status: 'verified' | 'refused' | 'unavailable'
  readonly result?: string
  readonly transactionId?: string
  /** Whether the chain has the transaction that was signed. */
  readonly isOnChain?: boolean
}

/** Bytes of Evidence that are read: the largest limit that a policy can set. */
export const MAX_EVIDENCE_BYTES = Number(PRODUCTION_LIMITS.max_evidence_bytes)

/** Fetches the Evidence that a record links, and audits it. Throws RpcError and the reason of an aborted signal. */
export async function auditEvidenceLink(
  link: { readonly digest: string; readonly uri?: string },
  where: string,
  context: {
    readonly resolver: ContentResolver
    readonly client: Client
    readonly chainId: number
    readonly findings: AuditFindings
    readonly signal?: AbortSignal
  },
): Promise<AuditedPayment> {
  const { digest, uri } = link
  if (uri === undefined) {
    addFinding(context.findings, 'evidence.missing', where, `${digest}: the record says not where it is`)
    return { digest, where, status: 'unavailable' }
  }
  const resolved = await context.resolver.resolve(uri, {
    maxBytes: MAX_EVIDENCE_BYTES,
    ...(context.signal && { signal: context.signal }),
  })
  if (!resolved.ok) {
    const code = resolved.code === 'mismatch' ? 'evidence.digest' : 'evidence.missing'
    addFinding(context.findings, code, where, `${digest}: ${resolved.message}`)
    return { digest, where, status: code === 'evidence.digest' ? 'refused' : 'unavailable' }
  }
  return auditEvidenceBytes(resolved.bytes, where, { ...context, digest })
}

/**
 * Replays Evidence and matches its payment with the chain: the transaction exists where the Evidence saw it confirmed, and
 * its signed bytes, put together again from the chain, have the digest that the trace holds. Throws RpcError.
 */
export async function auditEvidenceBytes(
  bytes: Uint8Array,
  where: string,
  context: {
    readonly findings: AuditFindings
    /** Digest that the Evidence must have. */
    readonly digest?: string
    readonly client?: Client
    readonly chainId?: number
  },
): Promise<AuditedPayment> {
  const { findings } = context
  const digest = documentDigest('evidence', bytes)
  if (context.digest !== undefined && context.digest !== digest) {
    addFinding(findings, 'evidence.digest', where, `got ${digest}, expected ${context.digest}`)
    return { digest: context.digest, where, status: 'refused' }
  }
  const verdict = verifyEvidence(bytes)
  if (!verdict.ok) {
    const [first] = verdict.findings
    addFinding(findings, 'evidence.replay', where, `${first?.code}: ${first?.message} ${first?.detail ?? ''}`)
    return { digest, where, status: 'refused' }
  }
  const { document } = parseEvidence(bytes)
  const { transaction_id: id } = document.result
  const described = { digest, where, result: document.result.status, ...(id === null ? {} : { transactionId: id }) }
  const isEvm = id !== null && /^0x[0-9a-f]{64}$/.test(id)
  if (!isEvm || context.client === undefined || BigInt(context.chainId ?? 0) !== SEPOLIA_CHAIN_ID) {
    const reason = id === null ? 'no transaction is named' : `${id} is on a chain that was not asked`
    addFinding(findings, 'evidence.not-matched', where, reason)
    return { ...described, status: 'verified' }
  }
  const isOnChain = await matchTransaction(context.client, id as Hash, document, where, findings)
  return {
    ...described,
    status: isOnChain === false ? 'refused' : 'verified',
    ...(isOnChain !== undefined && { isOnChain }),
  }
}

/** Whether the chain has the payment; undefined where the Evidence does not claim that it was confirmed. */
async function matchTransaction(
  client: Client,
  hash: Hash,
  evidence: Evidence,
  where: string,
  findings: AuditFindings,
): Promise<boolean | undefined> {
  const isClaimed = evidence.result.status === 'confirmed'
  const found = await findTransaction(client, hash)
  if (found === undefined || !found.isIncluded) {
    if (!isClaimed) {
      addFinding(findings, 'evidence.not-matched', where, `${hash} is not on the chain, and was not said to be`)
      return undefined
    }
    const message = found === undefined ? `${hash} is not known` : `${hash} is in no block, or failed there`
    addFinding(findings, 'evidence.transaction-missing', where, message)
    return false
  }
  const trace = parseTrace(utf8(evidence.trace.document)).document
  const signed = trace.events.find(({ kind }) => kind === 'transaction_signed')?.output_digest
  // a run that only looked again has signed nothing; its transaction is named and there
  if (signed === undefined || signed === null || signed === found.digest) return true
  addFinding(
    findings,
    'evidence.transaction-differs',
    where,
    `${hash}: the chain has ${found.digest}, signed was ${signed}`,
  )
  return false
}

async function findTransaction(
  client: Client,
  hash: Hash,
): Promise<{ readonly isIncluded: boolean; readonly digest: string } | undefined> {
  try {
    const transaction = await getTransaction(client, { hash })
    const isIncluded =
      transaction.blockNumber !== null && (await getTransactionReceipt(client, { hash })).status === 'success'
    if (transaction.type !== 'eip1559') return { isIncluded, digest: `a transaction of type ${transaction.type}` }
    const { chainId, nonce, maxFeePerGas, maxPriorityFeePerGas, gas, to, value, input, accessList } = transaction
    const { r, s, yParity } = transaction
    const bytes = serializeTransaction(
      {
        ...{ type: 'eip1559', chainId, nonce, maxFeePerGas, maxPriorityFeePerGas, gas, to, value },
        ...{ data: input, accessList },
      },
      { r, s, yParity },
    )
    return { isIncluded, digest: signedDigest(hexToBytes(bytes)) }
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined
    throw toOikosError(error)
  }
}
