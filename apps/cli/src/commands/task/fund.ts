import { formatAmount, isNativeAsset, simulateFundTask } from '@oikos/sdk'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseAssetAmount } from '../../input/asset.ts'
import { countOf } from '../../output/speech.ts'
import { approveFirst } from '../../transaction/approve.ts'
import { performWrite, prepareSigner, type Write } from '../../transaction/perform.ts'
import { reportWrite, writeDocument } from '../../transaction/report.ts'

/** `oikos task fund`: put money into the vault. */
export const fund: CommandSpec = {
  name: 'fund',
  summary: 'put money into the vault of a task; anyone may',
  details: 'A token is approved for exactly the amount first, in a transaction of its own.',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<amount>', 'with its unit, such as "1.5 ETH"'],
  ],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task fund 7 "0.75 ETH"', 'oikos task fund 7 "250 USDC" --from funder --dry-run'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, asset, named, ref, connection } = view
    const amountAtomic = parseAssetAmount(context, input.argument(1), asset)
    const signer = await prepareSigner(context, input)
    const write = fundWrite(view, amountAtomic)
    const approval = isNativeAsset(asset)
      ? undefined
      : await approveFirst(context, input, connection, signer, {
          ...{ asset, amountAtomic, spender: target.task, spenderName: 'The task contract', effects: write.effects },
          purpose: `for task ${target.tokenId}, then fund it`,
        })
    if (approval !== undefined && approval.sent === undefined) {
      context.output.say('The funding itself can be simulated when the approval is on the chain.')
      return reportWrite(context, approval, { document: { taskRef: ref } })
    }
    const performed = await performWrite(context, input, connection, signer, write, {
      confirmed: approval !== undefined,
    })
    return reportWrite(context, performed, {
      document: { taskRef: ref, ...(approval === undefined ? {} : { approval: writeDocument(approval) }) },
      next: [`task show ${named}`, `task submit ${target.tokenId} --file <delivery>`],
    })
  },
}

function fundWrite({ target, tender, asset, connection }: TaskView, amountAtomic: bigint): Write {
  const { rewardPerCompletionAtomic: reward } = tender.terms
  const available = tender.shares.fundersAtomic + tender.shares.residualAtomic + amountAtomic
  const covered = available / reward
  return {
    title: `Fund task ${target.tokenId}`,
    contract: target.task,
    asset,
    functionName: 'fundTask',
    effects: [
      `${formatAmount(amountAtomic, asset)} go from you into the vault, which then covers ${countOf(covered, 'reward')} of ${formatAmount(reward, asset)}.`,
      'It pays accepted deliveries. You get back your share of what is left when the task is cancelled or its time is over; at worst, nothing.',
    ],
    warnings: tender.frozen ? [] : ['The content is not frozen: the update authority can still change what is asked.'],
    simulate: (account) => simulateFundTask(connection.client, { ...target, amountAtomic, account, asset }),
    event: 'TenderFunded',
  }
}
