import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketBench, fundedAddress, fundedKey, textAt } from './harness.ts'

let market: Awaited<ReturnType<typeof createMarketBench>>

beforeAll(async () => {
  market = await createMarketBench()
})
afterAll(() => market.stop())

describe('keys, by commands', () => {
  it('are made after a question without echo, asked twice', async () => {
    const questions: string[] = []
    const { code, out, err } = await market.bench.run(['key', 'new', 'anna'], {
      answers: ['correct horse', 'correct horse'],
      onQuestion: (question) => questions.push(question),
    })
    expect(code).toBe(0)
    expect(questions).toHaveLength(2)
    expect(out).toMatch(/^0x[0-9a-fA-F]{40}\n$/)
    expect(err).not.toContain('correct horse')
  })

  it('are not made when the two answers differ, or the name is taken', async () => {
    const differ = await market.bench.run(['key', 'new', 'bert'], { answers: ['one', 'two'] })
    expect([differ.code, differ.out]).toEqual([2, ''])
    const taken = await market.bench.run(['key', 'new', 'anna'], { answers: [] })
    expect(taken.code).toBe(2)
    expect(taken.err).toContain('exists')
  })

  it('are imported from a question, the environment and a file, and never shown', async () => {
    const env = { OIKOS_PASSPHRASE: 'pass' }
    const asked = await market.bench.run(['key', 'import', 'judge', '--json'], {
      answers: [fundedKey(1), 'pass', 'pass'],
    })
    expect(asked.json).toMatchObject({ ok: true, name: 'judge', address: fundedAddress(1) })
    const given = await market.bench.run(['key', 'import', 'worker', '--json'], {
      env: { ...env, OIKOS_PRIVATE_KEY: fundedKey(2) },
    })
    expect(given.json).toMatchObject({ address: fundedAddress(2) })
    await writeFile(join(market.bench.folder, 'demander.key'), `${fundedKey(0)}\n`)
    const read = await market.bench.run(['key', 'import', 'demander', '--file', 'demander.key', '--json'], { env })
    expect(read.json).toMatchObject({ address: fundedAddress(0) })
    const stored = join(market.bench.folder, 'home', 'keystore', 'demander.json')
    const copied = await market.bench.run(['key', 'import', 'copy', '--file', stored, '--json'], { env })
    expect(copied.json).toMatchObject({ address: fundedAddress(0) })
    for (const { out, err } of [asked, given, read, copied]) {
      for (const index of [0, 1, 2]) expect(out + err).not.toContain(fundedKey(index).slice(2))
    }
    expect(await readFile(stored, 'utf8')).not.toContain(fundedKey(0).slice(2))
  })

  it('have no option for a key or passphrase', async () => {
    const { code } = await market.bench.run(['key', 'import', 'x', '--private-key', fundedKey(3)])
    expect(code).toBe(2)
    expect((await market.bench.run(['key', 'new', 'x', '--passphrase', 'p'])).code).toBe(2)
  })

  it('are listed and looked up by what is public', async () => {
    const listed = await market.bench.run(['key', 'list'])
    expect(listed.out).toContain(fundedAddress(1))
    expect((await market.bench.run(['key', 'address', 'judge'])).out).toBe(`${fundedAddress(1)}\n`)
    const missing = await market.bench.run(['key', 'address', 'nobody'])
    expect(missing.code).toBe(4)
    expect(missing.err).toContain('Known keys: anna')
  })

  it('do not import what is no key, and do not quote it', async () => {
    const text = `0x${'ff'.repeat(32)}`
    const { code, err } = await market.bench.run(['key', 'import', 'wrong'], { answers: [text] })
    expect(code).toBe(2)
    expect(err).not.toContain('ffff')
  })
})

