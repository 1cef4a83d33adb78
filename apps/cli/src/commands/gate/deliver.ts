import { formatAmount, getDesk, isNativeAsset, simulateDeliverWithBond } from '@oikos/sdk'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { bpsText } from '../../output/equity.ts'
import { approveFirst } from '../../transaction/approve.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite, writeDocument } from '../../transaction/report.ts'
import { assertOneDelivery, DELIVERY_OPTIONS, deliveryText, readDelivery } from '../task/delivery.ts'
import { EXAMPLE_GATE, GATE_TASK, openGate } from './find.ts'

/** `oikos gate deliver`: deliver with a bond. */
export const deliver: CommandSpec = {
  name: 'deliver',
  summary: 'deliver work with a bond',
  details:
    'Your desk at the gate is the fulfiller of record: rewards arrive there, and results are bound to it. A bond in a token is approved for exactly its amount first, in a transaction of its own.',
  args: GATE_TASK,
  options: [...DELIVERY_OPTIONS, ...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: [`oikos gate deliver ${EXAMPLE_GATE} 7 --file report.pdf`],
  run: async (context, input) => {
    assertOneDelivery(input)
    const view = await openGate(context, input.argument(0), input.argument(1))
    const { connection, address: gate, rule, bondAsset, asset, tender, at, named, ref } = view
    const { client } = connection
    const signer = await prepareSigner(context, input)
    const desk = await getDesk(client, { gate, deliverer: signer.address })
    const delivery = await readDelivery(context, input, desk)
    const bond = formatAmount(rule.bondAtomic, bondAsset)
    const effects = [
      `${bond} go from you to the gate. They come back on acceptance; a refusal costs ${bpsText(rule.rejectedBps)} of them, a missing proof ${bpsText(rule.expiredBps)}.`,
      `A place and ${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} are reserved for your desk ${desk}.`,
      deliveryText(delivery),
    ]
    const approval = isNativeAsset(bondAsset)
      ? undefined
      : await approveFirst(context, input, connection, signer, {
          ...{ asset: bondAsset, amountAtomic: rule.bondAtomic, spender: gate, spenderName: 'The gate', effects },
          purpose: `for the bond of a delivery to task ${at.tokenId}, then deliver`,
        })
    if (approval !== undefined && approval.sent === undefined) return reportWrite(context, approval, {})
    const performed = await performWrite(
      context,
      input,
      connection,
      signer,
      {
        ...{ title: `Deliver to task ${at.tokenId} with a bond`, contract: gate, asset: bondAsset },
        ...{ functionName: 'deliver', effects, event: 'Bonded' },
        simulate: (account) => simulateDeliverWithBond(client, { ...at, ...delivery, account, asset: bondAsset }),
      },
      { confirmed: approval !== undefined },
    )
    const submissionId = performed.sent?.event?.args['submissionId']
    return reportWrite(context, performed, {
      document: {
        ...{ taskRef: ref, submissionId, desk, ...delivery },
        ...(approval === undefined ? {} : { approval: writeDocument(approval) }),
      },
      next: [
        `task show ${named}`,
        ...(typeof submissionId === 'bigint' ? [`gate settle ${gate} ${named} ${submissionId}`] : []),
      ],
    })
  },
}
