import { EconomicError, verifyEvidence } from '@oikos/core/economic'
import { describe, expect, test } from 'vitest'
import { type HostCall, listenToHost } from '../../test/interrupted-host.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { createRehearsalChain, createRehearsalHost, rehearsalPolicy, rehearsalSource } from '../rehearsal/index.ts'
import { createEconomicAgent } from './agent.ts'
import type { AdapterDisposition, EconomicAgentHost, PushSink } from './host.ts'

const nowMs = 1_700_000_000_000n
const recipient = `0x${'11'.repeat(20)}`
const policy = rehearsalPolicy({ recipients: [recipient], maxAmountAtomic: 1000n, maxRolling24hAtomic: 1000n })
const proposal = (idempotencyKey = 'payment', amountAtomic = 10n) =>
  rehearsalSource({ idempotencyKey, recipient, amountAtomic, createdAtMs: nowMs })

/** A rehearsal whose calls are counted, around a journal that outlives its agents. */
function rehearse(change: (host: EconomicAgentHost) => EconomicAgentHost = (host) => host) {
  const journal = createMemoryJournal({ clockMs: () => nowMs })
  const chain = createRehearsalChain({ clockMs: () => nowMs + 1n })
  const calls: HostCall[] = []
  const cancellation = { aborted: false }
  const listener = { before: (call: HostCall) => void calls.push(call), after: () => {} }
  const host = listenToHost(change(createRehearsalHost({ journal, chain, elapsedMs: () => 0n })), listener)
  return { agent: createEconomicAgent(policy, host, cancellation), journal, chain, calls, host, cancellation }
}

/** Puts another custody, chain and so on in place of the usual one. */
const withSign =
  (sign: EconomicAgentHost['custody']['sign']) =>
  (host: EconomicAgentHost): EconomicAgentHost => ({ ...host, custody: { sign } })
const withSnapshot =
  (snapshot: (usual: () => Promise<AdapterDisposition>, sink: PushSink) => Promise<AdapterDisposition>) =>
  (host: EconomicAgentHost): EconomicAgentHost => {
    const { evm } = host.rails
    const changed = {
      ...evm,
      snapshot: (intent: string, sink: PushSink) => snapshot(() => evm.snapshot(intent, sink), sink),
    }
    return { ...host, rails: { ...host.rails, evm: changed } }
  }

describe('execute', () => {
  test('a payment confirms, and its Evidence replays for a stranger', async () => {
    const { agent, chain } = rehearse()
    const outcome = await agent.execute(proposal())
    if (outcome.kind !== 'run') throw new Error('refused')
    expect(outcome.result).toMatchObject({ status: 'confirmed', transaction_id: chain.broadcasts[0] })
    expect(verifyEvidence(outcome.evidence.bytes)).toMatchObject({ ok: true })
  })

  test('the same proposal again observes nothing, signs nothing and gives the same transaction', async () => {
    const { agent, chain, calls } = rehearse()
    await agent.execute(proposal())
    calls.length = 0
    const outcome = await agent.execute(proposal())
    expect(outcome).toMatchObject({ result: { status: 'confirmed', transaction_id: chain.broadcasts[0] } })
    expect(calls).toEqual(['load'])
    expect(chain.broadcasts).toHaveLength(1)
  })

  test('another proposal under the same key is refused after one load, and nothing is written', async () => {
    const { agent, journal, calls } = rehearse()
    await agent.execute(proposal('payment', 10n))
    calls.length = 0
    const executed = await agent.execute(proposal('payment', 11n))
    expect(executed).toMatchObject({ kind: 'run', result: { status: 'adapter_failed', code: 'SPX-G215' } })
    const reconciled = await agent.reconcile('payment', proposal('payment', 11n))
    expect(reconciled).toMatchObject({ kind: 'diagnostics', diagnostics: [{ code: 'SPX-G215' }] })
    expect(calls).toEqual(['load', 'load'])
    expect(await journal.listVersions('payment')).toHaveLength(9)
  })

  test('a source run that does not replay is no source: SPX-G212, and no call', async () => {
    const { agent, calls } = rehearse()
    const { evidence, finalMessage } = proposal()
    const other = proposal('payment', 11n).finalMessage
    for (const source of [
      { evidence, finalMessage: other },
      { evidence: evidence.subarray(1), finalMessage },
    ]) {
      expect(await agent.execute(source)).toMatchObject({ kind: 'diagnostics', diagnostics: [{ code: 'SPX-G212' }] })
    }
    expect(calls).toEqual([])
  })

  test('the rolling window of the policy holds over payments', async () => {
    const { agent } = rehearse()
    for (let index = 0; index < 100; index += 1) {
      expect(await agent.execute(proposal(`payment.${index}`))).toMatchObject({ result: { status: 'confirmed' } })
    }
    const outcome = await agent.execute(proposal('payment.100', 1n))
    expect(outcome).toMatchObject({ result: { status: 'rejected', code: 'SPX-G212' } })
  })
})

