import type { Cid } from '@oikos/core'
import { askService, memberOf, type PinEndpoint, quote } from './ask-service.ts'
import { PinError } from './pin-error.ts'

/** A pin of a pinning service. */
export type ServicePin = { readonly cid: Cid; readonly requestId: string }

/** What is pinned, and how long the outcome is waited for. */
export type ServicePinOptions = {
  readonly cid: Cid
  /** Shown in lists of the service. */
  readonly name?: string
  /** Multiaddresses of nodes that have the content. */
  readonly origins?: readonly string[]
  /** Waits between two questions. */
  readonly sleep: (ms: number) => Promise<void>
  /** Questions after the order, one every `pollMs`. Default 60 of 2,000 ms. */
  readonly polls?: number
  readonly pollMs?: number
}

/**
 * Orders a pin and waits until the service says `pinned`. An order that exists is taken up, not repeated.
 * Source: IPFS Pinning Service API, version 1.
 * @throws {@link PinError}, `pending` when the service has not finished
 */
export async function pinToService(endpoint: PinEndpoint, options: ServicePinOptions): Promise<ServicePin> {
  const { cid } = options
  const { polls = 60, pollMs = 2_000 } = options
  let pin = (await findOrder(endpoint, cid)) ?? (await order(endpoint, options))
  for (let left = polls; pin.status !== 'pinned'; left--) {
    if (pin.status === 'failed') throw new PinError('failed', 'the service gave up on it', { cid })
    if (left <= 0) throw new PinError('pending', `the service has it as ${pin.status}`, { cid })
    await options.sleep(pollMs)
    endpoint.signal?.throwIfAborted()
    pin = readPin(await askService(endpoint, `/pins/${encodeURIComponent(pin.requestId)}`, { method: 'GET' }), cid)
  }
  return { cid, requestId: pin.requestId }
}

type PinState = { readonly requestId: string; readonly status: 'queued' | 'pinning' | 'pinned' | 'failed' }

async function findOrder(endpoint: PinEndpoint, cid: Cid): Promise<PinState | undefined> {
  const answer = await askService(endpoint, `/pins?cid=${cid}&status=queued,pinning,pinned&limit=1`, { method: 'GET' })
  const results = memberOf(answer, 'results')
  if (!Array.isArray(results)) throw new PinError('bad-answer', 'the service gives no list of pins', { cid })
  return results.length === 0 ? undefined : readPin(results[0], cid)
}

async function order(endpoint: PinEndpoint, { cid, name, origins }: ServicePinOptions): Promise<PinState> {
  const json = { cid, ...(name === undefined ? {} : { name }), ...(origins === undefined ? {} : { origins }) }
  return readPin(await askService(endpoint, '/pins', { method: 'POST', json }), cid)
}

/** Longest identifier of an order that is sent back to the service. */
const MAX_REQUEST_ID = 256

function readPin(value: unknown, cid: Cid): PinState {
  const [requestId, status] = [memberOf(value, 'requestid'), memberOf(value, 'status')]
  if (memberOf(memberOf(value, 'pin'), 'cid') !== cid) {
    throw new PinError('bad-answer', 'the service speaks of other content', { cid })
  }
  const isStatus = status === 'queued' || status === 'pinning' || status === 'pinned' || status === 'failed'
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > MAX_REQUEST_ID || !isStatus) {
    throw new PinError('bad-answer', `the service gives no pin with a state: ${quote(JSON.stringify(value))}`, { cid })
  }
  return { requestId, status }
}
