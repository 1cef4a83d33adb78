import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UsageError } from '../../errors.ts'
import type { Reach } from './reach.ts'
import { addTool, type Call, type Load } from './tool.ts'
import { untrusted } from './untrusted.ts'

type Work = (call: Call) => Promise<{ text: string; amount: bigint }>

/** A client of a server with one tool, which does what the test says. */
async function withTool(work: Work, options: { deadlineMs?: number; load?: Load; ended?: AbortSignal } = {}) {
  const server = new McpServer({ name: 'test', version: '1' })
  const signal = options.ended ?? new AbortController().signal
  // this tool reaches for nothing
  addTool(server, { signal } as Reach, options.load ?? { running: 0 }, {
    ...{
      name: 'work',
      title: 'Work',
      description: 'Works.',
      effects: 'reads',
      deadlineMs: options.deadlineMs ?? 5_000,
    },
    input: z.strictObject({}),
    output: z.strictObject({ text: z.string(), amount: z.string() }),
    run: (_reach, _input, call) => work(call),
  })
  const client = new Client({ name: 'test', version: '1' })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  const call = async (signalOfCaller?: AbortSignal) => {
    const given = signalOfCaller === undefined ? {} : { signal: signalOfCaller }
    const answer = await client.callTool({ name: 'work', arguments: {} }, undefined, given)
    const [first] = answer.content as { text: string }[]
    return { isError: answer.isError === true, data: JSON.parse(first?.text ?? '') }
  }
  return { client, call }
}

const never = new Promise<never>(() => {})

describe('a call', () => {
  it('gives amounts as decimal text and texts without controls', async () => {
    const { call } = await withTool(async () => ({ text: 'a\u001b[2Jb', amount: 2n ** 255n }))
    expect(await call()).toEqual({ isError: false, data: { text: 'a\\u{1b}[2Jb', amount: String(2n ** 255n) } })
  })

  it('ends at its deadline, also where what it waits for does not', async () => {
    const { call } = await withTool(() => never, { deadlineMs: 20 })
    expect(await call()).toMatchObject({ isError: true, data: { error: { name: 'DeadlineError', retryable: true } } })
  })

  it('is refused while eight others run, and its place is free again afterwards', async () => {
    const load = { running: 8 }
    const { call } = await withTool(async () => ({ text: '', amount: 0n }), { load })
    expect(await call()).toMatchObject({ isError: true, data: { error: { name: 'BusyError', retryable: true } } })
    load.running = 7
    expect((await call()).isError).toBe(false)
    expect(load.running).toBe(7)
  })

  it('that is cancelled tells the work, and frees its place', async () => {
    const load = { running: 0 }
    let stopped: () => void = () => {}
    const told = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const { call } = await withTool(
      ({ signal }) => {
        signal.addEventListener('abort', () => stopped())
        return never
      },
      { load },
    )
    const caller = new AbortController()
    const answer = call(caller.signal)
    setTimeout(() => caller.abort(), 10)
    await expect(answer).rejects.toThrow()
    await told
    await expect.poll(() => load.running).toBe(0)
  })

  it('ends with the server', async () => {
    const ending = new AbortController()
    const { call } = await withTool(() => never, { ended: ending.signal })
    setTimeout(() => ending.abort(new Error('the server ends')), 10)
    expect(await call()).toMatchObject({ isError: true, data: { error: { message: 'the server ends' } } })
  })

  it('whose result is too large is an error that says so', async () => {
    const { call } = await withTool(async () => ({ text: 'x'.repeat(200_001), amount: 0n }))
    expect(await call()).toMatchObject({ isError: true, data: { error: { name: 'ResultTooLargeError' } } })
  })

  it('that fails says what to do, cut and without controls, and no stack', async () => {
    const { call } = await withTool(async () => {
      throw new UsageError(`bad \u001b[2J${'y'.repeat(5_000)}`, 'Do better.')
    })
    const { data, isError } = await call()
    expect([isError, data.error.name, data.error.remedy]).toEqual([true, 'UsageError', 'Do better.'])
    expect(data.error.message).toMatch(/^bad \\u\{1b\}\[2Jy+$/)
    expect(data.error.message.length).toBeLessThan(1_100)
    const strange = await withTool(async () => {
      throw new TypeError('x is no y')
    })
    expect(JSON.stringify((await strange.call()).data)).not.toContain('at ')
  })

  it('whose result has another shape than it says is an error', async () => {
    const { call } = await withTool(async () => ({ text: 'a', amount: 1n, more: true }) as never)
    await expect(call()).rejects.toThrow()
  })
})

describe('a text of a stranger', () => {
  it('is marked with who wrote it, cut by characters, and shows its controls', () => {
    expect(untrusted('somebody', '🙂'.repeat(301))).toMatchObject({ untrusted: true, source: 'somebody', cut: true })
    expect([...untrusted('somebody', '🙂'.repeat(400)).text]).toHaveLength(300)
    expect(untrusted('somebody', 'a\nb\u202e').text).toBe('a\nb\\u{202e}')
  })
})