describe('pre-effect cancellation', () => {
  test('execute: SPX-I228 with no call at all', async () => {
    const { agent, calls, cancellation } = rehearse()
    cancellation.aborted = true
    expect(await agent.execute(proposal())).toMatchObject({ diagnostics: [{ code: 'SPX-I228' }] })
    expect(await agent.reconcile('payment', proposal())).toMatchObject({ diagnostics: [{ code: 'SPX-I228' }] })
    expect(calls).toEqual([])
  })
})

describe('reconcile', () => {
  test('a key that is not that of the intent: SPX-G215 with no call', async () => {
    const { agent, calls } = rehearse()
    for (const key of ['other', '', 'UPPER', 'x'.repeat(129)]) {
      expect(await agent.reconcile(key, proposal())).toMatchObject({ diagnostics: [{ code: 'SPX-G215' }] })
    }
    expect(calls).toEqual([])
  })

  test('nothing paid under the key: a run that failed closed, after one load', async () => {
    const { agent, calls } = rehearse()
    const outcome = await agent.reconcile('payment', proposal())
    expect(outcome).toMatchObject({ kind: 'run', result: { status: 'adapter_failed', code: 'SPX-G215' } })
    expect(calls).toEqual(['load'])
  })

  test('64 observations exactly, over any number of restarts; the 65th is refused without a call', async () => {
    const journal = createMemoryJournal({ clockMs: () => nowMs })
    const chain = createRehearsalChain({ clockMs: () => nowMs + 1n })
    let observations = 0
    const usual = createRehearsalHost({ journal, chain, elapsedMs: () => 0n })
    const reconcile = async () => {
      observations += 1
      return 'failed_uncertain' as const
    }
    const host = { ...usual, rails: { ...usual.rails, evm: { ...usual.rails.evm, reconcile } } }
    const agent = createEconomicAgent(policy, host, { aborted: false })
    for (let run = 1; run <= 64; run += 1) {
      expect(await agent.execute(proposal())).toMatchObject({ result: { status: 'reconciliation_failed' } })
      expect(observations).toBe(run)
    }
    const refused = { status: 'budget_exhausted', code: 'SPX-G216', message: 'reconciliations exceeds 64' }
    expect(await agent.reconcile('payment', proposal())).toMatchObject({ result: refused })
    expect(observations).toBe(64)
  })
})

