import { describe, expect, test } from 'vitest'
import type { Route } from '../../../test/economic-fixture.ts'
import { admissionOf, CREATED_AT, invoiceOf, receiptOf, snapshotOf } from '../../../test/economic-fixture.ts'
import type { HostCall } from '../../../test/economic-run.ts'
import { playRun } from '../../../test/economic-run.ts'
import type { Admission } from '../admission.ts'
import { EconomicError } from '../diagnostics.ts'
import { documentDigest } from '../digest.ts'
import { unsignedRefOf } from '../rails/built.ts'
import { buildUnsigned } from '../rails/unsigned.ts'
import { seal } from '../sealed.ts'
import { utf8 } from '../text.ts'
import { parseInvoice } from './invoice.ts'
import { buildPlan } from './plan.ts'
import { provisionalReceipt, readReceipt } from './receipt.ts'
import type { ChainSnapshot } from './snapshot.ts'
import { snapshotShape } from './snapshot.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function codeOf(act: () => unknown): string {
  try {
    act()
    return 'passed'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return cause.code
  }
}

/** Code of a run whose host changes the first `from` of a document to `to`. */
function codeOfRun(route: Route, call: HostCall, from: string, to: string): string {
  const edit = (bytes: Uint8Array) => {
    expect(text(bytes)).toContain(from)
    return utf8(text(bytes).replace(from, () => to))
  }
  return playRun({ route, edit: { [call]: edit } }).result.code ?? 'passed'
}

type Row = readonly [from: string, to: string, code: string]

describe('an invoice (notes, section 6)', () => {
  const admission = admissionOf('x402_evm')
  const original = text(invoiceOf('x402_evm').bytes)

  /** The invoice changed, under an intent that names its digest: only the fields can differ. */
  function codeOfInvoice(from: string, to: string): string {
    expect(original).toContain(from)
    const bytes = utf8(original.replace(from, () => to))
    const x402 = {
      ...(admission.x402 as NonNullable<Admission['x402']>),
      invoice_digest: documentDigest('invoice', bytes),
    }
    return codeOf(() => parseInvoice(bytes, { ...admission, x402 }))
  }

  test('of another digest is SPX-G213', () => {
    const x402 = {
      ...(admission.x402 as NonNullable<Admission['x402']>),
      invoice_digest: documentDigest('invoice', utf8('')),
    }
    expect(codeOf(() => parseInvoice(utf8(original), { ...admission, x402 }))).toBe('SPX-G213')
    expect(codeOf(() => parseInvoice(utf8(original), { ...admission, x402: null }))).toBe('SPX-G213')
    expect(codeOf(() => parseInvoice(utf8(original), admission))).toBe('passed')
  })

  test.each<Row>([
    ['https://pay', 'https://pai', 'SPX-G213'],
    ['"POST"', '"GET"', 'SPX-G213'],
    ['/v1/payments', '/v1/payment', 'SPX-G213'],
    ['"payee":"0x11', '"payee":"0x12', 'SPX-G213'],
    ['"settlement_rail":"evm"', '"settlement_rail":"solana"', 'SPX-G213'],
    ['"settlement_rail":"evm"', '"settlement_rail":"doge"', 'SPX-G213'],
    ['"sepolia"', '"mainnet"', 'SPX-G213'],
    ['"native:eth"', '"native:sol"', 'SPX-G213'],
    ['"amount_atomic":10', '"amount_atomic":9', 'SPX-G213'],
    ['"max_fee_atomic":100000', '"max_fee_atomic":100001', 'SPX-G213'],
    ['"expires_at_ms":1700000299999', '"expires_at_ms":1700000299998', 'SPX-G213'],
    ['"fixture.nonce"', '"fixture.nonc"', 'SPX-G213'],
    ['"idempotency_key":"fixture', '"idempotency_key":"fixturE', 'SPX-G213'],
    ['"amount_atomic":10', '"amount_atomic":"10"', 'SPX-G210'],
    ['"amount_atomic":10', '"amount_atomic": 10', 'SPX-G210'],
    ['"fixture.invoice"', `"${'i'.repeat(129)}"`, 'SPX-G216'],
    ['"fixture.invoice"', '"any text is fine here"', 'passed'],
  ])('%s changed to %s is %s', (from, to, code) => {
    expect(codeOfInvoice(from, to)).toBe(code)
  })
})

