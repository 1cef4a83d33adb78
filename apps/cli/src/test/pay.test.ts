import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  documentSchema,
  type Identifier,
  intentShape,
  isEvmAddress,
  type NetworkPolicy,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  renderCanonical,
} from '@oikos/core/economic'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalChain, startChain } from '../../../../scripts/chain.ts'
import { createWorkbench, fundedAddress, fundedKey, type Workbench } from './harness.ts'

const main = join(import.meta.dirname, '..', 'main.ts')
const recipient = `0x${'31'.repeat(20)}`
const AMOUNT = 1_000_000_000n
const MAX_FEE = 10n ** 15n

/** A node in front of anvil, which counts what is sent and can end whoever sends. */
type Gate = {
  readonly url: string
  readonly sent: () => number
  /** Called with each request before it is passed on; false keeps it back and answers nothing. */
  onRequest: (method: string) => boolean
  readonly close: () => Promise<void>
}

let chain: LocalChain
let gate: Gate
let bench: Workbench
let number = 0
let key: string

beforeAll(async () => {
  chain = await startChain()
  gate = await openGate(chain.url)
})
afterAll(async () => {
  await gate.close()
  await chain.stop()
})
beforeEach(async () => {
  bench = await createWorkbench({ OIKOS_PASSPHRASE: 'passphrase', OIKOS_RPC_URL: gate.url })
  number += 1
  key = `invoice.${number}`
  gate.onRequest = () => true
  await ask('anvil_setBalance', [fundedAddress(number), '0xde0b6b3a7640000'])
  const secret = { env: { OIKOS_PRIVATE_KEY: fundedKey(number) } }
  expect((await bench.run(['wallet', 'import', 'buyer'], secret)).code).toBe(0)
  const limits = ['--max-amount', `${AMOUNT} atomic`, '--max-fee', `${MAX_FEE} atomic`]
  expect((await bench.run(['wallet', 'allow', 'buyer', recipient, ...limits])).code).toBe(0)
  await writeFile(join(bench.folder, 'policy.json'), policyText())
  await writeFile(join(bench.folder, 'intent.json'), intentText(AMOUNT))
  await writeFile(join(bench.folder, 'rule.json'), JSON.stringify(rule(AMOUNT)))
})
afterEach(() => bench.stop())

