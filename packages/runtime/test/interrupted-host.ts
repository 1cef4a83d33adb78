import type { AdapterDisposition, EconomicAgentHost, PushSink, RailAdapter } from '../src/economic/host.ts'

/** The calls of a host in the order of a run; compare-and-swaps are counted, `cas1` is the first. */
export type HostCall =
  | 'load'
  | `cas${number}`
  | 'snapshot'
  | 'simulate'
  | 'approve'
  | 'sign'
  | 'broadcast'
  | 'reconcile'

/** Hears of each call before its effect and after it, before the engine does, and may hold it up. */
export type HostListener = {
  readonly before: (call: HostCall) => void | Promise<void>
  readonly after: (call: HostCall) => void | Promise<void>
}

/** All calls of a payment that confirms on a chain, in order. */
export const PAYMENT_CALLS: readonly HostCall[] = [
  ...(['load', 'cas1', 'snapshot', 'simulate', 'cas2', 'approve', 'cas3', 'cas4', 'sign', 'cas5'] as const),
  ...(['cas6', 'broadcast', 'cas7', 'cas8', 'reconcile', 'cas9'] as const),
]

/** A host that tells a listener where it is. */
export function listenToHost(host: EconomicAgentHost, listener: HostListener): EconomicAgentHost {
  let swaps = 0
  const tell = async <Result>(call: HostCall, run: () => Promise<Result>): Promise<Result> => {
    await listener.before(call)
    const result = await run()
    await listener.after(call)
    return result
  }
  const around = (rail: RailAdapter): RailAdapter => ({
    snapshot: (intent, sink) => tell('snapshot', () => rail.snapshot(intent, sink)),
    simulate: (plan, unsigned, sink) => tell('simulate', () => rail.simulate(plan, unsigned, sink)),
    broadcast: (signed, sink) => tell('broadcast', () => rail.broadcast(signed, sink)),
    reconcile: (id, sink) => tell('reconcile', () => rail.reconcile(id, sink)),
  })
  return {
    ...host,
    journal: {
      load: (key, sink) => tell('load', () => host.journal.load(key, sink)),
      compareAndSwap: (key, expected, journal, rolling): Promise<AdapterDisposition> => {
        swaps += 1
        return tell(`cas${swaps}`, () => host.journal.compareAndSwap(key, expected, journal, rolling))
      },
    },
    rails: {
      evm: around(host.rails.evm),
      solana: around(host.rails.solana),
      bitcoin: around(host.rails.bitcoin),
    },
    approver: { approve: (request, sink: PushSink) => tell('approve', () => host.approver.approve(request, sink)) },
    custody: { sign: (request, sink: PushSink) => tell('sign', () => host.custody.sign(request, sink)) },
  }
}
