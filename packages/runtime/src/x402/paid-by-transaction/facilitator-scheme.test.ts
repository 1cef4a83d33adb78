import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rail } from '@oikos/core/economic'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChainBook, createChainBook, keyOf, proveWith, transactionIdOf } from '../../../test/payer.ts'
import { nativeAsset, RAIL_CHAINS } from '../networks.ts'
import { createPaidByTransactionClient } from './client-scheme.ts'
import {
  createPaidByTransactionFacilitator,
  isRetryableRefusal,
  type PaymentCheckOptions,
} from './facilitator-scheme.ts'
import { createInvoiceIssuer, type InvoiceIssuer } from './issuer.ts'
import { createMemoryRedemptions, type RedemptionStore } from './redemptions.ts'
import { openSqliteRedemptions } from './redemptions-sqlite.ts'
import { type IssuedInvoice, PAID_BY_TRANSACTION, wireInvoice } from './terms.ts'

const resource = 'https://market.example.org/data'
const startMs = 1_900_000_000_000
const paymentId = 'key_0123456789abcdef'

let nowMs: number
let nonces: number
let chain: ChainBook
let issuer: InvoiceIssuer
let redemptions: RedemptionStore
let failures: unknown[]

beforeEach(() => {
  nowMs = startMs
  nonces = 0
  chain = createChainBook()
  issuer = issuerOf(1)
  redemptions = createMemoryRedemptions()
  failures = []
})

function issuerOf(secret: number): InvoiceIssuer {
  return createInvoiceIssuer({
    secrets: [new Uint8Array(32).fill(secret)],
    clockMs: () => nowMs,
    createNonce: () => {
      nonces += 1
      return `nonce${String(nonces).padStart(16, '0')}`
    },
    redeemGraceMs: 10_000,
  })
}

function facilitatorOf(rail: Rail, changes: Partial<PaymentCheckOptions> = {}) {
  return createPaidByTransactionFacilitator(rail, {
    issuer,
    chains: { [rail]: chain.lookup },
    redemptions,
    clockMs: () => nowMs,
    onFailure: (cause) => failures.push(cause),
    ...changes,
  })
}

function invoiceOf(rail: Rail, changes: Partial<Parameters<InvoiceIssuer['issue']>[0]> = {}): IssuedInvoice {
  return issuer.issue({
    rail,
    amountAtomic: 1_000n,
    payTo: keyOf(rail, 9).address,
    confirmations: 2,
    method: 'GET',
    resource,
    lifetimeSec: 60,
    ...changes,
  })
}

function requirementsOf(invoice: IssuedInvoice): PaymentRequirements {
  return {
    scheme: PAID_BY_TRANSACTION,
    network: invoice.network,
    asset: nativeAsset(invoice.rail),
    amount: invoice.amountAtomic.toString(),
    payTo: invoice.payTo,
    maxTimeoutSeconds: 60,
    extra: { confirmations: invoice.confirmations, invoice: wireInvoice(invoice) },
  }
}

type Presented = { readonly payload: PaymentPayload; readonly requirements: PaymentRequirements }

/** A payment of an invoice that is good in every way, by the wallet of seed 5, as the payer's plug-in presents it. */
async function presentedOf(rail: Rail, invoice = invoiceOf(rail), number = 1, id = paymentId): Promise<Presented> {
  const payer = keyOf(rail, 5)
  const transactionId = transactionIdOf(rail, number)
  chain.transfer(transactionId, {
    payer: payer.address,
    recipient: invoice.payTo,
    amountAtomic: invoice.amountAtomic,
    confirmations: 2,
    blockTimeMs: startMs + 5_000,
  })
  const proof = await proveWith(payer, invoice, transactionId, id)
  const requirements = requirementsOf(invoice)
  const made = await createPaidByTransactionClient({ invoice, proof }).createPaymentPayload(2, requirements)
  return { payload: { ...made, accepted: requirements }, requirements }
}

function changed(presented: Presented, fields: Readonly<Record<string, unknown>>): Presented {
  return { ...presented, payload: { ...presented.payload, payload: { ...presented.payload.payload, ...fields } } }
}

