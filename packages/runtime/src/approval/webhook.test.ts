import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { approvalRequestOf, END_MS, NOW_MS } from '../../test/approval-request.ts'
import { type Answer, answerBytes, readSignedAnswer, type SignedAnswer } from './answer.ts'
import type { Verdict } from './approval-log.ts'
import { approverKeyOf } from './approver-key.ts'
import { ApprovalError } from './errors.ts'
import { readRequest } from './request-view.ts'
import { createWebhookDecider } from './webhook.ts'

const key = approverKeyOf('anna', new Uint8Array(32).fill(1))
const stranger = approverKeyOf('anna', new Uint8Array(32).fill(2))
const approvers = [{ approverId: key.approverId, publicKey: key.publicKey }] as const
const { request, intent, policy } = approvalRequestOf()
const nonce = 'ab'.repeat(32)

const answer: Answer = {
  nonce,
  request: request.digest,
  decision: 'approved',
  approverId: 'anna',
  reason: 'fine',
  issuedAtMs: NOW_MS,
  expiresAtMs: NOW_MS + 30_000,
}
const question = { nonce, requestDigest: request.digest, nowMs: NOW_MS, approvers }
const read = (signed: unknown, changes: object = {}) =>
  readSignedAnswer(typeof signed === 'string' ? signed : JSON.stringify(signed), { ...question, ...changes })

const refusedWith = (code: string) =>
  expect.objectContaining({ name: 'ApprovalError', code, disposition: 'policy_rejected' })

describe('a signed answer', () => {
  test('is believed for its asking, and says who decided what', () => {
    expect(read(key.signAnswer(answer))).toEqual({ ...answer, approverId: 'anna' })
    expect(read(key.signAnswer({ ...answer, decision: 'rejected' })).decision).toBe('rejected')
  })

  test('to an earlier asking of the same request is a replay', () => {
    const old = key.signAnswer({ ...answer, nonce: 'cd'.repeat(32) })
    expect(() => read(old)).toThrow(refusedWith('answer_replayed'))
  })

  test('to another request is a replay, even under the same nonce', () => {
    const other = approvalRequestOf({ key: 'key.2' }).request.digest
    expect(() => read(key.signAnswer({ ...answer, request: other }))).toThrow(refusedWith('answer_replayed'))
  })

  test('that is over does not count, from its very end', () => {
    const signed = key.signAnswer(answer)
    expect(read(signed, { nowMs: answer.expiresAtMs - 1 })).toBeDefined()
    expect(() => read(signed, { nowMs: answer.expiresAtMs })).toThrow(refusedWith('answer_expired'))
    expect(() => read(key.signAnswer({ ...answer, expiresAtMs: answer.issuedAtMs }))).toThrow(
      refusedWith('answer_expired'),
    )
  })

  test('of another key is not believed, whatever name it bears', () => {
    expect(() => read(stranger.signAnswer(answer))).toThrow(refusedWith('answer_untrusted'))
    const bert = approverKeyOf('bert', new Uint8Array(32).fill(1))
    expect(() => read(bert.signAnswer({ ...answer, approverId: 'bert' }))).toThrow(refusedWith('answer_untrusted'))
  })

  test('of which anything was changed is not believed', () => {
    const signed = key.signAnswer({ ...answer, decision: 'rejected' })
    const changes: readonly Partial<SignedAnswer>[] = [
      { decision: 'approved' },
      { reason: 'fine!' },
      { issuedAtMs: NOW_MS + 1 },
      { expiresAtMs: NOW_MS + 30_001 },
      { signature: `${'A'.repeat(86)}==` },
    ]
    for (const change of changes) expect(() => read({ ...signed, ...change })).toThrow(refusedWith('answer_untrusted'))
  })

  test.each([
    ['no JSON', 'approved'],
    ['null', null],
    ['a list', []],
    ['no signature', answer],
    ['another decision', { ...key.signAnswer(answer), decision: 'APPROVED' }],
    ['a nonce in capitals', { ...key.signAnswer(answer), nonce: nonce.toUpperCase() }],
    ['a reason of two lines', { ...key.signAnswer(answer), reason: 'fine\nrejected' }],
    ['a reason without end', { ...key.signAnswer(answer), reason: 'x'.repeat(201) }],
    ['a time that is a text', { ...key.signAnswer(answer), issuedAtMs: '1' }],
    ['a time that is no whole number', { ...key.signAnswer(answer), expiresAtMs: 1.5 }],
    ['a URL signature', { ...key.signAnswer(answer), signature: `${'_'.repeat(86)}==` }],
  ])('%s is none', (_what, signed) => {
    expect(() => read(signed)).toThrow(refusedWith('answer_malformed'))
  })

  test('two answers that differ have different signed bytes', () => {
    const texts = fc.record({
      decision: fc.constantFrom('approved' as const, 'rejected' as const),
      reason: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).filter((text) => !text.includes('\n')),
      issuedAtMs: fc.nat(),
      expiresAtMs: fc.nat(),
    })
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const [a, b] = [left, right].map((fields) => Buffer.from(answerBytes({ ...answer, ...fields })).toString('hex'))
        expect(a === b).toBe(JSON.stringify(left) === JSON.stringify(right))
      }),
    )
  })
})