describe('a snapshot (notes, section 14)', () => {
  test.each<readonly [Route, ...Row]>([
    ['evm', '"rail":"evm"', '"rail":"bitcoin"', 'SPX-G213'],
    ['evm', '"network":"sepolia"', '"network":"devnet"', 'SPX-G213'],
    ['evm', '"expires_at_ms":1700000299999', '"expires_at_ms":1700000000001', 'SPX-G213'],
    ['evm', '"expires_at_ms":1700000299999', '"expires_at_ms":1700000600001', 'passed'],
    ['evm', '"expires_at_ms":1700000299999', '"expires_at_ms":1700000600002', 'SPX-G213'],
    ['evm', '"gas_limit":21000', '"gas_limit":21001', 'SPX-G213'],
    ['evm', '"chain_id":11155111', '"chain_id":1', 'SPX-G213'],
    ['evm', '"from":"0x22', '"from":"0X22', 'SPX-G213'],
    ['evm', '"nonce":7', '"nonce":"7"', 'SPX-G210'],
    ['evm', '"nonce":7', '"nonce": 7', 'SPX-G210'],
    ['evm', '"nonce":7,', '', 'SPX-G213'],
    ['evm', '"rail":"evm",', '', 'SPX-G210'],
    ['solana', '"fee_payer":"8qb', '"fee_payer":"0qb', 'SPX-G213'],
    ['solana', '"recent_blockhash":"G', '"recent_blockhash":"', 'SPX-G213'],
    ['bitcoin', '"wallet_script_pubkey":"0014', '"wallet_script_pubkey":"5114', 'SPX-G213'],
    ['bitcoin', '"script_pubkey":"001411', '"script_pubkey":"001412', 'SPX-G213'],
    ['bitcoin', '"confirmations":1', '"confirmations":0', 'SPX-G213'],
    ['bitcoin', '"txid":"00', '"txid":"0A', 'SPX-G213'],
    ['bitcoin', '"txid":', '"txId":', 'SPX-G210'],
    ['bitcoin', '"utxos":[', '"utxos":[],"x":[', 'SPX-G213'],
  ])('%s: %s changed to %s is %s', (route, from, to, code) => {
    expect(codeOfRun(route, 'snapshot', from, to)).toBe(code)
  })

  /** The Bitcoin snapshot with other outputs. */
  function bitcoinWith(change: (utxo: string) => string): string {
    const edit = (bytes: Uint8Array) => {
      const [, utxo = ''] = /"utxos":\[(.*)\]\}\}/.exec(text(bytes)) ?? []
      return utf8(text(bytes).replace(utxo, () => change(utxo)))
    }
    return playRun({ route: 'bitcoin', edit: { snapshot: edit } }).result.code ?? 'passed'
  }

  test('outputs are strictly increasing by transaction and index, none is missing, none is too many', () => {
    const second = (utxo: string) => utxo.replace('"vout":0', '"vout":1')
    const other = (utxo: string) => utxo.replace('1","vout"', '2","vout"')
    expect(bitcoinWith((utxo) => `${utxo},${second(utxo)},${other(utxo)}`)).toBe('passed')
    expect(bitcoinWith((utxo) => `${utxo},${utxo}`)).toBe('SPX-G213')
    expect(bitcoinWith((utxo) => `${second(utxo)},${utxo}`)).toBe('SPX-G213')
    expect(bitcoinWith((utxo) => `${other(utxo)},${utxo}`)).toBe('SPX-G213')
    expect(bitcoinWith(() => '')).toBe('SPX-G216')
    const many = (count: number) => (utxo: string) =>
      Array.from({ length: count }, (_, index) => utxo.replace('"vout":0', `"vout":${index}`)).join()
    expect(bitcoinWith(many(100))).toBe('passed')
    expect(bitcoinWith(many(101))).toBe('SPX-G216')
    const two = (bytes: Uint8Array) => utf8(text(bytes).replace(/\[(.*)\]/, (_, utxo: string) => `[${many(2)(utxo)}]`))
    const limited = playRun({ route: 'bitcoin', limits: { max_utxos: 1n }, edit: { snapshot: two } })
    expect(limited.result).toMatchObject({ code: 'SPX-G216', message: 'utxos exceeds 1' })
  })
})

