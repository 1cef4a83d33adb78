import type {
  Account,
  Agent,
  AgentAction,
  AgentDetail,
  AgentPosition,
  AgentRate,
  AgentRequest,
  AgentScope,
  Holder,
  Movement,
  Page,
  RestError,
  Status,
  Submission,
  Tender,
  TenderDetail,
} from '@oikos/indexer/rest'

/** The index answered with an error, or not at all. */
class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: RestError['error']['code'] | 'unreachable'

  constructor(code: ApiError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Query parameters; what is undefined or empty is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

const BASE = '/api/v1'

function urlOf(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `${BASE}${path}${search.size === 0 ? '' : `?${search}`}`
}

async function ask<T>(path: string, query: Query, signal: AbortSignal | undefined): Promise<T> {
  let response: Response
  try {
    response = await fetch(urlOf(path, query), {
      ...(signal === undefined ? {} : { signal }),
      headers: { accept: 'application/json' },
    })
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    throw new ApiError('unreachable', 'The index does not answer.')
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body as T
  const error = (body as Partial<RestError> | undefined)?.error
  throw new ApiError(error?.code ?? 'unavailable', error?.message ?? `The index answered ${response.status}.`)
}

/** Where a tender is. */
export type TenderKey = { readonly chainId: string; readonly contract: string; readonly tokenId: string }
/** Where an Agent is. */
export type AgentKey = { readonly chainId: string; readonly address: string }

const tenderPath = ({ chainId, contract, tokenId }: TenderKey): string => `/tenders/${chainId}/${contract}/${tokenId}`
const agentPath = ({ chainId, address }: AgentKey): string => `/agents/${chainId}/${address}`

/** What a page can read from the index; each takes the signal of the page that wants it. */
export const api = {
  status: (signal?: AbortSignal) => ask<Status>('/status', {}, signal),
  market: (query: Query, signal?: AbortSignal) => ask<Page<Tender>>('/market', query, signal),
  tender: (key: TenderKey, signal?: AbortSignal) => ask<TenderDetail>(tenderPath(key), {}, signal),
  submissions: (key: TenderKey, query: Query, signal?: AbortSignal) =>
    ask<Page<Submission>>(`${tenderPath(key)}/submissions`, query, signal),
  movements: (key: TenderKey, query: Query, signal?: AbortSignal) =>
    ask<Page<Movement>>(`${tenderPath(key)}/movements`, query, signal),
  agents: (query: Query, signal?: AbortSignal) => ask<Page<Agent>>('/agents', query, signal),
  agent: (key: AgentKey, signal?: AbortSignal) => ask<AgentDetail>(agentPath(key), {}, signal),
  actions: (key: AgentKey, query: Query, signal?: AbortSignal) =>
    ask<Page<AgentAction>>(`${agentPath(key)}/actions`, query, signal),
  requests: (key: AgentKey, query: Query, signal?: AbortSignal) =>
    ask<Page<AgentRequest>>(`${agentPath(key)}/requests`, query, signal),
  positions: (key: AgentKey, query: Query, signal?: AbortSignal) =>
    ask<Page<AgentPosition>>(`${agentPath(key)}/positions`, query, signal),
  rates: (key: AgentKey, query: Query, signal?: AbortSignal) =>
    ask<Page<AgentRate>>(`${agentPath(key)}/rates`, query, signal),
  holders: (key: AgentKey, query: Query, signal?: AbortSignal) =>
    ask<Page<Holder>>(`${agentPath(key)}/holders`, query, signal),
  scope: (key: AgentKey, signal?: AbortSignal) => ask<AgentScope>(`${agentPath(key)}/scope`, {}, signal),
  account: (address: string, signal?: AbortSignal) => ask<Account>(`/accounts/${address}`, {}, signal),
}

/** The address of the CSV of a list, for a download link. */
export function csvHref(path: string, query: Query): string {
  return urlOf(path, { ...query, format: 'csv' })
}
