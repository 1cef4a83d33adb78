import type { batchReceiptVerifierAbi, hashlockVerifierAbi, taskTokenAbi } from '@oikos/core/abi'
import { expect, test } from 'vitest'
import { taskListings, verifierListings } from '../../test/listings.ts'
import * as sdk from '../index.ts'

type Action = (...parameters: never[]) => unknown
type FunctionName<abi extends readonly { type: string; name?: string }[]> = Extract<
  abi[number],
  { type: 'function' }
>['name'] &
  string

/** Does not compile while a function of the contract has no action, or an action has lost its function. */
const taskActions = {
  acceptFulfillment: sdk.acceptFulfillment,
  acceptanceAuthorityOf: sdk.getAcceptanceAuthority,
  approve: sdk.approveTask,
  balanceOf: sdk.getTaskBalance,
  cancelTask: sdk.cancelTask,
  claimShortfall: sdk.claimShortfall,
  claimUnjudged: sdk.claimUnjudged,
  completionsInEpochOf: sdk.getCompletionsInEpoch,
  completionsOf: sdk.getCompletionCount,
  contributionOf: sdk.getContribution,
  creditOf: sdk.getCredit,
  escrowBalanceOf: sdk.getEscrowBalance,
  escrowSharesOf: sdk.getEscrowShares,
  freezeTask: sdk.freezeTask,
  fundTask: sdk.fundTask,
  getApproved: sdk.getTaskApproved,
  hasOnchainTaskDocument: sdk.hasOnchainTaskDocument,
  isApprovedForAll: sdk.isTaskApprovedForAll,
  isTaskFrozen: sdk.isTaskFrozen,
  isTenderCancelled: sdk.isTenderCancelled,
  lockedEscrowOf: sdk.getLockedEscrow,
  mintTask: sdk.mintTask,
  name: sdk.getTaskCollectionName,
  nextId: sdk.getNextTokenId,
  ownerOf: sdk.getTaskOwner,
  pendingOf: sdk.getPendingCount,
  publishTaskDocument: sdk.publishTaskDocument,
  reclaimEscrow: sdk.reclaimEscrow,
  reclaimForeign: sdk.reclaimForeign,
  reclaimResidual: sdk.reclaimResidual,
  rejectFulfillment: sdk.rejectFulfillment,
  releaseExpired: sdk.releaseExpired,
  safeTransferFrom: sdk.safeTransferTask,
  setAcceptanceAuthority: sdk.setAcceptanceAuthority,
  setApprovalForAll: sdk.setTaskApprovalForAll,
  setTaskURI: sdk.setTaskURI,
  setUpdateAuthority: sdk.setUpdateAuthority,
  settleFulfillment: sdk.settleFulfillment,
  submissionCountOf: sdk.getSubmissionCount,
  submissionOf: sdk.getSubmission,
  submitFulfillment: sdk.submitFulfillment,
  supportsInterface: sdk.supportsInterface,
  symbol: sdk.getTaskCollectionSymbol,
  taskDocument: sdk.getTaskDocument,
  taskOf: sdk.getTaskBinding,
  taskURI: sdk.getTaskURI,
  tenderTermsOf: sdk.getTenderTerms,
  tokenURI: sdk.getTaskCard,
  transferFrom: sdk.transferTask,
  updateAuthorityOf: sdk.getUpdateAuthority,
  updateTask: sdk.updateTask,
  updateTaskWithDocument: sdk.updateTaskWithDocument,
  vaultOf: sdk.getVault,
  withdrawCredit: sdk.withdrawCredit,
} satisfies Record<FunctionName<typeof taskTokenAbi>, Action>

/** A verifier decides only when the task contract asks it, so `verifyFulfillment` is no action of a person. */
const verifierActions = {
  answerHashOf: sdk.getAnswerHash,
  batchOf: sdk.getBatch,
  commitAnswer: sdk.commitAnswer,
  commitBatchRoot: sdk.commitBatchRoot,
  handOver: sdk.handOver,
  isConsumed: sdk.isResultConsumed,
  profile: sdk.getVerifierProfile,
  supportsInterface: sdk.supportsInterface,
} satisfies Record<
  Exclude<FunctionName<typeof hashlockVerifierAbi> | FunctionName<typeof batchReceiptVerifierAbi>, 'verifyFulfillment'>,
  Action
>

test('every function and event of the task contract and the stock verifiers has an action', () => {
  for (const action of Object.values({ ...taskActions, ...verifierActions, ...taskListings, ...verifierListings })) {
    expect(action).toBeTypeOf('function')
  }
})

test('every write has its simulation and its waiting form, every listing its stream', () => {
  const names = new Set(Object.keys(sdk))
  const writes = [...names].filter((name) => name.endsWith('AndWait')).map((name) => name.slice(0, -'AndWait'.length))
  expect(writes.length).toBe(29)
  for (const name of writes) {
    expect(names).toContain(name)
    expect(names).toContain(`simulate${name.charAt(0).toUpperCase()}${name.slice(1)}`)
  }
  for (const list of Object.values({ ...taskListings, ...verifierListings })) expect(list).toBeTypeOf('function')
  const lists = [...names].filter((name) => /^list(?!Tenders|Submissions)/.test(name))
  for (const name of lists) expect(names).toContain(name.replace(/^list/, 'watch'))
})
