import { formatAmount, simulateCancelTask } from '@oikos/sdk'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { countOf } from '../../output/speech.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task cancel`: no new deliveries; funders get back what is left. */
export const cancel: CommandSpec = {
  name: 'cancel',
  summary: 'close a task for new deliveries, as its update authority',
  args: [['<task>', 'its number, or chain:contract:number']],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task cancel 7 --yes'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Cancel task ${target.tokenId}`,
        functionName: 'cancelTask',
        effects: [
          'No new deliveries and no more funding, for ever.',
          `${countOf(tender.pending, 'delivery', 'deliveries')} still pending: judged and paid as before; ${formatAmount(tender.lockedAtomic, asset)} stay reserved.`,
          'When none is pending, funders can take back their share of what is left.',
        ],
        simulate: (account) => simulateCancelTask(connection.client, { ...target, account, asset }),
        event: 'TenderCancelled',
      },
      { next: [`task reclaim escrow ${named}`] },
    )
  },
}
