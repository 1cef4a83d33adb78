import type { JsonObject } from '@oikos/core'
import type { Address, Hash, Hex } from 'viem'

/** What an operator does on the chain. */
export type ActionKind =
  | 'settle-mint'
  | 'settle-redeem'
  | 'decline-request'
  | 'claim-shares'
  | 'claim-tokens'
  | 'deliver'
  | 'settle-delivery'
  | 'claim-unjudged'
  | 'withdraw-credit'
  | 'deposit-idle'
  | 'withdraw-idle'

/**
 * Where an action stands. `planned`: it is intended, its record is stored, nothing is signed. `signed`: its bytes are kept,
 * and may have been sent. `sent`: a node has them. `mined`: in a block that may still be undone. `final` and `reverted`:
 * deep enough, with or without effect. `replaced`: its nonce was used by a transaction that is not of this operator.
 * `abandoned`: given up before it was signed, so that it can never happen.
 */
export type ActionState = 'planned' | 'signed' | 'sent' | 'mined' | 'final' | 'reverted' | 'replaced' | 'abandoned'

/** The record that an action cites. */
export type CitedReasoning = { readonly reasoningHash: Hash; readonly reasoningURI: string }

/** An intended action, before it has a nonce. */
export type ActionPlan = {
  readonly kind: ActionKind
  /** What it is about, e.g. `mint of 3 requesters` or a tender as `task/tokenId`. */
  readonly subject: string
  /** One sentence of ours. */
  readonly title: string
  /** Where set, no second action with the same text is ever made unless this one failed. */
  readonly once?: string
  /** The decision that led here; absent for what is merely owed. */
  readonly decisionId?: string
  readonly to: Address
  readonly data: Hex
  /** Accept Token that it takes out of the Agent's hands, in smallest units. */
  readonly spendAtomic: bigint
  readonly reasoning?: CitedReasoning
}

/** What became of an action that was mined. */
export type ActionOutcome = {
  /** A stable word, e.g. `done`, `skipped`, or the name of the error of the contract. */
  readonly code: string
  /** One sentence. */
  readonly text: string
  readonly detail?: JsonObject
}

/** An action as the operator database has it. Times are milliseconds since 1970. */
export type Action = ActionPlan & {
  readonly id: string
  /** Counts from 1 over all actions of one Agent. */
  readonly number: bigint
  /** Whose nonce it has or will have, as `chainId/address` in lower case. */
  readonly account: string
  readonly state: ActionState
  readonly createdAtMs: bigint
  readonly updatedAtMs: bigint
  readonly signedAtMs: bigint | undefined
  readonly nonce: bigint | undefined
  /** Of the attempt that was mined. */
  readonly hash: Hash | undefined
  readonly blockNumber: bigint | undefined
  readonly blockHash: Hash | undefined
  readonly succeeded: boolean | undefined
  /** Until it is mined the most that it may cost, then what it did cost. */
  readonly gasCostWei: bigint
  readonly outcome: ActionOutcome | undefined
}

/** One signed form of an action. All attempts have the nonce and the call of their action and differ in fees only. */
export type SignedAttempt = {
  readonly hash: Hash
  readonly attempt: number
  /** What is sent, and sent again: never anything else. */
  readonly raw: Hex
  readonly gasLimit: bigint
  readonly maxFeePerGasWei: bigint
  readonly maxPriorityFeePerGasWei: bigint
  readonly signedAtMs: bigint
  /** Last time that a node took it or answered to it; undefined when it was never sent for all that is known. */
  readonly sentAtMs: bigint | undefined
}

/** Why a question was answered as it was, kept whether or not anything was done. */
export type Decision = {
  /** Id of the question, or of a refusal that needed no question. */
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly optionId: string
  /** A stable word: `chosen`, `declined`, `decider-failed`, `dry-run`, or the limit that stood against it. */
  readonly code: string
  readonly reason: string
  /** Name of the decider, or `limits`. */
  readonly decidedBy: string
  /** Question and answer as data; amounts are decimal text. */
  readonly detail: JsonObject
  readonly atMs: bigint
}
