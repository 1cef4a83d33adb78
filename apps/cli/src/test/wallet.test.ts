import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkbench, fundedAddress, fundedKey, type Workbench } from './harness.ts'

const recipient = `0x${'11'.repeat(20)}`

let bench: Workbench
beforeEach(async () => {
  bench = await createWorkbench({ OIKOS_PASSPHRASE: 'correct horse' })
})
afterEach(() => bench.stop())

const walletFiles = () => readdir(join(bench.folder, 'home', 'custody', 'wallets'))

describe('wallet create', () => {
  it.each([
    ['evm', 'sepolia', /^0x[0-9a-f]{40}$/],
    ['solana', 'devnet', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
    ['bitcoin', 'regtest', /^bcrt1q/],
  ])('makes a wallet on %s, encrypted in a file for its owner alone', async (rail, network, address) => {
    const { code, json, err } = await bench.run(['wallet', 'create', 'buyer', '--rail', rail, '--json'])
    expect([code, err.includes('correct horse')]).toEqual([0, false])
    expect(json).toMatchObject({ ok: true, walletId: 'buyer', rail, network, address: expect.stringMatching(address) })
    const path = join(bench.folder, 'home', 'custody', 'wallets', `buyer.${rail}.wallet.json`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toContain('"scrypt"')
  })

  it.each([
    ['evm', 'mainnet'],
    ['evm', 'devnet'],
    ['solana', 'mainnet-beta'],
    ['bitcoin', 'bitcoin'],
    ['bitcoin', 'testnet4'],
  ])('MUST refuse a wallet on any network but the three test networks: %s %s', async (rail, network) => {
    const args = ['wallet', 'create', 'buyer', '--rail', rail, '--network', network, '--json']
    const { code, json } = await bench.run(args)
    expect(code).toBe(2)
    expect(json).toMatchObject({ ok: false, error: { name: 'CustodyError', code: 'network_refused' } })
    await expect(walletFiles()).rejects.toThrow()
  })

  it('never overwrites, and refuses before it asks for a passphrase', async () => {
    await bench.run(['wallet', 'create', 'buyer'])
    const questions: string[] = []
    const again = await bench.run(['wallet', 'create', 'buyer', '--json'], {
      answers: [],
      onQuestion: (question) => questions.push(question),
    })
    expect(again.code).toBe(2)
    expect(again.json).toMatchObject({ error: { code: 'wallet_exists' } })
    expect(questions).toEqual([])
  })

  it('takes no passphrase from the command line', async () => {
    const { code, err } = await bench.run(['wallet', 'create', 'buyer', '--passphrase', 'correct horse'])
    expect(code).toBe(2)
    expect(err).toContain("unknown option '--passphrase'")
  })

  it('refuses a name that no policy can have', async () => {
    expect((await bench.run(['wallet', 'create', '../x', '--json'])).json).toMatchObject({
      exitCode: 2,
      error: { code: 'request_malformed' },
    })
  })
})

describe('wallet import', () => {
  it('keeps the key of an account', async () => {
    const { json } = await bench.run(['wallet', 'import', 'buyer', '--json'], {
      env: { OIKOS_PRIVATE_KEY: fundedKey(3) },
    })
    expect(json).toMatchObject({ ok: true, address: fundedAddress(3).toLowerCase() })
  })

  it('reads a secret from a file, and never repeats one that is wrong', async () => {
    await writeFile(join(bench.folder, 'seed.hex'), `${'07'.repeat(32)}\n`)
    const args = ['--rail', 'solana', '--json'] as const
    expect((await bench.run(['wallet', 'import', 'buyer', '--file', 'seed.hex', ...args])).json).toMatchObject({
      ok: true,
    })
    await writeFile(join(bench.folder, 'bad.hex'), `${'07'.repeat(31)}0g`)
    const { code, out, err } = await bench.run(['wallet', 'import', 'other', '--file', 'bad.hex', ...args])
    expect(code).toBe(2)
    expect(out + err).not.toContain('070707')
    expect(
      (await bench.run(['wallet', 'import', 'zero', ...args.slice(2)], { answers: ['00'.repeat(32)] })).json,
    ).toMatchObject({ exitCode: 2, error: { code: 'secret_malformed' } })
  })
})

describe('wallet allow and show', () => {
  const allowed = async (...more: string[]) => {
    const args = ['wallet', 'allow', 'buyer', recipient, '--max-amount', '0.5 ETH', '--max-fee', '7 atomic', '--json']
    return bench.run([...args, ...more])
  }

  it('lists nobody before somebody is allowed, and nobody after', async () => {
    await bench.run(['wallet', 'create', 'buyer'])
    expect((await bench.run(['wallet', 'show', 'buyer'])).out).toContain('nobody')
    expect((await allowed()).json).toMatchObject({
      allowed: { destination: recipient, maxAmountAtomic: '500000000000000000', maxFeeAtomic: '7' },
    })
    expect((await bench.run(['wallet', 'show'])).out).toContain(`${recipient}, at most 0.5 ETH`)
    await bench.run(['wallet', 'allow', 'buyer', recipient, '--remove'])
    expect((await bench.run(['wallet', 'show', '--json'])).json).toMatchObject({ wallets: [{ allowed: [] }] })
    expect((await bench.run(['wallet', 'allow', 'buyer', recipient, '--remove'])).code).toBe(4)
  })

  it('refuses wallets, addresses and amounts that are none', async () => {
    expect((await allowed()).code).toBe(4)
    expect((await bench.run(['wallet', 'show'])).out).toContain('No wallets')
    await bench.run(['wallet', 'create', 'buyer'])
    for (const [address, amount] of [
      ['0x11', '1 ETH'],
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '1 ETH'],
      [recipient, '1'],
      [recipient, '1 SOL'],
      [recipient, '0.0000000000000000001 ETH'],
      [recipient, '19 ETH'],
    ] as const) {
      const args = ['wallet', 'allow', 'buyer', address, '--max-amount', amount, '--max-fee', '1 atomic']
      expect((await bench.run(args)).code, `${address} ${amount}`).toBe(2)
    }
  })

  it('MUST refuse a folder that others can enter', async () => {
    await bench.run(['wallet', 'create', 'buyer'])
    await chmod(join(bench.folder, 'home', 'custody', 'wallets'), 0o755)
    expect((await bench.run(['wallet', 'show', '--json'])).json).toMatchObject({
      exitCode: 2,
      error: { code: 'permissions' },
    })
  })
})
