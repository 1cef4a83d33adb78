import type { Rail, RailAddress } from '@oikos/core/economic'
import { openRailKey, type RailKey } from '../src/custody/rail-key.ts'
import {
  type IssuedInvoice,
  invoiceTermsDigest,
  type ObservedTransfer,
  type PaymentProof,
  paymentProofText,
  type TransferLookup,
  type TransferSighting,
} from '../src/x402/index.ts'

/** A key of a rail that is the same in every run; keys of different seeds differ. */
export function keyOf(rail: Rail, seed: number): RailKey {
  return openRailKey(rail, new Uint8Array(32).fill(seed))
}

/** A text that is a transaction id of a rail; ids of different numbers differ. */
export function transactionIdOf(rail: Rail, number: number): string {
  const hex = number.toString(16).padStart(64, '0')
  switch (rail) {
    case 'evm':
      return `0x${hex}`
    case 'bitcoin':
      return hex
    case 'solana':
      // Each leading 1 is a zero byte.
      return `${'1'.repeat(63)}${'23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[number % 32]}`
    default:
      return rail satisfies never
  }
}

/** Signs that a transaction pays an invoice. */
export async function proveWith(
  key: RailKey,
  invoice: IssuedInvoice,
  transactionId: string,
  paymentId: string,
): Promise<PaymentProof> {
  const binding = { rail: key.rail, transactionId, invoice: invoiceTermsDigest(invoice), paymentId }
  return { ...binding, payer: key.address, signature: await key.signMessage(paymentProofText(binding)) }
}

/** A chain that holds what a test puts into it, and counts how often it was asked. */
export type ChainBook = {
  readonly lookup: TransferLookup
  readonly put: (transactionId: string, sighting: TransferSighting) => void
  readonly transfer: (transactionId: string, transfer: ObservedTransfer) => void
  readonly asked: () => number
}

/** An empty one. */
export function createChainBook(): ChainBook {
  const sightings = new Map<string, TransferSighting>()
  let asked = 0
  return {
    lookup: async (transactionId: string, _recipient: RailAddress) => {
      asked += 1
      return sightings.get(transactionId) ?? { status: 'unknown' }
    },
    put: (transactionId, sighting) => sightings.set(transactionId, sighting),
    transfer: (transactionId, transfer) => sightings.set(transactionId, { status: 'transferred', transfer }),
    asked: () => asked,
  }
}
