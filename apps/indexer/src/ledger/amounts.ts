/** Largest value of a contract's word; sums of hostile events stop there, so that they always fit the column. */
const MAX_WORD = 2n ** 256n - 1n

/** Sum of two amounts, at most 2^256 - 1. Only events that no true contract emits reach the bound. */
export function plus(left: bigint, right: bigint): bigint {
  const sum = left + right
  return sum > MAX_WORD ? MAX_WORD : sum
}

/** Difference of two amounts, at least 0. Only events that no true contract emits reach the bound. */
export function minus(left: bigint, right: bigint): bigint {
  return left > right ? left - right : 0n
}

/** A sum in which one part changed from `before` to `after`, within 0 and 2^256 - 1. */
export function shifted(sum: bigint, before: bigint, after: bigint): bigint {
  const changed = sum - before + after
  return changed < 0n ? 0n : changed > MAX_WORD ? MAX_WORD : changed
}

/** A small number of a contract, at most 2^31 - 1, the widest that an integer column takes. */
export function toSmall(value: bigint | number): number {
  const most = 2_147_483_647
  return value > most ? most : Number(value)
}

/** Difference of two amounts, below zero too: what went out of a vault may have come in as a gift, which no event tells. */
export function minusSigned(left: bigint, right: bigint): bigint {
  const difference = left - right
  return difference < -MAX_WORD ? -MAX_WORD : difference
}
