import { checkJournal } from '@oikos/runtime'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { JOURNAL_OPTIONS, readJournalOf } from '../../economic/open-journal.ts'
import { EXIT } from '../../exit-codes.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

/** How often progress is said, milliseconds. */
const PROGRESS_MS = 1000
/** Findings that are printed; --json has more. */
const SHOWN_FINDINGS = 50

/** `oikos journal check`: everything that is stored, read again. */
export const check: CommandSpec = {
  name: 'check',
  summary: 'render every stored version again and check its digests, states, steps and reservations',
  details: 'Reads only, and may run while payments are made. Ends with 1 when something does not hold.',
  options: [...JOURNAL_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos journal check', 'oikos journal check --journal journal.sqlite --json'],
  run: async (context, input) => {
    const { output } = context
    let saidAt = Date.now()
    const verdict = await readJournalOf(context, input, (archive) =>
      checkJournal(archive, (keys, versions) => {
        if (Date.now() - saidAt < PROGRESS_MS) return
        saidAt = Date.now()
        output.say(`checked ${countOf(keys, 'payment')}, ${countOf(versions, 'version')} ...`)
      }),
    )
    const { ok, keys, versions, findings, omittedFindings } = verdict
    const broken = findings.length + omittedFindings
    const scope = `${countOf(keys, 'payment')}, ${countOf(versions, 'version')}`
    output.result({ ...verdict }, [
      ok
        ? output.paint('good', `IN ORDER    ${scope}: every version, digest, step and reservation holds`)
        : output.paint('bad', `BROKEN      ${scope}: ${countOf(broken, 'thing does', 'things do')} not hold`),
      ...findings
        .slice(0, SHOWN_FINDINGS)
        .map(
          ({ idempotencyKey, version, kind, detail }) =>
            `${output.paint('bad', 'broken')}   ${plain(idempotencyKey)} version ${version}, ${kind}: ${plain(detail)}`,
        ),
      ...(broken > SHOWN_FINDINGS ? [`and ${broken - SHOWN_FINDINGS} more`] : []),
    ])
    const [first] = findings
    if (first !== undefined) output.next(`journal show ${plain(first.idempotencyKey)}`)
    return ok ? EXIT.done : EXIT.refused
  },
}
