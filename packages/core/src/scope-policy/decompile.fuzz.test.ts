import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLACES, policy, SIGNATURES } from '../../test/policy-arbitrary.ts'
import { parseSignature } from '../call-data/index.ts'
import { compilePolicy } from './compile.ts'
import { type DecompileOptions, decompilePolicy } from './decompile.ts'
import { describePolicy } from './describe.ts'
import { encodePolicyDocument, parsePolicyDocument } from './document.ts'
import type { Policy, Rule } from './policy.ts'

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8406) })

/** Members are grouped by set; the chain keeps no order of them. */
function sorted({ members, ...rest }: Policy): Policy {
  const key = ({ set, member }: Policy['members'][number]) =>
    `${set.toString().padStart(80)}:${member.toString().padStart(80)}`
  return { ...rest, members: members.toSorted((left, right) => (key(left) < key(right) ? -1 : 1)) }
}

const [usdc = '0x', dai = '0x', vault = '0x'] = PLACES
const PLAIN_RULE: Rule = {
  target: vault,
  selector: '0x12345678',
  plain: false,
  expiresAt: 0,
  maxValue: 0n,
  maxTokenOut: 0n,
  codeHash: `0x${'0'.repeat(64)}`,
  spendAsset: `0x${'0'.repeat(40)}`,
  spendOffset: 0,
  callLimit: 0,
  callPeriodSec: 0,
  conditions: [],
}
const acceptToken = { symbol: 'USDC', decimals: 6, address: usdc } as const
const named: DecompileOptions = {
  acceptToken,
  title: 'Names for all',
  assets: [{ symbol: 'DAI', decimals: 18, address: dai }],
  contracts: { vault },
  sets: { payees: 1n, tokens: 2n },
  signatures: SIGNATURES,
}

describe('compile after decompile', () => {
  it.each<[string, DecompileOptions]>([
    ['without a name', { acceptToken }],
    ['with names and signatures', named],
    [
      'with names that no document can hold',
      {
        acceptToken: { ...acceptToken, symbol: '$\u202eUSD' },
        assets: [
          { symbol: 'DAI', decimals: 18, address: dai },
          { symbol: 'DAI', decimals: 6, address: vault },
          { symbol: '1INCH', decimals: 18, address: PLACES[3] ?? '0x' },
        ],
        contracts: { 'my vault': vault, DAI: PLACES[4] ?? '0x' },
        sets: { 'set-0': 1n, 'a set': 2n },
        signatures: SIGNATURES,
      },
    ],
  ])('gives the same policy %s', (_, options) => {
    fc.assert(
      fc.property(policy, (original) => {
        const document = decompilePolicy(original, options)
        const { policy: again } = compilePolicy(document)
        expect(sorted(again)).toEqual(sorted(original))
      }),
      { numRuns: 300 },
    )
  })

  it('gives a document that survives its bytes, and has a sentence for each item', () => {
    fc.assert(
      fc.property(policy, (original) => {
        const document = decompilePolicy(original, named)
        const parsed = parsePolicyDocument(encodePolicyDocument(document))
        expect(sorted(compilePolicy(parsed).policy)).toEqual(sorted(original))
        const sentences = describePolicy(parsed)
        expect(sentences).toHaveLength(
          original.rules.length + original.caps.length + Object.keys(document.sets ?? {}).length + 2,
        )
        for (const { text } of sentences) expect(text).toMatch(/^[A-Z].*\.$/)
      }),
    )
  })

  it.each([
    ['transfer(address to, uint8 amount)', 32, 255n, { parameter: 'amount', equals: '255' }],
    ['transfer(address to, uint8 amount)', 32, 256n, { offset: 32, equals: '256' }],
    ['transfer(address to, int8 amount)', 32, 127n, { parameter: 'amount', equals: '127' }],
    ['transfer(address to, int8 amount)', 32, 128n, { offset: 32, equals: '128' }],
    ['transfer(address to, bool amount)', 32, 1n, { parameter: 'amount', equals: true }],
    ['transfer(address to, bool amount)', 32, 2n, { offset: 32, equals: '2' }],
    ['transfer(address to, bytes31 amount)', 32, 256n, { parameter: 'amount', equals: `0x${'00'.repeat(30)}01` }],
    ['transfer(address to, bytes31 amount)', 32, 1n, { offset: 32, equals: '1' }],
    ['transfer(address to, bytes amount)', 32, 64n, { offset: 32, equals: '64' }],
    ['transfer(address, bool amount)', 0, 1n << 159n, { parameter: '#0', equals: `0x8${'0'.repeat(39)}` }],
    [
      'transfer(address, bool amount)',
      0,
      1n << 160n,
      { offset: 0, equals: `0x${(1n << 160n).toString(16).padStart(64, '0')}` },
    ],
  ])('names a word of %s only where it is a value of its type', (signature, offset, value, expected) => {
    const { selector } = parseSignature(signature)
    const one = { ...PLAIN_RULE, selector, conditions: [{ offset, op: 1, value }] }
    const original = { rules: [one], caps: [], members: [], delaySec: 0 }
    const document = decompilePolicy(original, { acceptToken, signatures: [signature] })
    expect(document.rules[0]?.when).toEqual([expected])
    expect(compilePolicy(document).policy).toEqual(original)
  })

  it('keeps unknown selectors, offsets and assets visible', () => {
    const { rules, caps, assets } = decompilePolicy(
      {
        rules: [{ ...PLAIN_RULE, spendAsset: dai, spendOffset: 36, conditions: [{ offset: 4, op: 1, value: 7n }] }],
        caps: [{ asset: dai, limit: 5n, periodSec: 60, lifetime: 9n }],
        members: [],
        delaySec: 0,
      },
      { acceptToken },
    )
    expect(rules).toEqual([
      {
        to: '0x00000000000000000000000000000000000000A3',
        call: '0x12345678',
        when: [{ offset: 4, equals: '7' }],
        charge: { asset: `atomic-${dai.slice(2)}`, offset: 36 },
      },
    ])
    expect(caps).toEqual([
      {
        asset: `atomic-${dai.slice(2)}`,
        limit: `5 atomic-${dai.slice(2)}`,
        refill: '1 minute',
        lifetime: `9 atomic-${dai.slice(2)}`,
      },
    ])
    expect(assets?.[`atomic-${dai.slice(2)}`]?.decimals).toBe(0)
  })
})
