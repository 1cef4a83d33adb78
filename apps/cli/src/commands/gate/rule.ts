import {
  formatAmount,
  getSubmission,
  simulateAcceptThroughGate,
  simulateEvictDelivery,
  simulateHandOverThroughGate,
  simulateRejectThroughGate,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseAddress } from '../../input/address.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { runCompanionWrite } from '../companion/write.ts'
import { EXAMPLE_GATE, GATE_DELIVERY, GATE_TASK, openGate } from './find.ts'

const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]

/** `oikos gate accept`: the judge of a gate pays a delivery. */
export const accept: CommandSpec = {
  name: 'accept',
  summary: 'accept a delivery and pay its reward, as the judge of the gate',
  args: GATE_DELIVERY,
  options,
  examples: [`oikos gate accept ${EXAMPLE_GATE} 7 1`],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(2))
    const view = await openGate(context, input.argument(0), input.argument(1))
    const { connection, tender, asset, at, named, target } = view
    const submission = await getSubmission(connection.client, { ...target, submissionId })
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Accept submission ${submissionId} of task ${target.tokenId} through the gate`,
        functionName: 'acceptFulfillment',
        effects: [
          `${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} leave the vault for ${submission.fulfiller}.`,
          `You vouch for the delivery with hash ${submission.resultHash}.`,
          'This cannot be undone.',
        ],
        simulate: (account) => simulateAcceptThroughGate(connection.client, { ...at, submissionId, account, asset }),
        ...{ event: 'FulfillmentAccepted', emitter: target.task },
      },
      { document: { taskRef: view.ref, submissionId }, next: [`gate settle ${at.gate} ${named} ${submissionId}`] },
    )
  },
}

/** `oikos gate reject`: the judge of a gate refuses a delivery. */
export const reject: CommandSpec = {
  name: 'reject',
  summary: 'refuse a delivery, as the judge of the gate; its bond is lost by the rule',
  args: GATE_DELIVERY,
  options,
  examples: [`oikos gate reject ${EXAMPLE_GATE} 7 1`],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(2))
    const view = await openGate(context, input.argument(0), input.argument(1))
    const { connection, rule, bondAsset, asset, at, named, target } = view
    const lost = (rule.bondAtomic * BigInt(rule.rejectedBps)) / 10_000n
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Refuse submission ${submissionId} of task ${target.tokenId} through the gate`,
        functionName: 'rejectFulfillment',
        effects: [
          `Nobody is paid; the deliverer loses ${formatAmount(lost, bondAsset)} of the bond, if it carries one.`,
          'This cannot be undone.',
        ],
        simulate: (account) => simulateRejectThroughGate(connection.client, { ...at, submissionId, account, asset }),
        ...{ event: 'FulfillmentRejected', emitter: target.task },
      },
      { document: { taskRef: view.ref, submissionId }, next: [`gate settle ${at.gate} ${named} ${submissionId}`] },
    )
  },
}

/** `oikos gate evict`: a delivery without a bond is refused. */
export const evict: CommandSpec = {
  name: 'evict',
  summary: 'refuse a delivery that carries no bond; anyone may, while the gate holds the judgment slot',
  args: GATE_DELIVERY,
  options,
  examples: [`oikos gate evict ${EXAMPLE_GATE} 7 1`],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(2))
    const view = await openGate(context, input.argument(0), input.argument(1))
    const { connection, asset, at, named, target } = view
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Evict submission ${submissionId} of task ${target.tokenId}`,
        functionName: 'evict',
        effects: ['The delivery is refused. Its place and its reward are free again.'],
        simulate: (account) => simulateEvictDelivery(connection.client, { ...at, submissionId, account, asset }),
        event: 'Evicted',
      },
      { document: { taskRef: view.ref, submissionId }, next: [`task show ${named}`] },
    )
  },
}

/** `oikos gate hand-over`: the judge of a gate passes the slot on. */
export const handOver: CommandSpec = {
  name: 'hand-over',
  summary: 'take the judgment of a task from the gate and pass it on, as the judge of the gate',
  args: [...GATE_TASK, ['<account>', 'who judges next: an address or key name']],
  options,
  examples: [`oikos gate hand-over ${EXAMPLE_GATE} 7 anna`],
  run: async (context, input) => {
    const newAuthority = await parseAddress(context, input.argument(2), 'account')
    const view = await openGate(context, input.argument(0), input.argument(1))
    const { connection, asset, at, named, target } = view
    const book = await createAddressBook(context)
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Pass the judgment of task ${target.tokenId} on`,
        functionName: 'setAcceptanceAuthority',
        effects: [
          `${book(newAuthority)} decides instead of the gate, also about deliveries without a bond.`,
          'Pending deliveries keep the way of silence that they were made under.',
        ],
        simulate: (account) => simulateHandOverThroughGate(connection.client, { ...at, newAuthority, account, asset }),
        ...{ event: 'AcceptanceAuthorityChanged', emitter: target.task },
      },
      { document: { taskRef: view.ref, newAuthority }, next: [`task show ${named}`] },
    )
  },
}
