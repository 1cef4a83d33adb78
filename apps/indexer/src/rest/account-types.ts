import { z } from 'zod'
import { positionSchema } from './agent-types.ts'
import { addressSchema, tokenSchema, wholeSchema } from './primitives.ts'
import { submissionSchema } from './tender-types.ts'

/**
 * One thing that waits for an account. Ordered by what is lost by waiting: first what a running clock takes away, the
 * earliest first; then what can be done now without a clock; then what opens later.
 */
export const deskItemSchema = z.object({
  kind: z.enum([
    'judge-submission',
    'vote-submission',
    'claim-unjudged',
    'release-expired',
    'claim-shares',
    'claim-tokens',
    'reclaim-request',
    'withdraw-credit',
    'reclaim-escrow',
    'reclaim-residual',
    'settle-request',
    'apply-policy',
    'accept-ownership',
  ]),
  chainId: z.number().int().positive(),
  contract: addressSchema,
  tokenId: wholeSchema.nullable(),
  submissionId: wholeSchema.nullable(),
  /** Other account that the step concerns: a requester, a fulfiller. */
  counterparty: addressSchema.nullable(),
  amount: wholeSchema.nullable(),
  asset: tokenSchema.nullable(),
  /** From when the step is possible; null: now. */
  opensAtSec: wholeSchema.nullable(),
  /** Until when; null: no clock. */
  deadlineSec: wholeSchema.nullable(),
  /** What waiting costs. `nothing` for money that stays owed. */
  loss: z.enum(['silence-pays-fulfiller', 'slot-released-unpaid', 'settlement-closes', 'proposal-lapses', 'nothing']),
})

export const holdingSchema = z.object({
  chainId: z.number().int().positive(),
  agent: addressSchema,
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  shares: wholeSchema,
  rate: wholeSchema.nullable(),
  /** Shares at the published rate, rounded down; what a settlement pays may differ. */
  valueAtRate: wholeSchema.nullable(),
  acceptToken: tokenSchema.nullable(),
})

export const roleSchema = z.object({
  chainId: z.number().int().positive(),
  contract: addressSchema,
  tokenId: wholeSchema.nullable(),
  role: z.enum([
    'agent-owner',
    'agent-guardian',
    'executor',
    'tender-owner',
    'update-authority',
    'acceptance-authority',
    'juror',
    'funder',
  ]),
})

export const accountSchema = z.object({
  account: addressSchema,
  /** Whether this account is itself an Agent of the index, by chain. */
  isAgentOn: z.array(z.number().int().positive()),
  desk: z.array(deskItemSchema),
  holdings: z.array(holdingSchema),
  positions: z.array(positionSchema),
  roles: z.array(roleSchema),
  submissions: z.array(submissionSchema),
  /** True where a list was cut at its bound of 200. */
  isTruncated: z.boolean(),
  /** The clock that the desk was computed with: the latest block time of the index. */
  asOfSec: z.number().int().nonnegative(),
})

export type Account = z.infer<typeof accountSchema>
export type DeskItem = z.infer<typeof deskItemSchema>
export type Holding = z.infer<typeof holdingSchema>
export type AccountRole = z.infer<typeof roleSchema>
