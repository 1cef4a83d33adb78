import { createContentResolver, type FetchFunction } from '@oikos/sdk/content'
import { describe, expect, it } from 'vitest'
import { createFetchFromStrangers } from './fetch-from-strangers.ts'

const CID = 'bafkreiapzlh6c4yxczme4judqvqrvcrjctjz5fsduk3hbbli5kce5oflby'

/** Counts requests by origin; `silent` never answers, `endless` never ends its body, others answer. */
function world() {
  const asked = new Map<string, number>()
  const fetch: FetchFunction = async (url, init) => {
    const { hostname } = new URL(url)
    asked.set(hostname, (asked.get(hostname) ?? 0) + 1)
    if (hostname.startsWith('broken')) throw new Error('no route')
    if (hostname.startsWith('endless')) {
      const body = new ReadableStream({
        start: (controller) => init.signal?.addEventListener('abort', () => controller.error(new Error('aborted'))),
      })
      return new Response(body)
    }
    if (!hostname.startsWith('silent')) return new Response('hello')
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
    })
  }
  const limits = { timeoutMs: 5 }
  const resolver = (gateways: readonly string[]) =>
    createContentResolver({ gateways, fetch: createFetchFromStrangers(fetch, gateways), limits })
  return { asked, resolver }
}

describe('servers that strangers name', () => {
  it.each(['silent', 'endless', 'broken'])('are left alone when they keep being %s', async (kind) => {
    const { asked, resolver } = world()
    const { resolve } = resolver([])
    for (let index = 0; index < 30; index++) {
      expect((await resolve(`https://${kind}.example/${index}`)).ok).toBe(false)
    }
    expect(asked.get(`${kind}.example`)).toBe(8)
    expect((await resolve('https://fine.example/1')).ok).toBe(true)
  })

  it('are asked again and again while they answer', async () => {
    const { asked, resolver } = world()
    const { resolve } = resolver([])
    for (let index = 0; index < 30; index++) await resolve(`https://fine.example/${index}`)
    expect(asked.get('fine.example')).toBe(30)
  })

  it('are always asked when the user chose them', async () => {
    const { asked, resolver } = world()
    const { resolve } = resolver(['https://silent.example'])
    for (let index = 0; index < 12; index++) await resolve(`ipfs://${CID}`)
    expect(asked.get('silent.example')).toBe(12)
  })
})