describe('sending from a key of the keystore', () => {
  it('names people by their keys, and opens a key only when it signs', async () => {
    const { bench } = market
    await bench.run(['task', 'init', 'work'])
    const mint = [
      'task',
      'mint',
      'work',
      '--reward',
      '1 ETH',
      '--judge',
      'judge',
      '--window',
      '1d',
      '--from',
      'demander',
    ]
    const looked = await bench.run([...mint, '--dry-run'])
    expect(looked.code).toBe(0)
    expect(looked.err).toContain(`judge ${fundedAddress(1)} (key judge)`)

    const wrong = await bench.run([...mint, '--yes', '--json'], { env: { OIKOS_PASSPHRASE: 'wrong' } })
    expect(wrong.code).toBe(2)
    expect(wrong.json).toMatchObject({ error: { name: 'KeyError', fault: 'passphrase' } })

    await writeFile(join(bench.folder, 'passphrase.txt'), 'pass\n')
    const sent = await bench.run([...mint, '--yes', '--json', '--passphrase-file', 'passphrase.txt'])
    expect(sent.json).toMatchObject({ sent: true, acceptanceAuthority: fundedAddress(1) })
    const shown = await bench.run(['task', 'show', textAt(sent.json, 'tokenId')])
    expect(shown.out).toContain('(key demander)')
  })

  it('asks which one when there are several, and needs a passphrase from somewhere', async () => {
    const several = await market.bench.run(['task', 'freeze', '1', '--yes'])
    expect(several.code).toBe(2)
    expect(several.err).toContain('Choose one with --from: anna, copy, demander, judge, worker.')
    const silent = await market.bench.run(['task', 'freeze', '1', '--yes', '--from', 'demander'])
    expect(silent.code).toBe(2)
    expect(silent.err).toContain('OIKOS_PASSPHRASE')
  })

  it('takes the configured key when no other is named', async () => {
    const config = join(market.bench.folder, 'home', 'config.json')
    await writeFile(config, JSON.stringify({ from: 'demander' }))
    const { code } = await market.bench.run(['task', 'freeze', '1', '--yes'], { env: { OIKOS_PASSPHRASE: 'pass' } })
    expect(code).toBe(0)
  })
})

describe('confidential packages', () => {
  it('are packed for a recipient, verified by everyone, opened by the recipient only', async () => {
    const { bench } = market
    const env = { OIKOS_PASSPHRASE: 'pass', OIKOS_PRIVATE_KEY: fundedKey(0) }
    for (const name of ['box', 'other-box']) {
      expect((await bench.run(['key', 'new', name, '--recipient'], { env })).code).toBe(0)
    }
    await bench.run(['task', 'init', 'secret'])
    await writeFile(join(bench.folder, 'secret', 'data.csv'), 'the secret rows')
    const terms = ['--reward', '1 ETH', '--judge', 'judge', '--window', '1d']
    const sealing = ['--encrypt', 'data.csv', '--recipient', 'box']
    const minted = await bench.run(['task', 'mint', 'secret', ...terms, ...sealing, '--yes', '--json'], { env })
    const task = textAt(minted.json, 'tokenId')

    const everyone = await bench.run(['task', 'verify', task, '--json'], { env })
    expect(everyone.json).toMatchObject({ ok: true, notChecked: ['plaintext'] })
    const recipient = ['task', 'verify', task, '--open', 'box', '--unpack', 'opened', '--json']
    expect((await bench.run(recipient, { env })).json).toMatchObject({ ok: true, notChecked: [] })
    expect(await readFile(join(bench.folder, 'opened', 'data.csv'), 'utf8')).toBe('the secret rows')
    const other = await bench.run(['task', 'verify', task, '--open', 'other-box', '--json'], { env })
    expect(other.json).not.toMatchObject({ ok: true, notChecked: [] })
  })

  it('need both, what is encrypted and for whom', async () => {
    const { code, err } = await market.bench.run(['task', 'pack', 'secret', '--encrypt', 'data.csv'])
    expect(code).toBe(2)
    expect(err).toContain('--recipient')
  })
})