async function openGate(target: string): Promise<Gate> {
  let sent = 0
  const state: { onRequest: (method: string) => boolean } = { onRequest: () => true }
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const { method } = JSON.parse(body) as { method: string }
    if (!state.onRequest(method)) return
    if (method === 'eth_sendRawTransaction') sent += 1
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    response.writeHead(200, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent: () => sent,
    get onRequest() {
      return state.onRequest
    },
    set onRequest(listener) {
      state.onRequest = listener
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function policyText(): string {
  if (!isEvmAddress(recipient)) throw new Error('no address')
  const row: NetworkPolicy = {
    rail: 'evm',
    ...RAIL_NETWORKS.evm,
    recipients: [recipient],
    max_amount_atomic: AMOUNT,
    max_fee_atomic: MAX_FEE,
    max_rolling_24h_atomic: AMOUNT * 10n,
  }
  return renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: 'buyer.agent' as Identifier,
    wallet_id: 'buyer' as Identifier,
    network_policies: [row],
    x402_origins: [],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
}

function intentText(amountAtomic: bigint, createdAtMs = BigInt(Date.now())): string {
  return renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    intent_id: `intent.${key}` as Identifier,
    wallet_id: 'buyer' as Identifier,
    rail: 'evm',
    idempotency_key: key as Identifier,
    created_at_ms: createdAtMs,
    expires_at_ms: createdAtMs + 300_000n,
    memo: 'data for the tender',
    payment: {
      kind: 'evm',
      ...RAIL_NETWORKS.evm,
      recipient,
      amount_atomic: amountAtomic,
      max_fee_atomic: MAX_FEE,
    },
  })
}

function rule(maxAmountAtomic: bigint) {
  const row = {
    ...{ walletId: 'buyer', rail: 'evm', maxAmountAtomic: `${maxAmountAtomic}`, maxFeeAtomic: `${MAX_FEE}` },
    ...{ windowMs: 86_400_000, maxWindowAtomic: `${AMOUNT * 5n}`, maxWindowPayments: 5 },
  }
  return { approverId: 'rule', limits: [row] }
}

const PAY = ['pay', '--policy', 'policy.json', '--intent', 'intent.json', '--confirmations', '1', '--json']
const RULE = ['--approve-rule', 'rule.json']
const reconcile = () => bench.run(['pay', 'reconcile', key, '--confirmations', '1', '--timeout', '0s', '--json'])

async function ask(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(chain.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return ((await answer.json()) as { result: unknown }).result
}
const balance = async () => BigInt(String(await ask('eth_getBalance', [recipient, 'latest'])))

describe('pay', () => {
  it('MUST pay once, and journals before each effect, in the order of the authority sequence', async () => {
    const [before, sent] = [await balance(), gate.sent()]
    const { code, json, err } = await bench.run([...PAY, ...RULE])
    expect(json).toMatchObject({ ok: true, outcome: 'paid', idempotencyKey: key, state: 'confirmed', causes: [] })
    expect(code).toBe(0)
    const stations = err.split('\n').map((line) => line.replace(/ {2,}/g, ' '))
    const places = [
      'journal version 1 is on disk: reserved',
      'snapshot the chain was observed',
      'simulated the node tried the transaction',
      'approval the approver is asked',
      'journal version 4 is on disk: approved',
      'signed custody signed one transaction',
      'journal version 6 is on disk: broadcast unknown',
      'broadcast the transaction was handed over, once',
      'observed the chain was asked for the transaction',
      'journal version 9 is on disk: confirmed',
    ].map((station) => stations.indexOf(station))
    expect(places).toEqual([...places].sort((left, right) => left - right))
    expect(places).not.toContain(-1)
    // Once more, and looked up: the same end, and nothing is sent.
    expect((await bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'paid' })
    expect((await reconcile()).json).toMatchObject({ outcome: 'paid' })
    expect([(await balance()) - before, gate.sent() - sent]).toEqual([AMOUNT, 1])
  })

  it('MUST never approve by itself: without a person, a rule or an approver nothing is begun', async () => {
    const { code, json } = await bench.run(PAY)
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { message: expect.stringContaining('Nobody can be asked') } })
    expect((await reconcile()).code).toBe(4)
  })

  it('asks the person at the terminal: anything but the digits of the request refuses', async () => {
    let asked = ''
    const { code, json, err } = await bench.run(PAY, {
      answers: ['yes'],
      onQuestion: (question) => {
        asked = question
      },
    })
    expect(asked).toMatch(/^Type [0-9a-f]{6} to approve/)
    expect(err).toMatch(/says: data for the tender/)
    expect(code).toBe(1)
    expect(json).toMatchObject({ outcome: 'refused', code: 'SPX-G214', state: 'rejected' })
  })

  it('is paid when the person types the digits of the request', async () => {
    const { json } = await bench.run(PAY, { answers: [(question) => /[0-9a-f]{6}/.exec(question)?.[0] ?? ''] })
    expect(json).toMatchObject({ outcome: 'paid' })
  })

  it('is refused by a rule that allows less, with code and words', async () => {
    await writeFile(join(bench.folder, 'rule.json'), JSON.stringify(rule(AMOUNT - 1n)))
    const sent = gate.sent()
    const { code, json } = await bench.run([...PAY, ...RULE])
    expect(code).toBe(1)
    expect(json).toMatchObject({ ok: false, outcome: 'refused', code: 'SPX-G214', meaning: expect.any(String) })
    expect(gate.sent()).toBe(sent)
  })

  it('is refused by the policy before anything is begun', async () => {
    await writeFile(join(bench.folder, 'intent.json'), intentText(AMOUNT + 1n))
    const { code, json } = await bench.run([...PAY, ...RULE])
    expect(code).toBe(1)
    expect(json).toMatchObject({ outcome: 'refused', code: 'SPX-G212' })
    expect((await reconcile()).code).toBe(4)
  })

  it('is refused by custody for whom the list does not name, and nothing was sent', async () => {
    await bench.run(['wallet', 'allow', 'buyer', recipient, '--remove'])
    const sent = gate.sent()
    const { code, json } = await bench.run([...PAY, ...RULE])
    expect(code).toBe(1)
    expect(json).toMatchObject({
      outcome: 'refused',
      code: 'SPX-I225',
      causes: [expect.stringContaining('destination_refused')],
    })
    expect(gate.sent()).toBe(sent)
  })

  it('finds a wrong passphrase before anything is reserved', async () => {
    const { code, json } = await bench.run([...PAY, ...RULE], { env: { OIKOS_PASSPHRASE: 'another' } })
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { code: 'passphrase' } })
    expect((await reconcile()).code).toBe(4)
  })

  it('takes no second payment under one key', async () => {
    await bench.run([...PAY, ...RULE])
    await writeFile(join(bench.folder, 'intent.json'), intentText(AMOUNT - 1n))
    const { code, json } = await bench.run([...PAY, ...RULE])
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { message: expect.stringContaining('stands for another payment') } })
  })

  it('is uncertain while nothing confirms it, and says to reconcile and never to pay again', async () => {
    await ask('evm_setAutomine', [false])
    try {
      const { code, json, err } = await bench.run([...PAY, ...RULE, '--timeout', '0s'])
      expect(code).toBe(5)
      expect(json).toMatchObject({ ok: false, outcome: 'uncertain', state: 'pending' })
      expect(err).toContain('Do not pay again')
      expect(err).toContain(`oikos pay reconcile ${key}`)
    } finally {
      await ask('evm_setAutomine', [true])
      await ask('evm_mine', [])
    }
    expect((await reconcile()).json).toMatchObject({ ok: true, outcome: 'paid' })
  })
})

