export {
  type ExecuteVerdictParameters,
  executeVerdict,
  executeVerdictAndWait,
  simulateExecuteVerdict,
} from './execute-verdict.ts'
export {
  type FinalizeJuryTimeoutParameters,
  finalizeJuryTimeout,
  finalizeJuryTimeoutAndWait,
  simulateFinalizeJuryTimeout,
} from './finalize-jury-timeout.ts'
export {
  type FundJuryFeesParameters,
  fundJuryFees,
  fundJuryFeesAndWait,
  simulateFundJuryFees,
} from './fund-jury-fees.ts'
export { type GetJuryParameters, getJury, type Jury } from './get-jury.ts'
export { type GetJuryCaseParameters, getJuryCase, type JuryCase, type JuryVerdict } from './get-jury-case.ts'
export { type GetJuryPromiseParameters, getJuryPromise, type JuryPromise } from './get-jury-promise.ts'
export { type GetKeptVerdictCountParameters, getKeptVerdictCount } from './get-kept-verdict-count.ts'
export { type IsJurorParameters, isJuror } from './is-juror.ts'
export {
  type PromiseJuryFeeParameters,
  promiseJuryFee,
  promiseJuryFeeAndWait,
  simulatePromiseJuryFee,
} from './promise-jury-fee.ts'
export {
  type ReturnJuryFeesParameters,
  returnJuryFees,
  returnJuryFeesAndWait,
  simulateReturnJuryFees,
} from './return-jury-fees.ts'
export type { JuryCaseTarget, JuryTarget, JuryTenderTarget } from './target.ts'
export {
  simulateVoteJuryHandOver,
  type VoteJuryHandOverParameters,
  voteJuryHandOver,
  voteJuryHandOverAndWait,
} from './vote-jury-hand-over.ts'
export {
  simulateVoteOnDelivery,
  type VoteOnDeliveryParameters,
  voteOnDelivery,
  voteOnDeliveryAndWait,
} from './vote-on-delivery.ts'