describe('a webhook', () => {
  let server: Server | undefined
  afterEach(async () => {
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
    server?.closeAllConnections()
    server = undefined
  })

  type Asked = { readonly nonce: string; readonly request: string; readonly intent?: string; readonly policy?: string }
  type Reply = { readonly status: number; readonly body: unknown; readonly location?: string }

  /** A place that replies as a test wants, and what it was asked. */
  async function place(reply: (asked: Asked, call: number) => Reply) {
    const asked: Asked[] = []
    server = createServer((incoming, response) => {
      const pieces: Buffer[] = []
      incoming.on('data', (piece: Buffer) => pieces.push(piece))
      incoming.on('end', () => {
        const body = JSON.parse(Buffer.concat(pieces).toString()) as Asked
        asked.push(body)
        const { status, body: answerBody, location } = reply(body, asked.length)
        response
          .writeHead(status, location === undefined ? {} : { location })
          .end(typeof answerBody === 'string' ? answerBody : JSON.stringify(answerBody))
      })
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/questions`
    return { url, asked }
  }

  let nowMs = NOW_MS
  function deciderOf(url: string) {
    nowMs = NOW_MS
    return createWebhookDecider({
      endpoint: { url, headers: { authorization: 'Bearer secret' } },
      approvers,
      // Each look at the clock is a second later, so that a request ends.
      clockMs: () => {
        nowMs += 1_000
        return nowMs
      },
      contextOf: async () => ({ intent, policy, reservedAtomic: 60_000n }),
      timeoutMs: 500,
      pauseMs: 5,
    })
  }
  const view = readRequest(request.text)
  const verdictOf = async (url: string): Promise<Verdict | undefined> =>
    (await deciderOf(url).consider(view))?.({ approvedSince: () => ({ payments: 0n, amountAtomic: 0n }) })

  const good = (asked: Asked): Reply => ({
    status: 200,
    body: key.signAnswer({ ...answer, nonce: asked.nonce, expiresAtMs: END_MS }),
  })

  test('asks with request, intent and policy, and takes the signed answer', async () => {
    const { url, asked } = await place(good)
    expect(await verdictOf(url)).toMatchObject({ decision: 'approved', approverId: 'anna' })
    expect(asked[0]).toMatchObject({ schema: 'oikos.approval-question.v1', request: request.text, intent, policy })
    expect(asked[0]).toMatchObject({ reservedAtomic: '60000' })
    expect(asked[0]?.nonce).toMatch(/^[0-9a-f]{64}$/)
  })

  test('comes again while nobody has decided, with the same nonce', async () => {
    const { url, asked } = await place((question, call) => (call < 3 ? { status: 202, body: {} } : good(question)))
    expect(await verdictOf(url)).toMatchObject({ decision: 'approved' })
    expect(new Set(asked.map((question) => question.nonce)).size).toBe(1)
    expect(asked).toHaveLength(3)
  })

  test('uses each nonce for one asking: the answer of yesterday does not count today', async () => {
    const recorded: unknown[] = []
    const { url } = await place((question) => {
      const body = recorded[0] ?? good(question).body
      recorded.push(body)
      return { status: 200, body }
    })
    expect(await verdictOf(url)).toMatchObject({ decision: 'approved' })
    await expect(verdictOf(url)).rejects.toEqual(refusedWith('answer_replayed'))
  })

  test('gives up when the request ends, and says whether anybody was reached', async () => {
    const { url } = await place(() => ({ status: 202, body: {} }))
    await expect(verdictOf(url)).rejects.toMatchObject({ code: 'no_answer', disposition: 'definitely_not_started' })
    await new Promise<void>((resolve) => server?.close(() => resolve()))
    server = undefined
    await expect(verdictOf(url)).rejects.toMatchObject({
      code: 'channel_failed',
      disposition: 'definitely_not_started',
    })
  })

  test.each([400, 401, 403, 404, 500, 503])('status %s is no decision', async (status) => {
    const { url } = await place((question) => ({ ...good(question), status }))
    await expect(verdictOf(url)).rejects.toMatchObject({ code: 'channel_failed' })
  })

  test('a redirect is not followed', async () => {
    const { url, asked } = await place(() => ({ status: 307, body: '', location: '/elsewhere' }))
    await expect(verdictOf(url)).rejects.toBeInstanceOf(ApprovalError)
    expect(asked.length).toBeGreaterThan(0)
  })

  test('an answer without end is not read', async () => {
    const { url } = await place(() => ({ status: 200, body: 'x'.repeat(100_000) }))
    await expect(verdictOf(url)).rejects.toMatchObject({ code: 'channel_failed' })
  })

  test('a place beyond loopback must have TLS', () => {
    expect(() => deciderOf('http://approver.example.org/')).toThrow(
      expect.objectContaining({ name: 'RailOptionError' }),
    )
  })
})
