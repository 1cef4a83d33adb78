import { type AdmittedIntent, PRODUCTION_LIMITS } from '@oikos/core/economic'
import type { EconomicOutcome } from '@oikos/runtime'
import type { Context } from '../../context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { parseDuration } from '../../input/duration.ts'
import type { Input } from '../../input/input.ts'
import { isPostgresUrl } from '../../settings.ts'
import type { DeciderMaker } from './approval.ts'
import { deliver } from './delivery.ts'
import { type KeptPayment, keepEvidence, lockPayment } from './kept-payment.ts'
import { newestOf, reportOutcome, standingOf } from './outcome.ts'
import { openSession, type PaymentSession } from './session.ts'

/** Milliseconds between two looks at the chain. */
const PAUSE_MS = 2_000
/** The part of all observations that one command may use up. */
const MAX_LOOKS = PRODUCTION_LIMITS.max_reconciliations / 4n

/**
 * Pays, or only observes, waits for the confirmation, fetches what was bought and says how it ended. Whatever the engine
 * answers, the journal decides how the payment stands.
 */
export async function runPayment(
  context: Context,
  input: Input,
  kept: KeptPayment,
  admitted: AdmittedIntent,
  authority: {
    readonly mode: 'pay' | 'reconcile'
    readonly deciders: DeciderMaker
    readonly passphraseOf: () => Promise<string>
  },
): Promise<ExitCode> {
  const { settings, terminal } = context
  const timeoutMs = Number(parseDuration(input.text('timeout') ?? '1m', '--timeout')) * 1_000
  const { idempotency_key: key, wallet_id: walletId } = admitted.intent.document
  const lock = lockPayment(kept.folder, key)
  const heard = () => context.output.say(HEARD)
  terminal.signal.addEventListener('abort', heard, { once: true })
  try {
    const session = await openSession(context, input, kept, admitted, authority)
    try {
      const first =
        authority.mode === 'pay'
          ? await session.agent.execute(session.source)
          : await session.agent.reconcile(key, session.source)
      const outcome = await settled(context, session, key, first, Date.now() + timeoutMs)
      if (outcome.kind === 'run') await keepEvidence(kept, outcome)
      const newest = await newestOf(session.archive, key)
      const transactionId = newest.journal?.receipt?.document.transaction_id
      const isPaid = standingOf(newest, isPostgresUrl(settings.journal)) === 'paid'
      const delivery =
        isPaid && transactionId !== undefined
          ? await deliver(context, input, kept, session, { walletId, transactionId })
          : undefined
      const { causes } = session
      return reportOutcome(context, admitted, { outcome, newest, folder: kept.folder, causes, delivery })
    } finally {
      await session.close()
    }
  } finally {
    terminal.signal.removeEventListener('abort', heard)
    lock.release()
  }
}

const HEARD = 'Ctrl-C: the payment ends in order and says how it stands. A second Ctrl-C ends this program at once.'

/** Looks again while the transaction is pending, until time, looks or patience are over. Never pays. */
async function settled(
  { terminal, output }: Context,
  { agent, source }: PaymentSession,
  key: string,
  first: EconomicOutcome,
  endMs: number,
): Promise<EconomicOutcome> {
  let outcome = first
  for (let look = 0n; look < MAX_LOOKS; look++) {
    if (outcome.kind !== 'run' || outcome.result.status !== 'pending') return outcome
    if (terminal.signal.aborted || Date.now() + PAUSE_MS >= endMs) return outcome
    if (look === 0n) output.say('It waits for its confirmations. Ctrl-C is safe: it is looked up later.')
    await pause(PAUSE_MS, terminal.signal)
    outcome = await agent.reconcile(key, source)
  }
  return outcome
}

function pause(lengthMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, lengthMs)
    signal.addEventListener('abort', end, { once: true })
  })
}
