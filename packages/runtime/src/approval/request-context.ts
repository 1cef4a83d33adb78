import { parseApprovalRequest, utf8 } from '@oikos/core/economic'
import type { JournalArchive } from '../journal/archive.ts'
import { JournalReadError } from '../journal/errors.ts'
import type { RequestContext } from './request-view.ts'

/**
 * What a payer knows of its own requests: the documents of the payment, and what its journal has reserved of the rolling 24
 * hours, the payment itself included. A journal that does not answer leaves that unknown.
 */
export function payerContext(
  archive: Pick<JournalArchive, 'getWindowTotals'>,
  documents: Pick<RequestContext, 'intent' | 'policy'>,
): (requestText: string) => Promise<RequestContext> {
  return async (requestText) => {
    const { wallet_id: walletId, rail, network, asset } = parseApprovalRequest(utf8(requestText)).document
    try {
      const { reservedAtomic } = await archive.getWindowTotals({ walletId, rail, network, asset })
      return { ...documents, reservedAtomic }
    } catch (cause) {
      if (!(cause instanceof JournalReadError)) throw cause
      return documents
    }
  }
}
