import { readJournal, utf8 } from '@oikos/core/economic'
import type { AdapterDisposition, EconomicAgentHost, RailAdapter } from '@oikos/runtime'

/** Is told each station of a payment when it has been passed, or not. */
export type StationListener = (station: string, words: string) => void

/** Columns of the longest station. */
export const STATION_COLUMNS = 9

/** The same host, which says each station of the authority sequence as it is passed. */
export function withStations(host: EconomicAgentHost, say: StationListener): EconomicAgentHost {
  const told = async (station: string, words: string, call: () => Promise<AdapterDisposition>) => {
    const disposition = await call()
    say(station, disposition === 'succeeded' ? words : DISPOSITION_WORDS[disposition])
    return disposition
  }
  const { journal, invoice, approver, custody, rails } = host
  const railWithStations = (rail: RailAdapter): RailAdapter => ({
    snapshot: (intent, sink) => told('snapshot', 'the chain was observed', () => rail.snapshot(intent, sink)),
    simulate: (plan, unsigned, sink) =>
      told('simulated', 'the node tried the transaction', () => rail.simulate(plan, unsigned, sink)),
    broadcast: (signed, sink) =>
      told('broadcast', 'the transaction was handed over, once', () => rail.broadcast(signed, sink)),
    reconcile: (id, sink) =>
      told('observed', 'the chain was asked for the transaction', () => rail.reconcile(id, sink)),
  })
  return {
    ...host,
    journal: {
      load: journal.load,
      compareAndSwap: (key, version, document, rolling) => {
        const { state } = readJournal(utf8(document)).document
        const words = `version ${version + 1n} is on disk: ${state.replaceAll('_', ' ')}`
        return told('journal', words, () => journal.compareAndSwap(key, version, document, rolling))
      },
    },
    invoice: {
      fetchInvoice: (origin, method, resource, sink) =>
        told('invoice', 'the server still asks for the same', () =>
          invoice.fetchInvoice(origin, method, resource, sink),
        ),
    },
    approver: {
      approve: (request, sink) => {
        say('approval', 'the approver is asked')
        return told('approval', 'the approver has answered', () => approver.approve(request, sink))
      },
    },
    custody: {
      sign: (request, sink) => told('signed', 'custody signed one transaction', () => custody.sign(request, sink)),
    },
    rails: {
      evm: railWithStations(rails.evm),
      solana: railWithStations(rails.solana),
      bitcoin: railWithStations(rails.bitcoin),
    },
  }
}

const DISPOSITION_WORDS: Readonly<Record<Exclude<AdapterDisposition, 'succeeded'>, string>> = {
  definitely_not_started: 'failed before anything changed',
  failed_uncertain: 'failed, and it is not known what has changed',
  policy_rejected: 'refused by a rule, nothing has changed',
}
