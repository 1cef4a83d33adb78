import { maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { AmountFormatError, formatAmount, parseAmount } from './amount.ts'
import { type Asset, nativeAsset } from './asset.ts'

const usdc: Asset = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDC', decimals: 6, warnings: [] }
const whole: Asset = { ...usdc, symbol: 'TICKET', decimals: 0 }

describe('parseAmount', () => {
  test.each([
    ['1.5 ETH', nativeAsset, 1_500_000_000_000_000_000n],
    ['0 ETH', nativeAsset, 0n],
    ['0.000000000000000001 ETH', nativeAsset, 1n],
    ['3 wei', nativeAsset, 3n],
    ['2.5 gwei', nativeAsset, 2_500_000_000n],
    ['1.50 eth', nativeAsset, 1_500_000_000_000_000_000n],
    ['  7   ETH ', nativeAsset, 7_000_000_000_000_000_000n],
    ['250 USDC', usdc, 250_000_000n],
    ['250.000001 usdc', usdc, 250_000_001n],
    ['17 atomic', usdc, 17n],
    ['12 TICKET', whole, 12n],
    [`${maxUint256} atomic`, usdc, maxUint256],
  ] as const)('%s', (text, asset, expected) => {
    expect(parseAmount(text, asset)).toBe(expected)
  })

  test.each([
    ['no unit', '1.5', nativeAsset],
    ['another unit', '1.5 USDC', nativeAsset],
    ['wei of a token', '3 wei', usdc],
    ['excess precision', '0.0000001 USDC', usdc],
    ['excess precision that is zero', '1.0000000 USDC', usdc],
    ['a part of the smallest unit', '1.5 wei', nativeAsset],
    ['a part of an indivisible asset', '1.5 TICKET', whole],
    ['scientific notation', '1e18 wei', nativeAsset],
    ['a sign', '-1 ETH', nativeAsset],
    ['a plus', '+1 ETH', nativeAsset],
    ['grouping', '1,000 ETH', nativeAsset],
    ['grouping by underscores', '1_000 ETH', nativeAsset],
    ['a decimal comma', '1,5 ETH', nativeAsset],
    ['a leading zero', '01 ETH', nativeAsset],
    ['no digit before the point', '.5 ETH', nativeAsset],
    ['no digit behind the point', '5. ETH', nativeAsset],
    ['hexadecimal', '0x10 ETH', nativeAsset],
    ['other digits', '\u0661 ETH', nativeAsset],
    ['nothing', '', nativeAsset],
    ['a unit alone', 'ETH', nativeAsset],
    ['two units', '1 ETH ETH', nativeAsset],
    ['more than a uint256', `${maxUint256 + 1n} atomic`, usdc],
    ['an endless text', `${'1'.repeat(100_000)} ETH`, nativeAsset],
  ] as const)('refuses %s, with an advice', (_, text, asset) => {
    let error: unknown
    try {
      parseAmount(text, asset)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(AmountFormatError)
    expect(error).toMatchObject({ got: text, retryable: false, advice: expect.stringMatching(/\w/) })
    expect((error as Error).message.length).toBeLessThan(400)
  })
})

describe('formatAmount', () => {
  test.each([
    [1_500_000_000_000_000_000n, nativeAsset, '1.5 ETH'],
    [1n, nativeAsset, '0.000000000000000001 ETH'],
    [0n, nativeAsset, '0 ETH'],
    [50_000_000_000n, usdc, '50000 USDC'],
    [12n, whole, '12 TICKET'],
    [maxUint256, { ...usdc, decimals: 36 }, `${maxUint256 / 10n ** 36n}.${(maxUint256 % 10n ** 36n).toString()} USDC`],
  ] as const)('%s', (amount, asset, expected) => {
    expect(formatAmount(amount, asset)).toBe(expected)
  })

  test('refuses a negative amount', () => {
    expect(() => formatAmount(-1n, nativeAsset)).toThrow(RangeError)
  })
})
