import { resolve } from 'node:path'
import { parsePackageHash, parseSha256Digest, type SkillVerdict } from '@oikos/core'
import { getSubmission, listFulfillmentSubmitted } from '@oikos/sdk'
import {
  type Attempt,
  type FetchedDelivery,
  fetchDelivery,
  nodeSha256,
  type UnpackedSkill,
  unpackSkillPackage,
} from '@oikos/sdk/node'
import { readJudgment, rulingSteps } from '../../chain/authority.ts'
import { readHistory } from '../../chain/history.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { CHAIN_OPTIONS, type CommandSpec, FETCH_OPTIONS, KEY_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { readOpeners } from '../../content/openers.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

/** Places that were asked in vain and are shown. */
const SHOWN_ATTEMPTS = 10

/** `oikos task examine`: check what was delivered. */
export const examine: CommandSpec = {
  name: 'examine',
  summary: 'fetch a delivery and check it against its result hash',
  details:
    'A skill package (ERC-8338) is checked object by object, a file by its hash. Content comes from the content store, the URI of the delivery and gateways; none of them is trusted, and nothing is run. Ends with 1 unless everything fits.',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [
    { flags: '--open <key>', text: 'recipient key that opens encrypted files, so that their plaintext is checked too' },
    { flags: '--unpack <folder>', text: 'write the files of a skill package there when it verifies; must not exist' },
    ...FETCH_OPTIONS,
    ...CHAIN_OPTIONS,
    ...KEY_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos task examine 7 1', 'oikos task examine 7 1 --gateway https://ipfs.io --unpack delivery-1 --json'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const openers = await readOpeners(context, input)
    const view = await openTask(context, input.argument(0))
    const submission = await getSubmission(view.connection.client, { ...view.target, submissionId })
    const uri = await readUri(view, submissionId)
    context.output.say(`Reading delivery ${submission.resultHash} to task ${view.target.tokenId} ...`)
    const fetched = await fetchDelivery({
      ...{ resultHash: parseSha256Digest(submission.resultHash), hash: nodeSha256, ...openers },
      ...(uri === undefined || uri === '' ? {} : { uri }),
      resolver: await context.resolver(),
      keep: await context.store(),
      signal: context.terminal.signal,
    })
    const unpack = input.text('unpack')
    if (unpack !== undefined && fetched.kind !== 'skill') {
      throw new UsageError('The delivery is no skill package, so there is nothing to unpack.', 'Leave --unpack out.')
    }
    const unpacked =
      unpack === undefined || fetched.kind !== 'skill' || !fetched.verdict.ok
        ? undefined
        : await unpackSkillPackage({
            ...{ packageHash: parsePackageHash(submission.resultHash), source: fetched.source, ...openers },
            output: resolve(context.terminal.cwd, unpack),
          })
    return report(context, view, { ...submission, uri }, fetched, unpacked)
  },
}

/** The URI of a delivery is in its event only. */
async function readUri(view: TaskView, submissionId: bigint): Promise<string | undefined> {
  const { connection, target, tender } = view
  const { events } = await readHistory(connection, target, (fromBlock) =>
    listFulfillmentSubmitted(connection.client, { ...target, submissionId, fromBlock, toBlock: tender.blockNumber }),
  )
  return events[0]?.args.resultURI
}

type Delivered = {
  readonly submissionId: bigint
  readonly resultHash: string
  readonly fulfiller: string
  readonly status: string
  readonly uri: string | undefined
}

