import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../task-package/index.ts'
import { REASONING_CODES } from './codes.ts'
import { buildReasoning, type ReasoningInput } from './record.ts'
import { verifyReasoning } from './verify.ts'

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8406) })
const hex = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`)
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).filter((value) => value.isWellFormed())
const input: fc.Arbitrary<ReasoningInput> = fc.record({
  binding: fc.record({
    chainId: fc.bigInt({ min: 1n, max: 2n ** 255n }),
    agent: hex(20),
    action: fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,20}$/),
    callHash: hex(32),
    nonce: hex(32),
  }),
  claims: fc
    .record({ decision: text, extra: fc.jsonValue({ maxDepth: 3 }) })
    .map(({ decision, extra }) => ({ decision, extra: JSON.parse(JSON.stringify(extra)) as JsonValue }))
    .filter(({ extra }) => JSON.stringify(extra).isWellFormed() && !JSON.stringify(extra).includes('\\ud')),
})

describe('records', () => {
  it('verify as they were built, and are rebuilt to the same bytes from what was read', () => {
    fc.assert(
      fc.property(input, (parts) => {
        const built = buildReasoning(parts)
        const expected = { hash: built.reasoningHash, uri: built.reasoningURI, binding: built.record.binding }
        const verdict = verifyReasoning(built.bytes, expected)
        expect(verdict).toMatchObject({ ok: true, anchored: true, bound: true, notChecked: [] })
        if (verdict.record === undefined) throw new Error('a valid record is read')
        expect(buildReasoning(verdict.record).bytes).toEqual(built.bytes)
      }),
    )
  })

  it('no longer verify after any change of one byte', () => {
    fc.assert(
      fc.property(input, fc.nat(), fc.integer({ min: 1, max: 255 }), (parts, position, change) => {
        const built = buildReasoning(parts)
        const bytes = Uint8Array.from(built.bytes)
        const at = position % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ change
        const verdict = verifyReasoning(bytes, { hash: built.reasoningHash, uri: built.reasoningURI })
        expect(verdict).toMatchObject({ ok: false, anchored: false })
      }),
    )
  })

  it('give a verdict with known codes on any bytes', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((value) => new TextEncoder().encode(value)),
      input.map((parts) => buildReasoning(parts).bytes.slice(0, -3)),
    )
    fc.assert(
      fc.property(hostile, fc.string(), fc.string(), (bytes, hash, uri) => {
        const verdict = verifyReasoning(bytes, { hash, uri, binding: { chainId: 'x', agent: hash, nonce: uri } })
        for (const { code } of verdict.findings) expect(REASONING_CODES).toHaveProperty([code])
        expect(verdict.ok).toBe(verdict.findings.length === 0)
      }),
    )
  })
})
