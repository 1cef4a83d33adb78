/**
 * Whether a request can have had an effect. `not-started`: no connection was established, so no byte of it left.
 * `uncertain`: everything else, whatever the other side said.
 */
export type EndpointEffect = 'not-started' | 'uncertain'

/** Base of what goes wrong between us and an endpoint. */
export abstract class EndpointError extends Error {
  abstract readonly effect: EndpointEffect
  /** Scheme, host and port; paths and credentials stay out of messages, since keys of node providers live there. */
  readonly origin: string
  /** Whether the same request may succeed later. Whether it may be sent again at all is a question of `effect`. */
  readonly retryable: boolean

  constructor(origin: string, message: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(`${origin}: ${message}`, { cause: options.cause })
    this.origin = origin
    this.retryable = options.retryable
  }
}

/** What broke on the way, by the first fact that shows it. */
export type EndpointFault =
  /** The caller gave up. */
  | 'cancelled'
  /** No connection: name not resolved, refused, unreachable, or not established in time. */
  | 'unreachable'
  /** Connected, but no whole answer in time. */
  | 'timeout'
  /** Connected, then broken off before the answer was whole. */
  | 'connection-lost'
  /** The answer points elsewhere; it is never followed. */
  | 'redirect'
  /** An HTTP status that is no answer. */
  | 'status'
  /** The request or the answer is longer than allowed. */
  | 'oversize'
  /** The answer is not of the form that was asked for. */
  | 'malformed'

/** The transport failed. `effect` was read from the socket, never from a text. */
export class EndpointFaultError extends EndpointError {
  override readonly name = 'EndpointFaultError'
  readonly fault: EndpointFault
  readonly effect: EndpointEffect

  constructor(origin: string, fault: EndpointFault, effect: EndpointEffect, detail: string, cause?: unknown) {
    super(origin, `${fault}: ${detail} (${effect})`, { retryable: fault !== 'redirect', cause })
    this.fault = fault
    this.effect = effect
  }
}

/** The longest text of a node that an error repeats, characters. */
const MAX_QUOTED = 300

/** The endpoint answered a call with a JSON-RPC error. That says nothing about what it did before. */
export class RpcAnswerError extends EndpointError {
  override readonly name = 'RpcAnswerError'
  override readonly effect = 'uncertain'
  readonly method: string
  /** As the node gave it; -32768 to -32000 are those of the JSON-RPC specification. */
  readonly code: bigint
  /** Text of the node, at most 300 characters: hostile input, for people only. */
  readonly nodeMessage: string

  constructor(origin: string, method: string, code: bigint, nodeMessage: string) {
    const quoted = nodeMessage.slice(0, MAX_QUOTED)
    super(origin, `${method} was answered with error ${code}: ${quoted}`, { retryable: true })
    this.method = method
    this.code = code
    this.nodeMessage = quoted
  }
}

/** The endpoint serves another network than the rail's. */
export class WrongNetworkError extends EndpointError {
  override readonly name = 'WrongNetworkError'
  override readonly effect = 'not-started'
  readonly got: string
  readonly expected: string

  constructor(origin: string, got: string, expected: string) {
    super(origin, `serves network ${got}, expected ${expected}; give the rail an endpoint of its network`, {
      retryable: false,
    })
    this.got = got
    this.expected = expected
  }
}

/** Every endpoint of a list failed. */
export class EndpointsExhaustedError extends Error {
  override readonly name = 'EndpointsExhaustedError'
  /** `not-started` when nothing left for any of them or, for a sending, when what was sent was at most a question. */
  readonly effect: EndpointEffect
  readonly retryable: boolean
  /** One for each endpoint, in order. */
  readonly failures: readonly EndpointError[]

  constructor(failures: readonly EndpointError[], effect: EndpointEffect) {
    super(`no endpoint answered: ${failures.map(({ message }) => message).join('; ')}`, { cause: failures.at(-1) })
    this.failures = failures
    this.effect = effect
    this.retryable = failures.some(({ retryable }) => retryable)
  }
}

/** A step before a sending failed, such as noting what is to be sent: nothing left. `cause` says why. */
export class NothingSentError extends Error {
  override readonly name = 'NothingSentError'
  readonly retryable = true

  constructor(cause: unknown) {
    super(`nothing was sent: ${cause instanceof Error ? cause.message : 'unknown failure'}`, { cause })
  }
}

/** A setting of a rail or of its endpoints is wrong. Not retryable. */
export class RailOptionError extends Error {
  override readonly name = 'RailOptionError'
  readonly retryable = false
  readonly option: string

  constructor(option: string, got: string, expected: string) {
    super(`rail option ${option}: got ${got}, expected ${expected}`)
    this.option = option
  }
}
