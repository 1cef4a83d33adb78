import { quotedBytes } from '../canonical.ts'
import type { PaymentIntent } from '../documents/intent.ts'
import type { Journal } from '../documents/journal.ts'
import type { Policy } from '../documents/policy.ts'
import type { BroadcastReceipt } from '../documents/receipt.ts'
import { receiptTextBytes } from '../documents/receipt.ts'
import type { TraceEvent } from '../documents/trace.ts'
import type { Sealed } from '../sealed.ts'
import { documentTexts, textsIn } from '../strings.ts'
import { utf8Length } from '../text.ts'

/** Length of a digest as text. */
const DIGEST_BYTES = 71n
/** Size of an event in the reference, on a 64-bit machine. A constant of the model. Source: notes, section 13. */
const EVENT_BYTES = 184n
/** Bytes that a retained document takes for each of its own: sixteen of depth and two. */
const RETAINED_FACTOR = 18n

/** Bytes that the retained policy takes. */
export function policyCost(policy: Sealed<'policy', Policy>): bigint {
  return BigInt(policy.bytes.length) * RETAINED_FACTOR + quotedBytes(...documentTexts(policy.document))
}

/** Bytes that the retained intent takes. Literals of the standard are not counted. */
export function intentCost(intent: Sealed<'intent', PaymentIntent>): bigint {
  const { payment, ...values } = intent.document
  const { kind: _, ...fields } = payment
  const texts = payment.kind === 'x402' ? textsIn(fields) : [payment.recipient]
  return BigInt(intent.bytes.length) * RETAINED_FACTOR + quotedBytes(...documentTexts(values), ...texts)
}

/** Bytes that an event takes. */
export function eventCost(event: TraceEvent): bigint {
  const digests = [event.input_digest, event.output_digest].filter((digest) => digest !== null)
  return EVENT_BYTES + DIGEST_BYTES * BigInt(digests.length)
}

/** Bytes that a copy of a journal takes. */
export function journalCloneCost(journal: Journal): bigint {
  const refs = [
    journal.plan,
    journal.simulation,
    journal.approval,
    journal.unsigned_transaction,
    journal.signed_transaction,
  ].filter((ref) => ref !== null)
  const capsules = [journal.broadcast, journal.reconciliation].filter((capsule) => capsule !== null)
  const retained = capsules.reduce((sum, capsule) => sum + BigInt(utf8Length(capsule.document)) + DIGEST_BYTES, 0n)
  const fixed = BigInt(utf8Length(journal.idempotency_key)) + journal.policy.bytes + journal.intent.bytes
  return fixed + DIGEST_BYTES * BigInt(3 + refs.length) + retained
}

/** Bytes that writing a journal takes: a copy, and its text. */
export function journalWriteCost(journal: Sealed<'journal', Journal>): bigint {
  return journalCloneCost(journal.document) + BigInt(journal.bytes.length)
}

/** Bytes that the provisional receipt takes. */
export function provisionalReceiptCost(receipt: BroadcastReceipt): bigint {
  return 2n * receiptTextBytes(receipt) + quotedBytes(receipt.disposition)
}
