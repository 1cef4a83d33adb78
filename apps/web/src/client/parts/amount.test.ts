import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatShown } from './amount.tsx'

const dollar = { symbol: 'USD', decimals: 6 }
const ether = { symbol: 'ETH', decimals: 18 }

describe('an amount', () => {
  it.each([
    [1_250_000_000n, dollar, '1\u202f250', '1250'],
    [1n, dollar, '0.000001', '0.000001'],
    [-2_500_000n, dollar, '−2.5', '−2.5'],
    [0n, dollar, '0', '0'],
    [1_234_567_890_123_456_789n, ether, '1.234567…', '1.234567890123456789'],
    [12n, ether, '0.000000000000000012', '0.000000000000000012'],
    [1_234_567_891n, ether, '0.00000000123456…', '0.000000001234567891'],
  ])('of %s smallest units is shown and copied exactly', (value, asset, shown, exact) => {
    expect(formatShown(value, asset)).toEqual({ shown, exact })
  })

  it('is never rounded up: what is shown is a prefix of the exact amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.integer({ min: 0, max: 36 }), (value, decimals) => {
        const { shown, exact } = formatShown(value, { symbol: 'X', decimals })
        const bare = shown.replaceAll('\u202f', '')
        return bare.endsWith('…') ? exact.startsWith(bare.slice(0, -1)) : bare === exact
      }),
    )
  })
})
