import { resolve } from 'node:path'
import { type ObjectOpener, type PastTaskBinding, parseTaskHash, type TaskVerdict, toDagCborCid } from '@oikos/core'
import { listTaskUpdated } from '@oikos/sdk'
import { type Attempt, fetchTaskPackage, nodeSha256, unpackPackage, verifyFolder } from '@oikos/sdk/node'
import { readJudgment } from '../../chain/authority.ts'
import { readHistory } from '../../chain/history.ts'
import { isTaskName, openTask, type TaskView } from '../../chain/open-task.ts'
import { type TenderWarning, warningsOf } from '../../chain/warnings.ts'
import { CHAIN_OPTIONS, type CommandSpec, FETCH_OPTIONS, KEY_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { readOpeners } from '../../content/openers.ts'
import { ROLE_OPTIONS, readRoles } from '../../content/package-options.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'
import { absoluteTime, countOf } from '../../output/speech.ts'
import { isOpen } from './list.ts'

/** `oikos task verify`: check a package, against itself or against the chain. */
export const verify: CommandSpec = {
  name: 'verify',
  summary: 'check every byte of a package, by itself or against the chain',
  details:
    'A number or chain:contract:number is a task on the chain; anything else is a folder. The package is found in the content store, by its URI and through gateways; none of them is trusted. Ends with 1 unless everything fits.',
  args: [['<what>', 'folder, task number, or chain:contract:number']],
  options: [
    { flags: '--task-hash <hash>', text: 'for a folder: the taskHash that it must have' },
    { flags: '--open <key>', text: 'recipient key that opens encrypted files, so that their plaintext is checked too' },
    { flags: '--unpack <folder>', text: 'for a task: write its files there when it verifies; must not exist' },
    { flags: '--strict', text: 'end with 1 on warnings as well' },
    ...ROLE_OPTIONS,
    ...FETCH_OPTIONS,
    ...CHAIN_OPTIONS,
    ...KEY_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos task verify my-task',
    'oikos task verify 7',
    'oikos task verify 7 --gateway https://ipfs.io --unpack task-7 --json',
  ],
  run: async (context, input) => {
    const openers = await readOpeners(context, input)
    return isTaskName(input.argument(0))
      ? verifyOnChain(context, input, openers)
      : verifyLocally(context, input, openers)
  },
}

async function verifyLocally(
  context: Context,
  input: Input,
  openers: { openers?: readonly ObjectOpener[] },
): Promise<ExitCode> {
  const named = input.text('task-hash')
  const verdict = await verifyFolder(resolve(context.terminal.cwd, input.argument(0)), {
    ...openers,
    ...(named === undefined ? {} : { taskHash: parseTaskHash(named) }),
    packing: readRoles(input),
  })
  const { kind, taskHash } = verdict
  const subject = kind === 'packed' ? 'Packed folder' : 'Source folder'
  return report(context, input, verdict, {
    subject: `${subject} ${plain(input.argument(0))}`,
    document: { kind, taskHash, rootCid: toDagCborCid(taskHash) },
    warnings: [],
    attempts: [],
    next: verdict.ok && kind === 'source' ? [`task pack ${input.argument(0)}`] : [],
  })
}

async function verifyOnChain(
  context: Context,
  input: Input,
  openers: { openers?: readonly ObjectOpener[] },
): Promise<ExitCode> {
  const view = await openTask(context, input.argument(0))
  const { tender, asset, named, connection, target } = view
  const { taskHash, tdHash, version } = tender.binding
  const history = await readBindings(view)
  context.output.say(`Reading package ${taskHash} of task ${target.tokenId}, version ${version} ...`)
  const expected = {
    taskHash: parseTaskHash(taskHash),
    binding: { tdHash, version },
    terms: { maxCompletions: tender.terms.maxCompletions },
    history,
    hash: nodeSha256,
    ...openers,
  }
  const { verdict, source, attempts } = await fetchTaskPackage({
    ...expected,
    uri: tender.taskURI,
    resolver: await context.resolver(),
    keep: await context.store(),
    signal: context.terminal.signal,
  })
  const judgment = await readJudgment(
    connection,
    target,
    tender.acceptanceAuthority,
    await connection.knownDeployment(),
  )
  const acceptanceProfile = verdict.root?.acceptance?.profile
  const unpack = input.text('unpack')
  const unpacked =
    unpack === undefined || !verdict.ok
      ? undefined
      : await unpackPackage({ ...expected, source, output: resolve(context.terminal.cwd, unpack) })
  return report(context, input, verdict, {
    subject: `Task ${target.tokenId}, version ${version}, against block ${tender.blockNumber} (${absoluteTime(tender.blockTimestampSec)})`,
    document: {
      kind: 'chain',
      taskRef: view.ref,
      blockNumber: tender.blockNumber,
      taskHash,
      tdHash,
      version,
      rootCid: toDagCborCid(parseTaskHash(taskHash)),
      taskURI: tender.taskURI,
      acceptanceProfile,
      unpacked: unpacked && { folder: unpacked.output, files: unpacked.files, skipped: unpacked.skipped },
    },
    warnings: warningsOf({ tender, judgment, asset, acceptanceProfile }),
    attempts,
    next: verdict.ok && isOpen(tender) ? [`task submit ${named} --file <delivery>`] : [`task show ${named}`],
  })
}

async function readBindings({ connection, target, tender }: TaskView): Promise<readonly PastTaskBinding[]> {
  if (tender.binding.version === 1n) return []
  const { events } = await readHistory(connection, target, (fromBlock) =>
    listTaskUpdated(connection.client, { ...target, fromBlock, toBlock: tender.blockNumber }),
  )
  return events.map(({ args }) => ({ taskHash: parseTaskHash(args.taskHash), version: args.version }))
}

/** Places that were asked in vain and are shown. */
const SHOWN_ATTEMPTS = 10

function report(
  context: Context,
  input: Input,
  verdict: TaskVerdict,
  about: {
    readonly subject: string
    readonly document: Readonly<Record<string, unknown>>
    readonly warnings: readonly TenderWarning[]
    readonly attempts: readonly Attempt[]
    readonly next: readonly string[]
  },
): ExitCode {
  const { output } = context
  const { ok, status, findings, omittedFindings, facts } = verdict
  const failed = about.attempts.filter(({ outcome }) => outcome !== 'ok')
  const heads = {
    valid: output.paint('good', 'VALID       every byte that was checked fits'),
    invalid: output.paint(
      'bad',
      `INVALID     ${countOf(findings.length + omittedFindings, 'rule is', 'rules are')} broken`,
    ),
    incomplete: output.paint('warning', 'INCOMPLETE  nothing is broken, but not everything could be fetched'),
  }
  const summary = facts.manifest === undefined ? [] : ([['says of itself', plain(facts.manifest.summary)]] as const)
  output.result(
    {
      ok,
      status,
      ...about.document,
      findings,
      omittedFindings,
      notChecked: facts.notChecked,
      manifest: facts.manifest,
      primary: facts.primary,
      confidentiality: facts.confidentiality,
      warnings: about.warnings,
      attempts: failed,
    },
    [
      `${heads[status]}`,
      ...factLines(
        [
          ['what', about.subject],
          ['taskHash', String(about.document['taskHash'])],
          ...(facts.paths === undefined ? [] : ([['files', String(facts.paths)]] as const)),
          ...(facts.packageBytes === undefined ? [] : ([['bytes', String(facts.packageBytes)]] as const)),
          ...(facts.notChecked.length === 0 ? [] : ([['not checked', facts.notChecked.join(', ')]] as const)),
          ...summary,
        ],
        output.paint,
        '  ',
      ),
      ...findings.map(
        ({ code, where, message }) =>
          `${output.paint('bad', 'broken')}   ${code} at ${plain(where)}: ${plain(message)}`,
      ),
      ...(omittedFindings === 0 ? [] : [`and ${omittedFindings} more`]),
      ...failed
        .slice(0, SHOWN_ATTEMPTS)
        .map(({ from, outcome, detail }) => `asked    ${plain(from)}: ${outcome}, ${plain(detail)}`),
      ...about.warnings.map(({ message }) => `${output.paint('warning', 'warning')}  ${message}`),
    ],
  )
  if (status === 'incomplete') output.say('Add --gateway <url> to look for the missing objects in more places.')
  output.next(...about.next)
  const isFine = ok && !(input.flag('strict') && about.warnings.length > 0)
  return isFine ? EXIT.done : EXIT.refused
}
