import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Operator, OperatorHealth } from './operator.ts'

/** Where the state of an operator can be asked for. */
export type HealthServer = { readonly url: string; readonly close: () => Promise<void> }

/** How {@link serveHealth} judges and where it listens. */
export type HealthOptions = {
  readonly operator: Pick<Operator, 'health'>
  /** Of 127.0.0.1; 0 takes a free one. */
  readonly port: number
  readonly clockMs: () => bigint
  /** After so long without a pass that ended well the operator is taken for stuck. */
  readonly maxSilenceMs: bigint
}

/** What one of the pages says. */
type Page = { readonly status: 200 | 503; readonly body: Readonly<Record<string, unknown>> }

/**
 * Serves `/healthz` (the loop turns) and `/readyz` (it acts for its Agent; an operator that stands by does not) as JSON, on
 * loopback only: 200 for yes, 503 for no. They tell nothing that is secret and change nothing.
 */
export async function serveHealth(options: HealthOptions): Promise<HealthServer> {
  const startedAtMs = options.clockMs()
  const server = createServer((request, response) => answer(request, response, options, startedAtMs))
  server.headersTimeout = 5_000
  server.requestTimeout = 5_000
  server.maxConnections = 50
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { operator, clockMs, maxSilenceMs }: HealthOptions,
  startedAtMs: bigint,
): void {
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : `${JSON.stringify(body)}\n`)
  }
  const refusal = findRefusal(request)
  if (refusal !== undefined) {
    send(refusal.status, { error: refusal.error })
    return
  }
  const health = operator.health()
  const silenceMs = clockMs() - (health.lastPassAtMs ?? startedAtMs)
  const { status, body } = (request.url === '/healthz' ? judgeHealth : judgeReadiness)(health, silenceMs, maxSilenceMs)
  send(status, body)
}

function findRefusal({ headers, method, url }: IncomingMessage): { status: number; error: string } | undefined {
  // a page of another site may make a browser ask, under a name of its own
  if (!/^(127\.0\.0\.1|localhost)(:[0-9]+)?$/.test(headers.host ?? '')) return { status: 403, error: 'host' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, error: 'method' }
  return url === '/healthz' || url === '/readyz' ? undefined : { status: 404, error: 'path' }
}

function judgeHealth(health: OperatorHealth, silenceMs: bigint, maxSilenceMs: bigint): Page {
  const isAlive = silenceMs <= maxSilenceMs
  const body = {
    ok: isAlive,
    status: health.lastPass?.status ?? 'starting',
    secondsSinceLastPass: Number(silenceMs / 1_000n),
    blockNumber: health.lastPass?.blockNumber?.toString(),
    lastFailure: health.lastFailure,
  }
  return { status: isAlive ? 200 : 503, body }
}

function judgeReadiness(health: OperatorHealth, silenceMs: bigint, maxSilenceMs: bigint): Page {
  const status = health.lastPass?.status
  const isReady =
    (status === 'idle' || status === 'busy') && health.lastFailure === undefined && silenceMs <= maxSilenceMs
  const body = {
    ok: isReady,
    status: status ?? 'starting',
    waiting: health.lastPass?.waiting ?? [],
    lastFailure: health.lastFailure,
  }
  return { status: isReady ? 200 : 503, body }
}
