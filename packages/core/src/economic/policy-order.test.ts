import { describe, expect, test } from 'vitest'
import { intentTextOf, policyBytesOf } from '../../test/economic-fixture.ts'
import { admitIntent } from './admission.ts'
import { EconomicError } from './diagnostics.ts'
import { parseIntent } from './documents/intent.ts'
import { parsePolicy } from './documents/policy.ts'
import { utf8 } from './text.ts'

/** A change of the text, as `[from, to]`. */
type Change = readonly [from: string, to: string]

function apply(text: string, [from, to]: Change): string {
  if (!text.includes(from)) throw new Error(`the text has no ${from}`)
  return text.replace(from, () => to)
}

/** The change of a row, and of every later row whose words are still there. */
function applyWithLater(text: string, change: Change, later: readonly (readonly [string, Change])[]): string {
  return later.reduce((changed, [, [from, to]]) => changed.replace(from, () => to), apply(text, change))
}

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'admitted'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return `${cause.code} ${cause.message}`
  }
}

const policyText = new TextDecoder().decode(policyBytesOf('x402_evm'))
const G211 = 'SPX-G211 Economic Agent policy invariant failed: '
const G212 = 'SPX-G212 Economic Agent payment intent was rejected: '

/** Every refusal of a policy in the documented order. Each row also breaks all the rules below it. */
const POLICY_ORDER: readonly (readonly [expected: string, change: Change])[] = [
  ['SPX-G210', ['{"schema"', '{"x":1,"schema"']],
  [`${G211}identifiers`, ['"fixture.economic"', '"Fixture"']],
  [`${G211}network_policies.rail`, ['"rail":"evm"', '"rail":"doge"']],
  [`${G211}network_policies.network`, ['"sepolia"', '"mainnet"']],
  [`${G211}network_policies.recipients`, ['["0x1111', '["0X1111']],
  [`${G211}network_policies.limits`, ['"max_rolling_24h_atomic":1000000', '"max_rolling_24h_atomic":1']],
  [`${G211}x402_origins.origin`, ['https://pay', 'http://pay']],
  [`${G211}x402_origins.settlement_rails`, ['"settlement_rails":["evm"]', '"settlement_rails":["x"]']],
  [`${G211}x402_origins`, ['"methods":["POST"]', '"methods":["PUT"]']],
  [`${G211}limits`, ['"max_memo_bytes"', '"max_memo"']],
  [`${G211}limits.max_policy_bytes`, ['"max_policy_bytes":1048576', '"max_policy_bytes":1048577']],
  [`${G211}limits.max_identifier_bytes`, ['"max_identifier_bytes":128', '"max_identifier_bytes":3']],
  [
    `${G211}limits`,
    [
      '"max_recipients":128,"max_network_policies":16,"max_x402_origins":32',
      '"max_recipients":128,"max_network_policies":16,"max_x402_origins":0',
    ],
  ],
  [`${G211}nonclaims`, ['no_mainnet_authority', 'no_testnet_authority']],
  ['SPX-G210', ['"limits":{', '"limits": {']],
  ['SPX-G216 policy_bytes', ['"max_policy_bytes":1048576', '"max_policy_bytes":9']],
  ['SPX-G216 json_depth', ['"max_json_depth":16', '"max_json_depth":4']],
]

describe('order of errors of a policy (notes, section 4)', () => {
  test.each(POLICY_ORDER.map(([expected, change], index) => [expected, change, index] as const))(
    '%s decides over everything after it',
    (expected, change, index) => {
      expect(codeOf(() => parsePolicy(utf8(apply(policyText, change))))).toContain(expected)
      const all = applyWithLater(policyText, change, POLICY_ORDER.slice(index + 1))
      expect(codeOf(() => parsePolicy(utf8(all)))).toContain(expected)
    },
  )

  test('nothing broken: admitted', () => {
    expect(codeOf(() => parsePolicy(utf8(policyText)))).toBe('admitted')
  })

  test.each([
    [
      'a day above the limit of an amount',
      /"max_rolling_24h_atomic":1000000/,
      '"max_rolling_24h_atomic":1000000000000000001',
      `${G211}limits`,
    ],
    [
      'an empty list of rows',
      /"network_policies":\[.*?\],"x402/s,
      '"network_policies":[],"x402',
      `${G211}network_policies`,
    ],
    [
      'a row twice',
      /"network_policies":\[(.*?)\],"x402/s,
      '"network_policies":[$1,$1],"x402',
      `${G211}network_policies.order`,
    ],
    [
      'an origin twice',
      /"x402_origins":\[(.*?)\],"limits/s,
      '"x402_origins":[$1,$1],"limits',
      `${G211}x402_origins.order`,
    ],
  ])('%s', (_, pattern, to, expected) => {
    expect(codeOf(() => parsePolicy(utf8(policyText.replace(pattern, to))))).toBe(`${expected}`)
  })
})

