import { buildApproval, isIdentifier, parseApprovalRequest, utf8 } from '@oikos/core/economic'
import type { EconomicAgentHost, PaymentApprover, PaymentJournal, WalletCustody } from '../economic/host.ts'
import type { RehearsalChain } from './chain.ts'

/** What a rehearsal is played with. */
export type RehearsalHostOptions = {
  readonly journal: PaymentJournal
  readonly chain: RehearsalChain
  /** Milliseconds on a monotonic clock with any zero. */
  readonly elapsedMs: () => bigint
  /** Decides about a request; approves everything when absent. */
  readonly decide?: (approvalRequest: string) => 'approved' | 'rejected'
}

/**
 * A host whose chain, approver and custody exist in memory only, around any journal: for rehearsals, demonstrations,
 * benchmarks and tests. It pays on the EVM rail; the other rails and invoices are `definitely_not_started`.
 */
export function createRehearsalHost(options: RehearsalHostOptions): EconomicAgentHost {
  const { journal, chain, elapsedMs, decide = () => 'approved' as const } = options
  const absent = async () => 'definitely_not_started' as const
  const absentRail = { snapshot: absent, simulate: absent, broadcast: absent, reconcile: absent }
  return {
    journal,
    invoice: { fetchInvoice: absent },
    rails: { evm: chain.rail, solana: absentRail, bitcoin: absentRail },
    approver: approverOf(decide),
    custody: placeholderCustody,
    boundaryProbe: () => ({ elapsedMs }),
  }
}

function approverOf(decide: (approvalRequest: string) => 'approved' | 'rejected'): PaymentApprover {
  const [approvalId, approverId] = ['rehearsal.approval', 'rehearsal.approver']
  return {
    approve: async (requestText, sink) => {
      if (!isIdentifier(approvalId) || !isIdentifier(approverId)) return 'definitely_not_started'
      const request = parseApprovalRequest(utf8(requestText))
      const approval = buildApproval(request, {
        approval_id: approvalId,
        approver_id: approverId,
        decision: decide(requestText),
        expires_at_ms: request.document.expires_at_ms,
      })
      sink.push(approval.bytes)
      return 'succeeded'
    },
  }
}

/** Parity, r and s of 1: well formed, and valid for no key. */
const PLACEHOLDER_SIGNATURE = '010101'

/** Puts the placeholder where a signature belongs. There is no key, so nothing that it signs can move money. */
const placeholderCustody: WalletCustody = {
  sign: async ({ rail, unsignedTransaction }, sink) => {
    if (rail !== 'evm') return 'definitely_not_started'
    // Byte 0 is the transaction type, byte 1 the header of a list of at most 55 bytes, or 0xf8 and one length byte.
    const items = Buffer.from(unsignedTransaction.subarray(unsignedTransaction[1] === 0xf8 ? 3 : 2)).toString('hex')
    const signed = `${items}${PLACEHOLDER_SIGNATURE}`
    const length = signed.length / 2
    const header = length <= 55 ? (0xc0 + length).toString(16) : `f8${length.toString(16)}`
    sink.push(Buffer.from(`02${header}${signed}`, 'hex'))
    return 'succeeded'
  },
}
