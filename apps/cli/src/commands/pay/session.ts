import { join } from 'node:path'
import {
  type AdmittedIntent,
  admitIntent,
  parseIntent,
  parsePolicy,
  RAILS,
  type Rail,
  utf8,
} from '@oikos/core/economic'
import {
  createEconomicAgent,
  type EconomicAgent,
  type EconomicAgentHost,
  type JournalArchive,
  type RailAdapter,
  rehearsalRunOf,
} from '@oikos/runtime'
import { createWalletCustody, type Vault } from '@oikos/runtime/custody'
import { openPostgresSentTransactions, openSqliteSentTransactions, type SentTransactions } from '@oikos/runtime/rails'
import { createX402InvoiceAdapter, type QuoteOptions } from '@oikos/runtime/x402'
import type { Context } from '../../context.ts'
import { openJournalOf } from '../../economic/open-journal.ts'
import { attempt, isRefused, type Refusal } from '../../economic/refusal.ts'
import type { Input } from '../../input/input.ts'
import { parseWhole } from '../../input/number.ts'
import { plain } from '../../output/plain.ts'
import { isPostgresUrl, userFolderOf } from '../../settings.ts'
import { approverOf, type DeciderMaker, openApprovals } from './approval.ts'
import { describeWallet, openCustody } from './custody.ts'
import type { KeptPayment } from './kept-payment.ts'
import { openRail } from './rail.ts'
import { STATION_COLUMNS, withStations } from './stations.ts'

/** The engine over everything that one payment reaches, opened. */
export type PaymentSession = {
  readonly agent: EconomicAgent
  readonly source: ReturnType<typeof rehearsalRunOf>
  readonly archive: JournalArchive
  readonly vault: Pick<Vault, 'prove'>
  readonly http: QuoteOptions
  /** What failed on the way, in the words of whoever failed. */
  readonly causes: readonly string[]
  readonly close: () => Promise<void>
}

/** What a policy says to the intent of a payment. */
export function admitPayment({ policy, intent }: Pick<KeptPayment, 'policy' | 'intent'>): AdmittedIntent | Refused {
  const parsed = attempt('policy', () => parsePolicy(utf8(policy)))
  return isRefused(parsed) ? parsed : attempt('intent', () => admitIntent(parsed, parseIntent(utf8(intent))))
}

type Refused = { readonly refusal: Refusal }

/** How servers of x402 are reached. Throws UsageError. */
export function httpOf({ terminal }: Context, input: Input, origin: string | undefined): QuoteOptions {
  const port = input.text('local-server')
  return {
    clockMs: () => Date.now(),
    cancellation: terminal.signal,
    ...(port === undefined || origin === undefined
      ? {}
      : {
          localServers: { [origin]: { port: Number(parseWhole(port, '--local-server', { min: 1n, max: 65_535n })) } },
        }),
  }
}

/** Opens what a payment needs. Without deciders it only observes: nothing approves and nothing is signed. */
export async function openSession(
  context: Context,
  input: Input,
  kept: KeptPayment,
  admitted: AdmittedIntent,
  authority: { readonly deciders: DeciderMaker; readonly passphraseOf: () => Promise<string> },
): Promise<PaymentSession> {
  const { terminal, output } = context
  const { rail } = admitted.settlement
  const { wallet_id: walletId, idempotency_key: key } = admitted.intent.document
  const causes: string[] = []
  const fail = (cause: unknown): void => {
    const text = cause instanceof Error ? cause.message : String(cause)
    causes.push(text)
    output.say(`${output.paintError('bad', 'failed'.padEnd(STATION_COLUMNS))}  ${plain(text)}`)
  }
  const say = (station: string, words: string): void => {
    output.say(`${output.paintError('dim', station.padEnd(STATION_COLUMNS))}  ${words}`)
    // Said before anything leaves: whoever ends this process at once still knows how to look.
    if (station === 'signed') output.say(`If this ends now, look what became of it: oikos pay reconcile ${key}`)
  }

  const wallet = await describeWallet(context, input, { walletId, rail })
  const closers: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const journal = await openJournalOf(context, input, ({ cause }) => fail(cause))
    closers.push(() => journal.close())
    const sent = await openSent(context)
    closers.push(sent.close)
    const parts = { account: wallet.address, sent, onFailure: ({ cause }: { cause: unknown }) => fail(cause) }
    const adapter = openRail(context, input, rail, parts)
    closers.push(adapter.close)
    const log = await openApprovals(context)
    closers.push(log.close)
    const vault = await openCustody(context, input, wallet, { passphraseOf: authority.passphraseOf, log })
    closers.push(vault.close)
    const http = httpOf(context, input, admitted.x402?.origin)
    const texts = { intent: kept.intent, policy: kept.policy }
    const { quote } = kept
    const host: EconomicAgentHost = {
      journal,
      invoice:
        quote === undefined
          ? { fetchInvoice: async () => 'definitely_not_started' }
          : createX402InvoiceAdapter({ ...http, quote, onRefusal: fail }),
      rails: { ...UNUSED_RAILS, [rail]: adapter },
      approver: approverOf(context, { deciders: authority.deciders, log, texts, archive: journal, onFailure: fail }),
      custody: createWalletCustody(vault, fail),
      boundaryProbe: () => ({ elapsedMs: () => BigInt(Math.floor(performance.now())) }),
    }
    return {
      agent: createEconomicAgent(kept.policy, withStations(host, say), terminal.signal),
      source: rehearsalRunOf(kept.intent),
      archive: journal,
      vault,
      http,
      causes,
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

/**
 * The memory of what was sent belongs to the journal: whoever observes a payment that another machine made must know that it
 * was sent, and would take it for dropped otherwise. Throws DurableStoreError.
 */
function openSent({ settings, terminal }: Context): Promise<SentTransactions & { readonly close: () => unknown }> {
  const { journal } = settings
  if (isPostgresUrl(journal)) return openPostgresSentTransactions(journal, { maxConnections: MAX_CONNECTIONS })
  return openSqliteSentTransactions(join(userFolderOf(terminal), 'sent.sqlite'))
}

/** Connections to a memory in PostgreSQL; a payment asks one thing after the other. */
const MAX_CONNECTIONS = 2

const absent = async () => 'definitely_not_started' as const
const UNUSED: RailAdapter = { snapshot: absent, simulate: absent, broadcast: absent, reconcile: absent }
const UNUSED_RAILS = Object.fromEntries(RAILS.map((rail) => [rail, UNUSED])) as Record<Rail, RailAdapter>
