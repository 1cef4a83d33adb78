import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isIdentifier } from '@oikos/core/economic'
import { packQuote, unpackQuote, type X402Quote } from '@oikos/runtime/x402'
import type { Context } from '../../context.ts'
import { NotFoundError, PaymentBusyError, UsageError } from '../../errors.ts'
import { readInputText } from '../../input/file.ts'
import { userFolderOf } from '../../settings.ts'

/** The documents of one payment, as they are kept before anything is done with them. */
export type KeptPayment = {
  readonly folder: string
  /** Canonical texts. */
  readonly policy: string
  readonly intent: string
  /** What a server asked for; only with an x402 payment. */
  readonly quote: X402Quote | undefined
}

const [POLICY, INTENT, QUOTE, LOCK] = ['policy.json', 'intent.json', 'quote.json', 'lock.sqlite']
/** The largest document of a payment, bytes: what the standard allows for a policy, and more than a quote has. */
const MAX_DOCUMENT_BYTES = 1_048_576
const OTHERS = 0o077

/** The folder of a payment, below `payments` of the user folder. Throws UsageError for what is no key. */
function paymentFolder({ terminal }: Context, key: string): string {
  if (!isIdentifier(key))
    throw new UsageError(
      `${JSON.stringify(key.slice(0, 140))} is no idempotency key.`,
      'A key is 1 to 128 characters of a-z 0-9 . _ : -',
    )
  // `=` is in no key, and not every file system takes a colon; "." and ".." are keys, but no names of folders.
  return join(userFolderOf(terminal), 'payments', `${key.replaceAll(':', '=')}.payment`)
}

/**
 * Keeps the documents of a payment, synced, so that it can be reconciled after a crash. A key that was kept before takes
 * the same documents only. Throws UsageError.
 */
export async function keepPayment(
  context: Context,
  key: string,
  payment: Omit<KeptPayment, 'folder'>,
): Promise<KeptPayment> {
  const folder = paymentFolder(context, key)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertPrivate(folder)
  const { policy, intent, quote } = payment
  const texts = [
    [POLICY, policy],
    [QUOTE, quote === undefined ? undefined : packQuote(quote)],
    // Last: a payment is kept as soon as its intent is.
    [INTENT, intent],
  ] as const
  for (const [name, text] of texts) {
    if (text === undefined || (await writeOnce(join(folder, name), text))) continue
    if ((await readText(folder, name)) !== text)
      throw new UsageError(
        `The key ${key} stands for another payment; ${name} in ${folder} differs.`,
        'One key is one payment: see pay reconcile, or propose a new payment under a new key.',
      )
  }
  return { folder, ...payment }
}

/** Whether something is kept under a key. */
export async function isKept(context: Context, key: string): Promise<boolean> {
  return (await lstat(join(paymentFolder(context, key), INTENT)).catch(() => undefined)) !== undefined
}

/** Reads what was kept. Throws NotFoundError, UsageError, QuoteTextError, X402Refusal. */
export async function readKept(context: Context, key: string): Promise<KeptPayment> {
  const folder = paymentFolder(context, key)
  if (!(await isKept(context, key)))
    throw new NotFoundError(`No payment was begun here under the key ${key}.`, 'See journal list for all keys.')
  await assertPrivate(folder)
  const hasQuote = (await lstat(join(folder, QUOTE)).catch(() => undefined)) !== undefined
  return {
    folder,
    policy: await readText(folder, POLICY),
    intent: await readText(folder, INTENT),
    quote: hasQuote ? unpackQuote(await readText(folder, QUOTE)) : undefined,
  }
}

/**
 * Lets one process of this machine work on a payment; the system lets go when the process ends, however it ends. Throws
 * {@link PaymentBusyError}.
 */
export function lockPayment(folder: string, key: string): { readonly release: () => void } {
  const database = new DatabaseSync(join(folder, LOCK))
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch {
    database.close()
    throw new PaymentBusyError(key)
  }
  return { release: () => database.close() }
}

function readText(folder: string, name: string): Promise<string> {
  return readInputText(folder, name, { maxBytes: MAX_DOCUMENT_BYTES })
}

/** Writes a file whole and synced, readable by its owner only; false when there is one. */
export async function writeOnce(path: string, text: string | Uint8Array): Promise<boolean> {
  const unfinished = `${path}.${randomBytes(8).toString('hex')}.new`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
    await link(unfinished, path)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  } finally {
    await handle.close()
    await rm(unfinished, { force: true })
  }
}

/** Keeps Evidence and Trace of the last run beside the documents of a payment, for `evidence verify` and for whoever links it. */
export async function keepEvidence(
  { folder }: Pick<KeptPayment, 'folder'>,
  run: { readonly evidence: { readonly bytes: Uint8Array }; readonly trace: { readonly bytes: Uint8Array } },
): Promise<void> {
  for (const [name, { bytes }] of [
    ['trace.json', run.trace],
    ['evidence.json', run.evidence],
  ] as const) {
    const unfinished = join(folder, `${name}.${randomBytes(8).toString('hex')}.new`)
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, join(folder, name))
  }
}

async function assertPrivate(folder: string): Promise<void> {
  const { mode } = await lstat(folder)
  if ((mode & OTHERS) !== 0)
    throw new UsageError(`Others can enter ${folder}.`, 'Run chmod go= on it: the documents of a payment are yours.')
}