async function report(
  context: Context,
  view: TaskView,
  delivered: Delivered,
  fetched: FetchedDelivery,
  unpacked: UnpackedSkill | undefined,
): Promise<ExitCode> {
  const { output } = context
  const { submissionId, resultHash, fulfiller, status, uri } = delivered
  const failed = fetched.attempts.filter(({ outcome }) => outcome !== 'ok')
  const isFine = fetched.kind === 'file' || (fetched.kind === 'skill' && fetched.verdict.ok)
  const { head, facts, lines, document } = describe(fetched)
  output.result(
    {
      ...{ ok: isFine, taskRef: view.ref, submissionId, resultHash, fulfiller, status, resultURI: uri },
      ...{ kind: fetched.kind, ...document, attempts: failed },
      unpacked: unpacked && { folder: unpacked.output, files: unpacked.files, skipped: unpacked.skipped },
    },
    [
      output.paint(isFine ? 'good' : fetched.kind === 'skill' ? 'bad' : 'warning', head),
      ...factLines(
        [
          ['what', `delivery ${submissionId} to task ${view.target.tokenId}, ${status}`],
          ['by', fulfiller],
          ['resultHash', resultHash],
          ...(uri ? ([['URI (a claim)', plain(uri)]] as const) : []),
          ...facts,
        ],
        output.paint,
        '  ',
      ),
      ...lines,
      ...attemptLines(failed),
    ],
  )
  if (fetched.kind === 'missing') output.say('Add --gateway <url> to look for the content in more places.')
  if (status === 'pending') {
    const deployment = await view.connection.knownDeployment()
    const judgment = await readJudgment(view.connection, view.target, view.tender.acceptanceAuthority, deployment)
    output.next(...rulingSteps(judgment, view.named, submissionId))
  } else output.next(`task show ${view.named}`)
  return isFine ? EXIT.done : EXIT.refused
}

type Description = {
  readonly head: string
  readonly facts: readonly (readonly [string, string])[]
  readonly lines: readonly string[]
  readonly document: Readonly<Record<string, unknown>>
}

function describe(fetched: FetchedDelivery): Description {
  switch (fetched.kind) {
    case 'skill':
      return describeSkill(fetched.verdict)
    case 'file': {
      const bytes = fetched.bytes.length
      const facts = [['is', `a file of ${countOf(bytes, 'byte')} with exactly this hash`]] as const
      return { head: 'VALID       the content has the hash that was delivered', facts, lines: [], document: { bytes } }
    }
    case 'missing':
      return {
        head: 'NOT FOUND   nothing was found with this hash',
        facts: [['is', 'perhaps elsewhere, or a commitment to an answer, a receipt or a secret']],
        ...{ lines: [], document: {} },
      }
    default:
      return fetched satisfies never
  }
}

function describeSkill({ status, findings, omittedFindings, facts, root }: SkillVerdict): Description {
  const heads = {
    valid: 'VALID       a skill package (ERC-8338); every byte that was checked fits',
    invalid: `INVALID     a skill package of which ${countOf(findings.length + omittedFindings, 'rule is', 'rules are')} broken`,
    incomplete: 'INCOMPLETE  a skill package; nothing is broken, but not everything could be fetched',
  }
  // a delivery binds no mdHash, so that is nothing which was left out here
  const notChecked = facts.notChecked.filter((what) => what !== 'binding')
  return {
    head: heads[status],
    facts: [
      [
        'is',
        `a skill package, run by ${root === undefined ? 'nothing that can be read' : `${plain(root.entry.path)} (${plain(root.entry.profile)})`}`,
      ],
      ...(facts.paths === undefined ? [] : [['files', String(facts.paths)] as const]),
      ...(facts.packageBytes === undefined ? [] : [['bytes', String(facts.packageBytes)] as const]),
      ...(notChecked.length === 0 ? [] : [['not checked', notChecked.join(', ')] as const]),
    ],
    lines: [
      ...findings.map(({ code, where, message }) => `broken   ${code} at ${plain(where)}: ${plain(message)}`),
      ...(omittedFindings === 0 ? [] : [`and ${omittedFindings} more`]),
    ],
    document: {
      ...{ verdict: status, findings, omittedFindings, notChecked, primary: facts.primary },
      ...{ entry: root?.entry, confidentiality: facts.confidentiality },
    },
  }
}

function attemptLines(failed: readonly Attempt[]): string[] {
  return failed
    .slice(0, SHOWN_ATTEMPTS)
    .map(({ from, outcome, detail }) => `asked    ${plain(from)}: ${outcome}, ${plain(detail)}`)
}
