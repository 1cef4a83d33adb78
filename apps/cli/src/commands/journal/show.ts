import type { ReadJournal } from '@oikos/core/economic'
import { checkKey, type HeldReservation } from '@oikos/runtime'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { nativeAmount } from '../../economic/amount.ts'
import { JOURNAL_OPTIONS, readJournalOf } from '../../economic/open-journal.ts'
import { momentOf } from '../../economic/payment-text.ts'
import { isOver, meaningOf, railOf, readVersion, type StoredVersion, stepOf } from '../../economic/stored-payment.ts'
import { NotFoundError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { type Fact, factLines, tableLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'

/** `oikos journal show`: all that is stored about one payment. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show all that is stored about one payment',
  details:
    'Reads every version, renders it again and checks its digests and steps; ends with 1 when something does not hold.',
  args: [['<key>', 'its idempotency key']],
  options: [...JOURNAL_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos journal show invoice.7', 'oikos journal show invoice.7 --journal journal.sqlite --json'],
  run: async (context, input) => {
    const { output } = context
    const key = input.argument(0)
    const { stored, held } = await readJournalOf(context, input, async (archive) => ({
      stored: await archive.listVersions(key),
      held: await archive.getReservation(key),
    }))
    if (stored.length === 0)
      throw new NotFoundError(`Nothing is stored under the key ${JSON.stringify(key)}.`, 'See journal list.')
    const versions = stored.map(readVersion)
    const findings = [...checkKey(key, stored, held)]
    const newest = versions.findLast(({ journal }) => journal !== undefined)?.journal
    output.result(
      {
        ok: findings.length === 0,
        idempotencyKey: key,
        state: newest?.document.state,
        isOver: newest && isOver(newest),
        rail: newest && railOf(newest),
        reservation: held,
        newest: newest?.document,
        receipt: newest?.receipt?.document,
        observation: newest?.observation?.document,
        versions: versions.map(versionDocument),
        findings,
      },
      [
        ...factLines([['payment', plain(key)], ...(newest === undefined ? [] : factsOf(newest, held))], output.paint),
        ...tableLines(COLUMNS, versions.map(cellsOf), output.paint),
        ...findings.map(
          ({ version, kind, detail }) =>
            `${output.paint('bad', 'broken')}   version ${version}, ${kind}: ${plain(detail)}`,
        ),
      ],
    )
    output.next(`journal export ${plain(key)} --out <folder>`)
    return findings.length === 0 ? EXIT.done : EXIT.refused
  },
}

function factsOf(newest: ReadJournal, held: HeldReservation | undefined): Fact[] {
  const { document, receipt, observation } = newest
  const amount = (atomic: bigint) => nativeAmount(atomic, railOf(newest))
  const named = [
    ['policy', document.policy],
    ['intent', document.intent],
    ['plan', document.plan],
    ['simulation', document.simulation],
    ['approval', document.approval],
    ['to be signed', document.unsigned_transaction],
    ['signed', document.signed_transaction],
  ] as const
  return [
    ['state', `${document.state.replaceAll('_', ' ')}: ${meaningOf(newest)}`],
    ['amount', `${amount(document.reserved_amount_atomic)}, fee at most ${amount(document.reserved_fee_atomic)}`],
    [
      '24-hour window',
      held === undefined
        ? 'holds nothing: given back, or more than 24 hours ago'
        : `holds ${amount(held.amountAtomic)} since ${momentOf(held.admittedAtMs)}`,
    ],
    ...(receipt === null
      ? []
      : ([
          ['transaction', plain(receipt.document.transaction_id)],
          ['receipt', receipt.document.disposition],
        ] as const)),
    ...(observation === null ? [] : ([['observed', observationText(observation.document)]] as const)),
    ['run', document.run_id],
    ...named.flatMap(([label, ref]): Fact[] => (ref === null ? [] : [[label, `${ref.digest} (${ref.bytes} bytes)`]])),
  ]
}

function observationText(observed: NonNullable<ReadJournal['observation']>['document']): string {
  const { status, observed_at_ms: atMs, observed_height: height, confirmations, canonical_block_id: block } = observed
  const where = height === null ? '' : `, height ${height}, ${confirmations} confirmations, block ${plain(block ?? '')}`
  return `${status} at ${momentOf(atMs)}${where}`
}

const COLUMNS = [
  { title: 'version', align: 'right' },
  { title: 'what happened' },
  { title: 'observed' },
  { title: 'bytes', align: 'right' },
  { title: 'digest' },
] as const

function cellsOf({ version, bytes, journal, fault }: StoredVersion): string[] {
  if (journal === undefined) return [String(version), `unreadable: ${plain(fault ?? '')}`, '', String(bytes)]
  const { updated_at_ms: updatedAtMs } = journal.document
  return [
    String(version),
    stepOf(journal),
    updatedAtMs === 0n ? 'never' : momentOf(updatedAtMs),
    String(bytes),
    journal.digest,
  ]
}

function versionDocument({ version, bytes, journal, fault }: StoredVersion): Readonly<Record<string, unknown>> {
  return {
    version,
    state: journal?.document.state,
    step: journal && stepOf(journal),
    updatedAtMs: journal?.document.updated_at_ms,
    bytes,
    digest: journal?.digest,
    fault,
  }
}