const intentText = intentTextOf('x402_evm')

/** Every refusal of an intent in the documented order, form first, then admission. */
const INTENT_ORDER: readonly (readonly [expected: string, change: Change])[] = [
  ['SPX-G210', ['{"schema"', '{"x":1,"schema"']],
  ['SPX-G210', ['"fixture.intent.x402"', '"Fixture"']],
  [`${G212}expired`, ['"expires_at_ms":1700000300000', '"expires_at_ms":1700000000000']],
  ['SPX-G216 memo_bytes', ['"memo":null', `"memo":"${'m'.repeat(1025)}"`]],
  ['SPX-G210', ['"settlement_rail":"evm"', '"settlement_rail":"doge"']],
  ['SPX-G210', ['"rail":"x402"', '"rail":"evm"']],
  ['SPX-G210', ['"payment":{', '"payment": {']],
  [`${G212}wallet mismatch`, ['"wallet_id":"fixture.wallet"', '"wallet_id":"other"']],
  [`${G212}rail/network/asset not allowed`, ['"network":"sepolia"', '"network":"devnet"']],
  [`${G212}recipient not allowed`, ['"payee":"0x11', '"payee":"0x21']],
  [`${G212}amount or fee not allowed`, ['"amount_atomic":10', '"amount_atomic":0']],
  ['SPX-G216 identifier_bytes', ['"fixture.nonce"', `"${'n'.repeat(129)}"`]],
  [`${G212}origin/method/resource not allowed`, ['"method":"POST"', '"method":"GET"']],
]

describe('order of errors of an intent (notes, section 5)', () => {
  const policy = parsePolicy(utf8(policyText))
  const admit = (text: string) => codeOf(() => admitIntent(policy, parseIntent(utf8(text))))

  test.each(INTENT_ORDER.map(([expected, change], index) => [expected, change, index] as const))(
    '%s decides over everything after it',
    (expected, change, index) => {
      expect(admit(apply(intentText, change))).toContain(expected)
      expect(admit(applyWithLater(intentText, change, INTENT_ORDER.slice(index + 1)))).toContain(expected)
    },
  )

  test('nothing broken: admitted', () => {
    expect(admit(intentText)).toBe('admitted')
  })

  test.each([
    ['"amount_atomic":10', '"amount_atomic":1000001', 'amount or fee not allowed'],
    ['"max_fee_atomic":100000', '"max_fee_atomic":1000001', 'amount or fee not allowed'],
    ['"expires_at_ms":1700000300000', '"expires_at_ms":1700000600001', 'expired'],
    ['"origin":"https://pay.', '"origin":"https://pai.', 'origin/method/resource not allowed'],
    ['/v1/payments', '/v1/payment', 'origin/method/resource not allowed'],
  ])('%s changed to %s: %s', (from, to, reason) => {
    expect(admit(apply(intentText, [from, to]))).toBe(`${G212}${reason}`)
  })

  test('an amount that the rail allows and the origin does not', () => {
    const origin = /("settlement_rails":\["evm"\],"max_amount_atomic":)1000000/
    const strict = parsePolicy(utf8(policyText.replace(origin, (_, head: string) => `${head}9`)))
    const outcome = codeOf(() => admitIntent(strict, parseIntent(utf8(intentText))))
    expect(outcome).toBe(`${G212}origin/method/resource not allowed`)
  })

  test.each([
    ['intent_bytes exceeds 600', { max_intent_bytes: 600n }],
    ['identifier_bytes exceeds 18', { max_identifier_bytes: 18n }],
    ['memo_bytes exceeds 3', { max_memo_bytes: 3n }],
  ])('a smaller limit of the policy: %s', (expected, limits) => {
    const small = parsePolicy(policyBytesOf('x402_evm', limits))
    const text = apply(intentText, ['"memo":null', '"memo":"four"'])
    expect(codeOf(() => admitIntent(small, parseIntent(utf8(text))))).toBe(`SPX-G216 ${expected}`)
  })
})
