import { z } from 'zod'
import { addressSchema, differenceSchema, pageSchema, placeSchema, secondsSchema, wholeSchema } from './primitives.ts'

export const chainStatusSchema = z.object({
  chainId: z.number().int().positive(),
  network: z.string(),
  /** Last block whose events are in the tables. */
  indexedBlock: z.number().int().nonnegative(),
  indexedTimeSec: secondsSchema,
  /** Latest block of the node when it was last asked; null where it does not answer. */
  headBlock: z.number().int().nonnegative().nullable(),
  lagBlocks: z.number().int().nonnegative().nullable(),
  /** Deployments that are indexed here. */
  taskContracts: z.array(addressSchema),
  agentFactories: z.array(addressSchema),
})

const countsSchema = z.object({
  pending: z.number().int().nonnegative(),
  verified: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
  unavailable: z.number().int().nonnegative(),
})

export const statusSchema = z.object({
  /** Whether the past is indexed and new blocks are followed. */
  isReady: z.boolean(),
  chains: z.array(chainStatusSchema),
  counts: z.object({
    agents: z.number().int().nonnegative(),
    tenders: z.number().int().nonnegative(),
    activities: z.number().int().nonnegative(),
    /** Events of the standards that were kept out: unknown emitters of claims about others. */
    ignored: z.number().int().nonnegative(),
  }),
  checks: z.object({
    /** False where no checking process has written yet. */
    isRunning: z.boolean(),
    lastRunSec: secondsSchema.nullable(),
    records: countsSchema,
    packages: countsSchema,
  }),
  reconciliation: z.object({
    contracts: z.number().int().nonnegative(),
    lastRunSec: secondsSchema.nullable(),
    /** At most 100; `differenceCount` is all of them. */
    differences: z.array(differenceSchema),
    differenceCount: z.number().int().nonnegative(),
  }),
})

/** One event of a contract that is indexed, in the order of its chain. */
export const activitySchema = z.object({
  id: z.string(),
  chainId: z.number().int().positive(),
  contract: addressSchema,
  subject: z.enum(['agent', 'tender', 'scope', 'companion']),
  /** Name of the event in the contract. */
  event: z.string(),
  tokenId: wholeSchema.nullable(),
  account: addressSchema.nullable(),
  amount: wholeSchema.nullable(),
  place: placeSchema,
})

/** What `/v1/events` sends: `event: activity` or `removed` (a reorganisation took it back) or `head`. */
export const streamMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('activity'), activity: activitySchema }),
  z.object({ type: z.literal('removed'), id: z.string(), chainId: z.number().int().positive() }),
  z.object({
    type: z.literal('head'),
    chainId: z.number().int().positive(),
    block: z.number().int().nonnegative(),
    timeSec: secondsSchema,
  }),
])

export const activityPageSchema = pageSchema(activitySchema)

export type ChainStatus = z.infer<typeof chainStatusSchema>
export type Status = z.infer<typeof statusSchema>
export type Activity = z.infer<typeof activitySchema>
export type StreamMessage = z.infer<typeof streamMessageSchema>
