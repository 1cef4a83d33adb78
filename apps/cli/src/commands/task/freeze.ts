import { simulateFreezeTask } from '@oikos/sdk'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task freeze`: the content becomes final. */
export const freeze: CommandSpec = {
  name: 'freeze',
  summary: 'make the content of a task final, as its update authority',
  args: [['<task>', 'its number, or chain:contract:number']],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task freeze 7', 'oikos task freeze 7 --dry-run'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Freeze task ${target.tokenId}`,
        functionName: 'freezeTask',
        effects: [
          `Version ${tender.binding.version} of the content becomes final. Nobody can change it again, you included.`,
          'Where it can be found (the URI) and whether the task is cancelled stay with the update authority.',
        ],
        simulate: (account) => simulateFreezeTask(connection.client, { ...target, account, asset }),
        event: 'TaskFrozen',
      },
      { next: [`task fund ${named} "<amount>"`, `task verify ${named}`] },
    )
  },
}
