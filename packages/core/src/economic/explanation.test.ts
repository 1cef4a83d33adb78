import { describe, expect, test } from 'vitest'
import { policyBytesOf } from '../../test/economic-fixture.ts'
import {
  BOUNDARY_MESSAGES,
  DIAGNOSTIC_MEANING,
  type DiagnosticCode,
  EconomicError,
  intentRejected,
  limitExceeded,
  notCanonical,
  policyInvariant,
} from './diagnostics.ts'
import { parsePolicy } from './documents/policy.ts'
import { explainDiagnostic } from './explanation.ts'
import { utf8 } from './text.ts'

describe('a diagnostic in plain words', () => {
  test('every code has a sentence, also for a message that no rule gives', () => {
    for (const code of Object.keys(DIAGNOSTIC_MEANING) as DiagnosticCode[]) {
      expect(explainDiagnostic({ code, message: '' })).toBe(DIAGNOSTIC_MEANING[code])
      expect(explainDiagnostic({ code, message: 'constructor: __proto__' })).toMatch(/\.$/)
    }
  })

  test.each([
    ['wallet mismatch', 'another wallet'],
    ['recipient not allowed', 'not in the list'],
    ['amount or fee not allowed', 'at least 1'],
    ['origin/method/resource not allowed', 'does not list'],
    ['expired', '10 minutes'],
    ['agent run not completed', 'completed run'],
    ['rail/network/asset not allowed', 'no row'],
    ['idempotency already bound', 'another payment'],
  ] as const)('SPX-G212 %s', (reason, words) => {
    expect(explainDiagnostic(intentRejected(reason))).toContain(words)
  })

  test.each([
    [limitExceeded('memo_bytes', 1024n), 'The memo is too long; at most 1024 are allowed.'],
    [limitExceeded('intent_bytes', 9n), 'The intent is longer than 9 bytes.'],
    [limitExceeded('broadcast_receipt_bytes', 9n), 'The broadcast receipt is longer than 9 bytes.'],
    [notCanonical('policy'), DIAGNOSTIC_MEANING['SPX-G210']],
    [policyInvariant('limits.max_utxos'), 'The limit max_utxos is at most 100, and not 0 where 0 would allow nothing.'],
    [
      new EconomicError('SPX-I226', BOUNDARY_MESSAGES['SPX-I226']),
      'It is unknown whether the transaction was accepted: reconcile by its id, never pay again.',
    ],
  ])('%s', (error, words) => {
    expect(explainDiagnostic(error)).toBe(words)
  })

  test.each([
    ['"economic_agent_id":"', '"economic_agent_id":"A', 'ids of agent and wallet'],
    ['"rail":"evm"', '"rail":"near"', 'evm, solana or bitcoin'],
    ['"network":"sepolia"', '"network":"mainnet"', 'one network and one asset'],
    ['"max_amount_atomic":', '"max_amount_atomic":9', 'an amount of 1 to 10^18'],
    ['"origin":"https://', '"origin":"http://', 'https://'],
    ['"methods":["POST"', '"methods":["PUT"', 'GET, POST'],
    ['no_mainnet_authority', 'mainnet_authority', '28 nonclaims'],
    ['"max_json_depth":16', '"max_json_depth":17', 'max_json_depth is at most 16'],
  ])('each rule that a policy can break has words of its own: %s', (from, to, words) => {
    const text = new TextDecoder().decode(policyBytesOf('x402_evm'))
    expect(text).toContain(from)
    let error: unknown
    try {
      parsePolicy(utf8(text.replace(from, to)))
    } catch (cause) {
      error = cause
    }
    expect(error).toBeInstanceOf(EconomicError)
    expect((error as EconomicError).code).toBe('SPX-G211')
    expect(explainDiagnostic(error as EconomicError)).toContain(words)
  })
})
