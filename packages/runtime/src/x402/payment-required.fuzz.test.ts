import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offer, offerHeader, question } from '../../test/offer.ts'
import { invoiceTermsDigest } from './paid-by-transaction/terms.ts'
import { readOffer } from './payment-required.ts'
import { X402Refusal } from './refusal.ts'

/** Reads, and lets nothing but a refusal by rule through. */
function read(header: string) {
  try {
    return readOffer(header, question)
  } catch (cause) {
    if (!(cause instanceof X402Refusal) || cause.disposition !== 'policy_rejected') throw cause
    return undefined
  }
}

/** Where in an offer something can be changed: each key and index on the way. */
const paths: readonly (readonly string[])[] = pathsOf(offer)

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [[], ...Object.entries(value).flatMap(([key, member]) => pathsOf(member).map((path) => [key, ...path]))]
}

function changeAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) }
  copy[key] = changeAt(copy[key], rest, change)
  return copy
}

/** Values that hostile servers like to send. */
const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', '0', '-1', '1e400', '\u202e', '../..', '__proto__', 'eip155:1', '9'.repeat(100)),
  fc.constantFrom(-1, 0, 0.1, 2 ** 53, 1e308),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

describe('a PAYMENT-REQUIRED header', () => {
  test('of any text is refused by a rule', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (header) => {
        expect(read(header)).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })

  test('of any JSON is refused by a rule', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(offerHeader(value))).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })

  test('of a good offer with hostile changes is refused, or says the same in its entry and its invoice', () => {
    const change = fc.record({ path: fc.constantFrom(...paths), value: hostile })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = changes.reduce<unknown>((value, { path, value: next }) => {
          try {
            return changeAt(value, path, () => next)
          } catch {
            // An earlier change took away what this one is in.
            return value
          }
        }, offer) as typeof offer
        const invoice = read(offerHeader(changed))
        if (invoice === undefined) return
        const match = changed.accepts.find(({ scheme }) => scheme === 'paid-by-transaction')
        expect(match).toMatchObject({
          amount: invoice.amountAtomic.toString(),
          payTo: invoice.payTo,
          asset: invoice.asset,
        })
        expect(invoice.resource).toBe(`${question.origin}${question.resource}`)
        expect(invoice.expiresAtMs).toBeGreaterThan(question.nowMs)
      }),
      { numRuns: 5_000 },
    )
  })

  test('two offers whose terms differ have invoices whose digests differ', () => {
    const digest = (value: unknown) => {
      const invoice = read(offerHeader(value))
      return invoice === undefined ? undefined : invoiceTermsDigest(invoice)
    }
    const good = digest(offer)
    const fields = Object.keys(offer.accepts[0].extra.invoice).filter((key) => key !== 'tag')
    fc.assert(
      fc.property(fc.constantFrom(...fields), hostile, (field, value) => {
        const { invoice } = offer.accepts[0].extra
        if (JSON.stringify(value) === JSON.stringify(invoice[field as keyof typeof invoice])) return
        const changed = changeAt(offer, ['accepts', '0', 'extra', 'invoice', field], () => value)
        // The entry follows, so that nothing but the digest can tell.
        const outer = field in offer.accepts[0] ? changeAt(changed, ['accepts', '0', field], () => value) : changed
        const all = field === 'confirmations' ? changeAt(outer, ['accepts', '0', 'extra', field], () => value) : outer
        expect(digest(all)).not.toBe(good)
      }),
      { numRuns: 3_000 },
    )
  })
})
