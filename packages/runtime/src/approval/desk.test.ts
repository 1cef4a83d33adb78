import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvalRequestOf, END_MS, NOW_MS, type TestRequest } from '../../test/approval-request.ts'
import { collectingSink } from '../../test/collecting-sink.ts'
import { openApprovalLog } from './approval-log.ts'
import { createApprover } from './approver.ts'
import { type ApproverKey, approverKeyOf, createApproverKey, openApproverKey } from './approver-key.ts'
import { type ApprovalDesk, createApprovalDesk } from './desk.ts'
import { type DeskServer, startDeskServer } from './desk-server.ts'
import { createWebhookDecider } from './webhook.ts'

const key = approverKeyOf('anna', new Uint8Array(32).fill(1))
let nowMs: number
let desk: ApprovalDesk
let server: DeskServer
let origin: string

beforeEach(async () => {
  nowMs = NOW_MS
  desk = createApprovalDesk({ key, clockMs: () => nowMs })
  server = await startDeskServer({ desk, clockMs: () => nowMs, holdMs: 50 })
  origin = new URL(server.questionsUrl).origin
})
afterEach(() => server.close())

const nonceOf = (number: number) => number.toString(16).padStart(64, '0')

function questionOf(number = 1, about: TestRequest = {}) {
  const { request, intent, policy } = approvalRequestOf(about)
  return JSON.stringify({
    schema: 'oikos.approval-question.v1',
    nonce: nonceOf(number),
    request: request.text,
    intent,
    policy,
  })
}

const ask = (body: string, token = server.askToken) =>
  fetch(server.questionsUrl, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } })

