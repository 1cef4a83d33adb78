import { z } from 'zod'
import {
  addressSchema,
  differenceSchema,
  hashSchema,
  originSchema,
  pageSchema,
  placeSchema,
  tokenSchema,
  verdictSchema,
  wholeSchema,
} from './primitives.ts'

/** Terms of a tender as the contract has them: amounts in smallest units, clocks in seconds. Source: ERC-8414. */
export const termsSchema = z.object({
  asset: addressSchema,
  rewardPerCompletion: wholeSchema,
  /** 0 is without a bound. */
  maxCompletions: wholeSchema,
  /** 0 is without an end. */
  submitBy: wholeSchema,
  settleBy: wholeSchema,
  /** 0 is without a cadence. */
  epochLength: wholeSchema,
  maxCompletionsPerEpoch: wholeSchema,
  judgmentWindow: wholeSchema,
})

/** Who decides, as far as the contract in the slot says what it is. */
export const judgeSchema = z.object({
  address: addressSchema,
  /** `account` has no code; `verifier` answers ERC-165 for ITaskVerifier; `jury` names jurors and a quorum. */
  kind: z.enum(['account', 'verifier', 'jury', 'contract', 'unknown']),
  /** The acceptance profile that a verifier names; a claim of that contract. */
  profile: z.string().nullable(),
  /** Whether the verifier is one of a deployment. */
  isDeployed: z.boolean(),
  jurors: z.array(addressSchema),
  quorum: wholeSchema.nullable(),
})

/** What a careful buyer or fulfiller would want to be told. */
export const tenderWarningSchema = z.enum([
  'unfrozen',
  'authority-with-owner',
  'judge-is-owner',
  'verifier-of-unknown-kind',
  'window-too-short',
  'settlement-closed',
  'underfunded',
  'no-terms',
  'foreign-implementation',
  'package-refused',
  'package-unavailable',
])

/** `open` takes deliveries; `paused` has no money for one more; `closed` takes none; `over` gives money back. */
export const tenderStateSchema = z.enum(['open', 'unfunded', 'closed', 'over', 'cancelled'])

/** One row of the market. */
export const tenderSchema = z.object({
  chainId: z.number().int().positive(),
  contract: addressSchema,
  tokenId: wholeSchema,
  origin: originSchema,
  /** From the verified package; null where there is none. A claim of its author, bounded. */
  title: z.string().nullable(),
  /** Null where the contract does not tell (a foreign one). */
  owner: addressSchema.nullable(),
  updateAuthority: addressSchema.nullable(),
  judge: judgeSchema.nullable(),
  state: tenderStateSchema,
  isFrozen: z.boolean(),
  isCancelled: z.boolean(),
  terms: termsSchema.nullable(),
  asset: tokenSchema.nullable(),
  vault: addressSchema.nullable(),
  taskUri: z.string(),
  tdHash: hashSchema,
  taskHash: hashSchema,
  version: wholeSchema,
  hasOnchainDocument: z.boolean(),
  /** What the events say is in the vault for rewards and refunds; gifts are not in it. */
  escrow: wholeSchema,
  /** `pending` deliveries times the reward. */
  reserved: wholeSchema,
  /** Credits that nobody has withdrawn yet. */
  credited: wholeSchema,
  /** Plain transfers to the vault, as the last reconciliation saw them; null before it. */
  gifts: wholeSchema.nullable(),
  completions: wholeSchema,
  pending: wholeSchema,
  /** Null where the terms have no bound. */
  remainingCompletions: wholeSchema.nullable(),
  /** Further completions that `escrow` pays for. */
  fundedCompletions: wholeSchema,
  submissions: wholeSchema,
  package: verdictSchema,
  warnings: z.array(tenderWarningSchema),
  createdAt: placeSchema,
  updatedAt: placeSchema,
})

/** One version of what is demanded. */
export const bindingSchema = z.object({
  version: wholeSchema,
  tdHash: hashSchema,
  taskHash: hashSchema,
  package: verdictSchema,
  place: placeSchema,
})

