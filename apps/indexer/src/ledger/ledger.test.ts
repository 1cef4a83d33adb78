import { agentAbi } from '@oikos/core/abi'
import fc from 'fast-check'
import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  boundCallData,
  boundReply,
  boundText,
  innerCallData,
  MAX_URI_LENGTH,
  minus,
  minusSigned,
  plus,
  shifted,
  toDetails,
  toJson,
  toSmall,
} from './index.ts'

const MAX_WORD = 2n ** 256n - 1n
const word = fc.bigInt({ min: 0n, max: MAX_WORD })

describe('sums of what contracts say', () => {
  test('stay within what a word and a column hold, whatever hostile events add up to', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(plus(left, right)).toBe(left + right > MAX_WORD ? MAX_WORD : left + right)
        expect(minus(left, right)).toBe(left > right ? left - right : 0n)
        expect(minusSigned(left, right)).toBe(left - right)
        expect(shifted(left, right, right)).toBe(left)
        expect(shifted(plus(left, right), left, 0n)).toBe(minus(plus(left, right), left))
      }),
    )
    expect(minusSigned(-MAX_WORD, MAX_WORD)).toBe(-MAX_WORD)
    expect(MAX_WORD.toString()).toHaveLength(78)
  })

  test('small numbers stay within an integer column', () => {
    expect([toSmall(0), toSmall(4_294_967_295), toSmall(2n ** 64n)]).toEqual([0, 2_147_483_647, 2_147_483_647])
  })
})

describe('text of strangers', () => {
  test('is cut, and loses what a database refuses', () => {
    expect(boundText('a\0b', 10)).toBe('a\uFFFDb')
    expect(boundText('x'.repeat(20), 5)).toBe('xxxxx')
    // a cut through a pair leaves no half of it
    expect(boundText('ab\u{1F600}', 3)).toBe('ab\uFFFD')
    expect(boundText('\u{1F600}', 2)).toBe('\u{1F600}')
  })

  test('never holds NUL or half a surrogate pair, and is never longer than its bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.nat(50), (text, most) => {
        const kept = boundText(text, most)
        expect(kept.length).toBeLessThanOrEqual(most)
        expect(kept.isWellFormed()).toBe(true)
        expect(kept).not.toContain('\0')
      }),
    )
    expect(MAX_URI_LENGTH).toBe(8_192)
  })

  test('call data and replies are cut, and how long a reply was is kept', () => {
    const long = `0x${'ab'.repeat(10_000)}` as const
    expect(boundCallData(long)).toHaveLength(2 + 2 * 4_096)
    expect(boundReply(long)).toEqual({ returnData: `0x${'ab'.repeat(256)}`, returnBytes: 10_000 })
    expect(boundReply('0x')).toEqual({ returnData: '0x', returnBytes: 0 })
  })
})

describe('structs of events', () => {
  test('become bounded JSON with decimal text', () => {
    const policy = {
      rules: Array.from({ length: 100 }, (_, index) => ({ target: '0x1', expiresAt: index })),
      delaySec: 5n,
    }
    const json = toJson(policy) as { rules: { expiresAt: string }[]; delaySec: string }
    expect(json.rules).toHaveLength(64)
    expect(json.rules[1]).toEqual({ target: '0x1', expiresAt: '1' })
    expect(json.delaySec).toBe('5')
    let deep: unknown = 'end'
    for (let level = 0; level < 20; level += 1) deep = { deep }
    expect(JSON.stringify(toJson(deep)).length).toBeLessThan(100)
  })

  test('become text by name', () => {
    expect(toDetails({ a: 1n, b: ['x'], c: true, tokenId: 7n }, ['tokenId'])).toEqual({ a: '1', b: '["x"]', c: 'true' })
  })
})

describe('the inner call of a transaction', () => {
  const target = `0x${'11'.repeat(20)}` as const
  const hash = `0x${'22'.repeat(32)}` as const
  test('is what execute and executeWithAllowance pass on', () => {
    const execute = encodeFunctionData({
      abi: agentAbi,
      functionName: 'execute',
      args: [target, 1n, '0xdeadbeef', hash, 'ipfs://x'],
    })
    expect(innerCallData(execute)).toBe('0xdeadbeef')
  })

  test('is unknown for other functions, other input and input that is too long', () => {
    expect(innerCallData(encodeFunctionData({ abi: agentAbi, functionName: 'reclaim' }))).toBeUndefined()
    expect(innerCallData('0x')).toBeUndefined()
    expect(innerCallData(`0x${'00'.repeat(200_000)}`)).toBeUndefined()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        innerCallData(`0x${Buffer.from(bytes).toString('hex')}` as Hex)
      }),
    )
  })
})