describe('a hostile or careless host', () => {
  test('an adapter that throws counts as failed_uncertain, and its words go nowhere', async () => {
    const { agent, journal } = rehearse(
      withSign(async () => {
        throw new Error('the seed is correct horse battery staple')
      }),
    )
    const outcome = await agent.execute(proposal())
    if (outcome.kind !== 'run') throw new Error('refused')
    expect(outcome.result).toMatchObject({ status: 'custody_failed', code: 'SPX-I225' })
    const versions = await journal.listVersions('payment')
    expect(versions).toHaveLength(4)
    const written = [outcome.trace.text, outcome.evidence.text, ...versions.map(({ document }) => document)].join('')
    expect(written).not.toContain('horse')
  })

  test('a word that is no disposition counts as failed_uncertain', async () => {
    const { agent } = rehearse(withSign(async () => 'done' as unknown as AdapterDisposition))
    expect(await agent.execute(proposal())).toMatchObject({ result: { status: 'custody_failed' } })
  })

  test('a sink is dead once its call is over', async () => {
    let kept: PushSink | undefined
    const { agent } = rehearse(
      withSnapshot(async (usual, sink) => {
        kept = sink
        return usual()
      }),
    )
    expect(await agent.execute(proposal())).toMatchObject({ result: { status: 'confirmed' } })
    expect(kept?.push(new Uint8Array(1))).toBe(false)
  })

  test('a sink is sticky: after one refusal it refuses everything', async () => {
    const answers: boolean[] = []
    const { agent } = rehearse(
      withSnapshot(async (_usual, sink) => {
        answers.push(sink.push(new Uint8Array(1_048_577)), sink.push(new Uint8Array(0)), sink.push(new Uint8Array(1)))
        return 'succeeded'
      }),
    )
    const refused = { status: 'budget_exhausted', message: 'snapshot_bytes exceeds 1048576' }
    expect(await agent.execute(proposal())).toMatchObject({ result: refused })
    expect(answers).toEqual([false, false, false])
  })

  test('a sink offers push and nothing else', async () => {
    let keys: string[] = []
    const { agent } = rehearse(
      withSnapshot((usual, sink) => {
        keys = Reflect.ownKeys(sink).map(String)
        return usual()
      }),
    )
    await agent.execute(proposal())
    expect(keys).toEqual(['push'])
  })

  test('bytes that are changed after they were pushed, or handed out, change nothing', async () => {
    const { agent } = rehearse((host) => ({
      ...host,
      custody: {
        sign: async (request, sink) => {
          const relay: PushSink = {
            push: (bytes) => {
              const answer = sink.push(bytes)
              bytes.fill(0)
              return answer
            },
          }
          const disposition = await host.custody.sign(request, relay)
          request.unsignedTransaction.fill(0)
          return disposition
        },
      },
    }))
    expect(await agent.execute(proposal())).toMatchObject({ result: { status: 'confirmed' } })
  })

  test('a document may come in pieces of any size', async () => {
    const { agent } = rehearse((host) => ({
      ...host,
      approver: {
        approve: (request, sink) =>
          host.approver.approve(request, {
            push: (bytes) => bytes.every((_, index) => sink.push(bytes.subarray(index, index + 1))),
          }),
      },
    }))
    expect(await agent.execute(proposal())).toMatchObject({ result: { status: 'confirmed' } })
  })

  test('a clock that throws or reads no integer is a passed deadline', async () => {
    for (const elapsedMs of [() => 1.5 as unknown as bigint, () => -1n]) {
      const { agent } = rehearse((host) => ({ ...host, boundaryProbe: () => ({ elapsedMs }) }))
      expect(await agent.execute(proposal())).toMatchObject({ diagnostics: [{ code: 'SPX-I229' }] })
    }
  })

  test('a rejected approval ends the payment and gives its share back', async () => {
    const journal = createMemoryJournal({ clockMs: () => nowMs })
    const chain = createRehearsalChain({ clockMs: () => nowMs + 1n })
    const host = createRehearsalHost({ journal, chain, elapsedMs: () => 0n, decide: () => 'rejected' })
    const outcome = await createEconomicAgent(policy, host, { aborted: false }).execute(proposal())
    expect(outcome).toMatchObject({ result: { status: 'approval_failed', code: 'SPX-G214' } })
    expect(await journal.getReservation('payment')).toBeUndefined()
    expect((await journal.listVersions('payment')).at(-1)?.document).toContain('"state":"rejected"')
  })
})

describe('construction and concurrency', () => {
  test('a policy that is refused is thrown with its code, and the host is not touched', () => {
    const { host, calls } = rehearse()
    expect(() => createEconomicAgent('{}\n', host, { aborted: false })).toThrow(EconomicError)
    expect(calls).toEqual([])
  })

  test('a second call while one is under way is refused', async () => {
    const { agent } = rehearse()
    const [first, second] = await Promise.all([agent.execute(proposal('a')), agent.execute(proposal('b'))])
    expect(first).toMatchObject({ result: { status: 'confirmed' } })
    expect(second).toMatchObject({ diagnostics: [{ code: 'SPX-G216', message: 'concurrency exceeds 1' }] })
    expect(await agent.execute(proposal('b'))).toMatchObject({ result: { status: 'confirmed' } })
  })

  test('two agents on one journal race for one key: one signs', async () => {
    const journal = createMemoryJournal({ clockMs: () => nowMs })
    const chain = createRehearsalChain({ clockMs: () => nowMs + 1n })
    const host = createRehearsalHost({ journal, chain, elapsedMs: () => 0n })
    const agents = Array.from({ length: 8 }, () => createEconomicAgent(policy, host, { aborted: false }))
    const outcomes = await Promise.all(agents.map((agent) => agent.execute(proposal())))
    const statuses = outcomes.map((outcome) => (outcome.kind === 'run' ? outcome.result.status : outcome.kind))
    expect(statuses.filter((status) => status === 'confirmed')).toHaveLength(1)
    expect(chain.broadcasts).toHaveLength(1)
  })
})
