import type { TaskHash } from '@oikos/core'
import type { ContentResolver, ContentStore } from '@oikos/sdk/content'
import type { Address, Client, Hash, Hex, LocalAccount, Transport } from 'viem'
import type { WorkLimits, Workshop } from '../workers/worker.ts'
import { OperatorOptionError } from './errors.ts'
import type { OperatorLog } from './log.ts'
import type { Decider } from './question.ts'
import type { OperatorStore } from './store/operator-store.ts'

/** What gas may cost. */
export type GasCeilings = {
  /** Nothing is signed that could pay more for a unit of gas. */
  readonly maxFeePerGasWei: bigint
  readonly maxPriorityFeePerGasWei: bigint
  /** Nothing is signed that needs more gas. */
  readonly gasLimit: bigint
}

/** What may be spent within any 24 hours. */
type DailyBudget = {
  readonly gasWei: bigint
  /** Accept Token that leaves the Agent's hands, such as into a vault. Smallest units. */
  readonly spendAtomic: bigint
  /** What may be paid for resources, by asset (`<rail>:<asset>`) in its smallest units; in another asset nothing is paid. */
  readonly purchasesAtomic?: Readonly<Record<string, bigint>>
}

/** Something that a skill needs and that is paid for, once for each package. */
export type ResourceNeed = {
  /** Name under which the worker finds it. */
  readonly name: string
  readonly url: string
  /** `<rail>:<asset>` of the invoice, as deciders know it. */
  readonly asset: string
  readonly maxPriceAtomic: bigint
}

/** Which tenders the Agent may work for. */
export type TenderLimits = {
  /** Task contracts that are watched, each from a block on. */
  readonly markets: readonly { readonly task: Address; readonly fromBlock: bigint }[]
  /** Assets of rewards with the least reward, in smallest units. Others are declined. */
  readonly rewards: readonly { readonly asset: Address; readonly minRewardAtomic: bigint }[]
  /** Least time until the last moment for a delivery, in seconds. */
  readonly minSecondsLeft: bigint
  /** Whether tenders that a person or another contract judges are taken. */
  readonly judged: boolean
  /** Verifier contracts whose tenders are taken; others are declined. */
  readonly verifiers: readonly Address[]
  /** Longest window that a judge may have, in seconds: so long the reward may wait. */
  readonly maxJudgmentWindowSec: bigint
  /** Whether the content must be frozen. */
  readonly requireFrozen: boolean
  /** Deliveries to one tender that wait or were accepted. */
  readonly maxDeliveriesPerTender: bigint
  /** Deliveries to one tender in all, refused ones included. */
  readonly maxAttemptsPerTender: bigint
  /** Bytes of one package. */
  readonly maxPackageBytes: number
  readonly work: WorkLimits
  /** Paid resources by name of the worker. */
  readonly resources: Readonly<Record<string, readonly ResourceNeed[]>>
}

/** Where idle capital goes: an ERC-4626 vault of the Accept Token that the Scope allows. */
export type IdleCapital = {
  readonly vault: Address
  /** Accept Token that stays with the Agent beyond what pending redemptions need, in smallest units. */
  readonly keepAtomic: bigint
  /** Smaller moves are not made. */
  readonly minMoveAtomic: bigint
}

/** What an operator may do and how it goes about it. */
export type OperatorSettings = {
  readonly gas: GasCeilings
  readonly budget: DailyBudget
  /** Blocks that must lie on top of an action, its own counted, before it is taken as final. */
  readonly finalityBlocks: bigint
  readonly settleMint: boolean
  readonly settleRedeem: boolean
  readonly crankClaims: boolean
  /** Members of one batch, at most 128. */
  readonly maxBatch: number
  /** Accounts of the operator and its friends whose requests it leaves to others. */
  readonly ownAccounts: readonly Address[]
  readonly tenders: TenderLimits | undefined
  readonly idle: IdleCapital | undefined
  /** While this file exists, nothing is signed and nothing is sent. */
  readonly killSwitchFile: string | undefined
  /** Decisions are made and kept, nothing is done. */
  readonly dryRun: boolean
  /** Pause between passes of `run`. */
  readonly pollMs: number
  /** How long one pass waits for an action to be mined. */
  readonly mineWaitMs: number
  /** After this time the same bytes are sent again. */
  readonly resendAfterMs: bigint
  /** After this time fees are raised, within the ceilings. */
  readonly bumpAfterMs: bigint
  readonly leaseMs: bigint
  /** How long one decision may take. */
  readonly decideMs: number
  /** After this time a question that was answered by doing nothing is asked again. */
  readonly askAgainMs: bigint
  readonly maxActionsPerPass: number
  /** Failed actions on one subject within a day after which it is left alone. */
  readonly maxFailures: bigint
}

