import type { juryPanelAbi } from '@oikos/core/abi'
import { pullPaymentsReverts } from './pull-payments-reverts.ts'
import type { RevertTable } from './revert-table.ts'
import { taskTokenReverts } from './task-token-reverts.ts'
import { hashlockVerifierReverts } from './verifier-reverts.ts'

/** Why a jury panel refuses a call. */
export const juryPanelReverts: RevertTable<typeof juryPanelAbi> = {
  ...pullPaymentsReverts,

  // deployment
  JurorCountOutOfRange: ({ count, max }) => ({
    sentence: `A jury has from 1 to ${max} jurors, and ${count} were named.`,
    advice: 'Name fewer jurors, or one at least.',
  }),
  QuorumOutOfRange: ({ quorum, jurors }) => ({
    sentence: `A quorum of ${quorum} cannot be reached, or means nothing, among ${jurors} jurors.`,
    advice: 'Choose a quorum from one to the number of jurors.',
  }),
  ZeroVoteWindow: () => ({
    sentence: 'The voting window is zero seconds, so nobody could vote.',
    advice: 'Give the jurors time: hours or days.',
  }),
  BadJuror: ({ juror }, say) => ({
    sentence: `${say.address(juror)} cannot be a juror: it is zero, or the jury itself.`,
    advice: 'Name another account.',
  }),
  DuplicateJuror: ({ juror }, say) => ({
    sentence: `${say.address(juror)} is named as a juror twice.`,
    advice: 'Name each juror once.',
  }),

  // votes
  NotJuror: ({ caller }, say) => ({
    sentence: `${say.address(caller)} is no juror of this jury.`,
    advice: 'Vote from the account of a juror.',
  }),
  NotInSlot: ({ tokenId, authority }, say) => ({
    sentence: `This jury does not judge task ${tokenId}: its judgment slot is with ${say.address(authority)}.`,
    advice: 'Where a bonded gate holds the slot for this jury, name the gate as the task contract.',
  }),
  AlreadyDecided: ({ tokenId, submissionId }) => ({
    sentence: `Delivery ${submissionId} to task ${tokenId} is decided already.`,
    advice: 'A decision never changes; read the delivery and its case to see which one it was.',
  }),
  AlreadyVoted: ({ juror }, say) => ({
    sentence: `${say.address(juror)} has voted on this delivery already.`,
    advice: 'A vote never changes.',
  }),
  CaseDoesNotFit: ({ finalizableUntil, judgmentDeadline }, say) => ({
    sentence: `A case that is opened now could be finalised until ${say.time(finalizableUntil)}, but silence would pay the delivery after ${say.time(judgmentDeadline)}.`,
    advice: 'It is too late for this jury; a judgment window has to be longer than the voting window by a tenth of it.',
  }),
  VotingClosed: ({ deadline }, say) => ({
    sentence: `The voting window closed at ${say.time(deadline)}.`,
    advice: 'Finalise the case: without a quorum the delivery is refused.',
  }),
  VotingOpen: ({ deadline }, say) => ({
    sentence: `The jurors may vote until ${say.time(deadline)}.`,
    advice: 'Finalise the case after that moment.',
    retryable: true,
    retryAtSec: deadline + 1n,
  }),
  NoCase: ({ tokenId, submissionId }) => ({
    sentence: `Nobody has voted on delivery ${submissionId} to task ${tokenId}, so there is no case.`,
    advice: 'A juror opens the case with the first vote.',
  }),
  InsufficientGas: taskTokenReverts.InsufficientGas,

  // kept verdicts and the slot
  NothingKept: ({ tokenId, submissionId }) => ({
    sentence: `No acceptance of delivery ${submissionId} to task ${tokenId} waits for its execution.`,
    advice: 'Read the case: it may have been executed already.',
  }),
  VerdictsKept: ({ tokenId, kept }) => ({
    sentence: `The judgment slot of task ${tokenId} stays while verdicts wait for their execution; ${kept} ${kept === 1n ? 'does' : 'do'}.`,
    advice: 'Execute them first.',
    retryable: true,
  }),

  // fees
  NotPublisher: hashlockVerifierReverts.NotPublisher,
  FeeAlreadyPromised: ({ tokenId }) => ({
    sentence: `The jurors of task ${tokenId} have been promised a fee already.`,
    advice: 'A promise never changes; pay into its escrow instead.',
  }),
  NoFeePromised: ({ tokenId }) => ({
    sentence: `The jurors of task ${tokenId} have been promised no fee, so there is nothing to pay into.`,
    advice: 'Have the publisher promise a fee first.',
  }),
  FeesStillNeeded: ({ tokenId }) => ({
    sentence: `This jury may still accept deliveries to task ${tokenId}, so its fees stay.`,
    advice: 'Wait until the tender is over and nothing is pending, or until somebody else judges it.',
    retryable: true,
  }),
}
