import { describe, expect, test } from 'vitest'
import { admissionOf, intentTextOf, SOURCE_PROFILE, SOURCE_TASK, sourceRunOf } from '../../../test/economic-fixture.ts'
import { admitSourceRun } from '../admission.ts'
import { EconomicError } from '../diagnostics.ts'
import type { HarnessDigest, PaymentGraphInput } from '../payment-graph.ts'
import { assertPaymentGraph, compilePaymentGraph, readPaymentGraph } from '../payment-graph.ts'
import { utf8 } from '../text.ts'
import { sealSourceRun } from './build.ts'
import { SourceRunError } from './catalog.ts'
import type { SourceRunBytes } from './read.ts'
import { verifySourceRun } from './read.ts'

const source = sourceRunOf(intentTextOf('evm'))
const [model] = SOURCE_PROFILE.models
if (model === undefined) throw new Error('the profile has no model')
const bytes: SourceRunBytes = {
  evidence: source.evidenceDocument.bytes,
  finalMessage: source.finalMessage ?? new Uint8Array(0),
  profile: source.profile.bytes,
  task: source.task.bytes,
}

function replaced(from: string, to: string): Uint8Array {
  expect(source.evidenceDocument.text).toContain(from)
  return utf8(source.evidenceDocument.text.replace(from, () => to))
}

describe('source runs (notes, section 15)', () => {
  test('a sealed run verifies, with and without profile and task', () => {
    const expected = { ok: true, run: { evidence: source.evidence, finalMessage: source.finalMessage } }
    expect(verifySourceRun(bytes)).toEqual(expected)
    const { evidence, finalMessage } = bytes
    expect(verifySourceRun({ evidence, finalMessage })).toEqual(expected)
  })

  test('six events, as a run of one turn without tools has', () => {
    const { events } = source.trace.document
    expect(events.map(({ kind, status }) => `${kind}:${status}`)).toEqual([
      'run_started:started',
      'route_selected:selected',
      'provider_attempt_started:started',
      'provider_attempt_finished:succeeded',
      'action_accepted:final',
      'run_finished:completed',
    ])
  })

  test('a loop with context, reported tokens and cost seals and verifies', () => {
    const remote = { ...model, locality: 'remote' as const, provider_id: 'some.provider' }
    const profile = {
      ...SOURCE_PROFILE,
      models: [remote],
      policy: {
        ...SOURCE_PROFILE.policy,
        allowed_provider_ids: ['some.provider'],
        required_locality: 'remote_allowed' as const,
      },
      limits: { ...SOURCE_PROFILE.limits, max_usd_microunits: 5_000n },
    }
    const context = [{ label: 'offer', provenance: 'untrusted', content: 'pay \u0007 "this"\n' }]
    const sealed = sealSourceRun({
      profile,
      task: { ...SOURCE_TASK, nonce: 'ab'.repeat(32), context },
      model: remote,
      finalMessage: intentTextOf('evm'),
      inputTokens: 90n,
      outputTokens: 200n,
      usdMicrounits: 1_234n,
      elapsedMs: 700n,
    })
    expect(sealed.request.document.segments).toHaveLength(3)
    expect(sealed.runId).not.toBe(source.runId)
    const verdict = verifySourceRun({
      evidence: sealed.evidenceDocument.bytes,
      finalMessage: sealed.finalMessage ?? new Uint8Array(0),
      profile: sealed.profile.bytes,
      task: sealed.task.bytes,
    })
    expect(verdict.ok).toBe(true)
  })

  test.each([
    [
      'a model that the policy does not allow',
      { profile: { ...SOURCE_PROFILE, policy: { ...SOURCE_PROFILE.policy, allowed_model_ids: [] } } },
    ],
    ['a model of another profile', { model: { ...model } }],
    ['a cost over the limit', { usdMicrounits: 1n }],
    [
      'a limit over the production maximum',
      { profile: { ...SOURCE_PROFILE, limits: { ...SOURCE_PROFILE.limits, max_turns: 17n } } },
    ],
  ])('%s is refused', (_, changes) => {
    const input = { profile: SOURCE_PROFILE, task: SOURCE_TASK, model, finalMessage: 'x', ...changes }
    expect(() => sealSourceRun(input)).toThrow(SourceRunError)
  })

  test.each([
    ['another message', { finalMessage: utf8(intentTextOf('evm_kat')) }],
    [
      'another message of the same length',
      { finalMessage: utf8(intentTextOf('evm').replace('"amount_atomic":10', '"amount_atomic":99')) },
    ],
    ['a longer message', { finalMessage: utf8(`${intentTextOf('evm')} `) }],
    ['another profile', { profile: utf8(source.profile.text.replace('"max_turns":1', '"max_turns":2')) }],
    ['another task', { task: utf8(source.task.text.replace('economic proposal', 'economic proposals')) }],
    [
      'a profile that is not canonical',
      { profile: utf8(source.profile.text.replace('"max_turns":1', '"max_turns": 1')) },
    ],
    ['no evidence', { evidence: new Uint8Array(0) }],
    ['evidence that is not UTF-8', { evidence: Uint8Array.of(0xff) }],
    [
      'a run that was cancelled',
      { evidence: replaced('"result":{"status":"completed"', '"result":{"status":"cancelled"') },
    ],
    ['another run id', { evidence: replaced('"run_id":"sha256:', '"run_id":"sha256:0') }],
    ['another trace', { evidence: replaced('\\"kind\\":\\"route_selected\\"', '\\"kind\\":\\"route_selecteD\\"') }],
    ['other limits', { evidence: replaced('"max_models":32', '"max_models":33') }],
    ['other counters', { evidence: replaced('"used_turns":1', '"used_turns":2') }],
    ['white space', { evidence: replaced('"budget":{', '"budget": {') }],
  ])('%s does not verify', (_, changes) => {
    const verdict = verifySourceRun({ ...bytes, ...changes })
    expect(verdict.ok).toBe(false)
  })

  test('a run without a final message is no source: SPX-G212', () => {
    const admit = () =>
      admitSourceRun(admissionOf('evm').policy, { evidence: source.evidence, finalMessage: undefined })
    expect(admit).toThrow(EconomicError)
    expect(admit).toThrow('agent run not completed')
  })
})

