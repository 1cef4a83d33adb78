import {
  formatAmount,
  getJuryCase,
  getSubmission,
  simulateExecuteVerdict,
  simulateFinalizeJuryTimeout,
  simulateVoteJuryHandOver,
  simulateVoteOnDelivery,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { absoluteTime } from '../../output/speech.ts'
import { runCompanionWrite } from '../companion/write.ts'
import { openJury } from './find.ts'

const DELIVERY = [
  ['<task>', 'its number, or chain:contract:number'],
  ['<submission>', 'number of the delivery'],
] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]

/** `oikos jury vote`: a juror vouches for a delivery, or does not. */
export const vote: CommandSpec = {
  name: 'vote',
  summary: 'vote on a delivery, once, as a juror',
  args: [...DELIVERY, ['<vote>', 'yes or no']],
  options,
  examples: ['oikos jury vote 7 1 yes', 'oikos jury vote 7 1 no --from anna --dry-run'],
  run: async (context, input) => {
    const approve = parseVote(input.argument(2))
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openJury(context, input.argument(0))
    const { connection, tender, asset, jury, at, named } = view
    const { client } = connection
    const [found, submission] = await Promise.all([
      getJuryCase(client, { ...at, submissionId }),
      getSubmission(client, { ...view.target, submissionId }),
    ])
    const book = await createAddressBook(context)
    const reward = formatAmount(tender.terms.rewardPerCompletionAtomic, asset)
    const deadlineSec = found?.deadlineSec ?? tender.blockTimestampSec + jury.voteWindowSec
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Vote ${approve ? 'for' : 'against'} delivery ${submissionId} of task ${view.target.tokenId}`,
        functionName: 'vote',
        effects: [
          `You ${approve ? 'vouch for' : 'do not vouch for'} the delivery with hash ${submission.resultHash} by ${book(submission.fulfiller)}.`,
          found === undefined
            ? `This opens the case: votes are taken until about ${absoluteTime(deadlineSec)}.`
            : `Votes are taken until ${absoluteTime(deadlineSec)}.`,
          approve
            ? `With ${jury.quorum} of ${jury.jurors.length} votes for it, ${reward} leave the vault.`
            : `When ${jury.quorum} votes for it cannot be reached any more, it is refused.`,
          'A vote is public and cannot be changed.',
        ],
        simulate: (account) => simulateVoteOnDelivery(client, { ...at, submissionId, approve, account, asset }),
        event: 'Voted',
      },
      { document: { taskRef: view.ref, submissionId, approve }, next: [`jury show ${named} ${submissionId}`] },
    )
  },
}

/** `oikos jury finalise`: the end of a case without a verdict. */
export const finalise: CommandSpec = {
  name: 'finalise',
  summary: 'refuse a delivery whose voting window has ended without a verdict; anyone may',
  args: DELIVERY,
  options,
  examples: ['oikos jury finalise 7 1'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openJury(context, input.argument(0))
    const { connection, asset, at, named } = view
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Finalise the case of delivery ${submissionId} of task ${view.target.tokenId}`,
        functionName: 'finalizeTimeout',
        effects: ['The delivery is refused: no quorum vouched for it. Its place and its reward are free again.'],
        simulate: (account) => simulateFinalizeJuryTimeout(connection.client, { ...at, submissionId, account, asset }),
        event: 'VerdictReached',
      },
      { document: { taskRef: view.ref, submissionId }, next: [`task show ${named}`] },
    )
  },
}

/** `oikos jury execute`: a kept acceptance takes effect. */
export const execute: CommandSpec = {
  name: 'execute',
  summary: 'have an acceptance take effect that met a full epoch or a short vault; anyone may',
  args: DELIVERY,
  options,
  examples: ['oikos jury execute 7 1'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openJury(context, input.argument(0))
    const { connection, tender, asset, at, named } = view
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Execute the verdict on delivery ${submissionId} of task ${view.target.tokenId}`,
        functionName: 'execute',
        effects: [
          `${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} leave the vault for the fulfiller, as the jury has decided.`,
        ],
        simulate: (account) => simulateExecuteVerdict(connection.client, { ...at, submissionId, account, asset }),
        event: 'VerdictExecuted',
      },
      { document: { taskRef: view.ref, submissionId }, next: [`task show ${named}`] },
    )
  },
}

/** `oikos jury hand-over`: a vote for another judge. */
export const handOver: CommandSpec = {
  name: 'hand-over',
  summary: 'vote for handing the judgment of a task to somebody else, as a juror',
  args: [DELIVERY[0], ['<account>', 'who would judge: an address or key name']],
  options: [{ flags: '--withdraw', text: 'take such a vote back' }, ...options],
  examples: ['oikos jury hand-over 7 anna', 'oikos jury hand-over 7 anna --withdraw --dry-run'],
  run: async (context, input) => {
    const successor = await parseAddress(context, input.argument(1), 'account')
    const approve = !input.flag('withdraw')
    const view = await openJury(context, input.argument(0))
    const { connection, jury, asset, at, named } = view
    const book = await createAddressBook(context)
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `${approve ? 'Vote' : 'Take back a vote'} for another judge of task ${view.target.tokenId}`,
        functionName: 'voteHandOver',
        effects: [
          `With the votes of ${jury.quorum} jurors, ${book(successor)} decides instead of this jury.`,
          approve ? 'Your vote counts until you take it back.' : 'Your vote no longer counts.',
        ],
        simulate: (account) =>
          simulateVoteJuryHandOver(connection.client, { ...at, successor, approve, account, asset }),
        event: 'HandOverVoted',
      },
      { document: { taskRef: view.ref, successor, approve }, next: [`task show ${named}`] },
    )
  },
}

function parseVote(text: string): boolean {
  if (text === 'yes') return true
  if (text === 'no') return false
  throw new UsageError(`${JSON.stringify(text.slice(0, 40))} is no vote.`, 'Vote yes or no.')
}
