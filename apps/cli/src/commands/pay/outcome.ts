import { type AdmittedIntent, explainDiagnostic, type ReadJournal } from '@oikos/core/economic'
import type { EconomicOutcome, JournalArchive } from '@oikos/runtime'
import type { Context } from '../../context.ts'
import { nativeAmount } from '../../economic/amount.ts'
import { isOver, meaningOf, readVersion } from '../../economic/stored-payment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { type Fact, factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'
import { isPostgresUrl } from '../../settings.ts'
import type { Delivery } from './delivery.ts'

/** How a payment stands: paid, not paid and never to be paid under this key, or not known. */
export type Standing = 'paid' | 'refused' | 'uncertain'

/** The newest version of a payment, or why there is none to read. */
export type NewestVersion = { readonly journal: ReadJournal | undefined; readonly isReadable: boolean }

/** Reads the newest version that is stored. */
export async function newestOf(archive: JournalArchive, key: string): Promise<NewestVersion> {
  try {
    const last = (await archive.listVersions(key)).at(-1)
    if (last === undefined) return { journal: undefined, isReadable: true }
    const { journal } = readVersion(last)
    return { journal, isReadable: journal !== undefined }
  } catch {
    return { journal: undefined, isReadable: false }
  }
}

/**
 * How a payment stands by its journal, which decides and not the last answer. What has no receipt was not broadcast, as
 * long as no other process is under way: on one machine the lock says so, on several nothing does.
 */
export function standingOf({ journal, isReadable }: NewestVersion, isShared: boolean): Standing {
  if (!isReadable) return 'uncertain'
  if (journal === undefined) return 'refused'
  if (journal.document.state === 'confirmed') return 'paid'
  if (isOver(journal)) return 'refused'
  return journal.receipt === null && (!isShared || journal.document.state === 'reserved') ? 'refused' : 'uncertain'
}

/** Says how a payment ended, on standard output, and gives the exit code. */
export function reportOutcome(
  { output, terminal, settings }: Context,
  admitted: AdmittedIntent,
  parts: {
    readonly outcome: EconomicOutcome
    readonly newest: NewestVersion
    readonly folder: string
    readonly causes: readonly string[]
    readonly delivery: Delivery | undefined
  },
): ExitCode {
  const { outcome, newest, folder, causes, delivery } = parts
  const { journal } = newest
  const key = admitted.intent.document.idempotency_key
  const standing = standingOf(newest, isPostgresUrl(settings.journal))
  const refusal = refusalOf(outcome)
  const isNewRefusal = standing === 'refused' && refusal !== undefined
  const exitCode = exitCodeOf(standing, delivery, terminal.signal.aborted)
  const transactionId = journal?.receipt?.document.transaction_id
  const { rail, recipient, amountAtomic } = admitted.settlement
  output.result(
    {
      ok: exitCode === EXIT.done,
      exitCode,
      outcome: standing,
      idempotencyKey: key,
      state: journal?.document.state,
      transactionId,
      rail,
      recipient,
      amountAtomic,
      ...(refusal === undefined ? {} : refusal),
      causes,
      folder,
      ...(outcome.kind === 'run' ? { evidence: outcome.evidence.digest } : {}),
      delivery,
    },
    [
      `${output.paint(standing === 'paid' ? 'good' : 'bad', standing.toUpperCase().padEnd(10))}  ${HEADS[standing]}`,
      ...factLines(
        [
          ['payment', `${nativeAmount(amountAtomic, rail)} to ${recipient} (${rail})`],
          ['key', key],
          ...(transactionId === undefined ? [] : [['transaction', plain(transactionId)] as const]),
          ...(journal === undefined
            ? []
            : [['journal', `${journal.document.state.replaceAll('_', ' ')}: ${meaningOf(journal)}`] as const]),
          ...(refusal !== undefined && (isNewRefusal || standing === 'uncertain')
            ? [['code', `${refusal.code}  ${plain(refusal.message)}`] as const, ['', refusal.meaning] as const]
            : []),
          ...causes.map((cause): Fact => ['cause', plain(cause)]),
          ...(delivery === undefined ? [] : [['delivery', deliveryText(delivery)] as const]),
        ],
        output.paint,
        '  ',
      ),
    ],
  )
  if (standing === 'uncertain') {
    output.say('Do not pay again: the transaction may be on its way. Ask for its end:')
    output.next(`pay reconcile ${key}`)
  } else if (delivery !== undefined && !delivery.accepted) {
    output.say('It is paid. Do not pay again: reconciling presents the same payment once more.')
    output.next(`pay reconcile ${key}`)
  } else if (journal !== undefined) output.next(`journal show ${key}`)
  return exitCode
}

const HEADS: Readonly<Record<Standing, string>> = {
  paid: 'the transaction is confirmed',
  refused: 'nothing was paid, and no transaction is on its way',
  uncertain: 'it is not known yet whether it is paid',
}

function refusalOf(outcome: EconomicOutcome) {
  const { code, message } =
    outcome.kind === 'run'
      ? outcome.result
      : { code: outcome.diagnostics[0].code, message: outcome.diagnostics[0].message }
  if (code === null || message === null) return undefined
  return { code, message, meaning: explainDiagnostic({ code, message }) }
}

function exitCodeOf(standing: Standing, delivery: Delivery | undefined, isInterrupted: boolean): ExitCode {
  if (standing === 'uncertain') return EXIT.unknownOutcome
  if (standing === 'refused') return isInterrupted ? EXIT.interrupted : EXIT.refused
  if (delivery === undefined || delivery.accepted) return EXIT.done
  return delivery.retryable ? EXIT.unavailable : EXIT.refused
}

function deliveryText(delivery: Delivery): string {
  return delivery.accepted
    ? `${delivery.sizeBytes} bytes in ${delivery.file}`
    : `not handed out: ${plain(delivery.reason)}${delivery.retryable ? ' (may succeed later)' : ''}`
}