describe('Ctrl-C', () => {
  it('before the signature ends the payment, and gives its reservation back', async () => {
    const interruption = new AbortController()
    const sent = gate.sent()
    const { code, json } = await bench.run([...PAY, ...RULE], {
      signal: interruption.signal,
      onSay: (text) => {
        if (text.includes('the approver is asked')) interruption.abort()
      },
    })
    expect(code).toBe(130)
    expect(json).toMatchObject({ outcome: 'refused', state: expect.stringMatching(/cancelled|failed/) })
    expect(gate.sent()).toBe(sent)
  })

  it('after the broadcast leads to reconcile, and the payment is found', async () => {
    const interruption = new AbortController()
    const { code, json, err } = await bench.run([...PAY, ...RULE], {
      signal: interruption.signal,
      onSay: (text) => {
        if (text.includes('handed over, once')) interruption.abort()
      },
    })
    expect(code).toBe(5)
    expect(json).toMatchObject({ outcome: 'uncertain' })
    expect(err).toContain(`oikos pay reconcile ${key}`)
    expect((await reconcile()).json).toMatchObject({ outcome: 'paid' })
  })
})

describe('a payer that dies', () => {
  /** Starts a payment in a process of its own and kills it with SIGKILL where `isTime` says so. */
  async function payAndDie(isTime: (method: string, err: string) => boolean, isPassedOn: boolean): Promise<string> {
    let err = ''
    const { PATH = '' } = process.env
    const env = {
      ...{ PATH, HOME: bench.folder, OIKOS_HOME: join(bench.folder, 'home') },
      ...{ OIKOS_PASSPHRASE: 'passphrase', OIKOS_RPC_URL: gate.url },
    }
    const args = ['--disable-warning=ExperimentalWarning', main, ...PAY, ...RULE]
    const child: ChildProcess = spawn(process.execPath, args, {
      ...{ cwd: bench.folder, env, stdio: ['ignore', 'ignore', 'pipe'] },
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString('utf8')
    })
    gate.onRequest = (method) => {
      if (!isTime(method, err)) return true
      child.kill('SIGKILL')
      return isPassedOn
    }
    const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)))
    gate.onRequest = () => true
    expect(signal, err).toBe('SIGKILL')
    return err
  }

  it('MUST broadcast at most once: killed between signature and broadcast, it is reconciled to an end', async () => {
    const [before, sent] = [await balance(), gate.sent()]
    const err = await payAndDie((_method, said) => said.includes('custody signed one transaction'), false)
    expect(err).not.toContain('handed over')
    // Nobody can know that it did not leave, as long as its nonce is free: it stays open, and is not sent again.
    const open = await reconcile()
    expect(open.code).toBe(5)
    expect(open.json).toMatchObject({ ok: false, outcome: 'uncertain', state: 'pending' })
    // Another transaction of the wallet takes its nonce: now it can never come.
    await ask('anvil_impersonateAccount', [fundedAddress(number)])
    await ask('eth_sendTransaction', [{ from: fundedAddress(number), to: fundedAddress(0), value: '0x1' }])
    await ask('anvil_mine', ['0x1'])
    const { code, json } = await reconcile()
    expect(json).toMatchObject({ ok: false, outcome: 'refused', state: 'dropped' })
    expect(code).toBe(1)
    expect((await bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'refused', state: 'dropped' })
    expect([(await balance()) - before, gate.sent() - sent]).toEqual([0n, 0])
  })

  it('MUST broadcast at most once: killed while the broadcast is on its way, it is found paid', async () => {
    const [before, sent] = [await balance(), gate.sent()]
    await payAndDie((method) => method === 'eth_sendRawTransaction', true)
    await expect.poll(balance).toBe(before + AMOUNT)
    const { code, json } = await reconcile()
    expect(code).toBe(0)
    expect(json).toMatchObject({ ok: true, outcome: 'paid', state: 'confirmed' })
    expect((await bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'paid' })
    expect([(await balance()) - before, gate.sent() - sent]).toEqual([AMOUNT, 1])
  })

  it('keeps the documents of a payment for its owner alone', async () => {
    await bench.run([...PAY, ...RULE])
    const folder = join(bench.folder, 'home', 'payments', `${key}.payment`)
    for (const name of ['policy.json', 'intent.json']) {
      expect(await readFile(join(folder, name), 'utf8')).toBe(await readFile(join(bench.folder, name), 'utf8'))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    await chmod(folder, 0o755)
    expect((await reconcile()).code).toBe(2)
  })
})