async function reasonOf(rail: Rail, { payload, requirements }: Presented, changes: Partial<PaymentCheckOptions> = {}) {
  const facilitator = facilitatorOf(rail, changes)
  const verified = await facilitator.verify(payload, requirements)
  const settled = await facilitator.settle(payload, requirements)
  expect(settled.success).toBe(verified.isValid)
  expect(settled.errorReason).toBe(verified.invalidReason)
  return settled.success ? 'accepted' : settled.errorReason
}

describe.each(['evm', 'solana', 'bitcoin'] as const)('paid by transaction on %s', (rail) => {
  test('a payment is accepted, and its payer and transaction are named', async () => {
    const { payload, requirements } = await presentedOf(rail)
    const settled = await facilitatorOf(rail).settle(payload, requirements)
    expect(settled).toEqual({
      success: true,
      transaction: transactionIdOf(rail, 1),
      network: RAIL_CHAINS[rail],
      payer: keyOf(rail, 5).address,
    })
  })

  test('the same payment under the same identifier is accepted again without asking the chain, and counts once', async () => {
    const presented = await presentedOf(rail)
    expect(await reasonOf(rail, presented)).toBe('accepted')
    const asked = chain.asked()
    expect(await reasonOf(rail, presented)).toBe('accepted')
    expect(chain.asked()).toBe(asked)
  })

  test('a public transaction does not pay for a stranger: the proof must be signed by its sender', async () => {
    const invoice = invoiceOf(rail)
    const { payload } = await presentedOf(rail, invoice)
    const stranger = keyOf(rail, 6)
    const theirInvoice = invoiceOf(rail)
    // The stranger has seen the transaction on the chain, and signs for it with a key of its own.
    const proof = await proveWith(stranger, theirInvoice, transactionIdOf(rail, 1), 'key_of_the_stranger')
    const requirements = requirementsOf(theirInvoice)
    const made = await createPaidByTransactionClient({ invoice: theirInvoice, proof }).createPaymentPayload(
      2,
      requirements,
    )
    const stolen = { payload: { ...made, accepted: requirements }, requirements }
    expect(await reasonOf(rail, stolen)).toBe('payer_mismatch')
    // Or it claims to be the payer.
    expect(await reasonOf(rail, changed(stolen, { payer: keyOf(rail, 5).address }))).toBe('proof_invalid')
    // Or it takes the payer's proof, which it has overheard, for an invoice of its own.
    const overheard = changed(stolen, { payer: keyOf(rail, 5).address, signature: payload.payload['signature'] })
    expect(await reasonOf(rail, overheard)).toBe('proof_invalid')
  })

  test('a proof binds transaction, invoice and identifier', async () => {
    const presented = await presentedOf(rail)
    expect(await reasonOf(rail, changed(presented, { transaction: transactionIdOf(rail, 2) }))).toBe('proof_invalid')
    const otherId = { ...presented.payload.extensions } as Record<string, { info: { id: string } }>
    const extension = otherId['payment-identifier']
    const payload = {
      ...presented.payload,
      extensions: { 'payment-identifier': { ...extension, info: { ...extension?.info, id: 'key_fedcba9876543210' } } },
    }
    expect(await reasonOf(rail, { ...presented, payload })).toBe('proof_invalid')
    const other = invoiceOf(rail)
    expect(await reasonOf(rail, changed(presented, { invoice: wireInvoice(other) }))).toBe('proof_invalid')
  })

  test('nothing is asked of the chain for a payment whose signature does not hold', async () => {
    const presented = await presentedOf(rail)
    await reasonOf(rail, changed(presented, { transaction: transactionIdOf(rail, 2) }))
    expect(chain.asked()).toBe(0)
  })
})

