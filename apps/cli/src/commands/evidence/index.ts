import { isDomainDigest } from '@oikos/core/economic'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { refusalLines } from '../../economic/refusal.ts'
import { readRun } from '../../economic/run-folder.ts'
import { type DocumentRow, type DocumentState, type RunVerdict, verifyRun } from '../../economic/verify-run.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { type Fact, factLines, tableLines } from '../../output/layout.ts'
import type { Output } from '../../output/output.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

const verify: CommandSpec = {
  name: 'verify',
  summary: 'replay the evidence of a payment, offline',
  details:
    'A file is Evidence alone: it is replayed with the trace inside. A folder is a whole run: evidence.json and whatever is there of policy, intent, invoice, snapshot, plan, simulation, approval_request, approval, journal, broadcast, reconciliation and trace (.json each), journal.v1.json and following, and agent-runtime.evidence.json with profile and task; every digest is derived again. Ends with 1 unless everything that is there holds.',
  args: [['<path>', 'Evidence, or the folder of a run']],
  options: [
    { flags: '--digest <digest>', text: 'digest that the Evidence must have, sha256: and 64 digits' },
    { flags: '--strict', text: 'end with 1 as well when a document that the run names is not there' },
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos evidence verify evidence.json',
    'oikos evidence verify run-7 --strict --json',
    'oikos evidence verify evidence.json --digest sha256:9dd80e5a13aaaa02b5b854cee0f68870ac22dfdabca14e79d32857ae35980cc6',
  ],
  run: async (context, input) => {
    const { output, terminal } = context
    const digest = input.text('digest')
    if (digest !== undefined && !isDomainDigest(digest))
      throw new UsageError('A digest is sha256: and 64 lower-case hexadecimal digits.', 'Copy it in full.')
    const files = await readRun(terminal.cwd, input.argument(0))
    const verdict = verifyRun(files, digest)
    const absent = verdict.documents.filter(({ state }) => state === 'not-given')
    const { evidence } = verdict
    output.result(
      {
        ok: verdict.ok,
        digest: evidence?.digest,
        runId: evidence?.document.run_id,
        result: evidence?.document.result,
        documents: verdict.documents,
        journalVersions: verdict.journalVersions,
        findings: verdict.findings,
        unread: files.unread,
      },
      [
        headOf(verdict, absent.length, output),
        ...factLines(factsOf(verdict), output.paint, '  '),
        ...(verdict.documents.length === 0 ? [] : tableLines(COLUMNS, verdict.documents.map(rowOf), output.paint)),
        ...refusalLines(verdict.findings, output.paint),
      ],
    )
    if (files.unread.length > 0) output.say(`Not read: ${files.unread.map(plain).join(', ')}`)
    return verdict.ok && !(input.flag('strict') && absent.length > 0) ? EXIT.done : EXIT.refused
  },
}

function headOf({ ok, documents, findings }: RunVerdict, absent: number, { paint }: Output): string {
  if (!ok) return paint('bad', `INVALID     ${countOf(findings.length, 'thing does', 'things do')} not hold`)
  const checked = documents.filter(({ state }) => state === 'checked').length
  const rest = absent === 0 ? '' : `, ${absent} that it names ${absent === 1 ? 'is' : 'are'} not here`
  return paint('good', `VALID       the run replays; ${countOf(checked, 'document')} checked${rest}`)
}

function factsOf({ ok, evidence, journalVersions }: RunVerdict): Fact[] {
  if (evidence === undefined) return []
  const { result, run_id: runId, budget } = evidence.document
  return [
    ['ended as', result.status.replaceAll('_', ' ')],
    ...(result.transaction_id === null ? [] : [['transaction', plain(result.transaction_id)] as const]),
    ...(result.code === null ? [] : [['because', plain(`${result.code} ${result.message ?? ''}`)] as const]),
    ['run', runId],
    ['steps', String(budget.used_trace_events)],
    ...(journalVersions === 0
      ? []
      : [['journal', `${countOf(journalVersions, 'version')}${ok ? ', each one legal step' : ''}`] as const]),
  ]
}

const COLUMNS = [
  { title: 'document' },
  { title: 'state' },
  { title: 'bytes', align: 'right' },
  { title: 'digest' },
] as const

const STATES: Readonly<Record<DocumentState, string>> = {
  checked: 'checked',
  'not-given': 'not here',
  'not-checked': 'not checked',
  broken: 'BROKEN',
  none: 'none in this run',
}

function rowOf({ document, state, bytes, digest }: DocumentRow): string[] {
  return [document.replaceAll('_', ' '), STATES[state], bytes === undefined ? '' : String(bytes), digest ?? '']
}

/** `oikos evidence …`: what a payment leaves for a stranger to check. */
export const evidence: GroupSpec = {
  name: 'evidence',
  summary: 'check what payments left behind',
  commands: [verify],
}
