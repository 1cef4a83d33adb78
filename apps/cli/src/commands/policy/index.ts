import { canonicalTextOf, parsePolicy, policyShape, utf8 } from '@oikos/core/economic'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { readDocument, writeNewDocument } from '../../economic/document-file.ts'
import { policyFacts } from '../../economic/policy-text.ts'
import { attempt, isRefused, type Refusal, refusalLines } from '../../economic/refusal.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'

const check: CommandSpec = {
  name: 'check',
  summary: 'say what a payment policy allows, or why it cannot be used',
  details:
    'A policy is one line of canonical JSON and a final LF. When only the writing of a file differs, --write writes the canonical form, which is then judged instead.',
  args: [['<file>', 'the policy']],
  options: [
    { flags: '--write <file>', text: 'write the values of the file in canonical form; must not exist' },
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos policy check policy.json', 'oikos policy check draft.json --write policy.json'],
  run: async (context, input) => {
    const { output, terminal } = context
    const path = input.argument(0)
    const bytes = await readDocument(terminal.cwd, path)
    const asWritten = attempt('policy', () => parsePolicy(bytes))
    const rewritten = canonicalTextOf(policyShape, bytes)
    const target = input.text('write')
    const judged =
      isRefused(asWritten) && rewritten !== undefined
        ? attempt('policy', () => parsePolicy(utf8(rewritten)))
        : asWritten
    const isWritten = target !== undefined && !isRefused(judged)
    if (isWritten) await writeNewDocument(terminal.cwd, target, judged.text)
    const policy = isWritten ? judged : asWritten
    if (!isRefused(policy)) {
      const { digest, document } = policy
      output.result({ ok: true, digest, bytes: policy.bytes.length, policy: document, written: target, findings: [] }, [
        output.paint('good', 'VALID       the policy holds together'),
        ...factLines(
          [['digest', digest], ['bytes', String(policy.bytes.length)], ...policyFacts(policy)],
          output.paint,
          '  ',
        ),
      ])
      output.next(`intent check <file> --policy ${target ?? path}`)
      return EXIT.done
    }
    const findings = findingsOf(policy.refusal, judged)
    output.result({ ok: false, findings, canonicalIsValid: !isRefused(judged) }, [
      output.paint('bad', 'INVALID     the policy cannot be used'),
      ...refusalLines(findings, output.paint),
    ])
    if (!isRefused(judged)) {
      output.say('Its values make a valid policy; only the writing differs.')
      output.next(`policy check ${path} --write <new file>`)
    }
    return EXIT.refused
  },
}

/** What is wrong as it is written, and what would still be wrong in canonical form. */
function findingsOf(
  refusal: Refusal,
  judged: ReturnType<typeof parsePolicy> | { readonly refusal: Refusal },
): Refusal[] {
  const isSame = !isRefused(judged) || judged.refusal.message === refusal.message
  return isSame ? [refusal] : [refusal, judged.refusal]
}

/** `oikos policy …`: the bounds of what an agent may pay. */
export const policy: GroupSpec = {
  name: 'policy',
  summary: 'check the bounds of what an agent may pay',
  commands: [check],
}
