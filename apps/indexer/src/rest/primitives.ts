import { z } from 'zod'

/** 20 bytes in lower-case hexadecimal: the API compares addresses as text. */
export const addressSchema = z.string().regex(/^0x[0-9a-f]{40}$/)

/** 32 bytes in lower-case hexadecimal. */
export const hashSchema = z.string().regex(/^0x[0-9a-f]{64}$/)

/** 4 bytes in lower-case hexadecimal. */
export const selectorSchema = z.string().regex(/^0x[0-9a-f]{8}$/)

/**
 * A whole number of at most 78 digits as decimal text: amounts in smallest units, rates, ids, counters and clocks as a
 * contract says them. A number of JSON would lose digits above 2^53.
 */
export const wholeSchema = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

/** As {@link wholeSchema}, below zero too: a difference. */
export const signedSchema = z.string().regex(/^(0|-?[1-9][0-9]{0,77})$/)

/** Seconds since 1970 as a node or our own clock says them. */
export const secondsSchema = z.number().int().nonnegative()

/** Where in a chain something was said. The order of all rows of a chain is (block, logIndex). */
export const placeSchema = z.object({
  block: z.number().int().nonnegative(),
  timeSec: secondsSchema,
  tx: hashSchema,
  logIndex: z.number().int().nonnegative(),
})

/** What a token contract says about itself: claims, bounded to 64 characters; null where it does not answer. */
export const tokenSchema = z.object({
  /** The zero address is the currency of the chain. */
  address: addressSchema,
  symbol: z.string().nullable(),
  name: z.string().nullable(),
  decimals: z.number().int().min(0).max(255).nullable(),
})

/**
 * Whose code is behind a contract. `oikos`: born in a factory of a deployment, or the task contract of one. `foreign`:
 * it emits the events of the standard, and nothing here says what its code does.
 */
export const originSchema = z.enum(['oikos', 'foreign'])

/** State of a check. `pending` was not tried yet; `unavailable` is tried again; `refused` is broken. */
export const verdictStateSchema = z.enum(['pending', 'verified', 'refused', 'unavailable'])

/** What our own check of a record or a package gave, and how old that is. */
export const verdictSchema = z.object({
  state: verdictStateSchema,
  /** Stable codes of what is broken, unresolved or incomplete; empty where nothing is. */
  codes: z.array(z.string()),
  checkedAtSec: secondsSchema.nullable(),
  attempts: z.number().int().nonnegative(),
  /** When it is tried again; null where it is not. */
  retryAtSec: secondsSchema.nullable(),
  /** Where the bytes came from: `store` or the origin of a gateway. */
  from: z.string().nullable(),
})

/** A reasoning record as the chain cites it, and our verdict. */
export const citedRecordSchema = z.object({ hash: hashSchema, uri: z.string(), verdict: verdictSchema })

/** One value of the index that is not what a contract answers at the same block. Shown, never mended in silence. */
export const differenceSchema = z.object({
  chainId: z.number().int().positive(),
  contract: addressSchema,
  /** A token id, an account, or empty for the contract as a whole. */
  subject: z.string(),
  /** What differs, such as `totalSupply`, `reserve`, `escrow`, `pendingAssets`. */
  field: z.string(),
  indexed: wholeSchema.nullable(),
  /** Null where the contract does not answer. */
  onChain: wholeSchema.nullable(),
  block: z.number().int().nonnegative(),
  checkedAtSec: secondsSchema,
  /** `difference`; `gift`: a vault holds more than was funded, which plain transfers explain; `unreadable`. */
  kind: z.enum(['difference', 'gift', 'unreadable']),
})

/** How a page of a list continues. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** To be given as `cursor`; null at the end. */
    nextCursor: z.string().nullable(),
  })

/** Every answer that is not 2xx. */
export const errorSchema = z.object({
  error: z.object({
    /** Stable; `message` is not. */
    code: z.enum([
      'bad_request',
      'not_found',
      'method_not_allowed',
      'body_too_large',
      'too_many_streams',
      'timeout',
      'unavailable',
      'internal',
    ]),
    /** What was got, what was expected, and what to do. */
    message: z.string(),
    /** Whether the same request may succeed later. */
    retryable: z.boolean(),
    /** The parameter that is wrong. */
    parameter: z.string().optional(),
  }),
})

export type Place = z.infer<typeof placeSchema>
export type Token = z.infer<typeof tokenSchema>
export type Origin = z.infer<typeof originSchema>
export type Verdict = z.infer<typeof verdictSchema>
export type CitedRecord = z.infer<typeof citedRecordSchema>
export type Difference = z.infer<typeof differenceSchema>
export type RestError = z.infer<typeof errorSchema>
export type Page<Item> = { items: Item[]; nextCursor: string | null }
