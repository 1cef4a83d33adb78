import { taskTokenAbi } from '@oikos/core/abi'
import { type Address, encodeAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { NodeFailedError } from './node-error.ts'
import { createContractReader } from './read-contract.ts'

type Body = { method: string; params: [{ gas: string; to: string }, string] }

/** A node that gives these replies in turn; the last one for ever. */
function nodeThat(...replies: (object | Error | number)[]) {
  const asked: { url: string; body: Body }[] = []
  const ask = (async (url: string, init: RequestInit) => {
    asked.push({ url, body: JSON.parse(String(init.body)) as Body })
    const reply = replies[Math.min(asked.length, replies.length) - 1]
    if (reply instanceof Error) throw reply
    if (typeof reply === 'number') return new Response('', { status: reply })
    return Response.json(reply)
  }) as unknown as typeof fetch
  return { asked, ask }
}

const address: Address = `0x${'11'.repeat(20)}`
const question = { address, abi: taskTokenAbi, functionName: 'completionsOf', args: [1n], at: 7 } as const
const seven = encodeAbiParameters([{ type: 'uint64' }], [7n])

describe('a contract that nobody vouches for', () => {
  test('is asked with bounded gas at the block', async () => {
    const { asked, ask } = nodeThat({ result: seven })
    expect(await createContractReader(['http://a'], ask).read(question)).toBe(7n)
    expect(asked[0]?.body).toMatchObject({ method: 'eth_call', params: [{ gas: '0x1e8480' }, '0x7'] })
  })

  test.each([
    ['reverts', { error: { code: 3, message: 'execution reverted' } }],
    ['runs out of gas', { error: { code: -32_000, message: 'out of gas' } }],
    ['has no code', { result: '0x' }],
    ['answers something else', { result: '0x1234' }],
    ['answers no text', { result: 5 }],
    ['answers megabytes', { result: `0x${'00'.repeat(70_000)}` }],
  ])('one that %s gives no answer, at once', async (_, reply) => {
    const { asked, ask } = nodeThat(reply)
    expect(await createContractReader(['http://a'], ask).read(question)).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  test('a node that is in trouble is asked again, and the next one', async () => {
    const { asked, ask } = nodeThat(new Error('refused'), 503, { error: { message: 'rate limit' } }, { result: seven })
    expect(await createContractReader(['http://a', 'http://b'], ask).read(question)).toBe(7n)
    expect(asked.map(({ url }) => url)).toEqual(['http://a', 'http://b', 'http://a', 'http://b'])
  })

  test('a node that has forgotten the block is an error, not a contract that refuses', async () => {
    const { ask } = nodeThat({ error: { code: -32_000, message: 'missing trie node' } })
    const failing = createContractReader(['http://a'], ask).read(question)
    await expect(failing).rejects.toBeInstanceOf(NodeFailedError)
    await expect(failing).rejects.toMatchObject({ retryable: true, method: 'eth_call' })
  })

  test('code and block number', async () => {
    const { ask } = nodeThat({ result: '0x60' }, { result: '0x' }, { result: '0x10' })
    const reader = createContractReader(['http://a'], ask)
    expect([
      await reader.hasCode(question.address, 'latest'),
      await reader.hasCode(question.address, 'latest'),
    ]).toEqual([...[true, false]])
    expect(await reader.blockNumber()).toBe(16)
  })
})
