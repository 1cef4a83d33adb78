import { parseCanonical, refuseAs, requireRerender } from '../canonical.ts'
import type { Asset, Network, Rail } from '../catalog.ts'
import { documentSchema } from '../catalog.ts'
import { intentRejected, limitExceeded } from '../diagnostics.ts'
import type { DocumentDigest } from '../digest.ts'
import type { Identifier } from '../identifier.ts'
import type { JsonValue } from '../json.ts'
import { MAX_VALIDITY_MS, PRODUCTION_LIMITS } from '../limits.ts'
import { digestShape, identifierShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import { anyText, eitherOf, isObject, nullable, oneOf, record, u64 } from '../shape.ts'
import { utf8Length } from '../text.ts'
import { railShape } from './policy.ts'

/** A native transfer on Sepolia. Amounts in wei. */
export type EvmPayment = {
  readonly kind: 'evm'
  readonly network: Network<'evm'>
  readonly asset: Asset<'evm'>
  /** Any text here; admission compares it with the policy. */
  readonly recipient: string
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
}

/** A native transfer on Solana devnet. Amounts in lamports. */
export type SolanaPayment = {
  readonly kind: 'solana'
  readonly network: Network<'solana'>
  readonly asset: Asset<'solana'>
  readonly recipient: string
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly max_compute_units: bigint
  readonly max_priority_fee_atomic: bigint
}

/** A native transfer on Bitcoin regtest. Amounts in satoshi, `confirmation_target` in blocks. */
export type BitcoinPayment = {
  readonly kind: 'bitcoin'
  readonly network: Network<'bitcoin'>
  readonly asset: Asset<'bitcoin'>
  readonly recipient: string
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly confirmation_target: bigint
}

/** The payment of an x402 invoice over one rail. */
export type X402Payment = {
  readonly kind: 'x402'
  readonly origin: string
  readonly method: string
  readonly resource: string
  readonly invoice_digest: DocumentDigest<'invoice'>
  readonly payee: string
  readonly settlement_rail: Rail
  readonly network: string
  readonly asset: string
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly invoice_expires_at_ms: bigint
  readonly invoice_nonce: string
}

/** What an intent asks to pay. */
export type Payment = EvmPayment | SolanaPayment | BitcoinPayment | X402Payment

/** A payment that a model proposes. It grants nothing. Source: notes, section 3. Times in milliseconds since 1970. */
export type PaymentIntent = {
  readonly schema: 'semaprax.economic-agent-payment-intent.v1'
  readonly intent_id: Identifier
  readonly wallet_id: Identifier
  /** Equals `payment.kind`. */
  readonly rail: Payment['kind']
  readonly idempotency_key: Identifier
  readonly created_at_ms: bigint
  readonly expires_at_ms: bigint
  /** At most 1024 bytes. */
  readonly memo: string | null
  readonly payment: Payment
}

const evmPaymentShape = record<EvmPayment>({
  kind: oneOf('evm'),
  network: oneOf('sepolia'),
  asset: oneOf('native:eth'),
  recipient: anyText,
  amount_atomic: u64,
  max_fee_atomic: u64,
})

const solanaPaymentShape = record<SolanaPayment>({
  kind: oneOf('solana'),
  network: oneOf('devnet'),
  asset: oneOf('native:sol'),
  recipient: anyText,
  amount_atomic: u64,
  max_fee_atomic: u64,
  max_compute_units: u64,
  max_priority_fee_atomic: u64,
})

const bitcoinPaymentShape = record<BitcoinPayment>({
  kind: oneOf('bitcoin'),
  network: oneOf('regtest'),
  asset: oneOf('native:btc'),
  recipient: anyText,
  amount_atomic: u64,
  max_fee_atomic: u64,
  confirmation_target: u64,
})

const x402PaymentShape = record<X402Payment>({
  kind: oneOf('x402'),
  origin: anyText,
  method: anyText,
  resource: anyText,
  invoice_digest: digestShape<DocumentDigest<'invoice'>>(),
  payee: anyText,
  settlement_rail: railShape,
  network: anyText,
  asset: anyText,
  amount_atomic: u64,
  max_fee_atomic: u64,
  invoice_expires_at_ms: u64,
  invoice_nonce: anyText,
})

const paymentShapes = {
  evm: evmPaymentShape,
  solana: solanaPaymentShape,
  bitcoin: bitcoinPaymentShape,
  x402: x402PaymentShape,
}

const paymentShape = eitherOf<Payment>((value, refusePayment, at) => {
  const kind = isObject(value) ? value['kind'] : undefined
  switch (kind) {
    case 'evm':
    case 'solana':
    case 'bitcoin':
    case 'x402':
      return paymentShapes[kind].read(value, refusePayment, at)
    default:
      return refusePayment(`${at}.kind: expected evm, solana, bitcoin or x402`)
  }
}, writePayment)

function writePayment(payment: Payment, quote: (text: string) => string): string {
  switch (payment.kind) {
    case 'evm':
      return evmPaymentShape.write(payment, quote)
    case 'solana':
      return solanaPaymentShape.write(payment, quote)
    case 'bitcoin':
      return bitcoinPaymentShape.write(payment, quote)
    case 'x402':
      return x402PaymentShape.write(payment, quote)
    default:
      return payment satisfies never
  }
}

/** Canonical form of an intent. */
export const intentShape = record<PaymentIntent>({
  schema: oneOf(documentSchema('intent')),
  intent_id: identifierShape,
  wallet_id: identifierShape,
  rail: oneOf('evm', 'solana', 'bitcoin', 'x402'),
  idempotency_key: identifierShape,
  created_at_ms: u64,
  expires_at_ms: u64,
  memo: nullable(anyText),
  payment: paymentShape,
})

const refuse = refuseAs('intent')

/** Reads an intent. Throws SPX-G210, SPX-G212 or SPX-G216 in the order of the notes, section 5. */
export function parseIntent(bytes: Uint8Array): Sealed<'intent', PaymentIntent> {
  const { object, text } = parseCanonical('intent', bytes)
  const fields = intentShape.readKeys(object, refuse, 'intent')
  const intentId = identifierShape.read(fields.intent_id, refuse, 'intent_id')
  const walletId = identifierShape.read(fields.wallet_id, refuse, 'wallet_id')
  const idempotencyKey = identifierShape.read(fields.idempotency_key, refuse, 'idempotency_key')
  const createdAt = u64.read(fields.created_at_ms, refuse, 'created_at_ms')
  const expiresAt = u64.read(fields.expires_at_ms, refuse, 'expires_at_ms')
  if (createdAt >= expiresAt || expiresAt - createdAt > MAX_VALIDITY_MS)
    throw intentRejected('expired', `valid for ${expiresAt - createdAt} ms, expected 1 to ${MAX_VALIDITY_MS}`)
  const memo = readMemo(fields.memo)
  const payment = paymentShape.read(fields.payment, refuse, 'payment')
  if (fields.rail !== payment.kind) return refuse('rail: expected the kind of the payment')
  const intent: PaymentIntent = {
    schema: documentSchema('intent'),
    intent_id: intentId,
    wallet_id: walletId,
    rail: payment.kind,
    idempotency_key: idempotencyKey,
    created_at_ms: createdAt,
    expires_at_ms: expiresAt,
    memo,
    payment,
  }
  requireRerender('intent', intentShape, intent, text)
  return sealText('intent', intent, text, bytes)
}

function readMemo(value: JsonValue): string | null {
  const memo = nullable(anyText).read(value, refuse, 'memo')
  const maximum = PRODUCTION_LIMITS.max_memo_bytes
  if (memo !== null && BigInt(utf8Length(memo)) > maximum) throw limitExceeded('memo_bytes', maximum)
  return memo
}
