import { simulatePublishTaskDocument } from '@oikos/sdk'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { MAX_DOCUMENT_BYTES } from '../../content/document.ts'
import { readInputFile } from '../../input/file.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task publish`: the primary document goes on the chain. */
export const publish: CommandSpec = {
  name: 'publish',
  summary: 'put the primary document on the chain, as the update authority; allowed after a freeze',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<file>', `the primary document, at most ${MAX_DOCUMENT_BYTES} bytes`],
  ],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task publish 7 my-task/TASK.md'],
  run: async (context, input) => {
    const document = await readInputFile(context.terminal.cwd, input.argument(1), { maxBytes: MAX_DOCUMENT_BYTES })
    const view = await openTask(context, input.argument(0))
    const { target, named, connection } = view
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Publish the document of task ${target.tokenId}`,
        functionName: 'publishTaskDocument',
        effects: [
          `${document.length} bytes become public on the chain, for ever.`,
          'Later versions must bring their document with them.',
        ],
        simulate: (account) => simulatePublishTaskDocument(connection.client, { ...target, document, account }),
        event: 'TaskDocumentPublished',
      },
      { next: [`task show ${named}`] },
    )
  },
}
