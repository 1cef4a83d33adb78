import { describe, expect, it } from 'vitest'
import { ReasoningRecordError } from './errors.ts'
import { MAX_LINKS } from './limits.ts'
import { buildReasoning, type ReasoningInput } from './record.ts'

const input: ReasoningInput = {
  binding: {
    chainId: 11155111n,
    agent: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    action: 'execute',
    callHash: `0x${'AB'.repeat(32)}`,
    nonce: `0x${'01'.repeat(32)}`,
  },
  claims: { decision: 'Invest.' },
}

describe('buildReasoning', () => {
  it('writes compact JSON with sorted keys, addresses and digests in lower case', () => {
    const { bytes, record } = buildReasoning(input)
    expect(new TextDecoder().decode(bytes)).toBe(
      `{"binding":{"action":"execute","agent":"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed","callHash":"0x${'ab'.repeat(32)}","chainId":"11155111","nonce":"0x${'01'.repeat(32)}"},"claims":{"decision":"Invest."},"schema":"fat-reasoning/1"}`,
    )
    expect(record.binding.chainId).toBe(11155111n)
  })

  it('gives two equal calls different records by their nonces', () => {
    const again = { ...input, binding: { ...input.binding, nonce: `0x${'02'.repeat(32)}` as const } }
    expect(buildReasoning(again).reasoningHash).not.toBe(buildReasoning(input).reasoningHash)
  })

  it('leaves out what is undefined and empty links, and keeps a key called __proto__', () => {
    const claims = JSON.parse('{"decision":"x","__proto__":{"a":1}}') as ReasoningInput['claims']
    const { bytes, record } = buildReasoning({
      ...input,
      claims: { ...claims, model: undefined } as never,
      links: { evidence: [] },
    })
    expect(new TextDecoder().decode(bytes)).not.toContain('links')
    expect(new TextDecoder().decode(bytes)).not.toContain('model')
    expect(Object.keys(record.claims)).toEqual(['__proto__', 'decision'])
  })

  it('keeps integers beyond 2^53 exact', () => {
    const { bytes, record } = buildReasoning({ ...input, claims: { decision: 'x', amount: 2n ** 200n } })
    expect(new TextDecoder().decode(bytes)).toContain(`"amount":${2n ** 200n}`)
    expect(record.claims['amount']).toBe(2n ** 200n)
  })

  it('keeps links apart from claims', () => {
    const digest = `sha256:${'0a'.repeat(32)}`
    const taskHash = `0x${'0b'.repeat(32)}`
    const { record } = buildReasoning({
      ...input,
      links: { evidence: [{ digest }], packages: [{ taskHash, uri: 'ipfs://x' }] },
    })
    expect(record.links).toEqual({ evidence: [{ digest }], packages: [{ taskHash, uri: 'ipfs://x' }] })
    expect(Object.keys(record.claims)).toEqual(['decision'])
  })

  it.each<[string, Partial<ReasoningInput['binding']>, string]>([
    ['an agent with a wrong checksum', { agent: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'binding.agent'],
    ['an agent that is none', { agent: 'me' }, 'binding.agent'],
    ['chain id 0', { chainId: 0n }, 'chainId'],
    ['a negative chain id', { chainId: -1n }, 'chainId'],
    ['an action that is no name', { action: 'settle mint' }, 'action'],
    ['an endless action', { action: 'a'.repeat(65) }, 'action'],
    ['a short call hash', { callHash: '0x12' }, 'callHash'],
    ['a short nonce', { nonce: '0x00' }, 'nonce'],
  ])('refuses %s', (_, change, place) => {
    const attempt = () => buildReasoning({ ...input, binding: { ...input.binding, ...change } })
    expect(attempt).toThrow(ReasoningRecordError)
    expect(attempt).toThrow(place)
  })

  it('refuses claims without a decision, numbers that JSON does not have, endless nesting, half a surrogate', () => {
    expect(() => buildReasoning({ ...input, claims: {} as never })).toThrow('decision')
    expect(() => buildReasoning({ ...input, claims: { decision: 'x', rate: Number.NaN } })).toThrow('NaN')
    const endless: { [key: string]: never } = {}
    endless['self'] = endless as never
    expect(() => buildReasoning({ ...input, claims: { decision: 'x', endless } })).toThrow('nests deeper')
    expect(() => buildReasoning({ ...input, claims: { decision: '\ud800' } })).toThrow('json.not-utf8')
  })

  it(`takes ${MAX_LINKS} links of a kind and no more`, () => {
    const links = (count: number) => ({
      packages: Array.from({ length: count }, () => ({ taskHash: `0x${'0b'.repeat(32)}` })),
    })
    expect(buildReasoning({ ...input, links: links(MAX_LINKS) }).record.links.packages).toHaveLength(MAX_LINKS)
    expect(() => buildReasoning({ ...input, links: links(MAX_LINKS + 1) })).toThrow(ReasoningRecordError)
  })
})
