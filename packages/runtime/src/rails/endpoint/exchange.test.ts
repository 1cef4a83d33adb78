import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { EndpointFaultError } from './errors.ts'
import { createHttpEndpoint, type HttpEndpoint, type HttpRequest } from './exchange.ts'
import { type EndpointOptions, MAX_REQUEST_BYTES, parseEndpointOptions } from './options.ts'

type Listener = { readonly url: string; readonly connections: () => number; readonly requests: string[] }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listen(server: Server, requests: string[] = []): Promise<Listener> {
  let connections = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    requests,
  }
}

function listenHttp(listener: RequestListener): Promise<Listener> {
  const requests: string[] = []
  const server = createHttpServer((incoming, response) => {
    requests.push(incoming.url ?? '')
    listener(incoming, response)
  })
  return listen(server, requests)
}

async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  return url
}

function endpointAt(url: string, options: Omit<EndpointOptions, 'endpoints'> = {}): HttpEndpoint {
  const [parsed] = parseEndpointOptions({ endpoints: [{ url, allowClearText: true }], timeoutMs: 2000, ...options })
  if (parsed === undefined) throw new Error('no endpoint')
  const endpoint = createHttpEndpoint(parsed)
  closers.push(() => endpoint.close())
  return endpoint
}

const post: HttpRequest = { method: 'POST', path: '', body: '{}', isolated: true }

async function faultOf(endpoint: HttpEndpoint, request: HttpRequest = post): Promise<EndpointFaultError> {
  const outcome = await endpoint.exchange(request).then(
    (answer) => answer,
    (cause: unknown) => cause,
  )
  expect(outcome).toBeInstanceOf(EndpointFaultError)
  return outcome as EndpointFaultError
}

const summary = ({ fault, effect }: EndpointFaultError): string => `${fault} ${effect}`
const hanging = () => {}

describe('nothing can have left', () => {
  test('a refused connection is not-started', async () => {
    expect(summary(await faultOf(endpointAt(await closedPort())))).toBe('unreachable not-started')
  })

  test('a name that does not resolve is not-started', async () => {
    const lookup: EndpointOptions['lookup'] = (_name, _options, callback) => {
      setImmediate(() => callback(new Error('no such name'), []))
    }
    expect(summary(await faultOf(endpointAt('http://node.example', { lookup })))).toBe('unreachable not-started')
  })

  test('a connection that is not established in time is not-started', async () => {
    const endpoint = endpointAt('http://node.example', { lookup: hanging, timeoutMs: 30 })
    expect(summary(await faultOf(endpoint))).toBe('unreachable not-started')
  })

  test('a cancellation before the request is not-started, and nothing connects', async () => {
    const server = await listenHttp((_incoming, response) => response.end('{}'))
    const cancellation = AbortSignal.abort()
    expect(summary(await faultOf(endpointAt(server.url, { cancellation })))).toBe('cancelled not-started')
    expect(server.connections()).toBe(0)
  })

  test('a cancellation while connecting is not-started', async () => {
    const controller = new AbortController()
    const endpoint = endpointAt('http://node.example', { lookup: hanging, cancellation: controller.signal })
    const outcome = faultOf(endpoint)
    setTimeout(() => controller.abort(), 10)
    expect(summary(await outcome)).toBe('cancelled not-started')
  })

  test('a request that is too long is not-started, and nothing connects', async () => {
    const server = await listenHttp((_incoming, response) => response.end('{}'))
    const body = 'x'.repeat(MAX_REQUEST_BYTES + 1)
    expect(summary(await faultOf(endpointAt(server.url), { ...post, body }))).toBe('oversize not-started')
    expect(server.connections()).toBe(0)
  })
})

