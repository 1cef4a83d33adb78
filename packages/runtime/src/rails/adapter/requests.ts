import {
  EconomicError,
  type PaymentIntent,
  type PaymentPlan,
  parseIntent,
  parsePlan,
  type Rail,
  type Sealed,
  unsignedDigest,
  utf8,
} from '@oikos/core/economic'
import { RailRefusalError } from './call.ts'

/** Reads the intent of a snapshot. Throws RailRefusalError unless it is one that settles on this rail. */
export function readIntent(rail: Rail, intentText: string): Sealed<'intent', PaymentIntent> {
  const intent = refuseUnreadable('intent', () => parseIntent(utf8(intentText)))
  const { payment } = intent.document
  const settles = payment.kind === 'x402' ? payment.settlement_rail : payment.kind
  if (settles !== rail) throw new RailRefusalError(`intent: settles on ${settles}, expected ${rail}`)
  return intent
}

/** Reads the plan of a simulation. Throws RailRefusalError unless it is one of this rail and of these unsigned bytes. */
export function readPlan(rail: Rail, planText: string, unsigned: Uint8Array): Sealed<'plan', PaymentPlan> {
  const plan = refuseUnreadable('plan', () => parsePlan(utf8(planText)))
  if (plan.document.rail !== rail) throw new RailRefusalError(`plan: of ${plan.document.rail}, expected ${rail}`)
  if (plan.document.unsigned_transaction.digest !== unsignedDigest(unsigned))
    throw new RailRefusalError('plan: names other unsigned bytes than were given')
  return plan
}

/** Runs a reader of the core. Throws RailRefusalError where it refuses what it was given. */
export function refuseUnreadable<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof EconomicError) throw new RailRefusalError(`${what}: ${cause.message}`, { cause })
    throw cause
  }
}
