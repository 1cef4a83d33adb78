import type { Address } from 'viem'

/** Terms of a tender; they never change. Source: ERC-8414, TenderTerms. */
export type TenderTerms = {
  /** Token that rewards are paid in; the zero address is the native currency. */
  readonly asset: Address
  /** Reward of one accepted delivery in smallest units, greater than zero. */
  readonly rewardPerCompletionAtomic: bigint
  /** 0 means unbounded. */
  readonly maxCompletions: bigint
  /** Last second in which work can be delivered, unix time; 0 means no limit. */
  readonly submitBySec: bigint
  /** Last second in which a ruling settles, unix time, not before `submitBySec`; 0 means no limit. */
  readonly settleBySec: bigint
  /** Length of an epoch; 0 means that there are none. */
  readonly epochLengthSec: bigint
  /** Most completions in one epoch; 0 exactly when `epochLengthSec` is 0. */
  readonly maxCompletionsPerEpoch: bigint
  /** Time that the judge has for a delivery, greater than zero. */
  readonly judgmentWindowSec: bigint
}

type ContractTerms = {
  asset: Address
  rewardPerCompletion: bigint
  maxCompletions: bigint
  submitBy: bigint
  settleBy: bigint
  epochLength: bigint
  maxCompletionsPerEpoch: bigint
  judgmentWindow: bigint
}

/** Terms as the contract takes them. */
export function toContractTerms(terms: TenderTerms): ContractTerms {
  return {
    asset: terms.asset,
    rewardPerCompletion: terms.rewardPerCompletionAtomic,
    maxCompletions: terms.maxCompletions,
    submitBy: terms.submitBySec,
    settleBy: terms.settleBySec,
    epochLength: terms.epochLengthSec,
    maxCompletionsPerEpoch: terms.maxCompletionsPerEpoch,
    judgmentWindow: terms.judgmentWindowSec,
  }
}

/** Terms as the contract gives them. */
export function fromContractTerms(terms: ContractTerms): TenderTerms {
  return {
    asset: terms.asset,
    rewardPerCompletionAtomic: terms.rewardPerCompletion,
    maxCompletions: terms.maxCompletions,
    submitBySec: terms.submitBy,
    settleBySec: terms.settleBy,
    epochLengthSec: terms.epochLength,
    maxCompletionsPerEpoch: terms.maxCompletionsPerEpoch,
    judgmentWindowSec: terms.judgmentWindow,
  }
}
