import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feeRateOf, isFeeEnough } from './fee-rate.ts'

/** Virtual bytes that the engine plans with, and that a transfer takes with the longest signatures. */
const planned = (inputs: bigint): bigint => 72n + 68n * inputs
const longest = (inputs: bigint): bigint => (42n + 272n * inputs + 2n * 124n + 3n) / 4n

describe('fee rate', () => {
  test('at the usual floor of 1 satoshi it is 2: 140 satoshi for 141 virtual bytes are not relayed', () => {
    expect([planned(1n), longest(1n)]).toEqual([140n, 141n])
    expect(feeRateOf({ floorPerKvb: 1000n, estimatePerKvb: undefined })).toBe(2n)
    expect(isFeeEnough(140n, 141n, { floorPerKvb: 1000n, estimatePerKvb: undefined })).toBe(false)
    expect(isFeeEnough(141n, 141n, { floorPerKvb: 1000n, estimatePerKvb: undefined })).toBe(true)
  })

  test.each([
    [0n, undefined, 1n],
    [100n, undefined, 1n],
    [992n, undefined, 1n],
    [993n, undefined, 2n],
    [1000n, 1000n, 2n],
    [1000n, 2000n, 2n],
    [1000n, 2001n, 3n],
    [1000n, 25_000n, 25n],
  ])('floor %s, estimate %s: %s', (floorPerKvb, estimatePerKvb, rate) => {
    expect(feeRateOf({ floorPerKvb, estimatePerKvb })).toBe(rate)
  })

  test('what is planned with it is relayed, for every number of inputs', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10_000_000n), fc.bigInt(1n, 100n), (floorPerKvb, inputs) => {
        const fees = { floorPerKvb, estimatePerKvb: undefined }
        expect(isFeeEnough(planned(inputs) * feeRateOf(fees), longest(inputs), fees)).toBe(true)
      }),
    )
  })

  test('estimates that rose to twice the fee since it was planned are too much', () => {
    const fees = (estimatePerKvb: bigint) => ({ floorPerKvb: 1000n, estimatePerKvb })
    expect(isFeeEnough(1000n, 100n, fees(20_000n))).toBe(true)
    expect(isFeeEnough(1000n, 100n, fees(20_001n))).toBe(false)
  })
})
