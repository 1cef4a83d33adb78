import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isEvmAddress } from '@oikos/core/economic'
import { createEvmLookup, createInvoiceIssuer, createMemoryRedemptions, createSeller } from '@oikos/runtime/x402'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createHttpEndpoint,
  createRpcEndpoint,
  parseEndpointOptions,
  type RpcEndpoint,
} from '../../../../packages/runtime/src/rails/endpoint/index.ts'
import { openShop, type Shop } from '../../../../packages/runtime/test/x402-shop.ts'
import { AMOUNT, MAX_FEE, PAY, policyText, RULE, recipient, usePayBench } from './pay-bench.ts'
import { ORIGIN } from './pay-documents.ts'

const at = usePayBench()

describe('an approver that is served', () => {
  it('is asked over its page, and its signed answer decides', async () => {
    const made = await at.bench.run(['approver', 'create', 'anna', '--json'])
    expect(made.json).toMatchObject({
      ok: true,
      approverId: 'anna',
      publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const stop = new AbortController()
    const desk = join(at.bench.folder, 'desk.json')
    const isOpen = Promise.withResolvers<void>()
    let personUrl = ''
    const serving = at.bench.run(['approver', 'serve', '--desk', desk, '--json'], {
      signal: stop.signal,
      onSay: (text) => {
        if (text.includes('Open this link')) isOpen.resolve()
      },
      onResult: (text) => {
        personUrl = (JSON.parse(text) as { personUrl: string }).personUrl
      },
    })
    await isOpen.promise
    expect((await stat(desk)).mode & 0o777).toBe(0o600)
    const paying = at.bench.run([...PAY, '--approver', desk])
    await approveOnPage(personUrl)
    expect((await paying).json).toMatchObject({ ok: true, outcome: 'paid' })
    stop.abort()
    expect((await serving).code).toBe(0)
    await expect(stat(desk)).rejects.toThrow()
  })

  it('is not believed when others could have written who it is', async () => {
    const desk = join(at.bench.folder, 'desk.json')
    await writeFile(desk, '{}', { mode: 0o644 })
    expect((await at.bench.run([...PAY, '--approver', desk])).code).toBe(2)
    expect((await at.bench.run([...PAY, '--approver', 'absent.json'])).code).toBe(4)
  })

  /** Opens the link as a browser does, waits for the request and sends the form of the page. */
  async function approveOnPage(personUrl: string): Promise<void> {
    const { origin } = new URL(personUrl)
    const opened = await fetch(personUrl, { redirect: 'manual' })
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const read = async () => (await fetch(origin, { headers: { cookie } })).text()
    await expect.poll(read, { timeout: 10_000 }).toContain('<form')
    const page = await read()
    expect(page).toContain('data for the tender')
    expect(page).toContain('0.000000009 ETH (9000000000 wei) after this payment')
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
    const form = new URLSearchParams({ nonce: field('nonce'), token: field('token'), decision: 'approved' })
    const sent = await fetch(`${origin}/decisions`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    expect(sent.status).toBe(200)
  }
})

describe('an x402 resource', () => {
  let shop: Shop
  let endpoint: RpcEndpoint
  beforeEach(async () => {
    const [parsed] = parseEndpointOptions({ endpoints: [at.chain.url] })
    if (parsed === undefined || !isEvmAddress(recipient)) throw new Error('no endpoint')
    endpoint = createRpcEndpoint(createHttpEndpoint(parsed))
    const clockMs = () => Date.now()
    const createNonce = () => crypto.randomUUID().replaceAll('-', '')
    const issuer = createInvoiceIssuer({ secrets: [new Uint8Array(32).fill(3)], clockMs, createNonce })
    const chains = { evm: createEvmLookup(endpoint) }
    const seller = createSeller({ issuer, chains, redemptions: createMemoryRedemptions(), clockMs })
    const price = { rail: 'evm', amountAtomic: AMOUNT, payTo: recipient, lifetimeSec: 300, confirmations: 1 } as const
    shop = await openShop({ framework: 'hono', seller, accepts: [price], resource: `${ORIGIN}/data` })
  })
  afterEach(async () => {
    await shop.close()
    endpoint.close()
  })

  const buy = (...more: string[]) => {
    const what = ['--x402', `${ORIGIN}/data`, '--wallet', 'buyer', '--max-fee', `${MAX_FEE} atomic`, '--key', at.key]
    const how = ['--local-server', String(shop.port), '--confirmations', '1', '--json', ...RULE]
    return at.bench.run(['pay', '--policy', 'policy.json', ...what, ...how, ...more])
  }

  it('is paid once, proved and handed out; reconciling hands it out again and pays nothing', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const { code, json } = await buy('--out', 'data.json', '--memo', 'for the tender')
    expect(json).toMatchObject({ ok: true, outcome: 'paid', delivery: { accepted: true, status: 200 } })
    expect(code).toBe(0)
    expect((await readFile(join(at.bench.folder, 'data.json'))).length).toBeGreaterThan(0)
    const local = ['--local-server', String(shop.port), '--json']
    expect((await at.bench.run(['pay', 'reconcile', at.key, ...local])).json).toMatchObject({
      outcome: 'paid',
      delivery: { accepted: true },
    })
    expect((await buy()).code).toBe(2)
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
  })

  it('that is not handed out is paid all the same, and reconcile is named to fetch it', async () => {
    const sent = at.gate.sent()
    at.gate.onRequest = (method) => {
      if (method === 'eth_sendRawTransaction') void shop.close()
      return true
    }
    const open = await buy()
    expect(open.json).toMatchObject({ ok: false, outcome: 'paid', delivery: { accepted: false, retryable: true } })
    expect(open.code).toBe(3)
    expect(open.err).toContain(`oikos pay reconcile ${at.key}`)
    expect(at.gate.sent() - sent).toBe(1)
  })

  it('that costs more than the policy admits is refused before anything is begun', async () => {
    await writeFile(join(at.bench.folder, 'policy.json'), policyText().replaceAll(`:${AMOUNT}`, `:${AMOUNT - 1n}`))
    expect((await buy()).json).toMatchObject({ outcome: 'refused', code: expect.stringMatching(/^SPX-G21/) })
  })

  it('on a private address is never reached unless it is named as local', async () => {
    const { code, json } = await at.bench.run([
      ...['pay', '--policy', 'policy.json', '--x402', 'https://127.0.0.1/data', '--wallet', 'buyer'],
      ...['--max-fee', '1 atomic', '--json', ...RULE],
    ])
    expect(json).toMatchObject({ ok: false, error: { name: 'X402Refusal' } })
    expect(code).toBe(1)
  })
})
