import { admitIntent, parseIntent, parsePolicy } from '@oikos/core/economic'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { readDocument } from '../../economic/document-file.ts'
import { paymentFacts } from '../../economic/payment-text.ts'
import { attempt, isRefused, refusalLines } from '../../economic/refusal.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'

const check: CommandSpec = {
  name: 'check',
  summary: 'say whether a policy allows a proposed payment, and why not',
  details:
    'Judges what the two documents alone decide. The rolling 24 hours, an invoice and the time are judged when it is paid.',
  args: [['<file>', 'the payment intent']],
  options: [{ flags: '--policy <file>', text: 'policy that it must keep (required)' }, ...OUTPUT_OPTIONS],
  examples: ['oikos intent check intent.json --policy policy.json'],
  run: async (context, input) => {
    const { output, terminal } = context
    const policyPath = input.text('policy')
    if (policyPath === undefined)
      throw new UsageError('An intent is judged under a policy, and none is named.', 'Add --policy <file>.')
    const policyBytes = await readDocument(terminal.cwd, policyPath)
    const intentBytes = await readDocument(terminal.cwd, input.argument(0))
    const policy = attempt('policy', () => parsePolicy(policyBytes))
    const admitted = isRefused(policy) ? policy : attempt('intent', () => admitIntent(policy, parseIntent(intentBytes)))
    if (isRefused(admitted)) {
      const head =
        admitted.refusal.document === 'policy'
          ? 'INVALID     the policy cannot be used, so nothing is judged under it'
          : 'REFUSED     this payment would not be made'
      output.result({ ok: false, findings: [admitted.refusal] }, [
        output.paint('bad', head),
        ...refusalLines([admitted.refusal], output.paint),
      ])
      if (admitted.refusal.document === 'policy') output.next(`policy check ${policyPath}`)
      return EXIT.refused
    }
    const { intent: proposal, settlement } = admitted
    output.result(
      {
        ok: true,
        digest: proposal.digest,
        policyDigest: admitted.policy.digest,
        intent: proposal.document,
        settlement,
        findings: [],
      },
      [
        output.paint('good', 'ADMITTED    the policy allows this payment'),
        ...factLines([['digest', proposal.digest], ...paymentFacts(admitted)], output.paint, '  '),
      ],
    )
    output.say('The rolling 24 hours, an invoice and the time are judged when it is paid.')
    return EXIT.done
  },
}

/** `oikos intent …`: payments that an agent proposes. */
export const intent: GroupSpec = {
  name: 'intent',
  summary: 'check a payment that an agent proposes',
  commands: [check],
}
