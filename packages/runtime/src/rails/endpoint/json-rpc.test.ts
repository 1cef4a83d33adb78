import { afterEach, describe, expect, test } from 'vitest'
import { loopbackServers } from '../../../../sdk/test/loopback-server.ts'
import { EndpointFaultError, RpcAnswerError } from './errors.ts'
import { createHttpEndpoint } from './exchange.ts'
import { createRpcEndpoint, type RpcEndpoint } from './json-rpc.ts'
import { parseEndpointOptions } from './options.ts'

const servers = loopbackServers()
const opened: RpcEndpoint[] = []
afterEach(() => {
  for (const endpoint of opened.splice(0)) endpoint.close()
})

type Reply = { readonly status?: number; readonly text: string }

/** A node that answers each request with what the function makes of it; null resets the connection. */
async function nodeThat(answer: (body: { id: number; method: string; params: unknown }) => Reply | null): Promise<{
  endpoint: RpcEndpoint
  calls: string[]
}> {
  const calls: string[] = []
  const url = await servers.start((incoming, response) => {
    let text = ''
    incoming.on('data', (piece) => {
      text += piece
    })
    incoming.on('end', () => {
      const body = JSON.parse(text)
      calls.push(body.method)
      const reply = answer(body)
      if (reply === null) incoming.socket.resetAndDestroy()
      else response.writeHead(reply.status ?? 200).end(reply.text)
    })
  })
  const [parsed] = parseEndpointOptions({ endpoints: [url], timeoutMs: 2000 })
  if (parsed === undefined) throw new Error('no endpoint')
  const endpoint = createRpcEndpoint(createHttpEndpoint(parsed))
  opened.push(endpoint)
  return { endpoint, calls }
}

const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((cause: unknown) => cause)

describe('JSON-RPC', () => {
  test('gives results with all their digits, also null, false and zero', async () => {
    const { endpoint } = await nodeThat(({ id, params }) => ({
      text: `{"id":${id},"result":${JSON.stringify(params)}}`,
    }))
    expect(await endpoint.read('m', [1n, null, false, 'x'])).toEqual([1n, null, false, 'x'])
    for (const result of ['null', 'false', '0', '18446744073709551615']) {
      const { endpoint: fixed } = await nodeThat(({ id }) => ({ text: `{"id":${id},"result":${result}}` }))
      expect(await fixed.read('m', [])).toEqual(result === 'null' ? null : result === 'false' ? false : BigInt(result))
    }
  })

  test('an error answer is thrown with its code and a bounded text, whatever the status', async () => {
    for (const status of [200, 404, 500]) {
      const message = 'x'.repeat(400)
      const { endpoint } = await nodeThat(({ id }) => ({
        status,
        text: `{"result":null,"error":{"code":-32000,"message":"${message}"},"id":${id}}`,
      }))
      const error = await caught(endpoint.send('m', []))
      expect(error).toBeInstanceOf(RpcAnswerError)
      expect(error).toMatchObject({ code: -32000n, effect: 'uncertain', nodeMessage: 'x'.repeat(300) })
    }
  })

  test.each([
    ['no JSON', () => '<html>'],
    ['an array', ({ id }: { id: number }) => `[{"id":${id},"result":1}]`],
    ['another id', ({ id }: { id: number }) => `{"id":${id + 1},"result":1}`],
    ['an id as text', ({ id }: { id: number }) => `{"id":"${id}","result":1}`],
    ['no id', () => '{"result":1}'],
    ['no result', ({ id }: { id: number }) => `{"id":${id}}`],
    ['an error without code', ({ id }: { id: number }) => `{"id":${id},"error":{"message":"m"}}`],
    ['an error as text', ({ id }: { id: number }) => `{"id":${id},"error":"m"}`],
  ])('%s is malformed and uncertain', async (_name, text) => {
    const { endpoint } = await nodeThat((body) => ({ text: text(body) }))
    expect(await caught(endpoint.send('m', []))).toMatchObject({ fault: 'malformed', effect: 'uncertain' })
  })

  test.each([401, 429, 500, 503])('status %i without an answer is a fault of the transport', async (status) => {
    const { endpoint } = await nodeThat(() => ({ status, text: 'busy' }))
    expect(await caught(endpoint.send('m', []))).toMatchObject({ fault: 'status', effect: 'uncertain' })
  })

  test('a read is asked again when its connection was dead, a sending never', async () => {
    let count = 0
    const { endpoint, calls } = await nodeThat(({ id }) => {
      count += 1
      return count % 2 === 1 ? null : { text: `{"id":${id},"result":${count}}` }
    })
    expect(await endpoint.read('look', [])).toBe(2n)
    expect(await caught(endpoint.send('pay', []))).toBeInstanceOf(EndpointFaultError)
    expect(calls).toEqual(['look', 'look', 'pay'])
  })

  test('calls that overlap get their own answers', async () => {
    const { endpoint } = await nodeThat(({ id, method }) => ({ text: `{"id":${id},"result":"${method}"}` }))
    const methods = Array.from({ length: 20 }, (_, index) => `m${index}`)
    expect(await Promise.all(methods.map((method) => endpoint.read(method, [])))).toEqual(methods)
  })
})
