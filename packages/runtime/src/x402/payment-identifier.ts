import { createHash } from 'node:crypto'
import { isValidPaymentId } from '@x402/extensions/payment-identifier'

/**
 * The payment identifier that carries an idempotency key over x402. A key that has the form of an identifier (16 to 128
 * letters, digits, `-` and `_`) is carried as it is; any other stands behind `key_` as the SHA-256 of its UTF-8 bytes, in
 * hexadecimal. The same key always gives the same identifier.
 */
export function paymentIdentifierOf(idempotencyKey: string): string {
  if (isValidPaymentId(idempotencyKey)) return idempotencyKey
  return `key_${createHash('sha256').update(idempotencyKey, 'utf8').digest('hex')}`
}
