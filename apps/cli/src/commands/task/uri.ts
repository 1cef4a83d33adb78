import { simulateSetTaskURI } from '@oikos/sdk'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { plain } from '../../output/plain.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task uri`: say where the package can be found. */
export const uri: CommandSpec = {
  name: 'uri',
  summary: 'say where the package can be found, as the update authority',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<uri>', 'ipfs:, https: or another URI'],
  ],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task uri 7 ipfs://bafyreicph34l3tjor3imhxpxnlrxmzbq3f7zoqq3mdhs2txdx7f2qechra'],
  run: async (context, input) => {
    const taskURI = input.argument(1)
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, connection } = view
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Set the URI of task ${target.tokenId}`,
        functionName: 'setTaskURI',
        effects: [
          `The URI changes from ${plain(tender.taskURI)} to ${plain(taskURI)}.`,
          'What the task asks for does not change: readers check what they fetch against the hashes.',
        ],
        simulate: (account) => simulateSetTaskURI(connection.client, { ...target, taskURI, account }),
        event: 'TaskURIUpdated',
      },
      { next: [`task verify ${named}`] },
    )
  },
}
