import type {
  agentAbi,
  agentFactoryAbi,
  attestedValuationAbi,
  batchReceiptVerifierAbi,
  bondedGateAbi,
  erc4626ValuationAbi,
  fundingRouterAbi,
  hashlockVerifierAbi,
  juryPanelAbi,
  merkleSecretVerifierAbi,
  scopeAbi,
  signedOutcomeVerifierAbi,
  splitterAbi,
  streakVerifierAbi,
  taskTokenAbi,
  tenderRoyaltyAbi,
} from '@oikos/core/abi'
import { expect, test } from 'vitest'
import {
  agentListings,
  birthListings,
  companionListings,
  scopeListings,
  taskListings,
  verifierListings,
} from '../../test/listings.ts'
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
  commitAttestors: sdk.commitAttestors,
  commitBatchRoot: sdk.commitBatchRoot,
  commitSecrets: sdk.commitSecrets,
  commitStreak: sdk.commitStreak,
  declareMiss: sdk.declareMiss,
  handOver: sdk.handOver,
  hasForfeited: sdk.hasForfeitedSeat,
  isAttestor: sdk.isAttestor,
  isConsumed: sdk.isResultConsumed,
  isSpent: sdk.isSecretSpent,
  outcomeDigest: sdk.getOutcomeDigest,
  profile: sdk.getVerifierProfile,
  providerOf: sdk.getStreakProvider,
  secretsOf: sdk.getSecrets,
  streakOf: sdk.getStreak,
  supportsInterface: sdk.supportsInterface,
  thresholdOf: sdk.getOutcomeThreshold,
} satisfies Record<
  Exclude<
    | FunctionName<typeof hashlockVerifierAbi>
    | FunctionName<typeof batchReceiptVerifierAbi>
    | FunctionName<typeof signedOutcomeVerifierAbi>
    | FunctionName<typeof streakVerifierAbi>
    | FunctionName<typeof merkleSecretVerifierAbi>,
    'verifyFulfillment' | 'eip712Domain'
  >,
  Action
>

const juryActions = {
  caseOf: sdk.getJuryCase,
  execute: sdk.executeVerdict,
  finalizeTimeout: sdk.finalizeJuryTimeout,
  fundFees: sdk.fundJuryFees,
  isJuror: sdk.isJuror,
  jurors: sdk.getJury,
  keptOf: sdk.getKeptVerdictCount,
  leastJudgmentWindow: sdk.getJury,
  owedOf: sdk.getOwed,
  promiseFee: sdk.promiseJuryFee,
  promiseOf: sdk.getJuryPromise,
  quorum: sdk.getJury,
  returnFees: sdk.returnJuryFees,
  vote: sdk.voteOnDelivery,
  voteHandOver: sdk.voteJuryHandOver,
  voteWindow: sdk.getJury,
  withdraw: sdk.withdrawOwed,
  withdrawTo: sdk.withdrawOwedTo,
} satisfies Record<FunctionName<typeof juryPanelAbi>, Action>

/** `releasable` and the `withdraw` of one argument are other names for the same, for the tools that call them. */
const splitterActions = {
  bpsOf: sdk.getTeamShare,
  distribute: sdk.distributeShares,
  members: sdk.getTeam,
  owedOf: sdk.getOwed,
  releasable: sdk.getReleasable,
  releasableOf: sdk.getReleasable,
  submitOnBehalf: sdk.submitForTeam,
  withdraw: sdk.withdrawOwed,
  withdrawTo: sdk.withdrawOwedTo,
} satisfies Record<FunctionName<typeof splitterAbi>, Action>

const routerActions = {
  FEE_BPS: sdk.getRouterTerms,
  TREASURY: sdk.getRouterTerms,
  contributionOf: sdk.getRoutedContribution,
  feeOf: sdk.quoteRouterFee,
  fund: sdk.fundTaskThroughRouter,
  owedOf: sdk.getOwed,
  potOf: sdk.getRouterPot,
  refund: sdk.refundFromRouter,
  withdraw: sdk.withdrawOwed,
  withdrawTo: sdk.withdrawOwedTo,
} satisfies Record<FunctionName<typeof fundingRouterAbi>, Action>

