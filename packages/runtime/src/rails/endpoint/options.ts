import { RailOptionError } from './errors.ts'

/** One place where a chain can be asked. */
export type EndpointAddress = {
  /** `https:`, or `http:` on loopback. User information becomes an `Authorization` header and is never shown. */
  readonly url: string
  /** Sent with each request, such as a provider's key. */
  readonly headers?: Readonly<Record<string, string>>
  /** Allows `http:` beyond loopback, for a node on a network that you trust. Default false. */
  readonly allowClearText?: boolean
}

/** Where a rail finds its chain, and its patience. */
export type EndpointOptions = {
  /** 1 to 8, in the order in which they are asked; a plain string is its `url`. */
  readonly endpoints: readonly (string | EndpointAddress)[]
  /** For one request, from the start of the connection to the last byte. 1 to 120,000; default 10,000. */
  readonly timeoutMs?: number
  /** The longest answer that is read. 1 to 67,108,864 bytes; default 8,388,608. */
  readonly maxResponseBytes?: number
  /** Ends what is under way; nothing is begun afterwards. */
  readonly cancellation?: AbortSignal
  /** Resolves names; the system's when absent. */
  readonly lookup?: EndpointLookup
}

/** As `lookup` of `node:dns`: calls back with the addresses of a name. */
export type EndpointLookup = (
  hostname: string,
  options: { readonly all?: boolean | undefined },
  callback: (
    error: NodeJS.ErrnoException | null,
    address: string | { address: string; family: number }[],
    family?: number,
  ) => void,
) => void

/** The most endpoints of a list. */
const MAX_ENDPOINTS = 8
/** The longest request, bytes: above every signed transaction in hexadecimal (2,097,152 bytes as text, and its frame). */
export const MAX_REQUEST_BYTES = 4_259_840
const DEFAULT_TIMEOUT_MS = 10_000
const MAX_TIMEOUT_MS = 120_000
const DEFAULT_RESPONSE_BYTES = 8_388_608
const MAX_RESPONSE_BYTES = 67_108_864

/** An endpoint that was checked. */
export type ParsedEndpoint = {
  readonly url: URL
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxResponseBytes: number
  readonly cancellation: AbortSignal | undefined
  readonly lookup: EndpointLookup | undefined
}

/** Checks the settings. Throws {@link RailOptionError}, which never shows a path, a header or user information. */
export function parseEndpointOptions(options: EndpointOptions): readonly ParsedEndpoint[] {
  const { endpoints } = options
  if (endpoints.length < 1 || endpoints.length > MAX_ENDPOINTS)
    throw new RailOptionError('endpoints', `${endpoints.length}`, `1 to ${MAX_ENDPOINTS}`)
  const bounds = {
    timeoutMs: withinRange('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
    maxResponseBytes: withinRange(
      'maxResponseBytes',
      options.maxResponseBytes ?? DEFAULT_RESPONSE_BYTES,
      MAX_RESPONSE_BYTES,
    ),
    cancellation: options.cancellation,
    lookup: options.lookup,
  }
  return endpoints.map((endpoint, index) => {
    const address = typeof endpoint === 'string' ? { url: endpoint } : endpoint
    return { ...parseAddress(address, `endpoints[${index}]`), ...bounds }
  })
}

/** Checks an integer setting from 1 to a maximum. Throws {@link RailOptionError}. */
export function withinRange(option: string, value: number, maximum: number): number {
  if (!Number.isSafeInteger(value) || value < 1 || value > maximum)
    throw new RailOptionError(option, `${value}`, `an integer from 1 to ${maximum}`)
  return value
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

function parseAddress(address: EndpointAddress, option: string): Pick<ParsedEndpoint, 'url' | 'origin' | 'headers'> {
  if (!URL.canParse(address.url)) throw new RailOptionError(option, 'no URL', 'an absolute URL')
  const url = new URL(address.url)
  const isClear = url.protocol === 'http:'
  if (!isClear && url.protocol !== 'https:') throw new RailOptionError(option, url.protocol, 'https: or http:')
  if (isClear && !LOOPBACK.has(url.hostname) && address.allowClearText !== true)
    throw new RailOptionError(option, url.origin, 'https:, http: on loopback, or allowClearText')
  const headers: Record<string, string> = { ...address.headers }
  if (url.username !== '' || url.password !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['authorization'] = `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
    url.username = ''
    url.password = ''
  }
  return { url, origin: url.origin, headers }
}
