import { EndpointError, EndpointsExhaustedError, NothingSentError } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'

/** Notes a transaction before anything of it leaves; answers whether it is the first note. Throws NothingSentError. */
export async function noteFirst(sent: SentTransactions, transactionId: string, facts: string): Promise<boolean> {
  try {
    return await sent.note(transactionId, facts)
  } catch (cause) {
    throw new NothingSentError(cause)
  }
}

/** Whether a failure of the transport proves that nothing left, so that a note can be taken back. */
export function isNothingSent(cause: unknown): boolean {
  return (cause instanceof EndpointError || cause instanceof EndpointsExhaustedError) && cause.effect === 'not-started'
}
