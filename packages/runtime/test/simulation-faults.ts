import type { AdapterDisposition, Cancellation, EconomicAgentHost, PushSink } from '../src/economic/host.ts'
import { createRehearsalHost } from '../src/rehearsal/index.ts'
import { judgeEffect, type World } from './simulation-judge.ts'

/**
 * What happens to one call instead of succeeding. `lost`: the effect happens, its answer is lost. `garbage`: a piece is
 * missing. `other`: the rail or the approver says something else. `pieces`: in two pieces, and once more when the call is
 * over. `late`: the process dies, and the effect happens some time afterwards, when others may have gone on.
 */
const FAULTS = [
  ...(['not_started', 'uncertain', 'rejected', 'throws', 'word', 'lost', 'garbage', 'other', 'pieces'] as const),
  ...(['dies_before', 'dies_after', 'late', 'other', 'other', 'other'] as const),
]
type Fault = (typeof FAULTS)[number] | 'none'

/** Among how many calls of a process one goes wrong; 0: none does. */
const RARITIES = [0, 30, 12, 5] as const

/** One process: what becomes of its calls, what was called, whether it is over. */
export type FaultyProcess = {
  /** Every call with its fault, `sign!lost`. */
  readonly calls: readonly string[]
  readonly cancellation: Cancellation
  readonly elapsedMs: () => bigint
  /** Whether it reconciles instead of executing. */
  readonly reconciles: boolean
  readonly died: Promise<'died'>
  readonly call: <Word extends string>(
    name: string,
    sink: PushSink,
    effect: (sink: PushSink) => Promise<Word>,
  ) => Promise<Word>
}

/** A process whose faults are picked; without a picker nothing goes wrong. */
export function createFaults(pick: ((below: number) => number) | undefined, late: World['late']): FaultyProcess {
  const roll = pick ?? (() => 1)
  const calls: string[] = []
  const cancellation = { aborted: false }
  let elapsedMs = 0n
  let die = (): void => {}
  const died = new Promise<'died'>((resolve) => {
    die = () => resolve('died')
  })
  const never = new Promise<never>(() => {})
  // Some processes are calm, so that the late steps of a payment are reached as often as the early ones.
  const everyCalls = RARITIES[roll(RARITIES.length)] ?? 0
  return {
    calls,
    cancellation,
    elapsedMs: () => elapsedMs,
    reconciles: roll(3) === 0,
    died,
    call: async (name, sink, effect) => {
      const answer = (word: AdapterDisposition) => word as unknown as Awaited<ReturnType<typeof effect>>
      if (late.length > 0 && roll(3) === 0) await late.shift()?.()
      if (roll(200) === 0) cancellation.aborted = true
      if (roll(200) === 0) elapsedMs += BigInt(roll(700_000))
      const strikes = everyCalls > 0 && roll(everyCalls) === 0
      const fault: Fault = strikes ? (FAULTS[roll(FAULTS.length)] ?? 'none') : 'none'
      calls.push(fault === 'none' ? name : `${name}!${fault}`)
      switch (fault) {
        case 'none':
          return effect(sink)
        case 'not_started':
          return answer('definitely_not_started')
        case 'uncertain':
          return answer('failed_uncertain')
        case 'rejected':
          return answer('policy_rejected')
        case 'throws':
          throw new Error('a fault')
        case 'word':
          return answer('done' as AdapterDisposition)
        case 'lost':
          await effect(sink)
          return answer('failed_uncertain')
        case 'garbage':
          return effect({ push: (bytes) => sink.push(bytes.subarray(roll(bytes.length + 1))) })
        case 'other':
          return effect({ push: (bytes) => sink.push(otherAnswer(bytes, roll(3))) })
        case 'pieces': {
          let again = (): unknown => undefined
          const word = await effect({
            push: (bytes) => {
              const cut = roll(bytes.length + 1)
              again = () => sink.push(bytes)
              return sink.push(bytes.subarray(0, cut)) && sink.push(bytes.subarray(cut))
            },
          })
          // After the answer the sink is dead; before it, this would be a document twice.
          queueMicrotask(() => queueMicrotask(() => void again()))
          return word
        }
        case 'dies_before':
          die()
          return never
        case 'dies_after':
          await effect(sink)
          die()
          return never
        case 'late':
          late.push(() => effect({ push: () => false }))
          die()
          return never
        default:
          return fault satisfies never
      }
    },
  }
}

const OTHER_STATUSES = ['pending', 'reorged', 'dropped'] as const
const OTHER_DISPOSITIONS = ['pending', 'unknown', 'rejected'] as const

/** What a rail or an approver might have said instead; documents without an alternative stay as they are. */
function otherAnswer(bytes: Uint8Array, which: number): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8')
  const nothing = '"observed_height":null,"confirmations":null,"canonical_block_id":null'
  const changed = text
    .replace('"disposition":"accepted"', `"disposition":"${OTHER_DISPOSITIONS[which] ?? 'unknown'}"`)
    .replace('"decision":"approved"', '"decision":"rejected"')
    .replace('"status":"confirmed"', `"status":"${OTHER_STATUSES[which] ?? 'pending'}"`)
  if (!changed.includes('"observed_height":')) return Buffer.from(changed, 'utf8')
  return Buffer.from(changed.replace(/"observed_height":.*(?=\}\n$)/, nothing), 'utf8')
}

/** A rehearsal host whose calls go through a process, with every signature and broadcast counted. */
export function faultyHost(world: World, key: string, { call, elapsedMs }: FaultyProcess): EconomicAgentHost {
  const { journal, chain, signatures, broadcasts } = world
  const usual = createRehearsalHost({ journal, chain, elapsedMs })
  const { evm } = usual.rails
  const nothing: PushSink = { push: () => false }
  const count = (map: Map<string, number>): void => void map.set(key, (map.get(key) ?? 0) + 1)
  return {
    ...usual,
    journal: {
      load: (asked, sink) => call('load', sink, (through) => journal.load(asked, through)),
      compareAndSwap: (...swap) => call(`cas${swap[1] + 1n}`, nothing, () => journal.compareAndSwap(...swap)),
    },
    rails: {
      ...usual.rails,
      evm: {
        snapshot: (intent, sink) => call('snapshot', sink, (through) => evm.snapshot(intent, through)),
        simulate: (plan, bytes, sink) => call('simulate', sink, (through) => evm.simulate(plan, bytes, through)),
        reconcile: (id, sink) => call('reconcile', sink, (through) => evm.reconcile(id, through)),
        broadcast: (signed, sink) =>
          call('broadcast', sink, async (through) => {
            count(broadcasts)
            await judgeEffect(world, key, 'broadcast')
            return evm.broadcast(signed, through)
          }),
      },
    },
    approver: {
      approve: (request, sink) => call('approve', sink, (through) => usual.approver.approve(request, through)),
    },
    custody: {
      sign: (request, sink) =>
        call('sign', sink, async (through) => {
          count(signatures)
          await judgeEffect(world, key, 'signature')
          return usual.custody.sign(request, through)
        }),
    },
  }
}