/** What a gate answers in the name of its task contract is read by the actions on tasks, with the gate as `task`. */
const gateActions = {
  ASSET: sdk.getGateRule,
  BENEFICIARY: sdk.getGateRule,
  BOND: sdk.getGateRule,
  EXPIRED_BPS: sdk.getGateRule,
  JUDGE: sdk.getGateRule,
  REJECTED_BPS: sdk.getGateRule,
  TASK: sdk.getGateRule,
  acceptFulfillment: sdk.acceptThroughGate,
  acceptanceAuthorityOf: sdk.getAcceptanceAuthority,
  collect: sdk.collectEarnings,
  collectTo: sdk.collectEarningsTo,
  deliver: sdk.deliverWithBond,
  delivererOf: sdk.getBondDeliverer,
  deskOf: sdk.getDesk,
  evict: sdk.evictDelivery,
  isTenderCancelled: sdk.isTenderCancelled,
  owedOf: sdk.getOwed,
  pendingOf: sdk.getPendingCount,
  rejectFulfillment: sdk.rejectThroughGate,
  setAcceptanceAuthority: sdk.handOverThroughGate,
  settleBond: sdk.settleBond,
  submissionOf: sdk.getSubmission,
  tenderTermsOf: sdk.getTenderTerms,
  updateAuthorityOf: sdk.getUpdateAuthority,
  withdraw: sdk.withdrawOwed,
  withdrawTo: sdk.withdrawOwedTo,
} satisfies Record<FunctionName<typeof bondedGateAbi>, Action>

const royaltyActions = {
  TASK: sdk.getRoyaltyTask,
  lowerRoyalty: sdk.lowerRoyalty,
  passRoyalty: sdk.passRoyalty,
  royaltyInfo: sdk.quoteRoyalty,
  royaltyOf: sdk.getRoyalty,
  setRoyalty: sdk.setRoyalty,
  supportsInterface: sdk.supportsInterface,
} satisfies Record<FunctionName<typeof tenderRoyaltyAbi>, Action>

/** The factory alone initializes, the Agent alone pays a claim of its own batch, and tokens alone call the receiver. */
const agentActions = {
  DOMAIN_SEPARATOR: sdk.getShareDomainSeparator,
  FACTORY: sdk.getAgentFactory,
  MAX_BATCH: sdk.getAgentBounds,
  MAX_FEE_BPS: sdk.getAgentBounds,
  MAX_RETURN_BYTES: sdk.getAgentBounds,
  SCOPE: sdk.getAgentScope,
  VIRTUAL_SHARES: sdk.getAgentBounds,
  acceptOwnership: sdk.acceptAgentOwnership,
  acceptToken: sdk.getAcceptToken,
  addValuation: sdk.addValuation,
  agentURI: sdk.getAgentURI,
  allowance: sdk.getShareAllowance,
  approve: sdk.approveShares,
  balanceOf: sdk.getShareBalance,
  books: sdk.getAgentBooks,
  claimFees: sdk.claimFees,
  confirmRate: sdk.confirmRate,
  decimals: sdk.getShareDecimals,
  decline: sdk.declineRequest,
  exchangeRate: sdk.getExchangeRate,
  execute: sdk.execute,
  executeWithAllowance: sdk.executeWithAllowance,
  feesOf: sdk.getAgentFees,
  guardOf: sdk.getAgentGuard,
  guardian: sdk.getAgentGuardian,
  isExecutor: sdk.isAgentExecutor,
  isFixedPrice: sdk.isAgentFixedPrice,
  isInScope: sdk.isInScope,
  isInScopeWithAllowance: sdk.isInScopeWithAllowance,
  isPaused: sdk.isAgentPaused,
  lowerFees: sdk.lowerFees,
  mint: sdk.claimShares,
  mintBatch: sdk.claimSharesBatch,
  name: sdk.getAgentName,
  nonces: sdk.getShareNonce,
  owner: sdk.getAgentOwner,
  pause: sdk.pauseAgent,
  pendingOwner: sdk.getPendingAgentOwner,
  permit: sdk.permitShares,
  positionOf: sdk.getAgentPosition,
  queryMintStatus: sdk.getMintStatus,
  queryRedeemStatus: sdk.getRedeemStatus,
  reclaim: sdk.reclaim,
  reclaimHorizon: sdk.getReclaimHorizon,
  reclaimShares: sdk.reclaimShares,
  redeem: sdk.claimTokens,
  redeemBatch: sdk.claimTokensBatch,
  removeValuation: sdk.removeValuation,
  renounceOwnership: sdk.renounceAgentOwnership,
  requestMint: sdk.requestMint,
  requestMintAtMost: sdk.requestMintAtMost,
  requestRedeem: sdk.requestRedeem,
  requestRedeemAtLeast: sdk.requestRedeemAtLeast,
  revokeExecutor: sdk.revokeExecutor,
  setAgentURI: sdk.setAgentURI,
  setExecutor: sdk.setExecutor,
  setFeeRecipient: sdk.setFeeRecipient,
  setGuard: sdk.setAgentGuard,
  setGuardian: sdk.setAgentGuardian,
  setLimit: sdk.setRequestLimit,
  settleMint: sdk.settleMint,
  settleMintBatch: sdk.settleMintBatch,
  settleRedeem: sdk.settleRedeem,
  settleRedeemBatch: sdk.settleRedeemBatch,
  shareToken: sdk.getShareToken,
  supportsInterface: sdk.supportsInterface,
  symbol: sdk.getAgentSymbol,
  totalSupply: sdk.getShareSupply,
  transfer: sdk.transferShares,
  transferFrom: sdk.transferSharesFrom,
  transferOwnership: sdk.transferAgentOwnership,
  unpause: sdk.unpauseAgent,
  valuations: sdk.getValuations,
} satisfies Record<Exclude<FunctionName<typeof agentAbi>, 'initialize' | 'payClaim' | 'onERC721Received'>, Action>