/** A change of URI, freeze, authority, owner, or a published document. */
export const tenderChangeSchema = z.object({
  kind: z.enum(['uri', 'freeze', 'document', 'update-authority', 'acceptance-authority', 'owner', 'cancel']),
  /** Before; null at the mint and for what has no before. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  place: placeSchema,
})

export const funderSchema = z.object({
  account: addressSchema,
  contributed: wholeSchema,
  refunded: wholeSchema,
  hasReclaimed: z.boolean(),
})

/** A movement of the vault. */
export const movementSchema = z.object({
  kind: z.enum(['funded', 'reward', 'credited', 'withdrawn', 'refund', 'residual', 'foreign']),
  account: addressSchema,
  amount: wholeSchema,
  /** Null for movements that belong to no delivery. */
  submissionId: wholeSchema.nullable(),
  /** The asset of a `foreign` movement; null where it is that of the tender. */
  asset: addressSchema.nullable(),
  place: placeSchema,
})

export const submissionSchema = z.object({
  chainId: z.number().int().positive(),
  contract: addressSchema,
  tokenId: wholeSchema,
  submissionId: wholeSchema,
  fulfiller: addressSchema,
  resultHash: hashSchema,
  resultUri: z.string(),
  taskVersion: wholeSchema,
  submittedAtSec: wholeSchema,
  /** End of the judgment window; from the second after it silence has decided. Null without terms. */
  deadlineSec: wholeSchema.nullable(),
  /** Whether a machine decides, as recorded with the delivery; null where the contract does not tell. */
  machineSettled: z.boolean().nullable(),
  status: z.enum(['pending', 'accepted', 'rejected']),
  /** How it was decided. */
  decidedBy: z.enum(['judge', 'proof', 'clock']).nullable(),
  /** What running out of the clock does to a pending one: pays the fulfiller, or releases the slot unpaid. */
  silence: z.enum(['pays', 'releases']).nullable(),
  reward: wholeSchema.nullable(),
  credited: wholeSchema.nullable(),
  place: placeSchema,
  decidedAt: placeSchema.nullable(),
})

export const creditSchema = z.object({ account: addressSchema, amount: wholeSchema, updatedAt: placeSchema })

/** What a companion (verifier, jury, router, splitter, gate) said about a tender. Trusted only where `isInSlot`. */
export const companionEventSchema = z.object({
  emitter: addressSchema,
  /** Whether the emitter is the tender's acceptance authority now. */
  isInSlot: z.boolean(),
  event: z.string(),
  submissionId: wholeSchema.nullable(),
  account: addressSchema.nullable(),
  amount: wholeSchema.nullable(),
  /** The other arguments as text, bounded. */
  details: z.record(z.string(), z.string()),
  place: placeSchema,
})

export const tenderDetailSchema = tenderSchema.extend({
  bindings: z.array(bindingSchema),
  funders: z.array(funderSchema),
  credits: z.array(creditSchema),
  changes: z.array(tenderChangeSchema),
  companions: z.array(companionEventSchema),
  differences: z.array(differenceSchema),
  reconciledAtSec: z.number().int().nonnegative().nullable(),
})

export const tenderPageSchema = pageSchema(tenderSchema)
export const submissionPageSchema = pageSchema(submissionSchema)
export const movementPageSchema = pageSchema(movementSchema)

export type TenderTerms = z.infer<typeof termsSchema>
export type Judge = z.infer<typeof judgeSchema>
export type Tender = z.infer<typeof tenderSchema>
export type TenderDetail = z.infer<typeof tenderDetailSchema>
export type TenderWarning = z.infer<typeof tenderWarningSchema>
export type TenderState = z.infer<typeof tenderStateSchema>
export type Binding = z.infer<typeof bindingSchema>
export type TenderChange = z.infer<typeof tenderChangeSchema>
export type Submission = z.infer<typeof submissionSchema>
export type Movement = z.infer<typeof movementSchema>
export type Funder = z.infer<typeof funderSchema>
export type Credit = z.infer<typeof creditSchema>
export type CompanionEvent = z.infer<typeof companionEventSchema>

/** One version of a tender's package with what it must agree with: what whoever checks packages works through. */
export const packageSchema = z.object({
  chainId: z.number().int().positive(),
  contract: addressSchema,
  tokenId: wholeSchema,
  version: wholeSchema,
  tdHash: hashSchema,
  taskHash: hashSchema,
  taskUri: z.string(),
  /** Null where the tender has no terms that could be read. */
  maxCompletions: wholeSchema.nullable(),
  place: placeSchema,
})
export const packagePageSchema = pageSchema(packageSchema)
export type TaskPackage = z.infer<typeof packageSchema>