describe('single use', () => {
  test('one transaction does not pay two invoices', async () => {
    expect(await reasonOf('evm', await presentedOf('evm'))).toBe('accepted')
    expect(await reasonOf('evm', await presentedOf('evm', invoiceOf('evm'), 1, 'key_another_purchase'))).toBe(
      'transaction_already_used',
    )
  })

  test('one identifier of a payer does not stand for two payments', async () => {
    expect(await reasonOf('evm', await presentedOf('evm'))).toBe('accepted')
    expect(await reasonOf('evm', await presentedOf('evm', invoiceOf('evm'), 2))).toBe('payment_identifier_conflict')
  })

  test('one invoice is not paid by two transactions', async () => {
    const invoice = invoiceOf('evm')
    expect(await reasonOf('evm', await presentedOf('evm', invoice))).toBe('accepted')
    expect(await reasonOf('evm', await presentedOf('evm', invoice, 2, 'key_another_purchase'))).toBe(
      'invoice_already_paid',
    )
  })

  test('verify alone uses nothing up', async () => {
    const facilitator = facilitatorOf('evm')
    const { payload, requirements } = await presentedOf('evm')
    expect((await facilitator.verify(payload, requirements)).isValid).toBe(true)
    expect(await redemptions.look(await redemptionOf(1, paymentId))).toBe('new')
  })

  test('of many that present one transaction at once, for different invoices, one is accepted', async () => {
    const presented = await Promise.all(
      Array.from({ length: 8 }, (_, index) => presentedOf('evm', invoiceOf('evm'), 1, `key_number_${index}_of_eight`)),
    )
    const facilitator = facilitatorOf('evm')
    const settled = await Promise.all(
      presented.map(({ payload, requirements }) => facilitator.settle(payload, requirements)),
    )
    expect(settled.filter(({ success }) => success)).toHaveLength(1)
  })
})

describe('the order of checks', () => {
  type Fault = readonly [string, (presented: Presented) => Promise<Presented>, Partial<PaymentCheckOptions>?]
  /** Each fault in the documented order; each payment has this fault and all that can stand behind it. */
  const faults: readonly Fault[] = [
    ['invalid_payload', async (presented) => changed(presented, { signature: 7 })],
    [
      'network_mismatch',
      async (presented) => ({ ...presented, requirements: { ...presented.requirements, network: RAIL_CHAINS.solana } }),
    ],
    [
      'invoice_not_issued',
      async (presented) => {
        const invoice = presented.payload.payload['invoice'] as Record<string, unknown>
        return changed(presented, { invoice: { ...invoice, amount: '1' } })
      },
    ],
    [
      'resource_mismatch',
      async (presented) => ({
        ...presented,
        requirements: requirementsOf(invoiceOf('evm', { resource: 'https://market.example.org/other' })),
      }),
    ],
    [
      'invoice_expired',
      async (presented) => {
        nowMs = startMs + 60_000 + 10_000
        return presented
      },
    ],
    [
      'payment_identifier_missing',
      async (presented) => ({ ...presented, payload: { ...presented.payload, extensions: {} } }),
    ],
    ['proof_invalid', async (presented) => changed(presented, { transaction: transactionIdOf('evm', 77) })],
  ]

  test.each(faults.map((fault, index) => [fault[0], index] as const))(
    '%s comes before all that follow',
    async (code, index) => {
      let presented = await presentedOf('evm')
      for (const [, spoil] of faults.slice(index).reverse()) presented = await spoil(presented)
      expect(await reasonOf('evm', presented)).toBe(code)
    },
  )

  test('a method other than the one that was paid for is another resource', async () => {
    const presented = await presentedOf('evm')
    const requirements = requirementsOf(invoiceOf('evm', { method: 'POST' }))
    expect(await reasonOf('evm', { ...presented, requirements })).toBe('resource_mismatch')
  })

  test('an invoice of another secret is not ours; after a change of secrets the old one still counts', async () => {
    const presented = await presentedOf('evm')
    expect(await reasonOf('evm', presented, { issuer: issuerOf(2) })).toBe('invoice_not_issued')
    const rotated = createInvoiceIssuer({
      secrets: [new Uint8Array(32).fill(2), new Uint8Array(32).fill(1)],
      clockMs: () => nowMs,
      createNonce: () => 'nonce0123456789',
    })
    expect(await reasonOf('evm', presented, { issuer: rotated })).toBe('accepted')
  })

  test('a payment may be presented after the end of its invoice, to the last millisecond of the grace', async () => {
    const presented = await presentedOf('evm')
    nowMs = startMs + 60_000 + 9_999
    expect(await reasonOf('evm', presented)).toBe('accepted')
  })
})

