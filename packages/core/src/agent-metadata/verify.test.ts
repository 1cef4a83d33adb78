import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawCidOf, sha256, toDagCborCid } from '../digest/index.ts'
import { noFindings } from '../task-package/findings.ts'
import { hasSelector, readAgentCode } from './clone-code.ts'
import { METADATA_CODES, type MetadataCode } from './codes.ts'
import {
  type AgentMetadata,
  AgentMetadataError,
  buildAgentMetadata,
  MAX_METADATA_BYTES,
  readAgentMetadata,
} from './document.ts'
import { type AgentFacts, METADATA_CHECKS, verifyAgentMetadata } from './verify.ts'

type Vector = {
  name: string
  bytes: string
  uri: string
  facts: Omit<AgentFacts, 'chainId'> & { chainId: string; code: string; implementationCode: string }
  codes: string[]
}
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../vectors/agent-metadata/documents.json'), 'utf8'),
) as Vector[]
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2))
const factsOf = (vector: Vector | undefined): AgentFacts => {
  if (vector === undefined) throw new Error('there are vectors')
  return { ...vector.facts, chainId: BigInt(vector.facts.chainId) }
}
const [first] = vectors
const codes = (verdict: { findings: readonly { code: MetadataCode }[] }) => verdict.findings.map(({ code }) => code)

describe('§6.4.6, §6.5.3 documents of the vectors', () => {
  it.each(vectors)('$name', (vector) => {
    const verdict = verifyAgentMetadata(bytesOf(vector.bytes), { uri: vector.uri, facts: factsOf(vector) })
    expect(codes(verdict)).toEqual(vector.codes)
    expect(verdict.ok).toBe(vector.codes.length === 0)
  })

  it('check every part of the first, and rebuild it to the same bytes', () => {
    const verdict = verifyAgentMetadata(bytesOf(first?.bytes ?? '0x'), { uri: first?.uri ?? '', facts: factsOf(first) })
    expect(verdict.checked).toEqual(METADATA_CHECKS)
    expect(verdict.notChecked).toEqual([])
    expect(verdict.agentCode).toMatchObject({
      initialRate: 1_000_000n,
      reclaimHorizonSec: 604_800,
      fixedPrice: false,
      shareName: 'Atlas',
      shareSymbol: 'ATL',
    })
    const built = buildAgentMetadata(verdict.metadata as AgentMetadata)
    expect(built.bytes).toEqual(bytesOf(first?.bytes ?? '0x'))
    expect(built.uri).toBe(first?.uri)
  })

  it('reach every code but those of JSON and of the URI', () => {
    const reached = new Set(vectors.flatMap((vector) => vector.codes))
    const missing = Object.keys(METADATA_CODES).filter((code) => !reached.has(code) && !code.startsWith('json.'))
    expect(missing).toEqual(['uri.cid-mismatch'])
  })
})

describe('what was checked and what not', () => {
  const bytes = bytesOf(first?.bytes ?? '0x')
  const without = (...fields: (keyof AgentFacts)[]) =>
    verifyAgentMetadata(bytes, {
      facts: Object.fromEntries(Object.entries(factsOf(first)).filter(([name]) => !fields.includes(name as never))),
    }).notChecked.map(({ check }) => check)

  it('says of each part that was not given that it is unchecked', () => {
    const verdict = verifyAgentMetadata(bytes)
    expect(verdict).toMatchObject({ ok: true, checked: ['document'] })
    expect(verdict.notChecked.map(({ check }) => check)).toEqual(['uri', 'code', 'reclaim', 'horizon', 'properties'])
    expect(without('implementationCode')).toEqual(['uri', 'reclaim'])
    expect(without('knownImplementations')).toEqual(['uri', 'code'])
  })

  it('compares a contract that is no clone by its views', () => {
    const code = factsOf(first).implementationCode ?? '0x'
    const facts = { code, reclaimHorizonSec: 60n, acceptToken: `0x${'11'.repeat(20)}` }
    const verdict = verifyAgentMetadata(bytes, { facts })
    expect(codes(verdict)).toEqual(['reclaim.horizon', 'property.accept-token'])
  })

  it('compares the bytes with the CID of the URI, and no other URI', () => {
    const at = (uri: string) => verifyAgentMetadata(bytes, { uri })
    expect(codes(at(`ipfs://${rawCidOf(new Uint8Array())}`))).toEqual(['uri.cid-mismatch'])
    for (const uri of ['https://a.example', `ipfs://${toDagCborCid(sha256(bytes))}`, ''])
      expect(at(uri).notChecked[0]?.check).toBe('uri')
  })
})

