import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type ConfirmedPayment, redeemPayment } from '@oikos/runtime/x402'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { type KeptPayment, writeOnce } from './kept-payment.ts'
import type { PaymentSession } from './session.ts'

/** What a server gave for a payment. */
export type Delivery =
  | {
      readonly accepted: true
      readonly status: number
      readonly contentType: string
      readonly file: string
      readonly sizeBytes: number
    }
  | { readonly accepted: false; readonly reason: string; readonly retryable: boolean }

/** Refuses a file that exists before anything is paid for it. Throws UsageError. */
export async function assertOutFree({ terminal }: Context, input: Input): Promise<void> {
  const out = input.text('out')
  if (out === undefined) return
  if ((await lstat(resolve(terminal.cwd, out)).catch(() => undefined)) === undefined) return
  throw new UsageError(`${JSON.stringify(out)} exists; nothing is overwritten.`, 'Name a new file with --out.')
}

/**
 * Presents a confirmed payment and keeps what was bought; undefined where nothing was bought over x402. It may be repeated:
 * a server that accepted a payment accepts it again.
 */
export async function deliver(
  { terminal }: Context,
  input: Input,
  { quote, folder }: KeptPayment,
  session: Pick<PaymentSession, 'vault' | 'http'>,
  paid: ConfirmedPayment,
): Promise<Delivery | undefined> {
  if (quote === undefined) return undefined
  const answer = await redeemPayment(quote, paid, session)
  if (!answer.accepted) return { accepted: false, reason: answer.reason, retryable: answer.retryable }
  const { status, contentType, body } = answer
  const out = input.text('out')
  const file = out === undefined ? join(folder, 'delivery') : resolve(terminal.cwd, out)
  await writeOnce(file, body)
  return { accepted: true, status, contentType, file, sizeBytes: body.length }
}
