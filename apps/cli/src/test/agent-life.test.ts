import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyAgentMetadata } from '@oikos/core/agent-metadata'
import { verifyReasoning } from '@oikos/core/reasoning'
import { getAssetBalance, getShareBalance, listSettled, ONE_SHARE } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import type { Address } from 'viem'
import { getTransactionCount } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { USDC } from '../../../../packages/sdk/test/agents.ts'
import { compileMocks } from '../../../../packages/sdk/test/compile-mocks.ts'
import { createAgentBench, fundedAddress, fundedKey, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createAgentBench>>

const [owner, guardian, operator, alice, bob, stranger] = [0, 1, 2, 3, 4, 5]
const mocks = compileMocks()
const why = ['--why', 'Within what was promised.']

let bench: Bench
let agent: Address
let vault: Address

beforeAll(async () => {
  bench = await createAgentBench()
  const { market, agents } = bench
  vault = await market.deployMock(mocks.TestVault, [agents.token])
  for (const index of [alice, bob]) {
    await market.tell(mocks.TestToken, agents.token, 'mint', [fundedAddress(index), 10_000n * USDC])
  }
  await writeFile(join(bench.bench.folder, 'policy.json'), JSON.stringify(policyDocument('60 USDC')))
  const about = {
    description: 'Invests idle money.',
    image: 'ipfs://bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
  }
  await writeFile(join(bench.bench.folder, 'about.json'), JSON.stringify(about))
})
afterAll(() => bench.stop())

/** May deposit into the vault for itself, and take back; at most `limit` a week. */
function policyDocument(limit: string) {
  return {
    schema: 'oikos-scope-policy/1',
    delay: '1 hour',
    acceptToken: 'USDC',
    assets: { USDC: { address: bench.agents.token, decimals: 6 } },
    contracts: { vault },
    rules: [
      {
        to: 'vault',
        call: 'deposit(uint256 assets, address receiver)',
        when: [{ parameter: 'receiver', is: 'the agent' }],
        perCall: { acceptToken: '50 USDC' },
      },
      {
        to: 'vault',
        call: 'redeem(uint256 shares, address receiver, address owner)',
        when: [{ parameter: 'receiver', is: 'the agent' }],
      },
    ],
    caps: [{ asset: 'USDC', limit, refill: '7 days' }],
  }
}

const key = (index: number) => ({ env: { OIKOS_PRIVATE_KEY: fundedKey(index) } })
const tokens = (index: number): Promise<bigint> =>
  getAssetBalance(bench.market.as.owner, { asset: bench.agents.token, account: fundedAddress(index) as Address })
const shares = (index: number): Promise<bigint> =>
  getShareBalance(bench.market.as.owner, { agent, account: fundedAddress(index) as Address })

/** How many transactions an account has sent. */
const sentBy = (index: number): Promise<number> =>
  getTransactionCount(bench.market.as.owner, { address: fundedAddress(index) as Address })

describe('the life of an Agent, by commands only', () => {
  it('is born at the address that was shown before, with price, powers, boundary and metadata', async () => {
    const { as, bench: cli, nameAgents } = bench
    const create = [
      ...['agent', 'create', 'Atlas Treasury', 'ATLAS', '--price', '1.00 USDC', '--executor', fundedAddress(operator)],
      ...['--guardian', fundedAddress(guardian), '--mint-fee', '100', '--policy', 'policy.json'],
      ...['--metadata', 'about.json', '--min-age', '1m', '--corridor', '5000'],
    ]
    const dry = await cli.run([...create, '--dry-run'], key(owner))
    expect([dry.code, dry.out]).toEqual([0, ''])
    for (const text of [
      'A share costs 1 USDC at birth; later its books decide',
      'Fees: 1 % of a deposit, 0 % of a payout',
      'May call deposit on vault if receiver is the Agent, taking along at most 50 USDC per call.',
      'at most 60 USDC leave at once',
      'Dry run: the simulation succeeds, nothing was sent.',
    ]) {
      expect(dry.err).toContain(text)
    }
    const created = await as(owner, ...create, '--yes')
    agent = textAt(created, 'agent') as Address
    expect(dry.err).toContain(`It is born at ${agent}`)
    expect(created).toMatchObject({ event: { name: 'AgentCreated', args: { initialRate: '1000000' } } })
    await nameAgents({ treasury: agent })

    const uri = textAt(created, 'agentURI')
    const metadata = await cli.run(['content', 'get', uri])
    const bytes = new TextEncoder().encode(metadata.out.slice(0, -1))
    const facts = { chainId: 11155111n, acceptToken: bench.agents.token }
    expect(verifyAgentMetadata(bytes, { uri, facts })).toMatchObject({ ok: true, metadata: { name: 'Atlas Treasury' } })

    const listed = await as(stranger, 'agent', 'list')
    expect(listed).toMatchObject({ agents: [{ agent, symbol: 'ATLAS', rate: '1000000', state: 'open' }] })
    expect((await cli.run(['agent', 'list'])).out).toContain('Atlas Treasury')
  })

  it('raises capital: requests with a limit, one settlement for many, claims', async () => {
    const { as, bench: cli, market } = bench
    const request = ['agent', 'request-mint', 'treasury', '100 USDC', '--max-price', '1.02 USDC']
    const dry = await cli.run([...request, '--dry-run', '--from', fundedAddress(alice)])
    expect(dry.code).toBe(0)
    expect(dry.err).toContain('may take 100 USDC of yours, and no more')
    expect(dry.err).toContain('would give 99 shares at 1 USDC a share')
    expect(dry.err).toContain('At worst you pay 1.02 USDC a share')
    const requested = await as(alice, ...request, '--yes')
    expect(requested).toMatchObject({
      ...{ sent: true, plan: { function: 'requestMintAtMost' }, event: { name: 'MintRequested' } },
      approval: { sent: true, event: { name: 'Approval' } },
    })
    await as(bob, 'agent', 'request-mint', 'treasury', '50 USDC', '--yes')
    await as(bob, 'agent', 'limit', 'treasury', 'mint', '1.00 USDC', '--yes')

    const early = await cli.run(
      ['agent', 'settle', 'treasury', 'mint', '--for', fundedAddress(alice), ...why, '--yes'],
      key(operator),
    )
    expect(early.code).toBe(1)
    expect(early.err).toContain('younger than the least age')
    await market.passTime(60n)

    const shown = await cli.run(['agent', 'show', 'treasury'])
    expect(shown.out).toContain('mint of 100 USDC pending; now it would give 99 shares')
    expect(shown.out).toContain('nothing, because the rate is worse than the limit')
    expect(shown.err).toContain('agent settle treasury mint --all')

    const settled = await as(operator, 'agent', 'settle', 'treasury', 'mint', '--all', ...why, '--yes')
    expect(settled).toMatchObject({ plan: { function: 'settleMintBatch' }, event: { name: 'Reasoned' } })
    const names = (settled as { events: { name: string }[] }).events.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Settled', 'SettlementSkipped']))

    await as(bob, 'agent', 'limit', 'treasury', 'mint', 'none', '--yes')
    await as(operator, 'agent', 'settle', 'treasury', 'mint', '--for', fundedAddress(bob), ...why, '--yes')
    const claimed = await as(
      stranger,
      ...['agent', 'claim', 'treasury', '--for', fundedAddress(alice), '--for', fundedAddress(bob), '--yes'],
    )
    expect(claimed).toMatchObject({ plan: { function: 'mintBatch' } })
    expect([await shares(alice), await shares(bob)]).toEqual([99n * ONE_SHARE, (495n * ONE_SHARE) / 10n])
    const nothing = await as(alice, 'agent', 'claim', 'treasury', '--yes')
    expect(nothing).toMatchObject({ ok: true, sent: false, owed: [] })
  })

  it('cites a record that the store holds and that verifies, for each action', async () => {
    const { bench: cli, market } = bench
    const shown = JSON.parse((await cli.run(['agent', 'show', 'treasury', '--json'])).out)
    expect(shown).toMatchObject({ ok: true, isKnown: true, isComplete: true, executors: [fundedAddress(operator)] })
    const store = await openContentStore(join(cli.folder, 'home', 'content'))
    const { events } = await listSettled(market.as.owner, { agent, fromBlock: 0n })
    expect(events.length).toBe(2)
    for (const { args } of events) {
      const cid = args.reasoningURI.replace('ipfs://', '') as never
      const bytes = await store.get(cid, { maxBytes: 1_000_000 })
      const verdict = verifyReasoning(bytes ?? new Uint8Array(), { hash: args.reasoningHash, uri: args.reasoningURI })
      expect(verdict).toMatchObject({ ok: true, anchored: true })
      expect(verdict.record?.claims).toMatchObject({ rationale: 'Within what was promised.' })
    }
  })

  it('invests inside its Scope, and is refused outside it in words, before anything is sent', async () => {
    const { as, bench: cli } = bench
    const deposit = (amount: string, receiver = 'the agent') => [
      ...['treasury', vault, '--call', 'deposit(uint256 assets, address receiver)'],
      ...['--arg', amount, '--arg', receiver, '--allow', amount],
    ]
    const checked = await cli.run(['agent', 'scope', 'check', ...deposit('50 USDC')])
    expect(checked.code).toBe(0)
    expect(checked.out).toContain('ALLOWED')
    expect(checked.out).toContain('50 USDC of 60 USDC left')
    expect(checked.err).toContain(`agent execute treasury ${vault} --call "deposit(uint256 assets, address receiver)"`)

    const executed = await as(operator, 'agent', 'execute', ...deposit('50 USDC'), ...why, '--yes')
    expect(executed).toMatchObject({ plan: { function: 'executeWithAllowance' }, event: { name: 'Executed' } })

    const transactions = await sentBy(operator)
    for (const [args, code, sentence] of [
      [deposit('50 USDC'), 'CapExceeded', 'a cap has not enough left now'],
      [deposit('51 USDC'), 'TokenOutTooHigh', 'more of the Accept Token than the rule allows'],
      [deposit('5 USDC', fundedAddress(operator)), 'ConditionFailed', 'does not meet a condition'],
      [['treasury', fundedAddress(operator), '--value', '0.1 ETH'], 'value-beyond-balance', 'does not hold that much'],
      [['treasury', bench.agents.token, '--data', '0x095ea7b3'], 'accept-token-call', 'calls transfer only'],
      [['treasury', agent], 'own-contract', 'never calls itself'],
    ] as const) {
      const refused = await cli.run(['agent', 'execute', ...args, ...why, '--yes', '--json'], key(operator))
      expect(refused.code, code).toBe(1)
      expect(refused.json).toMatchObject({
        ok: false,
        isAllowed: false,
        code,
        reason: expect.stringContaining(sentence),
      })
      expect(refused.err).toContain('Nothing was sent.')
      const check = await cli.run(['agent', 'scope', 'check', ...args])
      expect([check.code, check.out.includes(sentence)]).toEqual([1, true])
    }
    expect(await sentBy(operator)).toBe(transactions)
  })

  it('counts the position in its books by a valuation that the Owner lists', async () => {
    const { as, bench: cli } = bench
    const before = await cli.run(['agent', 'show', 'treasury', '--json'])
    const rate = (document: unknown): bigint => BigInt(textAt(document, 'agent.books.rate'))
    expect(rate(before.json)).toBeLessThan(1_000_000n)
    const deployed = await as(
      owner,
      ...['agent', 'valuation', 'create', 'vault', 'treasury', vault, '--corridor', '1000', '--yes'],
    )
    const valuation = textAt(deployed, 'valuation')
    const added = await cli.run(['agent', 'valuation', 'add', 'treasury', valuation, '--yes'], key(owner))
    expect(added.code).toBe(0)
    expect(added.err).toContain('says that the Agent owns 50 USDC elsewhere')
    expect(rate(await as(stranger, 'agent', 'show', 'treasury'))).toBe(1_000_000n)
    const listed = await cli.run(['agent', 'valuation', 'list', 'treasury'])
    expect(listed.out).toContain(`position in the ERC-4626 vault ${vault}`)
    await as(stranger, 'agent', 'valuation', 'poke', 'treasury', valuation, '--yes')
  })

  it('earns, so that the rate rises, and pays who leaves at the settled rate', async () => {
    const { as, bench: cli, market, agents } = bench
    await market.tell(mocks.TestToken, agents.token, 'mint', [agent, 14_850_000n])
    const redeem = ['agent', 'request-redeem', 'treasury', '9 shares', '--min-price', '1.05 USDC']
    const dry = await cli.run([...redeem, '--dry-run', '--from', fundedAddress(alice)])
    expect(dry.err).toContain('At worst you get 1.05 USDC a share')
    await as(alice, ...redeem, '--yes')
    await market.passTime(60n)
    const soon = await cli.run(['agent', 'settle', 'treasury', 'redeem', '--all', ...why, '--dry-run'], key(operator))
    expect(soon.err).toContain('The rate lies outside its corridor')
    await market.passTime(86_400n)
    const before = await tokens(alice)
    const settled = await as(
      operator,
      ...['agent', 'settle', 'treasury', 'redeem', '--for', fundedAddress(alice), '--batch', ...why, '--yes'],
    )
    expect(settled).toMatchObject({ plan: { function: 'settleRedeemBatch' } })
    await as(alice, 'agent', 'claim', 'treasury', '--yes')
    const paid = (await tokens(alice)) - before
    expect(paid).toBeGreaterThan(9_890_000n)
    expect(paid).toBeLessThanOrEqual(9_900_000n)
    const fees = await cli.run(['agent', 'fees', 'claim', 'treasury', '--yes'], key(stranger))
    expect(fees.err).toContain('1.5 USDC are paid to')
  })

  it('declines, and gives back what nobody settled after its horizon, while paused', async () => {
    const { as, bench: cli, market } = bench
    await as(bob, 'agent', 'request-mint', 'treasury', '5 USDC', '--yes')
    const declined = await as(
      operator,
      ...['agent', 'decline', 'treasury', 'mint', fundedAddress(bob), '--why', 'The quota is full.', '--yes'],
    )
    expect(declined).toMatchObject({ event: { name: 'Reclaimed', args: { amount: '5000000' } } })
    await as(bob, 'agent', 'request-redeem', 'treasury', '2 shares', '--yes')
    const early = await cli.run(['agent', 'reclaim', 'treasury', '--yes', '--json'], key(bob))
    expect(early.code).toBe(1)
    expect(early.json).toMatchObject({ error: { errorName: 'HorizonNotReached', retryable: true } })
    await as(guardian, 'agent', 'pause', 'treasury', '--yes')
    expect((await cli.run(['agent', 'show', 'treasury'])).out).toContain('The Agent is paused')
    await market.passTime(7n * 86_400n)
    const back = await as(bob, 'agent', 'reclaim', 'treasury', '--shares-only', '--yes')
    expect(back).toMatchObject({ plan: { function: 'reclaimShares' }, event: { name: 'Reclaimed' } })
    await as(owner, 'agent', 'unpause', 'treasury', '--yes')
  })

  it('every action of it has a record that a stranger verifies', async () => {
    const verified = await bench.as(stranger, 'reason', 'verify', '--agent', 'treasury')
    // two settlements of deposits, one call, one settlement of redemptions, one refusal
    expect(verified).toMatchObject({ ok: true, isComplete: true, citations: 5, verified: 5 })
  })
})

describe('the boundary, by commands only', () => {
  it('is planned, announced, waits, and is enacted by the same command', async () => {
    const { as, bench: cli, market } = bench
    const shown = await cli.run(['agent', 'scope', 'show', 'treasury'])
    expect(shown.out).toContain('May call deposit on')
    expect(shown.out).toContain('Everything else is refused.')
    await writeFile(join(cli.folder, 'wider.json'), JSON.stringify(policyDocument('90 USDC')))
    const plan = await cli.run(['agent', 'scope', 'plan', 'treasury', 'wider.json'])
    expect(plan.out).toContain('after 1 hour')
    expect(plan.out).toContain('loosened (limit): Over all rules, at most 90 USDC leave at once')
    const apply = ['agent', 'scope', 'apply', 'treasury', 'wider.json', '--yes']
    const announced = await as(owner, ...apply)
    expect(announced).toMatchObject({ sent: true, transactions: [{ event: { name: 'PolicyProposed' } }] })
    const waiting = await as(owner, ...apply)
    expect(waiting).toMatchObject({ sent: false, pending: { state: 'waiting' }, transactions: [] })
    const pending = await cli.run(['agent', 'show', 'treasury'])
    expect(pending.out).toContain('can be enacted from')
    await market.passTime(3_600n)
    expect(await as(owner, ...apply)).toMatchObject({ transactions: [{ event: { name: 'PolicyApplied' } }] })
    const again = await cli.run(apply, key(owner))
    expect(again.out).toContain('in force already')
  })

  it('is tightened at once by the guardian, who cannot loosen', async () => {
    const { as, bench: cli } = bench
    const narrow = policyDocument('20 USDC')
    await writeFile(join(cli.folder, 'narrow.json'), JSON.stringify({ ...narrow, rules: narrow.rules.slice(0, 1) }))
    const plan = await cli.run(['agent', 'scope', 'plan', 'treasury', 'narrow.json'])
    expect(plan.out).toContain('at once')
    const applied = await as(guardian, 'agent', 'scope', 'apply', 'treasury', 'narrow.json', '--yes')
    const events = (applied as { transactions: { event: { name: string } }[] }).transactions.map(
      ({ event }) => event.name,
    )
    expect(events.sort()).toEqual(['CapLowered', 'RuleRemoved'])
    const loosen = await cli.run(
      ['agent', 'scope', 'apply', 'treasury', 'wider.json', '--yes', '--json'],
      key(guardian),
    )
    expect(loosen.code).toBe(1)
    expect(loosen.json).toMatchObject({ error: { errorName: 'NotOwner' } })
    const tightenOnly = await as(
      guardian,
      'agent',
      'scope',
      'apply',
      'treasury',
      'wider.json',
      '--tighten-only',
      '--yes',
    )
    expect(tightenOnly).toMatchObject({ sent: false })
  })

  it('is written to a file that means the same, and changes can be withdrawn or enacted by their id', async () => {
    const { as, bench: cli, market } = bench
    await as(owner, 'agent', 'scope', 'show', 'treasury', '--out', 'now.json')
    const same = await cli.run(['agent', 'scope', 'plan', 'treasury', 'now.json'])
    expect(same.out).toContain('in force already')
    const document = JSON.parse(await readFile(join(cli.folder, 'now.json'), 'utf8'))
    expect(document.schema).toBe('oikos-scope-policy/1')

    const first = await as(owner, 'agent', 'scope', 'apply', 'treasury', 'wider.json', '--yes')
    const changeId = textAt(first, 'changeId')
    await as(guardian, 'agent', 'scope', 'withdraw', 'treasury', changeId, '--yes')
    const gone = await cli.run(['agent', 'scope', 'enact', 'treasury', changeId, '--yes'], key(owner))
    expect(gone.code).toBe(4)
    await as(owner, 'agent', 'scope', 'apply', 'treasury', 'wider.json', '--yes')
    await market.passTime(3_600n)
    await as(owner, 'agent', 'scope', 'enact', 'treasury', changeId, '--yes')
    await as(guardian, 'agent', 'scope', 'close', 'treasury', '--yes')
    const closed = await cli.run(['agent', 'scope', 'show', 'treasury'])
    expect(closed.out).not.toContain('May call')
  })
})

describe('powers, by commands only', () => {
  it('guards, Executors, guardian, fees and metadata are set by the Owner', async () => {
    const { as, bench: cli, market, agents } = bench
    await as(owner, 'agent', 'executor', 'add', 'treasury', fundedAddress(bob), '--yes')
    await as(guardian, 'agent', 'executor', 'remove', 'treasury', fundedAddress(bob), '--yes')
    await as(owner, 'agent', 'guard', 'set', 'treasury', '--corridor', '100', '--min-age', '0s', '--yes')
    await market.tell(mocks.TestToken, agents.token, 'mint', [agent, 500n * USDC])
    await as(bob, 'agent', 'request-mint', 'treasury', '5 USDC', '--yes')
    const stopped = await as(
      operator,
      'agent',
      'settle',
      'treasury',
      'mint',
      '--for',
      fundedAddress(bob),
      ...why,
      '--yes',
    )
    expect(stopped).toMatchObject({ event: { name: 'Settled', args: { amount: '0' } } })
    const halted = await cli.run(['agent', 'show', 'treasury'])
    expect(halted.out).toContain('The rate left its corridor')
    const confirmed = await cli.run(['agent', 'guard', 'confirm', 'treasury', '--yes'], key(guardian))
    expect(confirmed.code).toBe(0)
    expect(confirmed.err).toContain('settlement goes on from there')
    await as(owner, 'agent', 'fees', 'lower', 'treasury', '--mint-fee', '0', '--yes')
    await as(owner, 'agent', 'fees', 'recipient', 'treasury', fundedAddress(stranger), '--yes')
    await as(owner, 'agent', 'guardian', 'treasury', fundedAddress(bob), '--yes')
    const uri = await as(owner, 'agent', 'set-uri', 'treasury', '--metadata', 'about.json', '--yes')
    expect(textAt(uri, 'agentURI')).toMatch(/^ipfs:/)
    await as(owner, 'agent', 'set-uri', 'treasury', 'https://example.org/agent.json', '--yes')
    expect((await cli.run(['agent', 'show', 'treasury'])).out).toContain('https://example.org/agent.json')
  })

  it('the ownership is handed over in two steps, and renounced for ever', async () => {
    const { as, bench: cli } = bench
    await as(owner, 'agent', 'own', 'offer', 'treasury', fundedAddress(alice), '--yes')
    await as(owner, 'agent', 'own', 'offer', 'treasury', 'nobody', '--yes')
    const late = await cli.run(['agent', 'own', 'accept', 'treasury', '--yes', '--json'], key(alice))
    expect(late.json).toMatchObject({ error: { errorName: 'OwnableUnauthorizedAccount' } })
    await as(owner, 'agent', 'own', 'offer', 'treasury', fundedAddress(alice), '--yes')
    await as(alice, 'agent', 'own', 'accept', 'treasury', '--yes')
    await as(alice, 'agent', 'own', 'renounce', 'treasury', '--yes')
    const shown = await cli.run(['agent', 'show', 'treasury'])
    expect(shown.out).toContain('nobody: the constitution is frozen')
  })

  it('a value is attested by two parties', async () => {
    const { as, market } = bench
    const created = await as(
      owner,
      ...['agent', 'create', 'Second', 'TWO', '--price', '0.25 USDC', '--executor', fundedAddress(operator), '--yes'],
    )
    const second = textAt(created, 'agent')
    const deployed = await as(
      owner,
      ...['agent', 'valuation', 'create', 'attested', second, '--proposer', fundedAddress(alice)],
      ...[
        '--accepter',
        fundedAddress(bob),
        '--corridor',
        '1000000',
        '--floor',
        '100 USDC',
        '--max-age',
        '30d',
        '--yes',
      ],
    )
    const valuation = textAt(deployed, 'valuation')
    const evidence = `0x${'ab'.repeat(32)}`
    await as(owner, 'agent', 'valuation', 'add', second, valuation, '--yes')
    await as(alice, 'agent', 'valuation', 'propose', second, valuation, '10 USDC', evidence, '--yes')
    await market.passTime(86_400n)
    await as(bob, 'agent', 'valuation', 'accept', second, valuation, '10 USDC', '--yes')
    await as(alice, 'agent', 'valuation', 'propose', second, valuation, '999999999 USDC', evidence, '--yes')
    await as(owner, 'agent', 'valuation', 'confirm', second, valuation, '999999999 USDC', '--yes')
    await as(owner, 'agent', 'valuation', 'remove', second, valuation, '--yes')
    expect(await as(stranger, 'agent', 'list', '--oldest', '--limit', '1')).toMatchObject({ nextCursor: '2' })
  })
})
