import { type LookupFunction, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answering, type RawServer, startRawServer } from '../../test/raw-server.ts'
import { type SelfSigned, selfSign } from '../../test/self-signed.ts'
import { createCheckedFetch } from './checked-fetch.ts'
import { type CheckedHttpOptions, requestChecked } from './checked-request.ts'

const host = 'market.example.org'
const origin = `https://${host}`
const request = { origin, method: 'GET', resource: '/data' } as const

let server: RawServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(talk: (socket: Socket) => void, certificate?: SelfSigned): Promise<CheckedHttpOptions> {
  server = await startRawServer(talk, certificate)
  const authority = certificate === undefined ? {} : { authorityPem: certificate.certificatePem }
  return { localServers: { [origin]: { port: server.port, ...authority } }, timeoutMs: 2_000 }
}

const refusedWith = (code: string, disposition: string) =>
  expect.objectContaining({ name: 'X402Refusal', code, disposition })

describe('where a request goes', () => {
  const unreachableResolver = (addresses: readonly string[]) => ({ resolve: async () => addresses, timeoutMs: 500 })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a private network', ['10.1.2.3']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1']],
    ['public first, private behind it', ['93.184.216.34', '192.168.0.1']],
    ['IPv6 loopback behind a public one', ['2606:4700::1111', '::1']],
    ['no address at all but a name', ['localhost']],
  ])('refuses a name that points at %s, before anything is sent', async (_what, addresses) => {
    await expect(requestChecked(request, unreachableResolver(addresses))).rejects.toEqual(
      refusedWith('private_address', 'policy_rejected'),
    )
  })

  test('refuses a name with more addresses than can be checked', async () => {
    const addresses = Array.from({ length: 17 }, (_, index) => `93.184.216.${index}`)
    await expect(requestChecked(request, unreachableResolver(addresses))).rejects.toEqual(
      refusedWith('private_address', 'policy_rejected'),
    )
  })

  test('says when a name has no address, and when it cannot be resolved', async () => {
    const notStarted = refusedWith('name_unresolved', 'definitely_not_started')
    await expect(requestChecked(request, { resolve: async () => [] })).rejects.toEqual(notStarted)
    const fail = async () => {
      throw new Error('SERVFAIL')
    }
    await expect(requestChecked(request, { resolve: fail })).rejects.toEqual(notStarted)
  })

  test('asks the resolver once: a second answer (DNS rebinding) is never heard', async () => {
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return asked.length === 1 ? ['192.0.0.8', '93.184.216.34'] : ['127.0.0.1']
    }
    await expect(requestChecked(request, { resolve, timeoutMs: 500 })).rejects.toEqual(
      refusedWith('private_address', 'policy_rejected'),
    )
    expect(asked).toEqual([host])
  })

  test('connects to the address that was checked, and refuses a connection that went elsewhere', async () => {
    const certificate = selfSign(host)
    await start(answering('HTTP/1.1 200 OK\r\n\r\n'), certificate)
    const wanted: unknown[] = []
    const connect = Socket.prototype.connect as (this: Socket, port: number, host: string) => Socket
    // Something between us and the network (a proxy, a changed route) leads every connection to this machine.
    const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
      const [first] = given.flat() as { readonly lookup?: LookupFunction; readonly port?: number }[]
      first?.lookup?.(host, { all: true }, (_error, addresses) => wanted.push(addresses, first.port))
      return connect.call(this, server?.port ?? 0, '127.0.0.1')
    })
    try {
      const attempt = requestChecked(request, { resolve: async () => ['93.184.216.34'], timeoutMs: 2_000 })
      await expect(attempt).rejects.toEqual(refusedWith('address_changed', 'definitely_not_started'))
    } finally {
      spy.mockRestore()
    }
    expect(wanted).toEqual([[{ address: '93.184.216.34', family: 4 }], 443])
    expect(server?.received()).toBe('')
  })

  test.each([
    ['an address of this machine', 'https://127.0.0.1', '/data'],
    ['a port', 'https://market.example.org:8443', '/data'],
    ['plain HTTP', 'http://market.example.org', '/data'],
    ['a user', 'https://user@market.example.org', '/data'],
    ['a query', origin, '/data?x=1'],
    ['a way up', origin, '/a/../data'],
    ['a line break', origin, '/data\r\nHost: evil'],
  ])('refuses %s', async (_what, badOrigin, resource) => {
    await expect(requestChecked({ origin: badOrigin, method: 'GET', resource })).rejects.toEqual(
      refusedWith('address_refused', 'policy_rejected'),
    )
  })

  test('reaches loopback only for the origin that was named for it', async () => {
    const options = await start(answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    expect((await requestChecked(request, options)).status).toBe(200)
    const other = { ...request, origin: 'https://other.example.org' }
    await expect(requestChecked(other, { ...options, resolve: async () => ['127.0.0.1'] })).rejects.toEqual(
      refusedWith('private_address', 'policy_rejected'),
    )
  })
})

