import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkbench, type Workbench } from './harness.ts'
import { POLICY, proposalOf } from './payments.ts'

let bench: Workbench
const write = (name: string, text: string | Uint8Array) => writeFile(join(bench.folder, name), text)
const intent = Buffer.from(proposalOf('a').finalMessage).toString('utf8')

beforeAll(async () => {
  bench = await createWorkbench()
  await write('policy.json', POLICY)
  await write('intent.json', intent)
})
afterAll(() => bench.stop())

describe('policy check', () => {
  it('says what a policy allows, in amounts as people write them', async () => {
    const { code, out } = await bench.run(['policy', 'check', 'policy.json'])
    expect(code).toBe(0)
    expect(out).toContain('at most 0.000000000000001 ETH a payment and 0.000000000001 ETH in 24 hours')
    expect(out).toContain('0x1111111111111111111111111111111111111111')
    expect(out).toContain('those of the standard')
  })

  it.each([
    ['a rail that is none', '"rail":"evm"', '"rail":"near"', 'SPX-G211', 'evm, solana or bitcoin'],
    ['another network', '"sepolia"', '"mainnet"', 'SPX-G211', 'one network and one asset'],
    [
      'a limit above the standard',
      '"max_utxos":100',
      '"max_utxos":101',
      'SPX-G211',
      'The limit max_utxos is at most 100',
    ],
    ['a missing nonclaim', '"no_mainnet_authority",', '', 'SPX-G211', '28 nonclaims'],
    ['an extra key', '{"schema"', '{"note":"","schema"', 'SPX-G210', 'canonical form'],
  ])('%s is explained beside its code', async (_what, from, to, expected, words) => {
    await write('wrong.json', POLICY.replace(from, to))
    const { code, out, json } = await bench.run(['policy', 'check', 'wrong.json', '--json'])
    expect(code).toBe(1)
    expect(json).toMatchObject({ ok: false, findings: [{ document: 'policy', code: expected }] })
    expect(out).toContain(words)
    expect((await bench.run(['policy', 'check', 'wrong.json'])).out).toContain(`refused  ${expected}`)
  })

  it('finds that only the writing differs, and writes the canonical form', async () => {
    await write(
      'draft.json',
      JSON.stringify(JSON.parse(POLICY.replaceAll(/:(\d{16,})/g, ':"$1"')), undefined, 2).replaceAll(
        /"(\d{16,})"/g,
        '$1',
      ),
    )
    const judged = await bench.run(['policy', 'check', 'draft.json'])
    expect([judged.code, judged.out]).toEqual([1, expect.stringContaining('SPX-G210')])
    expect(judged.err).toContain('only the writing differs')
    const written = await bench.run(['policy', 'check', 'draft.json', '--write', 'final.json'])
    expect(written.code).toBe(0)
    expect(await readFile(join(bench.folder, 'final.json'), 'utf8')).toBe(POLICY)
    expect((await bench.run(['policy', 'check', 'draft.json', '--write', 'final.json'])).code).toBe(2)
  })

  it('tells both what is wrong with the writing and with the values', async () => {
    await write('both.json', POLICY.replace('"max_utxos":100', '"max_utxos":101').replace('{', '{\n'))
    const { code, json } = await bench.run(['policy', 'check', 'both.json', '--json'])
    expect(code).toBe(1)
    expect(json).toMatchObject({ canonicalIsValid: false, findings: [{ code: 'SPX-G210' }, { code: 'SPX-G211' }] })
  })
})

describe('intent check', () => {
  it('says what would be paid, and what is judged later', async () => {
    const { code, out, err } = await bench.run(['intent', 'check', 'intent.json', '--policy', 'policy.json'])
    expect(code).toBe(0)
    expect(out).toContain('0.00000000000000001 ETH to 0x1111')
    expect(out).toContain('2023-11-14 22:13:20 UTC')
    expect(err).toContain('judged when it is paid')
  })

  it.each([
    ['another wallet', 'rehearsal.wallet', 'somebody.else', 'SPX-G212', 'another wallet than the policy'],
    ['a recipient that is not listed', '0x1111', '0x2111', 'SPX-G212', 'not in the list of the policy'],
    ['too much', '"amount_atomic":10,', '"amount_atomic":1001,', 'SPX-G212', 'at most what row and limits allow'],
    ['a life that is too long', '"expires_at_ms":17', '"expires_at_ms":18', 'SPX-G212', '10 minutes'],
    ['a memo that is too long', '"memo":null', `"memo":"${'m'.repeat(1025)}"`, 'SPX-G216', 'The memo is too long'],
    ['another chain', '"sepolia"', '"mainnet"', 'SPX-G210', 'canonical form'],
  ])('%s is explained beside its code', async (_what, from, to, expected, words) => {
    expect(intent).toContain(from)
    await write('refused.json', intent.replace(from, to))
    const args = ['intent', 'check', 'refused.json', '--policy', 'policy.json']
    const { code, out, json } = await bench.run([...args, '--json'])
    expect(code).toBe(1)
    expect(json).toMatchObject({ ok: false, findings: [{ document: 'intent', code: expected }] })
    expect(out).toContain(words)
    const spoken = await bench.run(args)
    expect(spoken.out).toContain(`REFUSED     this payment would not be made\nrefused  ${expected}`)
  })

  it('a policy that cannot be used decides nothing', async () => {
    await write('broken.json', 'no policy')
    const { code, json } = await bench.run(['intent', 'check', 'intent.json', '--policy', 'broken.json', '--json'])
    expect(code).toBe(1)
    expect(json).toMatchObject({ findings: [{ document: 'policy', code: 'SPX-G210' }] })
  })

  it('needs a policy', async () => {
    expect((await bench.run(['intent', 'check', 'intent.json'])).code).toBe(2)
  })

  it('prints no escape of a terminal that an intent carries', async () => {
    await write('escape.json', intent.replace('"memo":null', '"memo":"\\u001b[2J"'))
    const { code, out } = await bench.run(['intent', 'check', 'escape.json', '--policy', 'policy.json'])
    expect([code, out.includes('\u001b')]).toEqual([0, false])
    expect(out).toContain('\\u{1b}[2J')
  })
})
