import { describe, expect, test } from 'vitest'
import { offer, offerHeader, question } from '../../test/offer.ts'
import { paymentRequiredHeader, readOffer } from './payment-required.ts'

const refusedWith = (code: string) =>
  expect.objectContaining({ name: 'X402Refusal', code, disposition: 'policy_rejected', retryable: false })

const entry = offer.accepts[0]
const { invoice } = entry.extra

/** The offer with one entry, whose fields and invoice fields are replaced; undefined removes a field. */
function withEntry(fields: object, invoiceFields: object = {}) {
  const changed = { ...entry, ...fields, extra: { ...entry.extra, invoice: { ...invoice, ...invoiceFields } } }
  return { ...offer, accepts: [changed] }
}

test('a good offer is read', () => {
  expect(readOffer(offerHeader(offer), question)).toMatchObject({
    rail: 'evm',
    amountAtomic: 1_000n,
    payTo: entry.payTo,
    confirmations: 1,
    nonce: invoice.nonce,
    expiresAtMs: invoice.expiresAtMs,
  })
})

describe('the answer', () => {
  const answer = (status: number, ...values: readonly string[]) => ({
    status,
    headers: new Map(values.length === 0 ? [] : [['payment-required', values]]),
    body: new Uint8Array(),
  })

  test.each([200, 201, 400, 401, 403, 404, 409, 412, 429, 500, 503])(
    'status %s is no demand for payment, and the request may have had an effect',
    (status) => {
      expect(() => paymentRequiredHeader(answer(status, offerHeader(offer)))).toThrow(
        expect.objectContaining({ code: 'not_payment_required', disposition: 'failed_uncertain' }),
      )
    },
  )

  test('has exactly one header', () => {
    expect(() => paymentRequiredHeader(answer(402))).toThrow(refusedWith('header_missing'))
    expect(() => paymentRequiredHeader(answer(402, 'e30=', 'e30='))).toThrow(refusedWith('header_missing'))
    expect(paymentRequiredHeader(answer(402, 'e30='))).toBe('e30=')
  })
})