describe('hostile bytes', () => {
  it.each([
    ['json.too-large', new Uint8Array(MAX_METADATA_BYTES + 1)],
    ['json.not-utf8', Uint8Array.of(0xff)],
    ['json.bom', Uint8Array.of(0xef, 0xbb, 0xbf)],
    ['json.syntax', new Uint8Array()],
    ['json.too-deep', new TextEncoder().encode('['.repeat(99))],
    ['json.duplicate-key', new TextEncoder().encode('{"name":"a","name":"b"}')],
  ])('%s', (code, bytes) => {
    const verdict = verifyAgentMetadata(bytes, { facts: factsOf(first) })
    expect(codes(verdict)).toEqual([code])
    expect(verdict.metadata).toBeUndefined()
    expect(verdict.notChecked.map(({ check }) => check)).toEqual(['uri', 'reclaim', 'horizon', 'properties'])
  })

  it('give a verdict with known codes, whatever document and code', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), fc.uint8Array({ maxLength: 100 }), (json, uri, code) => {
        const hex = `0x${Buffer.from(code).toString('hex')}`
        const facts = { code: hex, implementationCode: uri, knownImplementations: [uri] }
        for (const found of codes(verifyAgentMetadata(new TextEncoder().encode(json), { uri, facts })))
          expect(METADATA_CODES).toHaveProperty([found])
      }),
      { seed: Number(process.env['FUZZ_SEED'] ?? 8406) },
    )
  })
})

describe('buildAgentMetadata', () => {
  const metadata: AgentMetadata = { name: 'A', description: '', image: '', reclaim: 'none' }
  it('refuses what its own reader refuses', () => {
    for (const wrong of [
      { name: '' },
      { reclaim: { horizon: -1, method: 'reclaim()' } },
      { reclaim: { horizon: 1.5, method: 'reclaim()' } },
      { name: '\ud800' },
    ])
      expect(() => buildAgentMetadata({ ...metadata, ...wrong })).toThrow(AgentMetadataError)
  })

  it('keeps free properties beside ours', () => {
    const { bytes } = buildAgentMetadata({ ...metadata, properties: { colour: 'blue' }, oikos: { roles: 'one key' } })
    const findings = noFindings<MetadataCode>()
    expect(readAgentMetadata(bytes, findings)).toEqual({
      ...metadata,
      properties: { colour: 'blue' },
      oikos: { roles: 'one key' },
    })
    expect(new TextDecoder().decode(bytes)).toContain('"oikos":{"roles":"one key","schema":"oikos-agent/1"}')
  })
})

describe('code', () => {
  it('has a selector only as the whole value of a push', () => {
    expect(hasSelector('0x6312345678', '0x12345678')).toBe(true)
    expect(hasSelector('0x62345678', '0x00345678')).toBe(true)
    expect(hasSelector('0x641234567800', '0x12345678')).toBe(false)
    expect(hasSelector('0x12345678', '0x12345678')).toBe(false)
    expect(hasSelector('0x6312345679', '0x12345678')).toBe(false)
    expect(hasSelector('0x63123456', '0x12345678')).toBe(false)
    expect(hasSelector('0x', '0x12345678')).toBe(false)
    expect(hasSelector('hello', '0x12345678')).toBe(false)
    // PUSH0 and every operation that is no push are one byte
    expect(hasSelector('0x5f5b6312345678', '0x12345678')).toBe(true)
  })

  it.each([
    ['nothing', '0x'],
    ['no hexadecimal', '0xzz'],
    ['another contract', '0x6080604052'],
    ['a proxy without arguments', `0x363d3d373d3d3d363d73${'11'.repeat(20)}5af43d82803e903d91602b57fd5bf3`],
    [
      'a proxy with too few',
      `0x363d3d373d3d3d363d73${'11'.repeat(20)}5af43d82803e903d91602b57fd5bf3${'00'.repeat(41)}`,
    ],
    [
      'a name that is longer than the code',
      `0x363d3d373d3d3d363d73${'11'.repeat(20)}5af43d82803e903d91602b57fd5bf3${'00'.repeat(41)}05`,
    ],
  ])('of %s is no Agent of ours', (_, code) => expect(readAgentCode(code)).toBeUndefined())
})

it('the table of docs/agent-metadata.md is the list of codes, in its order', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/agent-metadata.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+\.[a-z0-9-]+)` \| (.+) \|$/gm)].map(([, code, text]) => [code, text])
  expect(rows).toEqual(Object.entries(METADATA_CODES))
})