/** A browser that opened the link of the person. */
async function openBrowser() {
  const opened = await fetch(server.createPersonUrl(), { redirect: 'manual' })
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const page = async () => (await fetch(`${origin}/`, { headers: { cookie } })).text()
  const decide = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${origin}/decisions`, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  return { opened, cookie, page, decide }
}

/** The hidden fields of the first form of a page. */
function formOf(html: string): { nonce: string; token: string } {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  return { nonce: value('nonce'), token: value('token') }
}

describe('a desk', () => {
  test('holds a question until a person decides on the page, and gives the signed answer', async () => {
    const pending = await ask(questionOf())
    expect(pending.status).toBe(202)
    const browser = await openBrowser()
    const html = await browser.page()
    expect(html).toContain('0.000000000000001 ETH (1000 wei)')
    expect(html).toContain('says: for the data')
    expect(await (await browser.decide({ ...formOf(html), decision: 'approved' })).text()).toContain('was approved')
    const answered = await ask(questionOf())
    expect(answered.status).toBe(200)
    expect(await answered.json()).toMatchObject({
      nonce: nonceOf(1),
      request: approvalRequestOf().request.digest,
      decision: 'approved',
      approverId: 'anna',
      expiresAtMs: NOW_MS + 30_000,
    })
    expect(await browser.page()).toContain('No payment waits')
  })

  test('answers whoever waits at the moment of the decision', async () => {
    await server.close()
    server = await startDeskServer({ desk, clockMs: () => nowMs, holdMs: 10_000 })
    origin = new URL(server.questionsUrl).origin
    const asking = ask(questionOf())
    while (desk.waiting().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(desk.decide(nonceOf(1), 'rejected')).toBe(true)
    expect(await (await asking).json()).toMatchObject({ decision: 'rejected' })
  })

  test('decides about a request once', async () => {
    await ask(questionOf())
    const browser = await openBrowser()
    const form = formOf(await browser.page())
    expect((await browser.decide({ ...form, decision: 'rejected' })).status).toBe(200)
    expect((await browser.decide({ ...form, decision: 'approved' })).status).toBe(409)
    expect(await (await ask(questionOf())).json()).toMatchObject({ decision: 'rejected' })
  })

  test('forgets what is over', async () => {
    await ask(questionOf())
    const browser = await openBrowser()
    const form = formOf(await browser.page())
    nowMs = END_MS
    expect(await browser.page()).toContain('No payment waits')
    expect((await browser.decide({ ...form, decision: 'approved' })).status).toBe(409)
    expect((await ask(questionOf())).status).toBe(400)
  })

  test('lets wait only so many', async () => {
    for (let index = 0; index < 64; index += 1) await desk.put(questionOf(index, { key: `key.${index}` }), 0)
    expect((await ask(questionOf(100, { key: 'key.100' }))).status).toBe(503)
  })

  test.each(['', '{}', 'null', '{"schema":"oikos.approval-question.v1"}', questionOf().replace(nonceOf(1), 'x')])(
    'takes no question like %s',
    async (body) => {
      expect((await ask(body)).status).toBe(400)
    },
  )

  test('takes no other request under a nonce that stands for one', async () => {
    await ask(questionOf(1))
    expect((await ask(questionOf(1, { key: 'key.2' }))).status).toBe(400)
  })

  test('takes no body without end', async () => {
    const response = await ask('x'.repeat(7_000_000)).catch(() => undefined)
    expect([400, undefined]).toContain(response?.status)
  })
})

describe('nothing that a model can call may approve', () => {
  test('who may ask may not decide: the token of askers opens nothing else', async () => {
    await ask(questionOf())
    for (const path of ['/', '/decisions', `/?person=${server.askToken}`]) {
      const response = await fetch(`${origin}${path}`, {
        method: path === '/decisions' ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${server.askToken}`, origin, cookie: `oikos-desk=${server.askToken}` },
        redirect: 'manual',
      })
      expect(response.status).toBe(403)
    }
    expect(desk.waiting()).toHaveLength(1)
  })

  test('nobody asks without the token', async () => {
    for (const token of ['', 'x', server.askToken.slice(1), `${server.askToken}0`])
      expect((await ask(questionOf(), token)).status).toBe(401)
    expect(desk.waiting()).toHaveLength(0)
  })

  test('the link of the person works once, and a new one ends the old', async () => {
    const first = server.createPersonUrl()
    const second = server.createPersonUrl()
    expect((await fetch(first, { redirect: 'manual' })).status).toBe(403)
    const opened = await fetch(second, { redirect: 'manual' })
    expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining('content="0; url=/"')])
    expect(opened.headers.get('set-cookie')).toMatch(/^oikos-desk=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/$/)
    expect((await fetch(second, { redirect: 'manual' })).status).toBe(403)
    expect((await fetch(`${origin}/`)).status).toBe(403)
  })

  test('a form counts only with cookie, token, and origin of the page', async () => {
    await ask(questionOf(1))
    await ask(questionOf(2, { key: 'key.2' }))
    const browser = await openBrowser()
    const form = formOf(await browser.page())
    const good = { ...form, decision: 'approved' }
    const refusals = [
      await browser.decide(good, { cookie: '' }),
      await browser.decide(good, { cookie: `${browser.cookie}; oikos-desk=x` }),
      await browser.decide(good, { origin: 'https://evil.example' }),
      await browser.decide(good, { origin: 'null' }),
      await browser.decide(good, { 'sec-fetch-site': 'cross-site' }),
      await browser.decide(good, { 'content-type': 'application/json' }),
      await browser.decide({ ...good, token: '' }),
      await browser.decide({ ...good, token: 'x'.repeat(64) }),
      await browser.decide({ ...good, nonce: nonceOf(2) }),
      await browser.decide({ ...good, decision: 'maybe' }),
      await browser.decide({ decision: 'approved' }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 403))
    expect(desk.waiting()).toHaveLength(2)
    expect((await browser.decide(good)).status).toBe(200)
  })

  test('the token of an earlier session does not count in a new one', async () => {
    await ask(questionOf())
    const first = await openBrowser()
    const form = formOf(await first.page())
    const second = await openBrowser()
    expect((await first.decide({ ...form, decision: 'approved' })).status).toBe(403)
    expect((await second.decide({ ...form, decision: 'approved' })).status).toBe(403)
  })

  test('a name that points here (DNS rebinding) reaches nothing', async () => {
    const { port } = new URL(origin)
    for (const host of ['evil.example', `evil.example:${port}`, `localhost:${port}`, '127.0.0.1'])
      expect(await rawGet(host)).toMatch(/^HTTP\/1.1 421 /)
    expect(await rawGet(`127.0.0.1:${port}`)).toMatch(/^HTTP\/1.1 403 /)
  })

  test('is served on loopback only', () => {
    expect(new URL(origin).hostname).toBe('127.0.0.1')
  })
})