describe('refusals, each by its code', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  test.each([
    ['empty', ''],
    ['not base64', '%%%'],
    ['base64 of a URL', 'e-_='],
    ['base64 with a space', `${offerHeader(offer)} `],
    ['base64 without its padding', 'e30'],
    ['base64 with bits behind its end', 'e31='],
    ['not UTF-8', Buffer.from([0xff, 0xfe]).toString('base64')],
    ['not JSON', base64('{')],
    ['a list', base64('[]')],
    ['null', base64('null')],
    ['a text', base64('"x"')],
    ['nested without end', base64('['.repeat(12_000))],
    ['longer than any demand', base64(JSON.stringify({ x: 'y'.repeat(30_000) }))],
    ['without entries', offerHeader({ ...offer, accepts: [] })],
    ['with too many entries', offerHeader({ ...offer, accepts: Array.from({ length: 33 }, () => entry) })],
    ['with entries that are no list', offerHeader({ ...offer, accepts: { 0: entry } })],
    ['without a resource', offerHeader({ ...offer, resource: undefined })],
    ['with a resource of version 1', offerHeader({ ...offer, resource: 'https://market.example.org/data' })],
  ])('header_malformed: %s', (_what, header) => {
    expect(() => readOffer(header, question)).toThrow(refusedWith('header_malformed'))
  })

  test.each([
    ['version', { ...offer, x402Version: 1 }],
    ['version', { ...offer, x402Version: '2' }],
    ['resource_mismatch', { ...offer, resource: { url: 'https://market.example.org/data/' } }],
    ['resource_mismatch', { ...offer, resource: { url: 'http://market.example.org/data' } }],
    ['resource_mismatch', { ...offer, resource: { url: 'https://market.example.org/data?x' } }],
    ['resource_mismatch', { ...offer, resource: { url: 'https://MARKET.example.org/data' } }],
    ['no_match', withEntry({ scheme: 'exact' })],
    ['no_match', withEntry({ network: 'eip155:1' })],
    ['no_match', { ...offer, accepts: [null] }],
    ['ambiguous', { ...offer, accepts: [entry, entry] }],
    ['ambiguous', { ...offer, accepts: [entry, { ...entry, amount: '7' }] }],
    ['terms_malformed', { ...offer, accepts: [{ ...entry, extra: undefined }] }],
    ['terms_malformed', { ...offer, accepts: [{ ...entry, extra: {} }] }],
    ['terms_malformed', { ...offer, accepts: [{ ...entry, extra: { invoice: 'x' } }] }],
    ['expiry_missing', withEntry({}, { expiresAtMs: undefined })],
    ['expiry_missing', withEntry({}, { expiresAtMs: null })],
    ['expiry_missing', withEntry({}, { expiresAtMs: '1900000060000' })],
    ['expiry_missing', withEntry({}, { expiresAtMs: 1.5 })],
    ['expiry_missing', withEntry({}, { expiresAtMs: invoice.issuedAtMs })],
    ['terms_malformed', withEntry({}, { amount: '0' })],
    ['terms_malformed', withEntry({}, { amount: '01' })],
    ['terms_malformed', withEntry({}, { amount: '-1' })],
    ['terms_malformed', withEntry({}, { amount: '1e3' })],
    ['terms_malformed', withEntry({}, { amount: 1000 })],
    ['terms_malformed', withEntry({}, { amount: '18446744073709551616' })],
    ['terms_malformed', withEntry({}, { payTo: entry.payTo.toUpperCase() })],
    ['terms_malformed', withEntry({}, { payTo: '0x1' })],
    ['terms_malformed', withEntry({}, { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' })],
    ['terms_malformed', withEntry({}, { network: 'eip155:1' })],
    ['terms_malformed', withEntry({}, { confirmations: 0 })],
    ['terms_malformed', withEntry({}, { confirmations: 145 })],
    ['terms_malformed', withEntry({}, { method: 'get' })],
    ['terms_malformed', withEntry({}, { nonce: 'SHORT' })],
    ['terms_malformed', withEntry({}, { resource: 'https://market.example.org/data\n' })],
    ['terms_malformed', withEntry({}, { redeemUntilMs: invoice.expiresAtMs - 1 })],
    ['terms_malformed', withEntry({}, { tag: 'x' })],
    ['terms_malformed', withEntry({}, { surprise: 1 })],
    ['terms_conflict', withEntry({ amount: '1' })],
    ['terms_conflict', withEntry({ amount: 1000 })],
    ['terms_conflict', withEntry({ payTo: `0x${'22'.repeat(20)}` })],
    ['terms_conflict', withEntry({ asset: 'native:sol' })],
    ['terms_conflict', withEntry({}, { confirmations: 2 })],
    ['resource_mismatch', withEntry({}, { resource: 'https://market.example.org/other' })],
    ['resource_mismatch', withEntry({}, { method: 'POST' })],
    ['identifier_missing', { ...offer, extensions: undefined }],
    ['identifier_missing', { ...offer, extensions: {} }],
    ['identifier_missing', { ...offer, extensions: { 'payment-identifier': {} } }],
  ])('%s (row %#)', (code, changed) => {
    expect(() => readOffer(offerHeader(changed), question)).toThrow(refusedWith(code))
  })

  test('expired, from the very millisecond of the end', () => {
    const at = (nowMs: number) => () => readOffer(offerHeader(offer), { ...question, nowMs })
    expect(at(invoice.expiresAtMs - 1)).not.toThrow()
    expect(at(invoice.expiresAtMs)).toThrow(refusedWith('expired'))
  })

  test('expiry_too_far, beyond one day', () => {
    const day = 86_400_000
    const end = (ms: number) => offerHeader(withEntry({}, { expiresAtMs: ms, redeemUntilMs: ms }))
    expect(() => readOffer(end(question.nowMs + day), question)).not.toThrow()
    expect(() => readOffer(end(question.nowMs + day + 1), question)).toThrow(refusedWith('expiry_too_far'))
  })
})

describe('the order of refusals', () => {
  type Invoice = Record<string, unknown>
  type Entry = Record<string, unknown> & { extra: { invoice: Invoice } }
  type Demand = Record<string, unknown> & { accepts: Entry[] }
  const inInvoice = (fields: Invoice) => (demand: Demand) => {
    for (const { extra } of demand.accepts) Object.assign(extra.invoice, fields)
  }
  /** Each spoils a demand in one way; in the documented order. */
  const faults: readonly (readonly [string, (demand: Demand) => void])[] = [
    ['version', (demand) => Object.assign(demand, { x402Version: 1 })],
    ['resource_mismatch', (demand) => Object.assign(demand, { resource: { url: 'https://market.example.org/x' } })],
    [
      'no_match',
      (demand) => {
        for (const offered of demand.accepts) Object.assign(offered, { network: 'eip155:1' })
      },
    ],
    ['ambiguous', (demand) => demand.accepts.push(structuredClone(demand.accepts[0] as Entry))],
    [
      'expiry_missing',
      (demand) => {
        for (const { extra } of demand.accepts) delete extra.invoice['expiresAtMs']
      },
    ],
    ['terms_malformed', inInvoice({ nonce: '' })],
    ['terms_conflict', inInvoice({ amount: '7' })],
    ['resource_mismatch', inInvoice({ method: 'POST' })],
    ['expired', inInvoice({ issuedAtMs: 1, expiresAtMs: question.nowMs })],
    ['identifier_missing', (demand) => Object.assign(demand, { extensions: {} })],
  ]

  test.each(faults.map(([code], index) => [code, index] as const))(
    '%s comes before all that follow (row %#)',
    (code, index) => {
      const demand = structuredClone(offer) as unknown as Demand
      for (const [, spoil] of faults.slice(index).reverse()) spoil(demand)
      expect(() => readOffer(offerHeader(demand), question)).toThrow(refusedWith(code))
    },
  )
})
