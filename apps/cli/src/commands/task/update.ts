import { simulateUpdateTask, simulateUpdateTaskWithDocument } from '@oikos/sdk'
import { nodeSha256 } from '@oikos/sdk/node'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, STORE_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { MAX_DOCUMENT_BYTES } from '../../content/document.ts'
import { takePackage } from '../../content/pack.ts'
import { ROLE_OPTIONS, SEAL_OPTIONS } from '../../content/package-options.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task update`: publish the next version. */
export const update: CommandSpec = {
  name: 'update',
  summary: 'publish the next version of the content, as the update authority',
  details: 'A folder that is packed here gets the version and the link to the one before by itself.',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['[folder]', 'a packed folder, or one to be packed'],
  ],
  options: [
    { flags: '--document <file>', text: 'put the primary document on the chain with it' },
    { flags: '--td-hash <hash>', text: 'without a folder: SHA-256 of the primary document' },
    { flags: '--task-hash <hash>', text: 'without a folder: SHA-256 of the root' },
    ...ROLE_OPTIONS,
    ...SEAL_OPTIONS,
    ...STORE_OPTIONS,
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task update 7 my-task', 'oikos task update 7 my-task --document my-task/TASK.md --dry-run'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, connection } = view
    const { client } = connection
    if (tender.frozen) throw new UsageError(`Task ${target.tokenId} is frozen.`, 'Mint a new task for new content.')
    const version = tender.binding.version + 1n
    const { taskHash, tdHash, uri } = await takePackage(context, input, input.optionalArgument(1), {
      version,
      prev: tender.binding.taskHash,
      maxCompletions: tender.terms.maxCompletions,
    })
    const file = input.text('document')
    const document =
      file === undefined ? undefined : await readInputFile(context.terminal.cwd, file, { maxBytes: MAX_DOCUMENT_BYTES })
    if (document !== undefined && nodeSha256(document) !== tdHash) {
      throw new UsageError(
        `${JSON.stringify(file)} has SHA-256 ${nodeSha256(document)}, but the tdHash is ${tdHash}.`,
        'Name the primary document of this very package.',
      )
    }
    if (tender.hasDocument && document === undefined && tdHash !== tender.binding.tdHash) {
      throw new UsageError(
        `Task ${target.tokenId} has its document on the chain, so a new one goes there with the update.`,
        'Name it with --document.',
      )
    }
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Publish version ${version} of task ${target.tokenId}`,
        functionName: document === undefined ? 'updateTask' : 'updateTaskWithDocument',
        effects: [
          `The task asks for package ${taskHash} instead of ${tender.binding.taskHash}.`,
          `${countOf(tender.pending, 'pending delivery keeps', 'pending deliveries keep')} the version that was current when they were made.`,
          ...(document === undefined
            ? []
            : [`${document.length} bytes of the document become public on the chain, for ever.`]),
        ],
        simulate: (account) =>
          document === undefined
            ? simulateUpdateTask(client, { ...target, tdHash, taskHash, account })
            : simulateUpdateTaskWithDocument(client, { ...target, document, taskHash, account }),
        event: 'TaskUpdated',
      },
      {
        document: { tdHash, taskHash, version, uri },
        next: uri === undefined ? [`task uri ${named} <uri>`] : [`task uri ${named} ${plain(uri)}`],
      },
    )
  },
}
