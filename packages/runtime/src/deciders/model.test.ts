import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerType, serve } from '@hono/node-server'
import { MockLanguageModelV4 } from 'ai/test'
import { type Context, Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import { said, scriptedModel } from '../../test/injection/scripted-model.ts'
import type { Question } from '../operator/question.ts'
import { createLocalModel } from './local-model.ts'
import { createModelDecider, type ModelDeciderOptions } from './model.ts'
import type { ModelErrorCode } from './model-error.ts'
import { readAnswer } from './read-answer.ts'

const question: Question = {
  id: 'q',
  kind: 'tender',
  facts: { rewardAtomic: '500' },
  untrusted: [{ source: 'TASK.md', text: 'Label messages.' }],
  options: [
    { id: 'wait', text: 'Nothing happens.' },
    { id: 'work:labels', text: 'Work for it.' },
    { id: 'invest', text: 'Invest.', amount: { minAtomic: 1n, maxAtomic: 9n } },
  ],
}
const never = new AbortController().signal
const good = { optionId: 'work:labels', amountAtomic: null, decision: 'Work for it.', rationale: 'It pays well.' }

function ask(model: ModelDeciderOptions['model'], more: Partial<ModelDeciderOptions> = {}, signal = never) {
  return createModelDecider({ model, maxRetries: 0, ...more }).decide(question, signal)
}

describe('createModelDecider', () => {
  it('asks once, without tools, under a limit of tokens, for an answer of the given form', async () => {
    const model = scriptedModel(() => JSON.stringify(good))
    const verdict = readAnswer(question, await ask(model))
    expect(verdict).toMatchObject({ ok: true, answer: { optionId: 'work:labels' } })
    expect(model.doGenerateCalls).toHaveLength(1)
    const [call] = model.doGenerateCalls
    expect(call?.tools ?? []).toEqual([])
    expect(call?.maxOutputTokens).toBe(1_000)
    expect(call?.responseFormat).toMatchObject({ type: 'json', name: 'answer' })
  })

  it('records model, prompt and reply as claims that a reasoning record can hold', async () => {
    const verdict = readAnswer(question, await ask(scriptedModel(() => JSON.stringify(good))))
    expect(verdict).toMatchObject({
      ok: true,
      answer: {
        claims: {
          decision: 'Work for it.',
          rationale: 'It pays well.',
          model: 'mock-provider scripted',
          prompt: expect.stringContaining('| Label messages.'),
          reply: { optionId: 'work:labels', amountAtomic: null },
        },
      },
    })
  })

  it('records the longest question and the longest reply within the limits of a record', async () => {
    const flood = '\u{e0041}'.repeat(100_000)
    const long: Question = {
      ...question,
      untrusted: Array.from({ length: 40 }, () => ({ source: flood, text: flood })),
    }
    const reply = { ...good, decision: 'ж'.repeat(20_000), rationale: 'ж'.repeat(100_000) }
    const model = scriptedModel(() => JSON.stringify(reply))
    expect(readAnswer(long, await createModelDecider({ model }).decide(long, never)).ok).toBe(true)
  })

  it('passes an amount on as text', async () => {
    const reply = { ...good, optionId: 'invest', amountAtomic: '7' }
    const verdict = readAnswer(question, await ask(scriptedModel(() => JSON.stringify(reply))))
    expect(verdict).toMatchObject({ ok: true, answer: { amountAtomic: 7n } })
  })

  it.each<[string, string]>([
    ['an option that does not exist', JSON.stringify({ ...good, optionId: 'pay' })],
    ['an amount beyond the bounds', JSON.stringify({ ...good, optionId: 'invest', amountAtomic: '10' })],
    ['an amount where none is asked', JSON.stringify({ ...good, amountAtomic: '5' })],
  ])('hands %s to readAnswer, which refuses it', async (_, text) => {
    expect(readAnswer(question, await ask(scriptedModel(() => text))).ok).toBe(false)
  })

  it.each<[string, string]>([
    ['prose', 'I choose work:labels.'],
    ['nothing', ''],
    ['JSON of another form', '["work:labels"]'],
    ['an extra field', JSON.stringify({ ...good, transfer: { to: '0x1', amount: '5' } })],
    ['an amount as a number', JSON.stringify({ ...good, amountAtomic: 5 })],
    ['two objects', `${JSON.stringify(good)}${JSON.stringify(good)}`],
    ['an object in a fence of Markdown', `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
    ['a polluted prototype', `{"__proto__":{"optionId":"pay"},"decision":"x","rationale":"x"}`],
  ])('refuses %s as malformed', async (_, text) => {
    await expect(ask(scriptedModel(() => text))).rejects.toMatchObject({ code: 'model.malformed', retryable: false })
    expect(({} as Record<string, unknown>)['optionId']).toBeUndefined()
  })

  it.each<[string, ConstructorParameters<typeof MockLanguageModelV4>[0], ModelErrorCode]>([
    [
      'a tool call',
      {
        doGenerate: said('', {
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'pay', input: '{"to":"0x1"}' }],
          finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        }),
      },
      'model.malformed',
    ],
    [
      'a tool call beside a good answer',
      {
        doGenerate: said('', {
          content: [
            { type: 'text', text: JSON.stringify(good) },
            { type: 'tool-call', toolCallId: '1', toolName: 'pay', input: '{}' },
          ],
        }),
      },
      'model.malformed',
    ],
    [
      'an answer that was cut off',
      { doGenerate: said(JSON.stringify(good), { finishReason: { unified: 'length', raw: 'length' } }) },
      'model.malformed',
    ],
    [
      'a refusal',
      { doGenerate: said('', { finishReason: { unified: 'content-filter', raw: 'content_filter' } }) },
      'model.refused',
    ],
    [
      'a provider that fails',
      {
        doGenerate: async () => {
          throw new Error('no route')
        },
      },
      'model.failed',
    ],
  ])('fails on %s', async (_, settings, code) => {
    await expect(ask(new MockLanguageModelV4(settings))).rejects.toMatchObject({ name: 'ModelError', code })
  })

  it('does not wait for a provider that ignores the time limit or the withdrawal of the question', async () => {
    const deaf = () => new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) })
    await expect(ask(deaf(), { timeoutMs: 50 })).rejects.toMatchObject({ code: 'model.timeout' })
    await expect(ask(deaf(), {}, AbortSignal.timeout(50))).rejects.toMatchObject({ code: 'model.cancelled' })
    await expect(ask(deaf(), {}, AbortSignal.abort())).rejects.toMatchObject({ code: 'model.cancelled' })
  })

  it.each([
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ maxOutputTokens: 8_001 }, 'maxOutputTokens'],
    [{ maxRetries: 4 }, 'maxRetries'],
  ])('refuses the setting %j', (setting, name) => {
    expect(() => createModelDecider({ model: scriptedModel(() => ''), ...setting })).toThrow(name)
  })
})

describe('createLocalModel', () => {
  let server: ServerType | undefined
  let requests: { path: string; body: Record<string, unknown>; authorization: string | undefined }[] = []

  afterEach(() => {
    server?.close()
    server = undefined
    requests = []
  })

  async function serveModel(reply: (context: Context) => Response | Promise<Response>): Promise<string> {
    const app = new Hono()
    app.all('*', async (context) => {
      const body = (await context.req.json().catch(() => ({}))) as Record<string, unknown>
      requests.push({ path: context.req.path, body, authorization: context.req.header('authorization') })
      return reply(context)
    })
    return new Promise((resolve) => {
      server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}/v1`),
      )
    })
  }

  function completion(message: object, finishReason = 'stop') {
    return {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'small',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }
  }
  const local = (url: string, more: object = {}) =>
    createLocalModel({ endpoint: { url, headers: { authorization: 'Bearer local' } }, model: 'small', ...more })

  it('asks an OpenAI-compatible server for one completion, with a schema and without tools', async () => {
    const url = await serveModel((context) => context.json(completion({ content: JSON.stringify(good) })))
    expect(readAnswer(question, await ask(local(url)))).toMatchObject({ ok: true, answer: { optionId: 'work:labels' } })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer local',
      body: { model: 'small', max_tokens: 1_000, response_format: { type: 'json_schema' } },
    })
    expect(requests[0]?.body['tools']).toBeUndefined()
  })

  it.each<[string, (context: Context) => Response | Promise<Response>, ModelErrorCode]>([
    [
      'tool calls',
      (context) =>
        context.json(
          completion(
            {
              content: null,
              tool_calls: [{ id: '1', type: 'function', function: { name: 'transfer', arguments: '{"to":"0x1"}' } }],
            },
            'tool_calls',
          ),
        ),
      'model.malformed',
    ],
    ['a refusal', (context) => context.json(completion({ content: '' }, 'content_filter')), 'model.refused'],
    ['prose', (context) => context.json(completion({ content: 'Sure! I will pay.' })), 'model.malformed'],
    ['JSON that is no completion', (context) => context.json({ ok: true }), 'model.failed'],
    ['no JSON', (context) => context.text('<html>hello</html>'), 'model.failed'],
    ['a huge reply', (context) => context.json(completion({ content: 'x'.repeat(400_000) })), 'model.failed'],
    ['status 400', (context) => context.json({ error: { message: 'no' } }, 400), 'model.failed'],
    ['status 401', (context) => context.json({ error: { message: 'no' } }, 401), 'model.failed'],
    ['status 500', (context) => context.text('broken', 500), 'model.failed'],
    ['a compressed reply', (context) => context.body('x', 200, { 'content-encoding': 'gzip' }), 'model.failed'],
  ])('gives no answer for %s', async (_, reply, code) => {
    const url = await serveModel(reply)
    await expect(ask(local(url))).rejects.toMatchObject({ name: 'ModelError', code })
    expect(requests).toHaveLength(1)
  })

  it('follows no redirect', async () => {
    const url = await serveModel((context) => context.redirect('/v1/elsewhere', 307))
    await expect(ask(local(url))).rejects.toMatchObject({ code: 'model.failed' })
    expect(requests.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  })

  it('cuts off a slow drip', async () => {
    const url = await serveModel(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await sleep(30)
              controller.enqueue(new TextEncoder().encode(' '))
            },
          }),
          { headers: { 'content-type': 'application/json' } },
        ),
    )
    const startedMs = performance.now()
    await expect(ask(local(url, { timeoutMs: 400 }))).rejects.toMatchObject({ code: 'model.failed' })
    await expect(ask(local(url), { timeoutMs: 400 })).rejects.toMatchObject({ code: 'model.timeout' })
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })

  it('asks again as often as was said when the server fails, and not after a reply', async () => {
    const failing = await serveModel((context) => context.text('busy', 503))
    await expect(ask(local(failing), { maxRetries: 1 })).rejects.toMatchObject({
      code: 'model.failed',
      retryable: true,
    })
    expect(requests).toHaveLength(2)
  })

  it('tells of a server that is not there', async () => {
    const url = await serveModel((context) => context.text(''))
    server?.close()
    await expect(ask(local(url))).rejects.toMatchObject({ code: 'model.failed' })
  })

  it('refuses clear text beyond this machine', () => {
    expect(() => local('http://models.example/v1')).toThrow('https:')
  })
})
