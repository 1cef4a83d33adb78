import { base58 } from '@scure/base'
import type { Rail } from '../catalog.ts'
import type { Shape } from '../shape.ts'
import { textOf } from '../shape.ts'
import type { TransactionId } from './built.ts'

const EVM_HASH = /^0x[0-9a-f]{64}$/
const BITCOIN_TXID = /^[0-9a-f]{64}$/
/** 64 bytes in base58 take 64 to 88 characters. */
const BASE58_64 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Whether a text has the form of a transaction id of a rail. */
export function isTransactionId(rail: Rail, text: string): text is TransactionId {
  switch (rail) {
    case 'evm':
      return EVM_HASH.test(text)
    case 'solana':
      return BASE58_64.test(text) && base58.decode(text).length === 64
    case 'bitcoin':
      return BITCOIN_TXID.test(text)
    default:
      return rail satisfies never
  }
}

/** A transaction id of any rail. */
export const transactionIdShape: Shape<TransactionId> = textOf(
  (text): text is TransactionId => (['evm', 'solana', 'bitcoin'] as const).some((rail) => isTransactionId(rail, text)),
  'a transaction id',
)
