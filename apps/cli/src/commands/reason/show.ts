import { keccak256, rawCidOf } from '@oikos/core'
import { verifyReasoning } from '@oikos/core/reasoning'
import { type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'
import { RECORD, readRecordSource } from './record-source.ts'
import { recordLines, verdictLines } from './record-text.ts'

/** `oikos reason show`: one record, facts apart from claims. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show a reasoning record, what can be compared apart from what its author says',
  details:
    'Its form is checked, and its URI when it is named by one. Whether an action cites it, says "reason verify".',
  args: [RECORD],
  options: [...FETCH_OPTIONS, ...OUTPUT_OPTIONS],
  examples: [
    'oikos reason show ipfs://bafkreiapzlh6c4yxczme4judqvqrvcrjctjz5fsduk3hbbli5kce5oflby',
    'oikos reason show record.json --json',
  ],
  run: async (context, input) => {
    const { output } = context
    const { bytes, from, uri } = await readRecordSource(context, input.argument(0))
    const verdict = verifyReasoning(bytes, uri === undefined ? {} : { uri })
    const { ok, status, record, findings, omittedFindings, checked, notChecked } = verdict
    const [reasoningHash, cid] = [keccak256(bytes), rawCidOf(bytes)]
    const document = { ok, status, from, sizeBytes: bytes.length, reasoningHash, cid, record }
    output.result({ ...document, checked, notChecked, findings, omittedFindings }, [
      ...verdictLines(verdict, output.paint),
      ...factLines(
        [
          ['from', plain(from)],
          ['bytes', String(bytes.length)],
          ['reasoning hash', reasoningHash],
          ['CID', cid],
        ],
        output.paint,
        '  ',
      ),
      ...(record === undefined ? [] : recordLines(record, output.paint)),
    ])
    if (record !== undefined) output.next(`reason verify --agent ${record.binding.agent}`)
    return ok ? EXIT.done : EXIT.refused
  },
}
