import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keccak256, sha256, toDagCborCid } from '../digest/index.ts'
import { REASONING_CODES } from './codes.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import { buildReasoning, type ReasoningInput } from './record.ts'
import { REASONING_CHECKS, verifyReasoning } from './verify.ts'

const input = {
  binding: {
    chainId: 1n,
    agent: `0x${'ab'.repeat(20)}`,
    action: 'settleMint',
    callHash: `0x${'cd'.repeat(32)}`,
    nonce: `0x${'ef'.repeat(32)}`,
  },
  claims: { decision: 'Settle.' },
} as const satisfies ReasoningInput
const built = buildReasoning(input)
const whole = { hash: built.reasoningHash, uri: built.reasoningURI, binding: built.record.binding }

describe('what was checked and what not', () => {
  it('says of each part that was not given that it is unchecked, and is not bound then', () => {
    const verdict = verifyReasoning(built.bytes)
    expect(verdict).toMatchObject({ ok: true, anchored: false, bound: false })
    expect(verdict.checked).toEqual(['json', 'schema', 'canonical'])
    expect(verdict.notChecked.map(({ check }) => check)).toEqual([
      'hash',
      'uri',
      'chainId',
      'agent',
      'action',
      'callHash',
      'nonce',
    ])
  })

  it.each(['chainId', 'agent', 'action', 'callHash'] as const)('is not bound when %s was not compared', (field) => {
    const { [field]: _, ...rest } = built.record.binding
    const verdict = verifyReasoning(built.bytes, { ...whole, binding: rest })
    expect(verdict).toMatchObject({ ok: true, anchored: true, bound: false })
    expect(verdict.notChecked).toEqual([{ check: field, reason: 'nothing was given to compare it with' }])
  })

  it('is bound without a nonce, which no chain knows', () => {
    const { nonce: _, ...rest } = built.record.binding
    expect(verifyReasoning(built.bytes, { ...whole, binding: rest }).bound).toBe(true)
  })

  it('§6.2.3 keeps apart that the bytes are anchored and that they are a record of ours', () => {
    const bytes = new TextEncoder().encode('We bought because it was cheap.')
    const verdict = verifyReasoning(bytes, { hash: keccak256(bytes) })
    expect(verdict).toMatchObject({ ok: false, status: 'invalid', anchored: true, bound: false })
    expect(verdict.findings.map(({ code }) => code)).toEqual(['json.syntax'])
    expect(verdict.record).toBeUndefined()
    expect(verdict.notChecked.map(({ check }) => check)).toEqual([
      'uri',
      'schema',
      'canonical',
      'chainId',
      'agent',
      'action',
      'callHash',
      'nonce',
    ])
  })

  it.each([
    ['https://agent.example/records/1', 'the URI does not name its content by a digest'],
    ['ar://abc', 'the URI does not name its content by a digest'],
    [`ipfs://${toDagCborCid(sha256(built.bytes))}`, 'only a gateway could judge it'],
    ['ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG', 'only a gateway could judge it'],
    [`${built.reasoningURI}/record.json`, 'only a gateway could judge it'],
  ])('does not judge the URI %s', (uri, reason) => {
    const verdict = verifyReasoning(built.bytes, { ...whole, uri })
    expect(verdict.ok).toBe(true)
    expect(verdict.notChecked).toEqual([{ check: 'uri', reason: expect.stringContaining(reason) }])
  })

  it('compares hexadecimal in any case', () => {
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
    const { agent, callHash } = built.record.binding
    const verdict = verifyReasoning(built.bytes, {
      ...whole,
      hash: upper(whole.hash),
      binding: { ...whole.binding, agent: upper(agent), callHash: upper(callHash) },
    })
    expect(verdict).toMatchObject({ ok: true, anchored: true, bound: true })
  })
})

describe('limits', () => {
  it('hashes nothing beyond the limit, and says so', () => {
    const verdict = verifyReasoning(new Uint8Array(MAX_RECORD_BYTES + 1), whole)
    expect(verdict.findings.map(({ code }) => code)).toEqual(['json.too-large'])
    expect(verdict).toMatchObject({ ok: false, status: 'invalid', anchored: false, bound: false, checked: [] })
    expect(verdict.notChecked.map(({ check }) => check)).toEqual(REASONING_CHECKS)
  })

  it('takes a record that just fits', () => {
    const filler = (length: number) => ({ ...input, claims: { decision: 'x', filler: 'a'.repeat(length) } })
    const overhead = buildReasoning(filler(0)).bytes.length
    const { bytes } = buildReasoning(filler(MAX_RECORD_BYTES - overhead))
    expect(bytes.length).toBe(MAX_RECORD_BYTES)
    expect(verifyReasoning(bytes).ok).toBe(true)
    expect(() => buildReasoning(filler(MAX_RECORD_BYTES - overhead + 1))).toThrow('json.too-large')
  })
})

it('the table of docs/reasoning.md is the list of codes, in its order', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/reasoning.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+\.[a-z0-9-]+)` \| (.+) \|$/gm)].map(([, code, text]) => [code, text])
  expect(rows).toEqual(Object.entries(REASONING_CODES))
})