describe('everything after a connection is uncertain', () => {
  test('a connection that is reset at the first byte', async () => {
    const server = await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())))
    expect(summary(await faultOf(endpointAt(server.url)))).toBe('connection-lost uncertain')
    expect(server.connections()).toBe(1)
  })

  test('a handshake that fails', async () => {
    const server = await listen(createServer((socket) => socket.end('no TLS here')))
    const endpoint = endpointAt(server.url.replace('http:', 'https:'))
    expect(summary(await faultOf(endpoint))).toBe('connection-lost uncertain')
  })

  test('no answer in time', async () => {
    const server = await listenHttp(hanging)
    expect(summary(await faultOf(endpointAt(server.url, { timeoutMs: 60 })))).toBe('timeout uncertain')
    expect(server.requests).toHaveLength(1)
  })

  test('an answer that drips slower than the time limit, though it never stops', async () => {
    const server = await listenHttp((_incoming, response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.once('close', () => clearInterval(timer))
    })
    expect(summary(await faultOf(endpointAt(server.url, { timeoutMs: 120 })))).toBe('timeout uncertain')
  })

  test('a cancellation during the request', async () => {
    const controller = new AbortController()
    const server = await listenHttp(() => controller.abort())
    const endpoint = endpointAt(server.url, { cancellation: controller.signal })
    expect(summary(await faultOf(endpoint))).toBe('cancelled uncertain')
  })

  test('an answer that breaks off', async () => {
    const server = await listenHttp((incoming, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('{"a"', () => incoming.socket.resetAndDestroy())
    })
    expect(summary(await faultOf(endpointAt(server.url)))).toBe('connection-lost uncertain')
  })

  test('an answer that ends early without a reset', async () => {
    const server = await listen(
      createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"a"')),
    )
    expect(summary(await faultOf(endpointAt(server.url)))).toBe('connection-lost uncertain')
  })

  test('something that is not HTTP', async () => {
    const server = await listen(createServer((socket) => socket.end('SSH-2.0-nothing\r\n')))
    expect(summary(await faultOf(endpointAt(server.url)))).toBe('connection-lost uncertain')
  })

  test.each([
    ['announced', { 'content-length': '101' }],
    ['streamed', {}],
  ])('an answer that is too long, %s', async (_how, headers: Record<string, string>) => {
    const server = await listenHttp((_incoming, response) => {
      response.writeHead(200, headers)
      response.end('x'.repeat(101))
    })
    expect(summary(await faultOf(endpointAt(server.url, { maxResponseBytes: 100 })))).toBe('oversize uncertain')
    const enough = endpointAt(server.url, { maxResponseBytes: 101 })
    expect(await enough.exchange(post)).toEqual({ status: 200, text: 'x'.repeat(101) })
  })

  test.each([301, 302, 303, 307, 308])('status %i is a redirect that is not followed', async (status) => {
    const elsewhere = await listenHttp((_incoming, response) => response.end('{}'))
    const server = await listenHttp((_incoming, response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    )
    expect(summary(await faultOf(endpointAt(server.url)))).toBe('redirect uncertain')
    expect(elsewhere.connections()).toBe(0)
  })

  test('an answer that is compressed or not UTF-8', async () => {
    const zipped = await listenHttp((_incoming, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
    )
    expect(summary(await faultOf(endpointAt(zipped.url)))).toBe('malformed uncertain')
    const latin = await listenHttp((_incoming, response) => response.end(Buffer.from([0xe4])))
    expect(summary(await faultOf(endpointAt(latin.url)))).toBe('malformed uncertain')
  })

  test('a head of more than 16 KiB', async () => {
    const server = await listenHttp((_incoming, response) =>
      response.writeHead(200, { long: 'x'.repeat(17_000) }).end(),
    )
    expect(summary(await faultOf(endpointAt(server.url)))).toBe('connection-lost uncertain')
  })
})

describe('connections', () => {
  test('kept connections are used again, an isolated request has its own', async () => {
    const server = await listenHttp((_incoming, response) => response.end('{}'))
    const endpoint = endpointAt(server.url)
    const kept = { ...post, isolated: false }
    for (const request of [kept, kept, kept]) await endpoint.exchange(request)
    expect(server.connections()).toBe(1)
    for (const request of [post, post]) await endpoint.exchange(request)
    expect(server.connections()).toBe(3)
  })

  test('a kept connection that is dead is uncertain: it is not known whether it died before or after', async () => {
    let answered = 0
    const server = await listenHttp((incoming, response) => {
      answered += 1
      if (answered === 1) response.end('{}')
      else incoming.socket.resetAndDestroy()
    })
    const endpoint = endpointAt(server.url)
    await endpoint.exchange({ ...post, isolated: false })
    expect(summary(await faultOf(endpoint, { ...post, isolated: false }))).toBe('connection-lost uncertain')
  })

  test('paths are joined, headers are sent, no compressed answer is asked for', async () => {
    const seen: unknown[] = []
    const server = await listenHttp((incoming, response) => {
      const { authorization, 'accept-encoding': encoding, 'x-key': key } = incoming.headers
      seen.push([incoming.method, incoming.url, authorization, encoding, key])
      response.end('ok')
    })
    const url = `${server.url.replace('http://', 'http://user:p%40ss@')}/v2/`
    const [parsed] = parseEndpointOptions({ endpoints: [{ url, headers: { 'x-key': 'k' } }] })
    if (parsed === undefined) throw new Error('no endpoint')
    const endpoint = createHttpEndpoint(parsed)
    await endpoint.exchange({ method: 'GET', path: '/tx/1', isolated: true })
    await endpoint.exchange(post)
    const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
    expect(seen).toEqual([
      ['GET', '/v2/tx/1', basic, 'identity', 'k'],
      ['POST', '/v2/', basic, 'identity', 'k'],
    ])
  })

  test('a proxy of the environment is not used', async () => {
    const proxy = await listenHttp((_incoming, response) => response.end('proxied'))
    const server = await listenHttp((_incoming, response) => response.end('direct'))
    const before = process.env['HTTP_PROXY']
    process.env['HTTP_PROXY'] = proxy.url
    process.env['NODE_USE_ENV_PROXY'] = '1'
    try {
      expect((await endpointAt(server.url).exchange(post)).text).toBe('direct')
      expect(proxy.connections()).toBe(0)
    } finally {
      delete process.env['NODE_USE_ENV_PROXY']
      if (before === undefined) delete process.env['HTTP_PROXY']
      else process.env['HTTP_PROXY'] = before
    }
  })
})
