import * as fc from 'fast-check'
import { maxUint256, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { AmountFormatError, formatAmount, parseAmount } from './amount.ts'
import { type Asset, MAX_DECIMALS } from './asset.ts'

const asset = fc
  .record({ symbol: fc.stringMatching(/^[A-Za-z]{1,24}$/), decimals: fc.nat(MAX_DECIMALS) })
  .filter(({ symbol }) => !['atomic', 'wei', 'gwei'].includes(symbol.toLowerCase()))
  .map((parts): Asset => ({ address: zeroAddress.replace(/0$/, '1') as `0x${string}`, warnings: [], ...parts }))
const amount = fc.bigInt({ min: 0n, max: maxUint256 })

test('every amount that is written is read back to the last unit', () => {
  fc.assert(
    fc.property(amount, asset, (atomic, unit) => {
      expect(parseAmount(formatAmount(atomic, unit), unit)).toBe(atomic)
      expect(parseAmount(`${atomic} atomic`, unit)).toBe(atomic)
    }),
    { numRuns: 2_000 },
  )
})

test('every text is read exactly or refused: a different text of the same value gives the same amount', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{1,30}(\.[0-9]{1,40})?$/), asset, (number, unit) => {
      let read: bigint
      try {
        read = parseAmount(`${number} ${unit.symbol}`, unit)
      } catch (error) {
        expect(error).toBeInstanceOf(AmountFormatError)
        return
      }
      const [whole = '', fraction = ''] = number.split('.')
      const scale = 10n ** BigInt(fraction.length)
      expect(read * scale).toBe(BigInt(whole + fraction) * 10n ** BigInt(unit.decimals))
    }),
    { numRuns: 2_000 },
  )
})

test('no text makes it fail in another way', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), asset, (text, unit) => {
      try {
        expect(parseAmount(text, unit)).toBeTypeOf('bigint')
      } catch (error) {
        expect(error).toBeInstanceOf(AmountFormatError)
      }
    }),
    { numRuns: 2_000 },
  )
})
