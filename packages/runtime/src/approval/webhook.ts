import { randomBytes } from 'node:crypto'
import {
  createHttpEndpoint,
  type EndpointAddress,
  EndpointError,
  type HttpEndpoint,
  parseEndpointOptions,
} from '../rails/endpoint/index.ts'
import { type KnownApprover, readSignedAnswer } from './answer.ts'
import { type Decider, decided } from './approver.ts'
import { ApprovalError } from './errors.ts'
import type { RequestContext } from './request-view.ts'

/** How an approver in another place is asked. */
export type WebhookDeciderOptions = {
  /** `https:`, or `http:` on loopback, with the headers that the place wants to see, such as a token. */
  readonly endpoint: EndpointAddress
  /** Whose answers are believed. Nothing else about the place has to be. */
  readonly approvers: readonly [KnownApprover, ...KnownApprover[]]
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** What is sent with the request, so that a person sees what it is for. */
  readonly contextOf?: (requestText: string) => Promise<RequestContext>
  readonly entropy?: (length: number) => Uint8Array
  /** How long one exchange may take, milliseconds; the place answers or asks to come again. Default 30,000. */
  readonly timeoutMs?: number
  /** Pause before the place is asked again, milliseconds. Default 1,000. */
  readonly pauseMs?: number
}

/** Name of the form in which a request is sent. */
export const QUESTION_SCHEMA = 'oikos.approval-question.v1'
/** Status with which a place says that nobody has decided yet. */
export const PENDING_STATUS = 202
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_PAUSE_MS = 1_000
/** The longest answer, bytes; one has about 500. */
const MAX_ANSWER_BYTES = 16_384

/**
 * Asks an approver over HTTP and believes nothing but a signed answer to this very asking: each has a nonce of its own, so
 * that no earlier answer counts, not even one to the same request. Throws {@link ApprovalError}.
 */
export function createWebhookDecider(options: WebhookDeciderOptions): Decider {
  const { approvers, clockMs, contextOf } = options
  const entropy = options.entropy ?? ((length: number) => new Uint8Array(randomBytes(length)))
  const http = openEndpoint(options)
  return {
    consider: async (view) => {
      const nonce = Buffer.from(entropy(32)).toString('hex')
      const { request } = view
      const { reservedAtomic, ...documents } = (await contextOf?.(request.text)) ?? {}
      const reserved = reservedAtomic === undefined ? {} : { reservedAtomic: `${reservedAtomic}` }
      const question = JSON.stringify({
        ...{ schema: QUESTION_SCHEMA, nonce, request: request.text },
        ...{ ...documents, ...reserved },
      })
      const text = await askUntilAnswered(http, question, Number(request.document.expires_at_ms), options)
      const { decision, approverId, reason } = readSignedAnswer(text, {
        nonce,
        requestDigest: request.digest,
        nowMs: clockMs(),
        approvers,
      })
      return decided(decision, approverId, reason)
    },
  }
}

function openEndpoint({ endpoint, timeoutMs = DEFAULT_TIMEOUT_MS }: WebhookDeciderOptions): HttpEndpoint {
  const [parsed] = parseEndpointOptions({ endpoints: [endpoint], timeoutMs, maxResponseBytes: MAX_ANSWER_BYTES })
  if (parsed === undefined) throw new ApprovalError('setting_malformed', 'there is no endpoint')
  return createHttpEndpoint(parsed)
}

/** A place that is not reached is asked again, too: it may be starting, and asking changes nothing. */
async function askUntilAnswered(
  http: HttpEndpoint,
  question: string,
  endMs: number,
  { clockMs, pauseMs = DEFAULT_PAUSE_MS }: WebhookDeciderOptions,
): Promise<string> {
  let failure: unknown
  while (clockMs() < endMs) {
    try {
      const answer = await http.exchange({ method: 'POST', path: '', body: question, isolated: true })
      if (answer.status === 200) return answer.text
      if (answer.status !== PENDING_STATUS)
        throw new ApprovalError('channel_failed', `the approver's place answered with status ${answer.status}`)
      failure = undefined
    } catch (cause) {
      if (!(cause instanceof EndpointError)) throw cause
      failure = cause
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  if (failure === undefined) throw new ApprovalError('no_answer', 'nobody answered before the request ended')
  throw new ApprovalError('channel_failed', "the approver's place was not reached", { cause: failure })
}
