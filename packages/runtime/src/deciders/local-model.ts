import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createHttpEndpoint, type EndpointAddress, parseEndpointOptions } from '../rails/endpoint/index.ts'
import type { ModelDeciderOptions } from './model.ts'

/** A server that speaks the chat API of OpenAI, such as one on the same machine. */
export type LocalModelOptions = {
  /** The base of its API, such as `http://127.0.0.1:8080/v1`; with headers for a key where it wants one. */
  readonly endpoint: EndpointAddress
  /** The model's name at the server. */
  readonly model: string
  /** Whether the server takes a JSON schema for the reply. Default true. */
  readonly hasStructuredOutput?: boolean
  /** For one request. 1 to 120,000; default 60,000 ms. */
  readonly timeoutMs?: number
  /** The longest reply that is read, bytes. Default 262,144. */
  readonly maxResponseBytes?: number
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_RESPONSE_BYTES = 262_144

/**
 * A model behind an OpenAI-compatible server. Requests go to this endpoint only: no redirect is followed, no proxy or key of
 * the environment is used, and a reply that is too long or too slow is cut off.
 * @throws RailOptionError for an address or setting that cannot be used
 */
export function createLocalModel(options: LocalModelOptions): ModelDeciderOptions['model'] {
  const { endpoint: address, model, hasStructuredOutput = true } = options
  const [parsed] = parseEndpointOptions({
    endpoints: [address],
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxResponseBytes: options.maxResponseBytes ?? DEFAULT_RESPONSE_BYTES,
  })
  // parseEndpointOptions gives one endpoint for one address
  if (parsed === undefined) throw new RangeError('expected one endpoint')
  const fetchFrom = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const signal = init?.signal ?? undefined
    const endpoint = createHttpEndpoint({ ...parsed, cancellation: signal })
    const body = typeof init?.body === 'string' ? init.body : ''
    const answer = await endpoint.exchange({ method: 'POST', path: CHAT_PATH, body, isolated: true })
    return new Response(answer.text, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: parsed.origin,
    supportsStructuredOutputs: hasStructuredOutput,
    fetch: fetchFrom as typeof fetch,
  })
  return provider.chatModel(model)
}

/** Source: OpenAI API reference, Create chat completion. */
const CHAT_PATH = '/chat/completions'