/** Settings for a public chain: nothing is spent beyond gas, no tenders, no idle capital. */
export const DEFAULT_OPERATOR_SETTINGS: OperatorSettings = {
  gas: { maxFeePerGasWei: 100_000_000_000n, maxPriorityFeePerGasWei: 2_000_000_000n, gasLimit: 12_000_000n },
  budget: { gasWei: 50_000_000_000_000_000n, spendAtomic: 0n },
  ...{ finalityBlocks: 12n, settleMint: true, settleRedeem: true, crankClaims: true, maxBatch: 128, ownAccounts: [] },
  ...{ tenders: undefined, idle: undefined, killSwitchFile: undefined, dryRun: false },
  ...{ pollMs: 4_000, mineWaitMs: 3_000, resendAfterMs: 30_000n, bumpAfterMs: 60_000n, leaseMs: 30_000n },
  ...{ decideMs: 60_000, askAgainMs: 60_000n, maxActionsPerPass: 64, maxFailures: 3n },
}

/** Limits on tenders where nothing else is said; markets and rewards must be. */
export const DEFAULT_TENDER_LIMITS: Omit<TenderLimits, 'markets' | 'rewards'> = {
  ...{ minSecondsLeft: 3_600n, judged: true, verifiers: [], maxJudgmentWindowSec: 1_209_600n, requireFrozen: true },
  ...{ maxDeliveriesPerTender: 1n, maxAttemptsPerTender: 1n, maxPackageBytes: 64 * 1024 * 1024 },
  work: { timeoutMs: 120_000, memoryMiB: 512, outputBytes: 16 * 1024 * 1024 },
  resources: {},
}

/** Something to be bought for one package. The same `idempotencyKey` is never paid twice. */
export type PaidResource = ResourceNeed & { readonly idempotencyKey: string; readonly taskHash: TaskHash }

/** What came of buying. `uncertain`: it may have been paid, and the same key is asked for again. */
export type BoughtResource =
  | {
      readonly ok: true
      readonly bytes: Uint8Array
      /** Smallest units of the asset of the resource. */
      readonly paidAtomic: bigint
      readonly evidence?: { readonly digest: string; readonly uri?: string }
    }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly uncertain: boolean }

/** Pays for a resource under a policy of its own and gives its bytes: the Economic Agent. */
export type BuyResource = (resource: PaidResource, signal: AbortSignal) => Promise<BoughtResource>

/** A delivery that is about to be committed to. */
export type DeliveryDraft = {
  readonly task: Address
  readonly tokenId: bigint
  readonly verifier: Address
  readonly agent: Address
  /** Of the packed delivery. */
  readonly resultHash: Hash
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** A delivery that waits for a proof. */
export type ProvableDelivery = {
  readonly task: Address
  readonly tokenId: bigint
  readonly submissionId: bigint
  readonly verifier: Address
  readonly agent: Address
  readonly resultHash: Hash
}

/** Gives proofs to verifier contracts. Both answers are checked by the chain, never believed. */
export type Prover = {
  readonly name: string
  /** What is committed to in place of the hash of the package; undefined where that will do, `refused` where there is none. */
  readonly commit: (draft: DeliveryDraft, signal: AbortSignal) => Promise<Hash | 'refused' | undefined>
  /** Undefined as long as there is none. */
  readonly prove: (delivery: ProvableDelivery, signal: AbortSignal) => Promise<Hex | undefined>
}

/** Everything that an operator is made of. It has no clock, network, file or key of its own. */
export type OperatorOptions = {
  readonly client: Client<Transport>
  readonly chainId: number
  /** Signs as an Executor of the Agent. */
  readonly account: LocalAccount
  readonly agent: Address
  /** The Agent was not there before this block. */
  readonly agentFromBlock: bigint
  readonly store: OperatorStore
  readonly content: ContentStore
  readonly resolver: ContentResolver
  readonly decider: Decider
  readonly workshop?: Workshop
  readonly prover?: Prover
  readonly buy?: BuyResource
  readonly settings?: Partial<OperatorSettings>
  /** Names this process among those that share the database. Default: random. */
  readonly holder?: string
  /** Milliseconds since 1970. */
  readonly clockMs: () => bigint
  readonly log?: OperatorLog
}

/** Fills in what is not said. @throws OperatorOptionError for what is out of range */
export function resolveSettings(given: Partial<OperatorSettings> = {}): OperatorSettings {
  const settings = { ...DEFAULT_OPERATOR_SETTINGS, ...given }
  const demand = (isFine: boolean, option: string, reason: string): void => {
    if (!isFine) throw new OperatorOptionError(option, reason)
  }
  const { maxBatch, finalityBlocks, leaseMs, gas, maxActionsPerPass, tenders } = settings
  demand(
    Number.isInteger(maxBatch) && maxBatch >= 1 && maxBatch <= 128,
    'maxBatch',
    `got ${maxBatch}, expected 1 to 128`,
  )
  demand(finalityBlocks >= 1n, 'finalityBlocks', `got ${finalityBlocks}, expected 1 or more`)
  demand(leaseMs >= 1_000n, 'leaseMs', `got ${leaseMs}, expected 1000 or more`)
  demand(gas.gasLimit >= 21_000n, 'gas.gasLimit', `got ${gas.gasLimit}, expected 21000 or more`)
  demand(
    Number.isInteger(maxActionsPerPass) && maxActionsPerPass >= 1 && maxActionsPerPass <= 1_000,
    'maxActionsPerPass',
    `got ${maxActionsPerPass}, expected 1 to 1000`,
  )
  demand((tenders?.markets.length ?? 0) <= 32, 'tenders.markets', 'expected 32 at most')
  return settings
}