describe('the order of what is taken, and of what a transfer lacks', () => {
  test('transaction before identifier before invoice', async () => {
    const taken = { ...(await redemptionOf(1, paymentId)), payer: keyOf('evm', 5).address }
    await redemptions.claim(taken)
    const another = await redemptionOf(2, 'key_another_purchase')
    const { transactionId, invoice } = taken
    expect(await redemptions.look({ ...taken, invoice: another.invoice })).toBe('transaction_used')
    expect(await redemptions.look({ ...taken, payer: 'another', transactionId, invoice })).toBe('transaction_used')
    expect(await redemptions.look({ ...another, paymentId, invoice })).toBe('identifier_used')
    expect(await redemptions.look({ ...another, invoice })).toBe('invoice_used')
    expect(await redemptions.look({ ...another, paymentId, payer: 'another' })).toBe('new')
    expect(await redemptions.look({ ...another, transactionId, rail: 'bitcoin' })).toBe('new')
  })

  test('payer, recipient, amount, age, confirmations', async () => {
    const lacking = [
      ['payer_mismatch', { payer: keyOf('evm', 6).address }],
      ['recipient_mismatch', { recipient: keyOf('evm', 6).address }],
      ['amount_mismatch', { amountAtomic: 1n }],
      ['transaction_too_old', { blockTimeMs: 0 }],
      ['too_few_confirmations', { confirmations: 1 }],
    ] as const
    for (const [index, [code]] of lacking.entries()) {
      const presented = await presentedOf('evm')
      const fields = Object.assign({}, ...lacking.slice(index).map(([, lack]) => lack))
      const { address: payer } = keyOf('evm', 5)
      const good = {
        payer,
        recipient: keyOf('evm', 9).address,
        amountAtomic: 1_000n,
        confirmations: 2,
        blockTimeMs: startMs,
      }
      chain.transfer(transactionIdOf('evm', 1), { ...good, ...fields })
      expect(await reasonOf('evm', presented)).toBe(code)
    }
  })
})

describe('what the chain says', () => {
  test.each([
    ['transaction_not_found', { status: 'unknown' }],
    ['transaction_pending', { status: 'pending' }],
    ['transaction_failed', { status: 'failed' }],
    ['transaction_not_a_transfer', { status: 'other' }],
  ] as const)('%s', async (code, sighting) => {
    const presented = await presentedOf('evm')
    chain.put(transactionIdOf('evm', 1), sighting)
    expect(await reasonOf('evm', presented)).toBe(code)
  })

  const good = {
    payer: keyOf('evm', 5).address,
    recipient: keyOf('evm', 9).address,
    amountAtomic: 1_000n,
    confirmations: 2,
    blockTimeMs: startMs + 5_000,
  }
  test.each([
    ['payer_mismatch', { payer: keyOf('evm', 6).address, recipient: keyOf('evm', 6).address, amountAtomic: 1n }],
    ['recipient_mismatch', { recipient: keyOf('evm', 6).address, amountAtomic: 1n }],
    ['amount_mismatch', { amountAtomic: 999n, confirmations: 0 }],
    ['amount_mismatch', { amountAtomic: 1_001n }],
    ['transaction_too_old', { blockTimeMs: startMs - 60_001, confirmations: 0 }],
    ['too_few_confirmations', { confirmations: 1 }],
    ['accepted', {}],
    ['accepted', { blockTimeMs: startMs - 60_000 }],
    ['accepted', { confirmations: 200 }],
  ])('%s (row %#)', async (code, fields) => {
    const presented = await presentedOf('evm')
    chain.transfer(transactionIdOf('evm', 1), { ...good, ...fields })
    expect(await reasonOf('evm', presented)).toBe(code)
  })

  test('a chain that does not answer is no verdict on the payment, and its cause goes to the operator only', async () => {
    const presented = await presentedOf('evm')
    const lookup = async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:8545')
    }
    expect(await reasonOf('evm', presented, { chains: { evm: lookup } })).toBe('chain_unavailable')
    expect(failures).toHaveLength(2)
    expect(await reasonOf('evm', presented)).toBe('accepted')
  })

  test('a store that does not answer accepts nothing', async () => {
    const presented = await presentedOf('evm')
    const fail = async (): Promise<never> => {
      throw new Error('disk')
    }
    const broken = { claim: fail, look: fail, close: async () => {} }
    expect(await reasonOf('evm', presented, { redemptions: broken })).toBe('store_unavailable')
    const facilitator = facilitatorOf('evm', { redemptions: { ...redemptions, claim: fail } })
    expect((await facilitator.settle(presented.payload, presented.requirements)).errorReason).toBe('store_unavailable')
  })

  test('exactly the refusals that time can heal are worth another try', () => {
    const codes = [
      'chain_unavailable',
      'transaction_not_found',
      'transaction_pending',
      'too_few_confirmations',
      'store_unavailable',
    ]
    for (const code of codes) expect(isRetryableRefusal(code)).toBe(true)
    for (const code of ['payer_mismatch', 'invoice_expired', 'transaction_already_used', 'anything'])
      expect(isRetryableRefusal(code)).toBe(false)
  })
})

