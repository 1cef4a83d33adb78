import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buildActionReasoning, getMintStatus } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import type { Address } from 'viem'
import { getBlockNumber, getTransactionCount } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyRule, USDC } from '../../../../packages/sdk/test/agents.ts'
import { compileMocks } from '../../../../packages/sdk/test/compile-mocks.ts'
import { collect } from '../../../../packages/sdk/test/temporary-folder.ts'
import { createAgentBench, fundedAddress, fundedKey, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createAgentBench>>

const [owner, , operator, alice, bob, stranger] = [0, 1, 2, 3, 4, 5]
const mocks = compileMocks()
const key = (index: number) => ({ env: { OIKOS_PRIVATE_KEY: fundedKey(index) } })
const why = ['--why', 'For the test.']

let bench: Bench
let agent: Address

beforeAll(async () => {
  bench = await createAgentBench()
  agent = await bench.agents.create()
  await bench.nameAgents({ fund: agent })
  await bench.market.tell(mocks.TestToken, bench.agents.token, 'mint', [fundedAddress(alice), 1_000n * USDC])
  await bench.as(alice, 'agent', 'request-mint', 'fund', '100 USDC', '--yes')
})
afterAll(() => bench.stop())

const blockNumber = () => getBlockNumber(bench.market.as.owner, { cacheTime: 0 })
const sentBy = (index: number): Promise<number> =>
  getTransactionCount(bench.market.as.owner, { address: fundedAddress(index) as Address })
const settle = ['agent', 'settle', 'fund', 'mint', '--for', fundedAddress(alice)]

describe('mistakes end with 2 and send nothing', () => {
  const create = ['agent', 'create', 'Name', 'SYM', '--executor', fundedAddress(operator), '--yes']
  it.each<[string, string[], string]>([
    ['no price', create, 'what a share costs'],
    ['a price with excess precision', [...create, '--price', '1.0000001 USDC'], 'nothing is rounded'],
    ['a price of nothing', [...create, '--price', '0 USDC'], 'a price above 0'],
    ['a price without a unit', [...create, '--price', '1.00'], 'does not say in which asset'],
    ['a token that is not configured', [...create, '--price', '1 EURX'], 'No asset is known'],
    ['a fee beyond the cap', [...create, '--price', '1 USDC', '--mint-fee', '501'], 'from 0 to 500'],
    ['a recipient without a fee', [...create, '--price', '1 USDC', '--fee-recipient', fundedAddress(1)], 'no fee'],
    ['two kinds of metadata', [...create, '--price', '1 USDC', '--uri', 'x', '--metadata', 'y'], 'Both --uri'],
    ['a salt that is none', [...create, '--price', '1 USDC', '--salt', '0x12'], '--salt is no hash'],
    ['an Agent of another chain', ['agent', 'show', `1:0x${'12'.repeat(20)}`], 'connected to chain 11155111'],
    ['an Agent that nobody named', ['agent', 'show', 'nobody'], 'or one of fund'],
    ['a wrong checksum', ['agent', 'show', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'], 'checksum'],
    ['an amount in another asset', ['agent', 'request-mint', 'fund', '5 ETH', '--yes'], 'not one of USDC'],
    ['more than one has', ['agent', 'request-mint', 'fund', '999999 USDC', '--yes'], 'are needed'],
    ['shares without a unit', ['agent', 'request-redeem', 'fund', '5', '--yes'], 'no exact amount of shares'],
    ['a limit of nothing', ['agent', 'limit', 'fund', 'mint', '0 USDC', '--yes'], 'a price of zero is none'],
    ['a kind that is none', ['agent', 'limit', 'fund', 'buy', '1 USDC', '--yes'], 'no kind of request'],
    ['nobody to settle', ['agent', 'settle', 'fund', 'mint', ...why, '--yes'], 'Nobody is named'],
    ['everybody and somebody', [...settle, '--all', ...why, '--yes'], 'Both --all and --for'],
    ['the same account twice', [...settle, '--for', fundedAddress(alice), ...why, '--yes'], 'named twice'],
    ['no reason', [...settle, '--yes'], 'says why'],
    ['two reasons', [...settle, ...why, '--record', 'x.json', '--yes'], 'Both --why and --record'],
    ['an empty reason', ['agent', 'decline', 'fund', 'mint', fundedAddress(alice), '--yes'], 'says why'],
    [
      'two calls',
      ['agent', 'execute', 'fund', fundedAddress(bob), '--call', 'f()', '--data', '0x', ...why],
      'Both --call',
    ],
    ['no function', ['agent', 'scope', 'check', 'fund', fundedAddress(bob), '--call', 'not a function'], 'signature'],
    ['too few arguments', ['agent', 'scope', 'check', 'fund', fundedAddress(bob), '--call', 'f(uint256 a)'], 'takes 1'],
    [
      'an argument of another type',
      ['agent', 'scope', 'check', 'fund', fundedAddress(bob), '--call', 'f(uint256 a)', '--arg', '1.5'],
      'is no uint256',
    ],
    [
      'call data that is none',
      ['agent', 'scope', 'check', 'fund', fundedAddress(bob), '--data', '0x123'],
      'no call data',
    ],
    ['nothing to guard', ['agent', 'guard', 'set', 'fund', '--yes'], 'Nothing is to be set'],
    ['no fee to lower', ['agent', 'fees', 'lower', 'fund', '--yes'], 'No fee is to be lowered'],
    ['no URI', ['agent', 'set-uri', 'fund', '--yes'], 'Give a URI or --metadata'],
    [
      'an evidence that is none',
      ['agent', 'valuation', 'propose', 'fund', `0x${'12'.repeat(20)}`, '1 USDC', 'x'],
      'digest',
    ],
    ['a change that is none', ['agent', 'scope', 'enact', 'fund', '0x12', '--yes'], '64 digits'],
  ])('%s', async (_what, args, sentence) => {
    await writeFile(
      join(bench.bench.folder, 'ok.json'),
      JSON.stringify({ schema: 'oikos-scope-policy/1', delay: 'keep', rules: [] }),
    )
    const before = await blockNumber()
    const { code, err } = await bench.bench.run(args, key(alice))
    expect(err).toContain(sentence)
    expect(code).toBe(2)
    expect(await blockNumber()).toBe(before)
  })

  it('a history that was not read as a whole is no ground for a plan', async () => {
    const rules = [anyRule({ target: fundedAddress(bob) as Address, plain: true })]
    const bound = await bench.agents.create({ scope: { rules, caps: [], members: [] } })
    const plan = ['agent', 'scope', 'plan', bound, 'ok.json', '--from-block', '999999']
    const { code, err } = await bench.bench.run(plan)
    expect([code, err.includes('not read as a whole')]).toEqual([2, true])
    const shown = await bench.bench.run(['agent', 'show', bound, '--from-block', '999999'])
    expect(shown.err).toContain('The history was not read as a whole')
  })

  it('a policy names everything that is wrong with it', async () => {
    const policy = { schema: 'oikos-scope-policy/1', delay: '1 fortnight', rules: [{ to: 'nowhere', call: 'f(' }] }
    await writeFile(join(bench.bench.folder, 'bad.json'), JSON.stringify(policy))
    const { code, err } = await bench.bench.run(['agent', 'scope', 'plan', 'fund', 'bad.json'])
    expect(code).toBe(2)
    expect(err).toContain('delay:')
    expect(err).toContain('rules[0].to:')
  })
})

describe('hostile names', () => {
  it('a token that calls itself shares is written by its address', async () => {
    const token = await bench.market.deployMock(mocks.TestToken, ['Shares', 6])
    const odd = await bench.agents.create({ acceptToken: token })
    const { out } = await bench.bench.run(['agent', 'show', odd])
    expect(out).toContain(`1 ${token.slice(0, 6)}…${token.slice(-4)} a share`)
    expect(out).not.toMatch(/\d Shares/)
  })

  it('§6.5.5: names and URIs of strangers are untrusted, and printed harmlessly', async () => {
    const esc = '\u001b[31m'
    const odd = await bench.agents.create({ name: `${esc}Fund\u202e`, symbol: `${esc}F`, agentURI: `ipfs://x${esc}` })
    for (const args of [
      ['agent', 'show', odd],
      ['agent', 'list'],
    ]) {
      const { code, out, err } = await bench.bench.run(args)
      expect(code).toBe(0)
      expect(out + err).not.toContain('\u001b')
      expect(out).toContain('\\u{1b}[31mF')
    }
  })
})

describe('what does not exist ends with 4', () => {
  it.each([
    ['an account without code', ['agent', 'show', fundedAddress(stranger)]],
    ['a contract that is no Agent', ['agent', 'show', `0x${'12'.repeat(20)}`]],
    ['a policy file', ['agent', 'scope', 'plan', 'fund', 'nowhere.json']],
    ['a record file', [...settle, '--record', 'nowhere.json', '--yes']],
    ['a key', ['agent', 'executor', 'add', 'fund', 'nobody', '--yes']],
    ['a pending redemption', ['agent', 'settle', 'fund', 'redeem', '--all', ...why, '--yes']],
    ['an announced change', ['agent', 'scope', 'enact', 'fund', `0x${'12'.repeat(32)}`, '--yes']],
  ])('%s', async (_what, args) => {
    const { code, err } = await bench.bench.run(args, key(operator))
    expect(err).toContain('error')
    expect(code).toBe(4)
  })

  it('a factory where the deployments name none', async () => {
    const file = join(bench.bench.folder, 'home', 'deployments.json')
    const whole = await readFile(file, 'utf8')
    const document = JSON.parse(whole)
    const { agentFactory: _, agents: __, ...without } = document.deployments[0]
    const other = join(bench.bench.folder, 'market-only.json')
    await writeFile(other, JSON.stringify({ ...document, deployments: [without] }))
    const { code, err } = await bench.bench.run(['agent', 'list', '--deployments', other])
    expect([code, err.includes('name no factory')]).toEqual([4, true])
    const named = await bench.bench.run(['agent', 'list', '--deployments', other, '--factory', bench.agents.factory])
    expect(named.code).toBe(0)
    const shown = await bench.bench.run(['agent', 'show', agent, '--deployments', other])
    expect(shown.out).toContain('not known here')
    expect(shown.out).toContain('what its code does is not known here')
  })
})

describe('refusals by the contracts end with 1 and a remedy', () => {
  it.each<[string, number, string[], string]>([
    ['who is no Executor', stranger, [...settle, ...why, '--yes'], 'NotExecutor'],
    [
      'who is not the Owner',
      stranger,
      ['agent', 'executor', 'add', 'fund', fundedAddress(bob), '--yes'],
      'OwnableUnauthorizedAccount',
    ],
    ['who may not brake', stranger, ['agent', 'pause', 'fund', '--yes'], 'NotOwnerOrGuardian'],
    ['what is not paused', owner, ['agent', 'unpause', 'fund', '--yes'], 'NotPaused'],
    [
      'shares that one does not have',
      stranger,
      ['agent', 'request-redeem', 'fund', '1 share', '--yes'],
      'ERC20InsufficientBalance',
    ],
    ['fees that nobody owes', stranger, ['agent', 'fees', 'claim', 'fund', '--yes'], 'NothingOwed'],
    ['the boundary to a stranger', stranger, ['agent', 'scope', 'close', 'fund', '--yes'], 'NotOwnerOrGuardian'],
  ])('%s', async (_what, index, args, errorName) => {
    const { code, json, err } = await bench.bench.run([...args, '--json'], key(index))
    expect(json).toMatchObject({ error: { name: 'ContractRevertedError', errorName } })
    expect(code).toBe(1)
    expect(err).toMatch(/error {2}.+\n {7}\w/)
  })
})

describe('a record', () => {
  const file = (name: string) => join(bench.bench.folder, name)
  const stored = async () => collect((await openContentStore(file('home/content'))).list())
  const action = () => ({
    ...({ chainId: 11155111, agent, action: 'settleMint' } as const),
    args: [fundedAddress(alice) as Address] as const,
  })

  it('may come as claims with links, which are bound to the call', async () => {
    const before = await stored()
    const links = { packages: [{ taskHash: `0x${'ab'.repeat(32)}` }] }
    await writeFile(file('claims.json'), JSON.stringify({ claims: { decision: 'Take it.', model: 'm-1' }, links }))
    const dry = await bench.bench.run([...settle, '--record', 'claims.json', '--dry-run'], key(operator))
    expect(dry.code).toBe(0)
    expect(await stored()).toEqual(before)
  })

  it('may come whole, when it is for this very call', async () => {
    const claims = { decision: 'It was written elsewhere.' }
    const other = buildActionReasoning({ ...action(), args: [fundedAddress(bob) as Address], claims })
    await writeFile(file('other.json'), other.bytes)
    const refused = await bench.bench.run([...settle, '--record', 'other.json', '--yes'], key(operator))
    expect([refused.code, refused.err.includes('binding.call-hash')]).toEqual([2, true])
    const built = buildActionReasoning({ ...action(), claims })
    await writeFile(file('whole.json'), built.bytes)
    const settled = await bench.as(operator, ...settle, '--record', 'whole.json', '--yes')
    expect(settled).toMatchObject({ reasoningHash: built.reasoningHash, reasoningURI: built.reasoningURI })
    expect((await bench.bench.run(['content', 'get', built.cid])).out).toContain('It was written elsewhere.')
  })

  it.each([
    ['no JSON', 'nonsense', 'is no JSON'],
    ['no object', '[]', 'holds no JSON object'],
    ['no claims', '{}', 'has no "claims"'],
    ['claims that break the schema', '{"claims":{"decision":""}}', 'decision'],
    ['links that are none', '{"claims":{"decision":"x"},"links":{"packages":[{"taskHash":"x"}]}}', 'taskHash'],
  ])('with %s is refused', async (_what, text, sentence) => {
    await writeFile(file('broken.json'), text)
    const before = await sentBy(operator)
    const { code, err } = await bench.bench.run([...settle, '--record', 'broken.json', '--yes'], key(operator))
    expect(err).toContain(sentence)
    expect(code).toBe(2)
    expect(await sentBy(operator)).toBe(before)
  })

  it('that cannot be stored keeps the transaction from being sent', async () => {
    await writeFile(file('no-folder'), 'a file where the store should be')
    const before = await sentBy(operator)
    const args = ['agent', 'decline', 'fund', 'mint', fundedAddress(alice), ...why, '--yes', '--content', 'no-folder']
    const { code } = await bench.bench.run(args, key(operator))
    expect(code).toBe(7)
    expect(await sentBy(operator)).toBe(before)
  })
})

describe('sending', () => {
  it('asks, and sends nothing without a yes', async () => {
    const before = await blockNumber()
    const args = ['agent', 'pause', 'fund']
    const { code } = await bench.bench.run(args, { ...key(owner), answers: ['n'] })
    expect([code, await blockNumber()]).toEqual([6, before])
    expect((await bench.bench.run(args, key(owner))).code).toBe(2)
  })

  it('happens once when the answer is lost: the hash is told, and nothing is sent again', async () => {
    let broadcasts = 0
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8')
      })
      request.on('end', () => {
        void forward(body).then(({ text, isLost }) => {
          if (isLost) response.destroy()
          else response.setHeader('content-type', 'application/json').end(text)
        })
      })
    })
    const forward = async (body: string): Promise<{ text: string; isLost: boolean }> => {
      const isSend = body.includes('eth_sendRawTransaction')
      if (isSend) broadcasts += 1
      // the node has it, and afterwards does not find it: the worst that can be told
      if (body.includes('eth_getTransactionByHash')) return { text: '', isLost: true }
      const answer = await fetch(bench.market.chain.url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      return { text: await answer.text(), isLost: isSend }
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await bench.as(alice, 'agent', 'request-mint', 'fund', '7 USDC', '--yes')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const args = [...settle, ...why, '--yes', '--json', '--rpc', url]
      const { code, json, err } = await bench.bench.run(args, key(operator))
      expect([code, broadcasts]).toEqual([5, 1])
      expect(err).toContain('do not send')
      const shown = await bench.bench.run(['transaction', 'show', textAt(json, 'error.hash')])
      expect(shown.code).toBe(0)
      const status = await getMintStatus(bench.market.as.owner, { agent, user: fundedAddress(alice) as Address })
      expect(status.pendingAssetsAtomic).toBe(0n)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
