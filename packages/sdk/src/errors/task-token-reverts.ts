import type { taskTokenAbi } from '@oikos/core/abi'
import { collectionReverts } from './collection-reverts.ts'
import type { RevertTable } from './revert-table.ts'

/** Why a TaskToken refuses a call. The errors are those of ITaskErrors.sol; docs/task-market.md lists their order. */
export const taskTokenReverts: RevertTable<typeof taskTokenAbi> = {
  ...collectionReverts,

  // binding
  ZeroHash: () => ({
    sentence: 'A task cannot be bound to a hash of zero.',
    advice: 'Pack the task and pass the tdHash and taskHash that packing printed.',
  }),
  ZeroAuthority: () => ({
    sentence: 'An authority cannot be the zero address.',
    advice: 'Name an address that can act; to end updates for ever, freeze the task instead.',
  }),
  EmptyURI: () => ({
    sentence: 'The task URI is empty.',
    advice: 'Pass an address where the package can be fetched, such as ipfs://….',
  }),
  NotUpdateAuthority: ({ tokenId, caller, authority }, say) => ({
    sentence: `Only the update authority ${say.address(authority)} may do this for task ${tokenId}; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the update authority.',
  }),
  TaskIsFrozen: ({ tokenId }) => ({
    sentence: `Task ${tokenId} is frozen: its content never changes again.`,
    advice: 'Mint a new task for new content.',
  }),
  TaskHashUnchanged: ({ tokenId, taskHash }) => ({
    sentence: `Task ${tokenId} is already bound to taskHash ${taskHash}.`,
    advice: 'Pack the changed task and publish its new taskHash; to change only where it is found, set the task URI.',
  }),
  DocumentUpdateRequired: ({ tokenId }) => ({
    sentence: `Task ${tokenId} has its document on the chain, so a new tdHash needs the new document with it.`,
    advice: 'Update the task with its document.',
  }),
  DocumentMismatch: ({ tokenId, got, expected }) => ({
    sentence: `The document has SHA-256 ${got}, but task ${tokenId} is bound to tdHash ${expected}.`,
    advice: 'Publish the exact bytes of the primary document of the current version.',
  }),
  DocumentTooLarge: ({ size, max }) => ({
    sentence: `The document has ${size} bytes; at most ${max} fit on the chain.`,
    advice: 'Shorten it, or leave the document in the package only.',
  }),
  DocumentAlreadyPublished: ({ tokenId }) => ({
    sentence: `The document of task ${tokenId} is on the chain already.`,
    advice: 'Nothing is left to do; to change it, update the task with a new document.',
  }),
  NoOnchainDocument: ({ tokenId }) => ({
    sentence: `Task ${tokenId} has no document on the chain.`,
    advice: 'Fetch its package and read the document there.',
  }),

  // terms
  ZeroReward: () => ({
    sentence: 'The reward per completion is zero.',
    advice: 'Set a reward of at least one smallest unit.',
  }),
  ZeroJudgmentWindow: () => ({
    sentence: 'The judgment window is zero, so nobody could ever reject a delivery in time.',
    advice: 'Give the judge a window of at least one second.',
  }),
  SettleByBeforeSubmitBy: ({ settleBy, submitBy }, say) => ({
    sentence: `Settlement would end at ${say.time(settleBy)}, before submissions end at ${say.time(submitBy)}.`,
    advice: 'Set settleBy at or after submitBy.',
  }),
  EpochFieldsMustPair: ({ epochLength, maxCompletionsPerEpoch }) => ({
    sentence: `An epoch needs both a length and a maximum of completions; got ${epochLength} seconds and ${maxCompletionsPerEpoch} completions.`,
    advice: 'Set both, or neither.',
  }),

  // roles
  NotAcceptanceAuthority: ({ tokenId, caller, authority }, say) => ({
    sentence: `Only the acceptance authority ${say.address(authority)} may do this for task ${tokenId}; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the acceptance authority.',
  }),
  NotTokenOwner: ({ tokenId, caller, owner }, say) => ({
    sentence: `Only the owner ${say.address(owner)} of task ${tokenId} may do this; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the owner of the token.',
  }),
  NotFulfiller: ({ tokenId, submissionId, caller, fulfiller }, say) => ({
    sentence: `Until a second judgment window has passed, only the fulfiller ${say.address(fulfiller)} of submission ${submissionId} to task ${tokenId} may take less than the reward; the caller is ${say.address(caller)}.`,
    advice:
      'Send it from the fulfiller, fund the task so that the full reward can be paid, or wait for the second window to end.',
  }),
  SlotHoldsVerifier: ({ tokenId, verifier }, say) => ({
    sentence: `Task ${tokenId} is judged by the verifier contract ${say.address(verifier)}, so nobody rules on its deliveries.`,
    advice: 'Settle the delivery with a proof, or release it when its window has passed.',
  }),
  SlotHoldsNoVerifier: ({ tokenId, authority }, say) => ({
    sentence: `Task ${tokenId} is judged by ${say.address(authority)}, which is not a verifier contract, so a proof settles nothing.`,
    advice: 'Ask that judge to accept the delivery.',
  }),

  // state of the tender
  TenderIsCancelled: ({ tokenId }) => ({
    sentence: `Task ${tokenId} is cancelled.`,
    advice: 'Funders can reclaim their money when no delivery is pending; work that was delivered can still be judged.',
  }),
  TenderStillOpen: ({ tokenId, settleBy }, say) =>
    settleBy === 0n
      ? {
          sentence: `Task ${tokenId} is open without a time limit, so nothing can be reclaimed.`,
          advice: 'Its update authority can cancel it.',
        }
      : {
          sentence: `Task ${tokenId} is open until ${say.time(settleBy)}, so nothing can be reclaimed yet.`,
          advice: 'Wait until then, or have its update authority cancel it.',
          retryable: true,
          retryAtSec: settleBy + 1n,
        },
  RefundsStarted: ({ tokenId }) => ({
    sentence: `Funders of task ${tokenId} have begun to take their money back, so it takes no more.`,
    advice: 'Fund a new task.',
  }),
  SubmissionsClosed: ({ tokenId, submitBy }, say) => ({
    sentence: `Submissions to task ${tokenId} closed at ${say.time(submitBy)}.`,
    advice: 'Look for another task.',
  }),
  SettlementClosed: ({ tokenId, settleBy }, say) => ({
    sentence: `Settlement of task ${tokenId} closed at ${say.time(settleBy)}.`,
    advice: 'A judged delivery that nobody rejected is still paid by claiming it after its judgment window.',
  }),
  CompletionsExhausted: ({ tokenId, maxCompletions }) => ({
    sentence: `All ${maxCompletions} completions of task ${tokenId} are paid or reserved by pending deliveries.`,
    advice: 'Wait for a pending delivery to be rejected, or look for another task.',
    retryable: true,
  }),
  EpochExhausted: ({ tokenId, epoch, maxCompletionsPerEpoch }) => ({
    sentence: `Task ${tokenId} pays at most ${maxCompletionsPerEpoch} completions an epoch, and epoch ${epoch} has had them.`,
    advice: 'Settle in the next epoch.',
    retryable: true,
  }),
  EscrowTooLow: ({ tokenId, available, required }, say) => ({
    sentence: `The vault of task ${tokenId} has ${say.amount(available)} to spend; ${say.amount(required)} are needed.`,
    advice: 'Fund the task with the difference.',
    retryable: true,
  }),
  EscrowSufficient: ({ tokenId, available, required }, say) => ({
    sentence: `The vault of task ${tokenId} has ${say.amount(available)}, enough for the reward of ${say.amount(required)}.`,
    advice: 'Claim the full reward instead.',
  }),
  DeliveriesPending: ({ tokenId, pending }) => ({
    sentence: `${pending === 1n ? 'One delivery' : `${pending} deliveries`} to task ${tokenId} still wait${pending === 1n ? 's' : ''} for a decision.`,
    advice: 'Have pending deliveries decided first; after the judgment window anyone can claim or release them.',
    retryable: true,
  }),

  // one submission
  ZeroResultHash: () => ({
    sentence: 'The result hash is zero.',
    advice: 'Commit to the delivery by its hash.',
  }),
  NonexistentSubmission: ({ tokenId, submissionId }) => ({
    sentence: `Task ${tokenId} has no submission ${submissionId}.`,
    advice: 'List its submissions; they count from 1.',
  }),
  SubmissionDecided: ({ tokenId, submissionId }) => ({
    sentence: `Submission ${submissionId} to task ${tokenId} is decided already.`,
    advice: 'A decision never changes; read the submission to see which one it was.',
  }),
  JudgmentWindowClosed: ({ tokenId, submissionId, deadline }, say) => ({
    sentence: `The judgment window of submission ${submissionId} to task ${tokenId} closed at ${say.time(deadline)}; it can no longer be rejected.`,
    advice: 'It can be accepted, or claimed by anyone for its fulfiller.',
  }),
  JudgmentWindowOpen: ({ tokenId, submissionId, deadline }, say) => ({
    sentence: `The judgment window of submission ${submissionId} to task ${tokenId} is open until ${say.time(deadline)}.`,
    advice: 'Try again after that moment, or have it decided before.',
    retryable: true,
    retryAtSec: deadline + 1n,
  }),
  MachineSettledSubmission: ({ tokenId, submissionId }) => ({
    sentence: `Submission ${submissionId} to task ${tokenId} was delivered to a verifier, whose silence pays nobody.`,
    advice: 'Settle it with a proof, or release it after its window.',
  }),
  JudgedSubmission: ({ tokenId, submissionId }) => ({
    sentence: `Submission ${submissionId} to task ${tokenId} was delivered to a judge, whose silence pays the fulfiller.`,
    advice: 'Claim it after its window instead of releasing it.',
  }),
  ProofNotAccepted: ({ tokenId, submissionId }) => ({
    sentence: `The verifier did not accept this proof for submission ${submissionId} to task ${tokenId}.`,
    advice: 'Check the proof, the result hash and what the publisher committed to; the delivery stays pending.',
  }),

  // money
  ZeroAmount: () => ({
    sentence: 'The amount is zero.',
    advice: 'Name at least one smallest unit.',
  }),
  WrongNativeValue: ({ got, expected }) => ({
    sentence: `The call carries ${got} wei; expected are exactly ${expected} wei.`,
    advice:
      expected === 0n
        ? 'This task is paid in a token: send no native currency with the call.'
        : 'Send exactly the amount that the call names.',
  }),
  FundingMismatch: ({ tokenId, received, expected }, say) => ({
    sentence: `The vault of task ${tokenId} received ${say.amount(received)} of ${say.amount(expected)}.`,
    advice:
      received === 0n
        ? 'Check your balance, and approve the task contract to spend the amount; a token may also have blocked the transfer.'
        : 'This token takes a fee on transfers; it cannot fund a tender.',
  }),
  NothingToReclaim: ({ tokenId, account }, say) => ({
    sentence: `Task ${tokenId} holds nothing that ${say.address(account)} can take back this way.`,
    advice: 'Read the contribution of the account and the shares of the vault to see what is left, and for whom.',
  }),
  NothingCredited: ({ tokenId, account }, say) => ({
    sentence: `Task ${tokenId} owes no credit to ${say.address(account)}.`,
    advice: 'A reward that could be delivered was paid out at once; check the balance of the account.',
  }),
  AssetOfTender: ({ tokenId, asset }, say) => ({
    sentence: `${say.address(asset)} is the asset that task ${tokenId} is paid in, not a foreign one.`,
    advice: 'Reclaim the escrow or the residual instead.',
  }),
  PayoutFailed: ({ tokenId, to, moved, expected }, say) => ({
    sentence: `Task ${tokenId} could move ${say.amount(moved)} of ${say.amount(expected)} to ${say.address(to)}; nothing was changed.`,
    advice: 'The recipient or the token refused the payment: check that the recipient can receive it, and try again.',
  }),
  UnreadableBalance: ({ asset }, say) => ({
    sentence: `The token ${say.address(asset)} does not say what an account holds.`,
    advice: 'Check that a token contract is deployed at this address.',
  }),

  // calls
  TenderLocked: ({ tokenId }) => ({
    sentence: `Task ${tokenId} is in the middle of another call, which tried to enter it again.`,
    advice: 'Call it outside of a payment that the same task makes.',
  }),
  InsufficientGas: ({ available, required }) => ({
    sentence: `The call had ${available} gas left where it needs ${required}.`,
    advice: 'Send it with a higher gas limit.',
  }),
  VaultNotDeployed: () => ({
    sentence: 'The vault of the new task could not be deployed.',
    advice: 'Send it with a higher gas limit.',
  }),
  FailedCall: () => ({
    sentence: 'A payment of native currency inside the call failed.',
    advice: 'Check that the recipient can receive native currency.',
  }),
  InsufficientBalance: ({ balance, needed }) => ({
    sentence: `The contract holds ${balance} wei where ${needed} wei are needed.`,
    advice: 'Send the amount with the call.',
  }),
  StringsInsufficientHexLength: ({ value, length }) => ({
    sentence: `The number ${value} does not fit into ${length} hexadecimal digits.`,
    advice: 'The display card of this token cannot be drawn; its facts can still be read one by one.',
  }),
}
