import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { POLICY_CODES, POLICY_WARNINGS } from './codes.ts'
import { compilePolicy } from './compile.ts'
import { describePolicy } from './describe.ts'
import { encodePolicyDocument, MAX_POLICY_BYTES, type PolicyDocument, parsePolicyDocument } from './document.ts'
import { PolicyDocumentError } from './errors.ts'

type PolicyVector = {
  name: string
  document: PolicyDocument
  policy: unknown
  warnings: { code: string; where: string }[]
  sentences: string[]
}
type RefusedVector = { name: string; change: { [field: string]: unknown }; findings: { code: string; where: string }[] }

const folder = join(import.meta.dirname, '../../../../vectors/scope-policy')
const read = <file>(name: string): file => JSON.parse(readFileSync(join(folder, name), 'utf8')) as file
const policies = read<PolicyVector[]>('policies.json')
const refused = read<RefusedVector[]>('refused.json')
const base = policies[0]?.document as PolicyDocument
const textOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? field.toString() : field)))

function findingsOf(document: unknown): { code: string; where: string; message: string }[] {
  try {
    compilePolicy(document as PolicyDocument)
  } catch (cause) {
    if (cause instanceof PolicyDocumentError) return [...cause.findings]
    throw cause
  }
  return []
}

describe('documents of the vectors', () => {
  it.each(policies)('$name compiles to the policy of the contract', ({ document, policy, warnings }) => {
    const compiled = compilePolicy(document)
    expect(textOf(compiled.policy)).toEqual(policy)
    expect(compiled.warnings.map(({ code, where }) => ({ code, where }))).toEqual(warnings)
  })

  it.each(policies)('$name reads as sentences', ({ document, sentences }) => {
    expect(describePolicy(document).map(({ text }) => text)).toEqual(sentences)
  })

  it.each(policies)('$name is the same as bytes', ({ document, policy }) => {
    const parsed = parsePolicyDocument(encodePolicyDocument(document))
    expect(parsed).toEqual(document)
    expect(textOf(compilePolicy(parsed).policy)).toEqual(policy)
  })
})

describe('documents that are refused', () => {
  it.each(refused)('$name: says where', ({ change, findings }) => {
    const changed = Object.fromEntries(Object.entries({ ...base, ...change }).filter(([, value]) => value !== null))
    const got = findingsOf(changed)
    expect(got.map(({ code, where }) => ({ code, where }))).toEqual(findings)
    for (const { message } of got) expect(message.length).toBeGreaterThan(10)
  })

  it('reach every code', () => {
    const reached = new Set(refused.flatMap(({ findings }) => findings.map(({ code }) => code)))
    const missing = Object.keys(POLICY_CODES).filter((code) => !reached.has(code) && !code.startsWith('json.'))
    expect(missing).toEqual([])
  })

  it.each([
    ['json.too-large', new Uint8Array(MAX_POLICY_BYTES + 1)],
    ['json.not-utf8', Uint8Array.of(0xff)],
    ['json.bom', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
    ['json.syntax', new TextEncoder().encode('{')],
    ['json.too-deep', new TextEncoder().encode('[[[[[[[[[1]]]]]]]]]')],
    ['json.duplicate-key', new TextEncoder().encode('{"rules":[],"rules":[]}')],
    ['document.schema', new TextEncoder().encode('[]')],
  ])('bytes: %s', (code, bytes) => {
    expect(() => parsePolicyDocument(bytes)).toThrow(PolicyDocumentError)
    try {
      parsePolicyDocument(bytes)
    } catch (cause) {
      expect((cause as PolicyDocumentError).findings[0]?.code).toBe(code)
    }
  })

  it('name the field that nobody knows, and all that is wrong at once', () => {
    expect(findingsOf({ ...base, delays: '1 day', rules: 'none' }).map(({ message }) => message)).toEqual([
      'must NOT have additional properties: "delays"',
      'must be array',
    ])
  })
})

describe('warnings', () => {
  const warningsOf = (change: Partial<PolicyDocument>) =>
    compilePolicy({ ...base, ...change }).warnings.map(({ code, where }) => `${code} ${where}`)
  const withRule = (rule: object) => warningsOf({ rules: [{ to: 'vault', call: 'f()', ...rule }] })

  it('name money that no cap bounds over time', () => {
    expect(warningsOf({ caps: [] })).toEqual([
      'uncapped.accept-token rules[0].perCall.acceptToken',
      'uncapped.accept-token rules[1].perCall.acceptToken',
      'uncapped.native rules[2].perCall.native',
    ])
  })

  it.each([
    'deposit(uint256 assets, address receiver)',
    'transfer(address to, uint256 amount)',
    'approve(address spender, uint256 amount)',
    'swap((address tokenIn, address recipient) params)',
  ])('name a recipient that the Executor chooses: %s', (call) => {
    expect(withRule({ call }).filter((text) => text.startsWith('open.recipient'))).toHaveLength(1)
  })

  it('are silent when the recipient is bound, and not when it is only said who it is not', () => {
    const call = 'deposit(uint256 assets, address receiver)'
    expect(withRule({ call, when: [{ parameter: 'receiver', is: 'the agent' }] })).toEqual([])
    expect(withRule({ call, when: [{ parameter: 'receiver', not: 'market' }] })).toEqual([
      'open.recipient rules[0].when',
    ])
  })

  it('name an approval without a bound', () => {
    const rule = { call: 'approve(address spender, uint256 amount)', when: [{ parameter: 'spender', equals: 'vault' }] }
    expect(withRule(rule)).toEqual(['open.amount rules[0].when'])
    expect(withRule({ ...rule, charge: { asset: 'USDC', parameter: 'amount' } })).toEqual([])
  })
})

it.each([
  ['POLICY_CODES', POLICY_CODES],
  ['POLICY_WARNINGS', POLICY_WARNINGS],
])('the table of docs/scope-policies.md has %s, in its order', (_, codes) => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/scope-policies.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+\.[a-z0-9-]+)` \| (.+) \|$/gm)]
    .map(([, code = '', text]) => [code, text] as const)
    .filter(([code]) => code in codes)
  expect(rows).toEqual(Object.entries(codes))
})
