import { type ChildProcess, spawn } from 'node:child_process'
import { access, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createEvmLookup, createInvoiceIssuer, createMemoryRedemptions, createSeller } from '@oikos/runtime/x402'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeReader } from '../../../../packages/runtime/test/node-reader.ts'
import { openShop } from '../../../../packages/runtime/test/x402-shop.ts'
import { fundedAddress } from './harness.ts'
import { AMOUNT, MAX_FEE, PAY, RULE, recipient, usePayBench } from './pay-bench.ts'
import { ORIGIN } from './pay-documents.ts'

const main = join(import.meta.dirname, '..', 'main.ts')
const at = usePayBench()

describe('pay with a signer in another process', () => {
  let signer: ChildProcess | undefined
  let said = ''
  beforeEach(async () => {
    // The wallet moves to the signer's place: the payer has no file of a key, and nobody gives it a passphrase.
    await rename(join(at.bench.folder, 'home', 'custody'), join(at.bench.folder, 'signer-home'))
  })
  afterEach(stopSigner)

  const socket = () => join(at.bench.folder, 'signer-home', 'signer', 'socket')
  const withSigner = (address = at.payer) => ['--signer', socket(), '--address', address]
  const withoutPassphrase = { env: { OIKOS_PASSPHRASE: '' } }
  const pay = (...more: string[]) => at.bench.run([...PAY, ...RULE, ...more], withoutPassphrase)

  async function stopSigner(): Promise<NodeJS.Signals | number | null> {
    const child = signer
    signer = undefined
    if (child === undefined) return null
    const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
      child.once('close', (code, by) => resolve(code ?? by)),
    )
    child.kill('SIGINT')
    return ended
  }

  async function startSigner(): Promise<void> {
    said = ''
    const { PATH = '' } = process.env
    const home = join(at.bench.folder, 'home')
    const env = { PATH, HOME: at.bench.folder, OIKOS_HOME: home, OIKOS_PASSPHRASE: 'passphrase' }
    const words = ['wallet', 'serve', '--custody', join(at.bench.folder, 'signer-home'), '--json']
    const args = ['--disable-warning=ExperimentalWarning', main, ...words]
    const child = spawn(process.execPath, args, { cwd: at.bench.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    signer = child
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8')
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    await expect.poll(() => said, { timeout: 20_000 }).toContain('"socket"')
  }

  it('MUST pay once with a key that this process never has', async () => {
    await startSigner()
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const { json, code, err } = await pay(...withSigner())
    expect(json, err).toMatchObject({ ok: true, outcome: 'paid', causes: [] })
    expect(code).toBe(0)
    const again = await at.bench.run(['pay', 'reconcile', at.key, ...withSigner(), '--json'], withoutPassphrase)
    expect(again.json).toMatchObject({ outcome: 'paid' })
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
    expect(said).not.toContain('passphrase')
    expect(await stopSigner()).toBe(0)
    await expect(access(socket())).rejects.toThrow()
  })

  it('buys over x402: the signer proves the payment of an invoice, too', async () => {
    await startSigner()
    const clockMs = () => Date.now()
    const createNonce = () => crypto.randomUUID().replaceAll('-', '')
    const issuer = createInvoiceIssuer({ secrets: [new Uint8Array(32).fill(3)], clockMs, createNonce })
    const chains = { evm: createEvmLookup(nodeReader(at.chain.url)) }
    const seller = createSeller({ issuer, chains, redemptions: createMemoryRedemptions(), clockMs })
    const price = { rail: 'evm', amountAtomic: AMOUNT, payTo: recipient, lifetimeSec: 300, confirmations: 1 } as const
    const shop = await openShop({ framework: 'hono', seller, accepts: [price], resource: `${ORIGIN}/data` })
    try {
      const what = ['--x402', `${ORIGIN}/data`, '--wallet', 'buyer', '--max-fee', `${MAX_FEE} atomic`, '--key', at.key]
      const how = ['--local-server', String(shop.port), '--confirmations', '1', '--json', '--out', 'data.json']
      const words = ['pay', '--policy', 'policy.json', ...what, ...how, ...RULE, ...withSigner()]
      const { json, err } = await at.bench.run(words, withoutPassphrase)
      expect(json, err).toMatchObject({ outcome: 'paid', delivery: { accepted: true, status: 200 } })
      expect(shop.served()).toBe(1)
    } finally {
      await shop.close()
    }
  })

  it('finds before anything is reserved that nobody serves', async () => {
    const { json, code } = await pay(...withSigner())
    expect(json).toMatchObject({ ok: false, error: { code: 'signer_unreachable', retryable: true } })
    expect([code, (await at.reconcile()).code]).toEqual([3, 4])
  })

  it('is refused, and nothing is sent, when the signer dies before it has signed', async () => {
    await startSigner()
    const sent = at.gate.sent()
    const running = at.bench.run([...PAY, ...RULE, ...withSigner()], {
      ...withoutPassphrase,
      onSay: (text) => {
        if (text.includes('the approver is asked')) signer?.kill('SIGKILL')
      },
    })
    const { json, code } = await running
    expect(json).toMatchObject({ ok: false, outcome: 'refused', code: 'SPX-I225' })
    expect([code, at.gate.sent()]).toEqual([1, sent])
    signer = undefined
  })

  it('takes nothing from a signer whose wallet has another address than the operator says', async () => {
    await startSigner()
    const sent = at.gate.sent()
    const { json } = await pay(...withSigner(fundedAddress(0)))
    expect(json).toMatchObject({ ok: false, outcome: 'refused' })
    expect(at.gate.sent()).toBe(sent)
  })

  it('wants to know the address of a wallet that it has no file of, and no address of one that it has', async () => {
    await startSigner()
    expect((await pay('--signer', socket())).json).toMatchObject({ error: { code: 'wallet_unknown' } })
    expect((await pay('--address', at.payer)).code).toBe(2)
    const custody = join(at.bench.folder, 'signer-home')
    expect((await pay('--signer', socket(), '--custody', custody)).json).toMatchObject({ outcome: 'paid' })
  })

  it('MUST sign nothing that no approver approved: the signer looks it up in the log itself', async () => {
    await startSigner()
    const sent = at.gate.sent()
    // Another home has another log, which the signer does not believe.
    const env = { ...withoutPassphrase.env, OIKOS_HOME: join(at.bench.folder, 'elsewhere') }
    const { json } = await at.bench.run([...PAY, ...RULE, ...withSigner()], { env })
    expect(json).toMatchObject({ outcome: 'refused', causes: [expect.stringContaining('approval_refused')] })
    expect(at.gate.sent()).toBe(sent)
    expect(said).toContain('approval_refused')
  })
})
