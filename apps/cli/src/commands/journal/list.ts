import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { nativeAmount } from '../../economic/amount.ts'
import { JOURNAL_OPTIONS, readJournalOf } from '../../economic/open-journal.ts'
import { momentOf } from '../../economic/payment-text.ts'
import { isOver, railOf, readVersion, type StoredVersion } from '../../economic/stored-payment.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseWhole } from '../../input/number.ts'
import { tableLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'

type Row = { readonly key: string; readonly newest: StoredVersion | undefined }

/** `oikos journal list`: payments, one row each. */
export const list: CommandSpec = {
  name: 'list',
  summary: 'list payments by their idempotency key',
  details: 'Keys come in the order of their bytes, page after page. Reads only.',
  options: [
    { flags: '--limit <count>', text: 'rows of a page, at most 100 (default 25)' },
    { flags: '--cursor <key>', text: 'last key of the page before, as that page named it' },
    { flags: '--open', text: 'leave out payments of this page that are over' },
    ...JOURNAL_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos journal list', 'oikos journal list --journal journal.sqlite --open --json'],
  run: async (context, input) => {
    const { output } = context
    const limit = Number(parseWhole(input.text('limit') ?? '25', '--limit', { min: 1n, max: 100n }))
    const after = input.text('cursor')
    const { rows, nextCursor } = await readJournalOf(context, input, async (archive) => {
      const keys = await archive.listKeys({ ...(after === undefined ? {} : { after }), limit: limit + 1 })
      const page: Row[] = []
      for (const key of keys.slice(0, limit)) {
        const stored = (await archive.listVersions(key)).at(-1)
        page.push({ key, newest: stored && readVersion(stored) })
      }
      return { rows: page, nextCursor: keys.length > limit ? keys[limit - 1] : undefined }
    })
    const shown = input.flag('open')
      ? rows.filter(({ newest }) => newest?.journal === undefined || !isOver(newest.journal))
      : rows
    output.result(
      { ok: true, payments: shown.map(documentOf), nextCursor },
      shown.length === 0 ? ['No payments.'] : tableLines(COLUMNS, shown.map(cellsOf), output.paint),
    )
    for (const { key, newest } of shown)
      if (newest?.fault !== undefined) output.say(`Payment ${plain(key)} cannot be read: ${plain(newest.fault)}`)
    const [first] = shown
    output.next(
      ...(first === undefined ? [] : [`journal show ${plain(first.key)}`]),
      ...(nextCursor === undefined ? [] : [`journal list --cursor ${plain(nextCursor)}`]),
    )
    return EXIT.done
  },
}

const COLUMNS = [
  { title: 'key' },
  { title: 'state' },
  { title: 'version', align: 'right' },
  { title: 'amount', align: 'right' },
  { title: 'last observed' },
  { title: 'transaction' },
] as const

function documentOf({ key, newest }: Row): Readonly<Record<string, unknown>> {
  const journal = newest?.journal
  return {
    idempotencyKey: key,
    version: newest?.version,
    state: journal?.document.state,
    isOver: journal && isOver(journal),
    amountAtomic: journal?.document.reserved_amount_atomic,
    rail: journal && railOf(journal),
    transactionId: journal?.receipt?.document.transaction_id,
    updatedAtMs: journal?.document.updated_at_ms,
    fault: newest?.fault,
  }
}

function cellsOf({ key, newest }: Row): string[] {
  const journal = newest?.journal
  if (newest === undefined || journal === undefined) return [plain(key), 'unreadable', String(newest?.version ?? '')]
  const { state, reserved_amount_atomic: amount, updated_at_ms: updatedAtMs } = journal.document
  return [
    plain(key),
    state.replaceAll('_', ' '),
    String(newest.version),
    nativeAmount(amount, railOf(journal)),
    // The provisional receipt has no time: nobody has observed anything yet.
    updatedAtMs === 0n ? 'never' : momentOf(updatedAtMs),
    journal.receipt?.document.transaction_id ?? '',
  ]
}