describe('freshness when a plan is built (notes, section 9)', () => {
  const admission = admissionOf('x402_evm')
  const invoice = parseInvoice(invoiceOf('x402_evm').bytes, admission)

  function codeAt(observedAt: bigint, expiresAt = observedAt + 1_000n, x402 = true): string {
    const used = x402 ? admission : admissionOf('evm')
    const document = {
      ...snapshotOf('evm').document,
      observed_at_ms: observedAt,
      expires_at_ms: expiresAt,
    } as ChainSnapshot
    const snapshot = seal('snapshot', snapshotShape, document)
    const unsigned = unsignedRefOf(buildUnsigned(used, document))
    return codeOf(() => buildPlan({ admission: used, invoice: x402 ? invoice : null, snapshot, unsigned }))
  }

  test.each([
    ['before the intent was made', CREATED_AT - 1n, true, 'SPX-G212'],
    ['when it was made', CREATED_AT, true, 'passed'],
    ['just before the invoice ends', CREATED_AT + 299_998n, true, 'passed'],
    ['when the invoice ends', CREATED_AT + 299_999n, true, 'SPX-G212'],
    ['just before the intent ends', CREATED_AT + 299_999n, false, 'passed'],
    ['when the intent ends', CREATED_AT + 300_000n, false, 'SPX-G212'],
  ] as const)('a snapshot that was observed %s', (_, observedAt, x402, code) => {
    expect(codeAt(observedAt, undefined, x402)).toBe(code)
  })

  test('a plan ends with the first of snapshot, intent and invoice, and needs an invoice exactly for x402', () => {
    const { plan } = playRun({ route: 'x402_evm' }).documents
    expect(text(plan ?? new Uint8Array())).toContain('"expires_at_ms":1700000299999}')
    const snapshot = snapshotOf('evm')
    const unsigned = unsignedRefOf(buildUnsigned(admission, snapshot.document))
    expect(codeOf(() => buildPlan({ admission, invoice: null, snapshot, unsigned }))).toBe('SPX-G213')
    expect(codeOf(() => buildPlan({ admission: admissionOf('evm'), invoice, snapshot, unsigned }))).toBe('SPX-G213')
  })
})

describe('a simulation (notes, section 14; D22)', () => {
  test.each<readonly [Route, ...Row]>([
    ['evm', '"success":true', '"success":false', 'SPX-G213'],
    ['evm', '"success":true', '"success":1', 'SPX-G210'],
    ['evm', 'payment-plan.v1","digest":"sha256:', 'payment-plan.v1","digest":"sha256:0', 'SPX-G213'],
    [
      'evm',
      '"fee_atomic":63000,"balance_before_atomic":1063010',
      '"fee_atomic":84000,"balance_before_atomic":1084010',
      'passed',
    ],
    [
      'evm',
      '"fee_atomic":63000,"balance_before_atomic":1063010',
      '"fee_atomic":84001,"balance_before_atomic":1084011',
      'SPX-G213',
    ],
    ['evm', '"fee_atomic":63000', '"fee_atomic":100001', 'SPX-G213'],
    ['evm', '"balance_after_atomic":1000000', '"balance_after_atomic":18446744073709551615', 'SPX-G213'],
    ['evm', '"allowance_atomic":0', '"allowance_atomic":1', 'SPX-G213'],
    ['evm', '"units":21000', '"units":20999', 'SPX-G213'],
    ['evm', '"expires_at_ms":1700000299999', '"expires_at_ms":1700000300000', 'SPX-G213'],
    ['evm', '"expires_at_ms":1700000299999', '"expires_at_ms":1700000000001', 'SPX-G213'],
    ['evm', '"units":21000', '"units": 21000', 'SPX-G210'],
    [
      'solana',
      '"fee_atomic":6000,"balance_before_atomic":1006010',
      '"fee_atomic":5999,"balance_before_atomic":1006009',
      'SPX-G213',
    ],
    ['x402_solana', '"units":200000', '"units":199999', 'SPX-G213'],
    ['solana', '"allowance_atomic":null', '"allowance_atomic":0', 'SPX-G213'],
    [
      'bitcoin',
      '"fee_atomic":140,"balance_before_atomic":1010140',
      '"fee_atomic":141,"balance_before_atomic":1010141',
      'SPX-G213',
    ],
    ['bitcoin', '"units":1', '"units":0', 'SPX-G213'],
    ['bitcoin', '"units":1', '"units":141', 'passed'],
  ])('%s: %s changed to %s is %s', (route, from, to, code) => {
    expect(codeOfRun(route, 'simulate', from, to)).toBe(code)
  })
})