describe('the payment graph (Agent Payment Harness v1)', () => {
  const input: PaymentGraphInput = {
    agentDefinitionDigest: `sha256:${'a'.repeat(64)}` as HarnessDigest<'agent-definition'>,
    agentGraphDigest: `sha256:${'b'.repeat(64)}` as HarnessDigest<'agent-graph'>,
    policyDigest: admissionOf('evm').policy.digest,
  }
  const graph = compilePaymentGraph(input)
  const text = new TextDecoder().decode(graph.bytes)

  function codeOf(run: () => unknown): string {
    try {
      run()
      return 'passed'
    } catch (cause) {
      if (!(cause instanceof EconomicError)) throw cause
      return cause.code
    }
  }

  test('is deterministic and reads back', () => {
    expect(compilePaymentGraph(input)).toEqual(graph)
    expect(codeOf(() => assertPaymentGraph(graph.bytes, input))).toBe('passed')
    expect(readPaymentGraph(graph.bytes)).toEqual(graph)
    expect(text.startsWith('{"schema":"semaprax.agent-payment-graph.v1","agent_definition_digest":"sha256:aaa')).toBe(
      true,
    )
  })

  test.each([
    ['"approval":"injected"', '"approval":"model"'],
    ['"broadcast_once"', '"broadcast_twice"'],
    ['no_mainnet_authority', 'no_testnet_authority'],
    ['"independent_replay_required":true', '"independent_replay_required":false'],
    ['{"schema"', '{ "schema"'],
    ['sha256:aaa', 'sha256:aab'],
  ])('%s changed to %s is SPX-G505', (from, to) => {
    const tampered = utf8(text.replace(from, () => to))
    expect(codeOf(() => assertPaymentGraph(tampered, input))).toBe('SPX-G505')
    if (!from.startsWith('sha256')) expect(codeOf(() => readPaymentGraph(tampered))).toBe('SPX-G505')
  })

  test('longer than 65536 bytes is SPX-G505', () => {
    expect(codeOf(() => readPaymentGraph(new Uint8Array(65_537)))).toBe('SPX-G505')
    expect(codeOf(() => assertPaymentGraph(new Uint8Array(65_537), input))).toBe('SPX-G505')
  })
})
