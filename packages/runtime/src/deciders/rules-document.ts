import { z } from 'zod'

/** Longest list or table in a rules document. */
const MAX_ENTRIES = 256

const amount = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,77})$/, 'expected decimal text in smallest units, such as "2500000"')
  .transform((text) => BigInt(text))
const seconds = z.int().min(0).max(315_360_000)
const address = z.string().regex(/^0x[0-9a-f]{40}$/, 'expected an address in lower case')
const short = z.string().min(1).max(200)

function table<Value extends z.ZodType>(value: Value) {
  return z
    .record(short, value)
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `expected ${MAX_ENTRIES} entries at most`)
    .transform((entries) => new Map(Object.entries(entries)))
}

const requests = z
  .strictObject({
    settle: z.boolean().default(true),
    settleAfterSec: seconds.default(0),
    declineBelowAtomic: amount.default(0n),
    declineAboveAtomic: amount.optional(),
  })
  .prefault({})

const rules = z.strictObject({
  schema: z.literal('oikos-rules/1').default('oikos-rules/1'),
  mint: requests,
  redeem: requests,
  tender: z
    .strictObject({
      profiles: table(
        z.strictObject({ minRewardAtomic: amount.default(0n), minRewardPerKiBAtomic: amount.default(0n) }),
      ).prefault({}),
      assets: z.array(address).max(MAX_ENTRIES).default([]),
      minSecondsLeft: seconds.default(3_600),
      maxPackageBytes: z
        .int()
        .min(0)
        .max(2 ** 40)
        .default(64 * 1024 * 1024),
    })
    .prefault({}),
  resource: z
    .strictObject({
      maxPriceAtomic: table(amount).prefault({}),
      origins: z.array(short).max(MAX_ENTRIES).optional(),
    })
    .prefault({}),
  capital: z
    .strictObject({
      liquidBps: z.int().min(0).max(10_000).default(10_000),
      minMoveAtomic: amount.default(0n),
    })
    .prefault({}),
})

/** Rules as a decider uses them; what each means is in `docs/deciders.md`. Amounts in smallest units. */
export type Rules = z.output<typeof rules>

/** One thing that is wrong in a rules document: where, and what was expected. */
export type RulesProblem = { readonly where: string; readonly message: string }

/** A rules document cannot be used. Not retryable; `problems` has everything that is wrong with it. */
export class RulesError extends Error {
  override readonly name = 'RulesError'
  readonly retryable = false
  readonly problems: readonly RulesProblem[]

  constructor(problems: readonly RulesProblem[]) {
    const listed = problems.map(({ where, message }) => `${where}: ${message}`).join('; ')
    super(`the rules cannot be used (docs/deciders.md says what they may hold): ${listed}`)
    this.problems = problems
  }
}

/**
 * Reads a rules document, as parsed from JSON; what is absent has its default, so that `{}` is a document.
 * @throws RulesError with every problem
 */
export function readRules(document: unknown): Rules {
  const parsed = rules.safeParse(document)
  if (parsed.success) return parsed.data
  throw new RulesError(
    parsed.error.issues.map(({ path, message }) => ({ where: ['rules', ...path].join('.'), message })),
  )
}