describe('TLS', () => {
  const certificate = selfSign(host)

  test('is spoken with the name of the origin, and the host header names it, too', async () => {
    const options = await start(answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'), certificate)
    const answer = await requestChecked(request, options)
    expect(Buffer.from(answer.body).toString()).toBe('ok')
    expect(server?.received()).toContain('\r\nhost: market.example.org\r\n')
    expect(server?.received()).toContain('\r\naccept-encoding: identity\r\n')
  })

  test('refuses a certificate for another name, before the request is sent', async () => {
    const foreign = selfSign('other.example.org')
    const options = await start(answering('HTTP/1.1 200 OK\r\n\r\n'), foreign)
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('unreachable', 'definitely_not_started'))
    expect(server?.received()).toBe('')
  })

  test('refuses a certificate that no trusted authority signed', async () => {
    const options = await start(answering('HTTP/1.1 200 OK\r\n\r\n'), certificate)
    const trusting = {
      ...options,
      localServers: { [origin]: { port: server?.port ?? 0, authorityPem: selfSign(host).certificatePem } },
    }
    await expect(requestChecked(request, trusting)).rejects.toEqual(
      refusedWith('unreachable', 'definitely_not_started'),
    )
    expect(server?.received()).toBe('')
  })
})

describe('answers of hostile servers', () => {
  const chunked = 'HTTP/1.1 402 Payment Required\r\ntransfer-encoding: chunked\r\n\r\n'

  test.each([301, 302, 303, 307, 308, 304])('status %s is not followed', async (status) => {
    const options = await start(answering(`HTTP/1.1 ${status} Elsewhere\r\nlocation: http://127.0.0.1/\r\n\r\n`))
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('redirect', 'policy_rejected'))
    expect(server?.connections()).toBe(1)
  })

  test('a head that never ends is cut off at its limit', async () => {
    const options = await start((socket) => {
      socket.write('HTTP/1.1 402 Payment Required\r\n')
      const timer = setInterval(() => socket.write(`x-${'a'.repeat(8_000)}: b\r\n`), 1)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('oversize', 'failed_uncertain'))
  })

  test('a head of one byte a moment (slowloris) is given up at the deadline', async () => {
    const options = await start((socket) => {
      const timer = setInterval(() => socket.write('a'), 20)
      socket.on('close', () => clearInterval(timer))
      socket.write('HTTP/1.1 402 Payment Required\r\nx: ')
    })
    const started = performance.now()
    await expect(requestChecked(request, { ...options, timeoutMs: 300 })).rejects.toEqual(
      refusedWith('timeout', 'failed_uncertain'),
    )
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('a body of one byte a moment is given up at the deadline', async () => {
    const options = await start((socket) => {
      socket.write(chunked)
      const timer = setInterval(() => socket.write('1\r\na\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(requestChecked(request, { ...options, timeoutMs: 300 })).rejects.toEqual(
      refusedWith('timeout', 'failed_uncertain'),
    )
  })

  test('a server that never answers is given up at the deadline', async () => {
    const options = await start(() => {})
    await expect(requestChecked(request, { ...options, timeoutMs: 200 })).rejects.toEqual(
      refusedWith('timeout', 'failed_uncertain'),
    )
  })

  test('a resolver that never answers is given up at the deadline, before anything left', async () => {
    const resolve = () => new Promise<readonly string[]>(() => {})
    await expect(requestChecked(request, { resolve, timeoutMs: 100 })).rejects.toEqual(
      refusedWith('timeout', 'definitely_not_started'),
    )
  })

  test('informational answers without end are given up at the deadline', async () => {
    const options = await start((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(requestChecked(request, { ...options, timeoutMs: 300 })).rejects.toEqual(
      refusedWith('timeout', 'failed_uncertain'),
    )
  })

  test('a body that says it is too long is not read', async () => {
    const options = await start(answering('HTTP/1.1 402 Payment Required\r\ncontent-length: 99999999\r\n\r\n'))
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('oversize', 'failed_uncertain'))
  })

  test('a body that grows beyond the limit is cut off, at the limit exactly it is taken', async () => {
    const body = (length: number) => `${chunked}${length.toString(16)}\r\n${'a'.repeat(length)}\r\n0\r\n\r\n`
    const at = await start(answering(body(100)))
    expect((await requestChecked(request, { ...at, maxBodyBytes: 100 })).body.length).toBe(100)
    await server?.close()
    const over = await start(answering(body(101)))
    await expect(requestChecked(request, { ...over, maxBodyBytes: 100 })).rejects.toEqual(
      refusedWith('oversize', 'failed_uncertain'),
    )
  })

  test('a compressed body (gzip bomb) is refused before a byte of it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const head = `HTTP/1.1 402 Payment Required\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    const options = await start(answering(Buffer.concat([Buffer.from(head), bomb])))
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('encoding', 'failed_uncertain'))
  })

  test.each([
    ['ends in the middle of the head', 'HTTP/1.1 402 Paym'],
    ['ends in the middle of the body', 'HTTP/1.1 402 Payment Required\r\ncontent-length: 10\r\n\r\nabc'],
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['has two lengths', 'HTTP/1.1 402 P\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
    ['has a length and chunks', 'HTTP/1.1 402 P\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['ends at once', ''],
  ])('an answer that %s is a lost connection', async (_what, answer) => {
    const options = await start(answering(answer))
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('connection_lost', 'failed_uncertain'))
  })

  test('nobody listens: nothing left', async () => {
    const options = await start(() => {})
    await server?.close()
    server = undefined
    await expect(requestChecked(request, options)).rejects.toEqual(refusedWith('unreachable', 'definitely_not_started'))
  })

  test('a caller that gives up is heard before and during the request', async () => {
    const options = await start(() => {})
    const gone = AbortSignal.abort()
    await expect(requestChecked(request, { ...options, cancellation: gone })).rejects.toEqual(
      refusedWith('cancelled', 'definitely_not_started'),
    )
    const leaving = AbortSignal.timeout(100)
    await expect(requestChecked(request, { ...options, cancellation: leaving })).rejects.toEqual(
      refusedWith('cancelled', 'failed_uncertain'),
    )
  })
})

describe('the checked fetch', () => {
  test('carries method, headers and body there, and status, headers and body back', async () => {
    const options = await start(answering('HTTP/1.1 402 P\r\npayment-required: e30=\r\ncontent-length: 2\r\n\r\n{}'))
    const response = await createCheckedFetch(options)(`${origin}/data`, {
      method: 'POST',
      body: 'hello',
      headers: { 'x-a': '1' },
    })
    expect([response.status, response.headers.get('payment-required'), await response.text()]).toEqual([
      402,
      'e30=',
      '{}',
    ])
    expect(server?.received()).toMatch(/^POST \/data HTTP\/1.1\r\n/)
    expect(server?.received()).toContain('x-a: 1\r\n')
    expect(server?.received()).toMatch(/\r\n\r\nhello$/)
  })

  test('hears the signal of its caller', async () => {
    const options = await start(() => {})
    const attempt = createCheckedFetch(options)(`${origin}/data`, { signal: AbortSignal.timeout(50) })
    await expect(attempt).rejects.toEqual(refusedWith('cancelled', 'failed_uncertain'))
  })

  test.each(['PUT', 'DELETE', 'HEAD'])('refuses method %s', async (method) => {
    await expect(createCheckedFetch()(`${origin}/data`, { method })).rejects.toMatchObject({ code: 'address_refused' })
  })

  test('refuses a query, as no policy can list one', async () => {
    await expect(createCheckedFetch()(`${origin}/data?a=b`)).rejects.toMatchObject({ code: 'address_refused' })
  })
})
