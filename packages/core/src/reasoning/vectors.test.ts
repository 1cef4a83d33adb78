import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../task-package/index.ts'
import { readReasonedCall } from './call.ts'
import { REASONING_CODES } from './codes.ts'
import { buildReasoning, type ReasoningClaims } from './record.ts'
import { type ExpectedReasoning, REASONING_CHECKS, verifyReasoning } from './verify.ts'

type RecordVector = {
  name: string
  record: {
    binding: { chainId: string; agent: string; action: string; callHash: string; nonce: `0x${string}` }
    claims: ReasoningClaims
    links?: { evidence?: { digest: string }[]; packages?: { taskHash: string; uri?: string }[] }
  }
  bytes: string
  reasoningHash: string
  reasoningURI: string
  unboundCallData: string
  callData: string
}
type HostileVector = { name: string; bytes: string; expected: ExpectedReasoning; codes: string[] }

function vectors<file>(name: string): file {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors/reasoning', name), 'utf8')) as file
}
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2))
const records = vectors<RecordVector[]>('records.json')
const hostile = vectors<HostileVector[]>('hostile.json')

describe('records of the vectors', () => {
  it.each(records)('§6.2.1 $name: the same parts give the same bytes, hash and URI', (vector) => {
    const { binding, claims, links } = vector.record
    const built = buildReasoning({
      binding: { ...binding, chainId: BigInt(binding.chainId) },
      claims,
      ...(links !== undefined && { links }),
    })
    expect(new TextDecoder().decode(built.bytes)).toBe(new TextDecoder().decode(bytesOf(vector.bytes)))
    expect(built.reasoningHash).toBe(vector.reasoningHash)
    expect(built.reasoningURI).toBe(vector.reasoningURI)
  })

  it.each(records)('$name: the call binds to the record, before and after it cites it', (vector) => {
    const { binding } = vector.record
    const unbound = readReasonedCall(vector.unboundCallData)
    expect([unbound.action, unbound.callHash]).toEqual([binding.action, binding.callHash])
    expect(unbound.reasoningURI).toBe('')
    const cited = readReasonedCall(vector.callData)
    expect(cited).toMatchObject({
      action: binding.action,
      callHash: binding.callHash,
      reasoningHash: vector.reasoningHash,
      reasoningURI: vector.reasoningURI,
    })
  })

  it.each(records)('$name: verifies with every part checked', (vector) => {
    const { binding } = vector.record
    const verdict = verifyReasoning(bytesOf(vector.bytes), {
      hash: vector.reasoningHash,
      uri: vector.reasoningURI,
      binding,
    })
    expect(verdict).toMatchObject({ ok: true, status: 'valid', anchored: true, bound: true, findings: [] })
    expect(verdict.checked).toEqual(REASONING_CHECKS)
    expect(verdict.notChecked).toEqual([])
    expect(verdict.record?.claims).toEqual(vector.record.claims)
    expect(verdict.record?.links).toEqual((vector.record.links ?? {}) as JsonObject)
  })
})

describe('hostile records of the vectors', () => {
  it.each(hostile)('$name', ({ bytes, expected, codes }) => {
    const verdict = verifyReasoning(bytesOf(bytes), expected)
    expect(verdict.findings.map(({ code }) => code)).toEqual(codes)
    expect(verdict.ok).toBe(codes.length === 0)
    expect(verdict.status).toBe(codes.length === 0 ? 'valid' : 'invalid')
  })

  it('reach every code', () => {
    const reached = new Set(hostile.flatMap(({ codes }) => codes))
    // 256 KiB of hexadecimal would be no vector to read; verify.test.ts has it
    expect(Object.keys(REASONING_CODES).filter((code) => !reached.has(code))).toEqual(['json.too-large'])
  })
})
