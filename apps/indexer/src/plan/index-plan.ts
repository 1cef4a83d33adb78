import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { IndexPlanError } from './plan-error.ts'

/** First member of a plan. */
const PLAN_SCHEMA = 'oikos-index-plan/1'

/** Environment variable that names the plan of a process. */
export const PLAN_VARIABLE = 'OIKOS_INDEX_PLAN'

/** Longest plan that is read: 1,000 deployments take less than half of it. */
const MAX_PLAN_BYTES = 1_048_576

const address = z.string().regex(/^0x[0-9a-f]{40}$/)

const chainPlan = z.strictObject({
  chainId: z.number().int().positive(),
  network: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  /** Tells two chains of one id apart. */
  genesisHash: z.string().regex(/^0x[0-9a-f]{64}$/),
  rpcUrls: z.array(z.string().min(1).max(2_048)).min(1).max(16),
  startBlock: z.number().int().nonnegative(),
  /** Milliseconds between two questions for a new block. */
  pollingIntervalMs: z.number().int().min(50).max(60_000),
  /**
   * Whether transfers of any token are looked at, so that holders of foreign Agents and owners of foreign tenders are
   * followed. On a public chain these are all transfers there are.
   */
  followAllTransfers: z.boolean(),
  taskContracts: z.array(address).max(1_000),
  verifiers: z.array(address).max(2_000),
  agentFactories: z.array(z.strictObject({ address, scope: address })).max(1_000),
})

const indexPlan = z.strictObject({
  schema: z.literal(PLAN_SCHEMA),
  database: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('pglite'), directory: z.string().min(1) }),
    z.strictObject({ kind: z.literal('postgres'), url: z.string().min(1) }),
  ]),
  /** Where verdicts and differences are kept, beside the tables of Ponder. */
  checks: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sqlite'), file: z.string().min(1) }),
    z.strictObject({ kind: z.literal('postgres'), url: z.string().min(1), schema: z.string().min(1).max(45) }),
  ]),
  chains: z.array(chainPlan).min(1).max(64),
})

/** What one index covers and where it keeps it. Addresses are in lower case. */
export type IndexPlan = z.infer<typeof indexPlan>
/** One chain of a plan. */
export type ChainPlan = IndexPlan['chains'][number]

/** Writes a plan that {@link parsePlan} reads. */
export function formatPlan(plan: Omit<IndexPlan, 'schema'>): string {
  return `${JSON.stringify({ schema: PLAN_SCHEMA, ...plan }, null, 2)}\n`
}

/** Reads a plan. Throws IndexPlanError, naming the member. */
export function parsePlan(text: string): IndexPlan {
  if (text.length > MAX_PLAN_BYTES) throw new IndexPlanError('the plan', `${text.length} characters`, 'at most 1 MiB')
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (cause) {
    throw new IndexPlanError('the plan', text.slice(0, 80), 'JSON', cause)
  }
  const parsed = indexPlan.safeParse(document)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new IndexPlanError(issue?.path.join('.') || 'the plan', issue?.message ?? 'nothing readable', 'a valid plan')
}

/** Reads the plan that the environment of this process names. Throws IndexPlanError; file errors pass. */
export function readPlan(environment: Readonly<Record<string, string | undefined>>): IndexPlan {
  const file = environment[PLAN_VARIABLE]
  if (file === undefined) throw new IndexPlanError(PLAN_VARIABLE, 'nothing', 'the path of a plan')
  return parsePlan(readFileSync(file, 'utf8'))
}
