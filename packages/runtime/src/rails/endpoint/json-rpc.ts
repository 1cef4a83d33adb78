import { EndpointFaultError, RpcAnswerError } from './errors.ts'
import type { HttpEndpoint } from './exchange.ts'
import {
  type ExactJson,
  type ExactJsonObject,
  isExactObject,
  memberOf,
  parseExactJson,
  renderExactJson,
} from './json.ts'

/** Parameters of a call: by position, or by name where a node takes names. */
export type RpcParams = readonly ExactJson[] | ExactJsonObject

/** An endpoint that speaks JSON-RPC 2.0 over HTTP; Bitcoin Core's older dialect is understood, too. */
export type RpcEndpoint = {
  readonly origin: string
  /**
   * Asks for something that changes nothing; asks a second time when a connection that was kept open turns out dead.
   * Throws EndpointFaultError or RpcAnswerError.
   */
  readonly read: (method: string, params: RpcParams) => Promise<ExactJson>
  /** Asks for an effect: one request, on a connection of its own, never repeated. Throws as `read`. */
  readonly send: (method: string, params: RpcParams) => Promise<ExactJson>
  readonly close: () => void
}

/** JSON-RPC on an HTTP endpoint. */
export function createRpcEndpoint(http: HttpEndpoint): RpcEndpoint {
  let lastId = 0n
  const call = async (method: string, params: RpcParams, isolated: boolean): Promise<ExactJson> => {
    lastId += 1n
    const id = lastId
    const body = renderExactJson({ jsonrpc: '2.0', id, method, params })
    const answer = await http.exchange({ method: 'POST', path: '', body, isolated })
    return readResult(http.origin, method, id, answer)
  }
  return {
    origin: http.origin,
    read: async (method, params) => {
      try {
        return await call(method, params, false)
      } catch (cause) {
        if (cause instanceof EndpointFaultError && cause.fault === 'connection-lost') return call(method, params, true)
        throw cause
      }
    },
    send: (method, params) => call(method, params, true),
    close: () => http.close(),
  }
}

/** The highest status of success. Bitcoin Core gives its errors with status 404 or 500 and a body that is an answer. */
const LAST_SUCCESS = 299

function readResult(
  origin: string,
  method: string,
  id: bigint,
  answer: { readonly status: number; readonly text: string },
): ExactJson {
  const body = parseExactJson(answer.text)
  const isAnswer = isExactObject(body) && memberOf(body, 'id') === id
  if (!isAnswer && answer.status > LAST_SUCCESS)
    throw new EndpointFaultError(origin, 'status', 'uncertain', `${method} was answered with status ${answer.status}`)
  const malformed = (detail: string): EndpointFaultError =>
    new EndpointFaultError(origin, 'malformed', 'uncertain', `${method}: ${detail}`)
  if (!isAnswer) throw malformed('not a JSON-RPC answer to this call')
  const error = memberOf(body, 'error') ?? null
  if (error !== null) {
    const code = memberOf(error, 'code')
    const message = memberOf(error, 'message')
    if (typeof code !== 'bigint' || typeof message !== 'string') throw malformed('an error without code and message')
    throw new RpcAnswerError(origin, method, code, message)
  }
  const result = memberOf(body, 'result')
  if (result === undefined) throw malformed('neither result nor error')
  return result
}