describe('an approval (notes, section 14)', () => {
  test.each<Row>([
    ['"decision":"approved"', '"decision":"rejected"', 'SPX-G214'],
    ['"decision":"approved"', '"decision":true', 'SPX-G210'],
    ['"approver_id":"fixture.approver"', '"approver_id":"Fixture"', 'SPX-G214'],
    ['"approval_id":"fixture.approval"', `"approval_id":"${'a'.repeat(129)}"`, 'SPX-G216'],
    ['"approved_amount_atomic":10', '"approved_amount_atomic":11', 'SPX-G214'],
    ['"approved_fee_atomic":100000', '"approved_fee_atomic":99999', 'SPX-G214'],
    ['"expires_at_ms":1700000299999', '"expires_at_ms":1700000300000', 'SPX-G214'],
    ['"expires_at_ms":1700000299999', '"expires_at_ms":1700000000001', 'SPX-G214'],
    ['"expires_at_ms":1700000299999', '"expires_at_ms":1700000000002', 'passed'],
    ['"approved_amount_atomic":10', '"approved_amount_atomic": 10', 'SPX-G210'],
    ...(['policy', 'payment-intent', 'payment-plan', 'simulation', 'approval-request'] as const).map(
      (name): Row => [`${name}.v1","digest":"sha256:`, `${name}.v1","digest":"sha256:0`, 'SPX-G214'],
    ),
  ])('%s changed to %s is %s', (from, to, code) => {
    expect(codeOfRun('evm', 'approve', from, to)).toBe(code)
  })

  test.each(['policy', 'payment-intent', 'payment-plan', 'simulation', 'approval-request'])(
    'of another %s of the right form is SPX-G214',
    (name) => {
      const edit = (bytes: Uint8Array) =>
        utf8(
          text(bytes).replace(
            new RegExp(`(${name}\\.v1","digest":"sha256:)[0-9a-f]{64}`),
            (_, head: string) => `${head}${'0'.repeat(64)}`,
          ),
        )
      expect(playRun({ route: 'evm', edit: { approve: edit } }).result.code).toBe('SPX-G214')
    },
  )
})

describe('a receipt (notes, section 14)', () => {
  test.each<Row>([
    ['"rail":"evm"', '"rail":"solana"', 'SPX-G213'],
    ['"network":"sepolia"', '"network":"devnet"', 'SPX-G213'],
    ['"signed_transaction_digest":"sha256:e', '"signed_transaction_digest":"sha256:0', 'SPX-G213'],
    ['"transaction_id":"0x', '"transaction_id":"0y', 'SPX-G213'],
    ['"disposition":"accepted"', '"disposition":"ok"', 'SPX-G210'],
    ['"observed_at_ms":1700000000002', '"observed_at_ms":0', 'SPX-G213'],
    ['"observed_at_ms":1700000000002', '"observed_at_ms":1', 'passed'],
    ['"rail":"evm"', '"rail": "evm"', 'SPX-G210'],
    ['"disposition":"accepted"', '"disposition":"unknown"', 'SPX-I226'],
    ['"disposition":"accepted"', '"disposition":"rejected"', 'SPX-I223'],
    ['"disposition":"accepted"', '"disposition":"pending"', 'passed'],
  ])('%s changed to %s is %s', (from, to, code) => {
    expect(codeOfRun('evm', 'broadcast', from, to)).toBe(code)
  })

  test('a provisional receipt is taken from a journal, and from no adapter', () => {
    const { signed } = playRun({ route: 'evm' })
    if (signed === undefined) throw new Error('nothing was signed')
    const identity = { rail: signed.rail, signedDigest: signed.digest, transactionId: signed.transactionId }
    const { bytes } = provisionalReceipt(identity)
    expect(codeOf(() => readReceipt(bytes, identity, 'retained'))).toBe('passed')
    expect(codeOf(() => readReceipt(bytes, identity, 'adapter'))).toBe('SPX-G213')
    const accepted = utf8(text(receiptOf(signed)).replace(/"observed_at_ms":\d+/, '"observed_at_ms":0'))
    expect(codeOf(() => readReceipt(accepted, identity, 'retained'))).toBe('SPX-G213')
  })
})

describe('an observation (notes, section 14)', () => {
  test.each<readonly [Route, ...Row]>([
    ['evm', '"rail":"evm"', '"rail":"solana"', 'SPX-G215'],
    ['evm', '"transaction_id":"0x', '"transaction_id":"0y', 'SPX-G215'],
    ['evm', '"status":"confirmed"', '"status":"final"', 'SPX-G210'],
    ['evm', '"observed_height":1', '"observed_height":"1"', 'SPX-G210'],
    ['evm', '"observed_height":1', '"observed_height":null', 'SPX-G215'],
    ['evm', '"confirmations":1', '"confirmations":null', 'SPX-G215'],
    ['evm', '"canonical_block_id":"fixture.block"', '"canonical_block_id":null', 'SPX-G215'],
    ['evm', '"fixture.block"', `"${'b'.repeat(129)}"`, 'SPX-G216'],
    ['evm', '"fixture.block"', '"Any text, é"', 'passed'],
    ['evm', '"confirmations":1', '"confirmations":0', 'passed'],
    ['bitcoin', '"confirmations":1', '"confirmations":0', 'SPX-G213'],
    ['x402_bitcoin', '"confirmations":1', '"confirmations":0', 'SPX-G213'],
    ['evm', '"status":"confirmed"', '"status": "confirmed"', 'SPX-G210'],
    ['bitcoin', '"status":"confirmed"', '"status":"pending"', 'passed'],
  ])('%s: %s changed to %s is %s', (route, from, to, code) => {
    expect(codeOfRun(route, 'reconcile', from, to)).toBe(code)
  })
})