describe('the page', () => {
  test('lets nothing run or load, be framed, be kept or be sent elsewhere', async () => {
    const browser = await openBrowser()
    const response = await fetch(`${origin}/`, { headers: { cookie: browser.cookie } })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('script-src')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).not.toContain('<script')
  })

  test('every answer has these headers, also a refusal', async () => {
    for (const response of [await fetch(`${origin}/nothing`), await fetch(`${origin}/`), await ask('x')])
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('shows hostile texts as text', async () => {
    const memo = `"><img src=x onerror=alert(1)><script>alert('1')</script>\u202e&amp;\u001b[31m`
    const x402 = { origin: 'https://a.example"><b>', method: 'GET', resource: `/'onmouseover='x` }
    await ask(questionOf(1, { memo, x402 }))
    const html = await (await openBrowser()).page()
    expect(html).toContain(
      '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;',
    )
    expect(html).toContain('\\u{202e}&amp;amp;\\u{1b}[31m')
    expect(html).toContain('/&#39;onmouseover=&#39;x')
    expect(html).not.toMatch(/<(?:img|script|b)[ >]/)
    expect(html.match(/<form /g)).toHaveLength(1)
  })
})

describe('from end to end', () => {
  test('an approver that asks the desk over its webhook gets an Approval of the person there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oikos-desk-'))
    const log = await openApprovalLog(join(folder, 'approvals.sqlite'))
    try {
      const { request, intent, policy } = approvalRequestOf()
      const decider = createWebhookDecider({
        endpoint: { url: server.questionsUrl, headers: { authorization: `Bearer ${server.askToken}` } },
        approvers: [{ approverId: key.approverId, publicKey: key.publicKey }],
        contextOf: async () => ({ intent, policy, reservedAtomic: 60_000n }),
        clockMs: () => nowMs,
        pauseMs: 5,
      })
      const { sink, text } = collectingSink()
      const approving = createApprover({ deciders: [decider], log, clockMs: () => nowMs }).approve(request.text, sink)
      while (desk.waiting().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      const browser = await openBrowser()
      const page = await browser.page()
      expect(page).toContain('0.00000000000014 ETH (140000 wei) after this payment')
      await browser.decide({ ...formOf(page), decision: 'approved' })
      expect(await approving).toBe('succeeded')
      expect(JSON.parse(text())).toMatchObject({ decision: 'approved', approver_id: 'anna' })
    } finally {
      log.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the key of an approver', () => {
  let folder: string
  let path: string
  let made: ApproverKey
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oikos-approver-'))
    path = join(folder, 'keys', 'anna.json')
    made = await createApproverKey(path, 'anna', 'passphrase', { scryptCost: 1024 })
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('is kept in a file that only its owner reads, and opened with its passphrase', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const opened = await openApproverKey(path, 'passphrase')
    expect([opened.approverId, opened.publicKey]).toEqual(['anna', made.publicKey])
    await expect(openApproverKey(path, 'wrong')).rejects.toMatchObject({ code: 'setting_malformed' })
    await expect(openApproverKey(join(folder, 'none.json'), 'x')).rejects.toMatchObject({ code: 'setting_malformed' })
    await expect(createApproverKey(path, 'anna', 'p', { scryptCost: 1024 })).rejects.toMatchObject({
      code: 'setting_malformed',
    })
  })
})

/** A request with a host header of one's own, which `fetch` does not allow. */
function rawGet(host: string): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('data', (piece) => pieces.push(Buffer.from(piece)))
    socket.on('close', () => resolve(Buffer.concat(pieces).toString()))
    socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  })
}
