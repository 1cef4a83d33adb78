import { z } from 'zod'
import { RestFailure } from './failure.ts'

/** Rows of a page, unless told otherwise, and at most. */
const DEFAULT_PAGE = 50
const MAX_PAGE = 200

/** Longest value of one parameter; a cursor is the longest. */
const MAX_VALUE_LENGTH = 1_024

/** Parameters of one request beyond those of its path, at most. */
const MAX_PARAMETERS = 24

const limit = z
  .string()
  .regex(/^[1-9][0-9]{0,2}$/)
  .transform(Number)
  .refine((value) => value <= MAX_PAGE)
  .default(DEFAULT_PAGE)
  .describe(`Rows of the page, 1 to ${MAX_PAGE}.`)
const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,1024}$/)
  .optional()
  .describe('`nextCursor` of the page before.')
const format = z.enum(['json', 'csv']).default('json').describe('`csv` gives the page as a table.')
const order = z.enum(['asc', 'desc']).default('desc').describe('Direction.')
const chainId = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/)
  .transform(Number)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as `0x${string}`)
const whole = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

const list = { limit, cursor, format, order }

/** Query parameters of each list, by route. What is not named is refused, so that a misspelt filter is not taken for none. */
export const querySchemas = {
  nothing: z.strictObject({}),
  list: z.strictObject(list),
  feed: z.strictObject({ ...list, order: z.enum(['asc', 'desc']).default('asc'), chainId: chainId.optional() }),
  market: z.strictObject({
    ...list,
    sort: z.enum(['created', 'updated', 'reward', 'escrow', 'deadline']).default('created'),
    state: z.enum(['open', 'unfunded', 'closed', 'over', 'cancelled']).optional(),
    judge: z.enum(['account', 'verifier', 'jury', 'contract', 'unknown']).optional(),
    funded: z.enum(['true']).optional().describe('Only tenders whose vault pays for one more completion.'),
    origin: z.enum(['oikos', 'foreign']).optional(),
    chainId: chainId.optional(),
    contract: address.optional(),
    asset: address.optional(),
    owner: address.optional(),
    authority: address.optional().describe('Account or contract in the judgment slot.'),
    minReward: whole.optional().describe('In smallest units of the asset.'),
  }),
  agents: z.strictObject({
    ...list,
    sort: z.enum(['created', 'updated', 'rate', 'capital', 'holders', 'actions']).default('created'),
    origin: z.enum(['oikos', 'foreign']).optional(),
    chainId: chainId.optional(),
    owner: address.optional(),
    acceptToken: address.optional(),
  }),
  submissions: z.strictObject({ ...list, status: z.enum(['pending', 'accepted', 'rejected']).optional() }),
  actions: z.strictObject({
    ...list,
    kind: z.enum(['execute', 'settle-mint', 'settle-redeem', 'reasoned']).optional(),
  }),
  requests: z.strictObject({ ...list, account: address.optional(), side: z.enum(['mint', 'redeem']).optional() }),
  positions: z.strictObject({ ...list, account: address.optional(), open: z.enum(['true']).optional() }),
} as const

const schemas = {
  chain: z.strictObject({ chainId }),
  agent: z.strictObject({ chainId, address }),
  tender: z.strictObject({ chainId, contract: address, tokenId: whole.transform(BigInt) }),
  account: z.strictObject({ address }),
} as const

/** Path parameters by kind of thing. */
export const pathSchemas = schemas

/** What a route gets of its query. */
export type QueryOf<name extends keyof typeof querySchemas> = z.infer<(typeof querySchemas)[name]>
/** What a route gets of its path. */
export type PathOf<name extends keyof typeof pathSchemas> = z.infer<(typeof pathSchemas)[name]>

/** Reads the query of a URL. A parameter that is repeated, unknown, too long or malformed is refused by name. */
export function readQuery<name extends keyof typeof querySchemas>(url: URL, name: name): QueryOf<name> {
  const given: Record<string, string> = {}
  let count = 0
  for (const [key, value] of url.searchParams) {
    count += 1
    if (count > MAX_PARAMETERS) throw new RestFailure('bad_request', `More than ${MAX_PARAMETERS} parameters.`)
    if (value === '') continue
    const shown = key.slice(0, 40)
    if (Object.hasOwn(given, key)) throw new RestFailure('bad_request', `${shown} is given twice.`, shown)
    if (value.length > MAX_VALUE_LENGTH) throw new RestFailure('bad_request', `${shown} is too long.`, shown)
    Object.defineProperty(given, key, { value, enumerable: true })
  }
  return parse(querySchemas[name], given) as QueryOf<name>
}

/** Reads path parameters. What is malformed is refused by name. */
export function readPath<name extends keyof typeof pathSchemas>(
  given: Readonly<Record<string, string>>,
  name: name,
): PathOf<name> {
  return parse(pathSchemas[name], given) as PathOf<name>
}

function parse(schema: z.ZodType, given: unknown): unknown {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const parameter = (unknown ?? issue?.path.join('.') ?? '').slice(0, 40)
  const what =
    unknown === undefined ? `${parameter}: ${issue?.message ?? 'malformed'}.` : `There is no ${parameter} here.`
  throw new RestFailure('bad_request', what, parameter)
}
