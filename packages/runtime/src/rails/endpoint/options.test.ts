import { describe, expect, test } from 'vitest'
import { RailOptionError } from './errors.ts'
import { type EndpointOptions, parseEndpointOptions } from './options.ts'

const local = 'http://127.0.0.1:8545'

function refusal(options: EndpointOptions): string {
  try {
    parseEndpointOptions(options)
  } catch (cause) {
    expect(cause).toBeInstanceOf(RailOptionError)
    return (cause as RailOptionError).message
  }
  throw new Error('the options were accepted')
}

describe('settings of endpoints', () => {
  test.each([
    [{ endpoints: [] }, 'endpoints: got 0, expected 1 to 8'],
    [{ endpoints: new Array<string>(9).fill(local) }, 'endpoints: got 9, expected 1 to 8'],
    [{ endpoints: ['nowhere'] }, 'endpoints[0]: got no URL'],
    [{ endpoints: [local, 'ftp://host/'] }, 'endpoints[1]: got ftp:'],
    [{ endpoints: ['http://10.0.0.1/'] }, 'endpoints[0]: got http://10.0.0.1, expected https:'],
    [{ endpoints: [local], timeoutMs: 0 }, 'timeoutMs: got 0'],
    [{ endpoints: [local], timeoutMs: 120_001 }, 'timeoutMs: got 120001'],
    [{ endpoints: [local], timeoutMs: 1.5 }, 'timeoutMs: got 1.5'],
    [{ endpoints: [local], maxResponseBytes: 67_108_865 }, 'maxResponseBytes: got 67108865'],
  ])('%j is refused', (options, message) => {
    expect(refusal(options)).toContain(message)
  })

  test.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://node.example/key'])(
    '%s is taken',
    (url) => {
      expect(parseEndpointOptions({ endpoints: [url] })[0]?.origin).toBe(new URL(url).origin)
    },
  )

  test('clear text beyond loopback must be allowed by name', () => {
    expect(parseEndpointOptions({ endpoints: [{ url: 'http://10.0.0.1/', allowClearText: true }] })).toHaveLength(1)
  })

  test('no refusal shows a path, user information or a header', () => {
    const endpoint = { url: 'http://user:secret@10.0.0.1/secret-key', headers: { key: 'secret' } }
    expect(refusal({ endpoints: [endpoint] })).not.toContain('secret')
    expect(refusal({ endpoints: ['secret'] })).not.toContain('secret')
  })
})