const factoryActions = {
  IMPLEMENTATION: sdk.getFactoryTerms,
  MAX_HORIZON_SEC: sdk.getFactoryTerms,
  MAX_INITIAL_RATE: sdk.getFactoryTerms,
  MIN_HORIZON_SEC: sdk.getFactoryTerms,
  SCOPE: sdk.getFactoryTerms,
  create: sdk.createFromBirth,
  predict: sdk.predictAgent,
} satisfies Record<FunctionName<typeof agentFactoryAbi>, Action>

/** The factory alone opens, an Agent alone consumes; keys are computed by core, whose twins a test holds together. */
const scopeActions = {
  FACTORY: sdk.getScopeBounds,
  GRACE_SEC: sdk.getScopeBounds,
  MAX_CHANGE_ITEMS: sdk.getScopeBounds,
  MAX_CONDITIONS: sdk.getScopeBounds,
  MAX_DELAY_SEC: sdk.getScopeBounds,
  MAX_RULES: sdk.getScopeBounds,
  bucketOf: sdk.getScopeBucket,
  configOf: sdk.getScopeConfig,
  enact: sdk.enactPolicy,
  expireRule: sdk.expireRule,
  isMember: sdk.isScopeMember,
  lowerCap: sdk.lowerCap,
  propose: sdk.proposePolicy,
  readyAt: sdk.getPolicyReadyAt,
  removeAllRules: sdk.removeAllRules,
  removeMember: sdk.removeMember,
  removeRule: sdk.removeRule,
  ruleKeys: sdk.getRuleKeys,
  ruleOf: sdk.getScopeRule,
  verdict: sdk.getScopeVerdict,
  withdraw: sdk.withdrawPolicy,
} satisfies Record<Exclude<FunctionName<typeof scopeAbi>, 'open' | 'consume' | 'ruleKey' | 'capKey'>, Action>

const valuationActions = {
  ACCEPTER: sdk.getAttestedValuation,
  AGENT: sdk.getAttestedValuation,
  BPS_PER_DAY: sdk.getVaultValuation,
  FLOOR: sdk.getAttestedValuation,
  MAX_AGE_SEC: sdk.getAttestedValuation,
  PROPOSER: sdk.getAttestedValuation,
  UNIT: sdk.getVaultValuation,
  VAULT: sdk.getVaultValuation,
  accept: sdk.acceptValue,
  asset: sdk.getValuationAsset,
  attestedAt: sdk.getAttestedValuation,
  checkedAt: sdk.getVaultValuation,
  confirm: sdk.confirmValue,
  poke: sdk.pokeValuation,
  price: sdk.getVaultValuation,
  propose: sdk.proposeValue,
  proposedEvidence: sdk.getAttestedValuation,
  proposedValue: sdk.getAttestedValuation,
  value: sdk.getAttestedValuation,
  valueOf: sdk.getValuation,
} satisfies Record<FunctionName<typeof erc4626ValuationAbi> | FunctionName<typeof attestedValuationAbi>, Action>

const actions = [
  ...[taskActions, verifierActions, agentActions, factoryActions, scopeActions, valuationActions],
  ...[juryActions, splitterActions, routerActions, gateActions, royaltyActions],
  ...[taskListings, verifierListings, agentListings, scopeListings, birthListings, companionListings],
]

test('every function and event of the contracts has an action', () => {
  for (const action of actions.flatMap((table) => Object.values(table))) expect(action).toBeTypeOf('function')
})

test('every write has its simulation and its waiting form, every listing its stream', () => {
  const names = new Set(Object.keys(sdk))
  const writes = [...names].filter((name) => name.endsWith('AndWait')).map((name) => name.slice(0, -'AndWait'.length))
  expect(writes.length).toBe(108)
  for (const name of writes) {
    expect(names).toContain(name)
    expect(names).toContain(`simulate${name.charAt(0).toUpperCase()}${name.slice(1)}`)
  }
  const lists = [...names].filter((name) =>
    /^list(?!Tenders|Submissions|AgentExecutors|AgentRequesters|Citations|Events$)/.test(name),
  )
  for (const name of lists) expect(names).toContain(name.replace(/^list/, 'watch'))
})
