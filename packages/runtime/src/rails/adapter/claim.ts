import type { DocumentDigest } from '@oikos/core/economic'
import type { SentTransactions } from '../sent/sent-transactions.ts'

/**
 * Takes something for the payment of one intent, for good: what makes a transaction one of its own. Two payments that are
 * equal in all that a transaction holds are one transaction, which pays once, while both would be seen as paid. Answers
 * whether it belongs to this intent, now or since before. The memory keeps who has what, under a key that is no transaction
 * id of any chain.
 */
export async function claimFor(
  sent: SentTransactions,
  what: string,
  intentDigest: DocumentDigest<'intent'>,
): Promise<boolean> {
  const key = `claim ${what}`
  return (await sent.note(key, intentDigest)) || (await sent.find(key))?.facts === intentDigest
}