describe('hostile payloads', () => {
  test.each([
    ['no payload', { payload: undefined }],
    ['a payload that is a list', { payload: [] }],
    ['no accepted', { accepted: undefined }],
    ['another scheme', { accepted: { scheme: 'exact' } }],
  ])('%s is refused, not thrown', async (_what, fields) => {
    const { payload, requirements } = await presentedOf('evm')
    const settled = await facilitatorOf('evm').settle({ ...payload, ...fields } as PaymentPayload, requirements)
    expect(['invalid_payload', 'network_mismatch']).toContain(settled.errorReason)
  })

  test.each([
    ['transaction', 'x'.repeat(10_000_000)],
    ['transaction', `0x${'AB'.repeat(32)}`],
    ['transaction', { toString: () => transactionIdOf('evm', 1) }],
    ['payer', 'x'.repeat(1_000)],
    ['signature', 'x'.repeat(1_000)],
    ['invoice', null],
    ['invoice', { __proto__: null }],
    ['invoice', 'text'],
  ])('a hostile %s is an invalid payload', async (field, value) => {
    expect(await reasonOf('evm', changed(await presentedOf('evm'), { [field]: value }))).toBe('invalid_payload')
  })
})

describe('a store in a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oikos-redemptions-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('remembers over restarts, for every server that shares it', async () => {
    const path = join(folder, 'redemptions.sqlite')
    const [one, two] = [await openSqliteRedemptions(path), await openSqliteRedemptions(path)]
    expect(await one.claim(await redemptionOf(1, paymentId))).toBe('new')
    expect(await two.claim(await redemptionOf(1, paymentId))).toBe('same')
    expect(await two.claim(await redemptionOf(1, 'key_another_purchase'))).toBe('transaction_used')
    expect(await two.claim(await redemptionOf(2, paymentId))).toBe('identifier_used')
    await Promise.all([one.close(), two.close()])
    const again = await openSqliteRedemptions(path)
    expect(await again.look(await redemptionOf(1, paymentId))).toBe('same')
    await again.close()
  })

  test('refuses a file of another kind', async () => {
    const path = join(folder, 'other.sqlite')
    const { DatabaseSync } = await import('node:sqlite')
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE t (a)')
    other.close()
    await expect(openSqliteRedemptions(path)).rejects.toMatchObject({
      name: 'DurableStoreError',
      effect: 'not_started',
    })
  })
})

async function redemptionOf(number: number, id: string) {
  const { digest } = { digest: `sha256:${String(number).padStart(64, '0')}` as const }
  return {
    rail: 'evm' as const,
    transactionId: transactionIdOf('evm', number),
    invoice: digest,
    payer: keyOf('evm', 5).address,
    paymentId: id,
    redeemedAtMs: startMs,
  }
}
