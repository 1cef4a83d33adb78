import { readFileSync } from 'node:fs'
import {
  getAgentBooks,
  getRuleKeys,
  getShareBalance,
  getShareSupply,
  getTender,
  requestMintAndWait,
  submitFulfillmentAndWait,
} from '@oikos/sdk'
import fc from 'fast-check'
import { keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { USDC } from '../../../../packages/sdk/test/agents.ts'
import { rpc } from '../../../../packages/sdk/test/market.ts'
import { type HostileContracts, MAX_WORD, writeHostileEvents } from '../../test/hostile.ts'
import { COIN, type IndexStage, setIndexStage, settleBob } from '../../test/stage.ts'
import { until } from '../../test/until.ts'
import { querySchemas } from '../api/query.ts'
import { routes } from '../api/routes.ts'
import {
  accountSchema,
  actionPageSchema,
  agentDetailSchema,
  agentPageSchema,
  errorSchema,
  holderPageSchema,
  positionPageSchema,
  requestPageSchema,
  type Status,
  scopeSchema,
  statusSchema,
  submissionPageSchema,
  type Tender,
  tenderDetailSchema,
  tenderPageSchema,
} from '../rest/types.ts'
import { type RunningIndexer, startIndexer } from './start-indexer.ts'

const CHAIN = 11_155_111
const low = (address: string): string => address.toLowerCase()

let stage: IndexStage
let index: RunningIndexer
let hostile: HostileContracts

const get = async (path: string): Promise<unknown> => (await fetch(`${index.url}${path}`)).json()
const status = async (): Promise<Status> => statusSchema.parse(await get('/v1/status'))
const agentPath = (address: string): string => `/v1/agents/${CHAIN}/${address}`
const tenderPath = (contract: string, tokenId: bigint): string => `/v1/tenders/${CHAIN}/${contract}/${tokenId}`
/** Waits for an answer; what the index says about itself explains a wait in vain better than the answer does. */
const untilOrLog = async <value>(ask: () => Promise<value>, isWanted: (value: value) => boolean): Promise<value> => {
  try {
    return await until(ask, isWanted)
  } catch (error) {
    const lines = readFileSync(index.logFile, 'utf8').split('\n')
    console.error(
      lines
        .filter((line) => /"level":[456]0|eorg/.test(line))
        .slice(-8)
        .join('\n')
        .slice(0, 6_000),
    )
    throw error
  }
}
/** Waits until every block is indexed, everything was compared, and every record and package was tried. */
const settled = (): Promise<Status> =>
  untilOrLog(status, ({ isReady, chains, checks, counts, reconciliation }) => {
    const isIndexed = isReady && chains.every(({ lagBlocks }) => lagBlocks === 0)
    const isChecked = checks.records.pending + checks.packages.pending === 0 && checks.records.verified > 0
    return isIndexed && isChecked && reconciliation.contracts === counts.agents + counts.tenders
  })

beforeAll(async () => {
  stage = await setIndexStage()
  hostile = await writeHostileEvents(stage)
  const { deployment, contentFolder, folder } = stage
  index = await startIndexer({
    ...{ deployments: [deployment], rpcUrls: { [CHAIN]: stage.agents.market.chain.url }, port: 0 },
    ...{ folder: `${folder}/index`, contentFolder, pollingIntervalMs: 100, checksPauseMs: 200 },
  })
  await index.ready
  await settled()
}, 240_000)
afterAll(async () => {
  await index?.stop()
  await stage?.stop()
}, 60_000)

describe('an Agent of the index', () => {
  test('agrees with its contract: supply, holders, pending, claimable, reserve, fees, roles', async () => {
    const { agent, agents } = stage
    const { as, address } = agents
    const shown = agentDetailSchema.parse(await get(agentPath(agent)))
    const books = await getAgentBooks(as.stranger, { agent })
    expect(shown).toMatchObject({
      ...{ origin: 'oikos', name: 'Atlas', symbol: 'ATL', owner: low(address.owner), guardian: low(address.guardian) },
      ...{ supply: String(await getShareSupply(as.stranger, { agent })), holderCount: 1, executorCount: 1 },
      ...{ pendingAssets: String(30n * USDC), pendingShares: '0', claimableTokens: String(10n * USDC) },
      ...{ rate: '1000000', actionCount: 3, differences: [] },
      acceptToken: { address: low(agents.token), symbol: 'USDC', decimals: 6 },
    })
    expect(shown.books).toMatchObject({ reserve: String(40n * USDC), supply: String(90n * COIN) })
    expect([books.reserveAtomic, books.supplyAtomic]).toEqual([40n * USDC, 90n * COIN])
    const holders = holderPageSchema.parse(await get(`${agentPath(agent)}/holders`)).items
    expect(holders).toMatchObject([{ account: low(address.alice), shares: String(90n * COIN), partPpm: 1_000_000 }])
    expect(await getShareBalance(as.stranger, { agent, account: address.alice })).toBe(90n * COIN)
    const open = positionPageSchema.parse(await get(`${agentPath(agent)}/positions?open=true`)).items
    const brief = open.map(({ account, side, pending, claimable }) => [account, side, pending, claimable])
    expect(brief.sort()).toEqual(
      [
        [low(address.alice), 'redeem', '0', String(10n * USDC)],
        [low(address.bob), 'mint', String(30n * USDC), '0'],
      ].sort(),
    )
  })

  test('has the life of its requests, each step with its place and what a settlement consumed', async () => {
    const { agent, agents } = stage
    const { items } = requestPageSchema.parse(await get(`${agentPath(agent)}/requests?order=asc`))
    const { alice, bob, stranger } = agents.address
    expect(items.map(({ account, side, step, assets, shares }) => [account, side, step, assets, shares])).toEqual([
      [low(alice), 'mint', 'requested', String(100n * USDC), null],
      [low(alice), 'mint', 'settled', String(100n * USDC), String(100n * COIN)],
      [low(alice), 'mint', 'claimed', String(100n * USDC), String(100n * COIN)],
      [low(alice), 'redeem', 'requested', null, String(10n * COIN)],
      [low(alice), 'redeem', 'settled', String(10n * USDC), String(10n * COIN)],
      [low(stranger), 'mint', 'requested', String(7n * USDC), null],
      [low(stranger), 'mint', 'reclaimed', String(7n * USDC), null],
      [low(bob), 'mint', 'requested', String(30n * USDC), null],
    ])
    const places = items.map(({ place }) => place.block * 1_000 + place.logIndex)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  test('§6.6.8 has its boundary as the contract has it, with what was removed, lowered and announced', async () => {
    const { agent, agents } = stage
    const scope = scopeSchema.parse(await get(`${agentPath(agent)}/scope`))
    const keys = await getRuleKeys(agents.as.stranger, { scope: agents.scope, agent })
    expect(scope.rules.map(({ key }) => key)).toEqual([...keys].sort())
    expect(scope).toMatchObject({
      ...{ contract: low(agents.scope), delaySec: '3600', members: [{ set: '1', member: '7' }] },
      caps: [
        { asset: low(agents.token), limit: String(20n * USDC), lifetime: String(100n * USDC), periodSec: '604800' },
      ],
      proposals: [{ kind: 'proposed', policy: { rules: [{ target: low(agents.token), plain: true }] } }],
    })
    expect(scope.history.map(({ kind }) => kind)).toEqual(['proposed', 'cap-lowered', 'rule-removed', 'applied'])
    const owner = accountSchema.parse(await get(`/v1/accounts/${agents.address.owner}`))
    expect(owner.desk).toContainEqual(expect.objectContaining({ kind: 'apply-policy', loss: 'proposal-lapses' }))
  })

  test('§6.2 has its actions with verified records', async () => {
    const { items } = actionPageSchema.parse(await get(`${agentPath(stage.agent)}/actions?order=asc`))
    const brief = items.map(({ kind, action, record, isReplayed }) => [kind, action, record.verdict.state, isReplayed])
    expect(brief).toEqual([
      ['settle-mint', 'settleMint', 'verified', false],
      ['settle-redeem', 'settleRedeem', 'verified', false],
      ['reasoned', 'decline', 'verified', false],
    ])
    expect(items[0]?.record.verdict).toMatchObject({ codes: [], from: 'store', attempts: 1 })
  })
})

describe('a tender of the index', () => {
  test('agrees with its contract, and a gift is told apart from what was funded', async () => {
    const { agents, judged } = stage
    const { task, as, address } = agents.market
    const shown = tenderDetailSchema.parse(await get(tenderPath(task, judged)))
    const told = await getTender(as.stranger, { task, tokenId: judged })
    expect(shown).toMatchObject({
      ...{ origin: 'oikos', owner: low(address.owner), isFrozen: true, state: 'open', completions: '1', pending: '1' },
      ...{ escrow: String(3n * COIN), reserved: String(COIN), gifts: '5', credited: '0', submissions: '2' },
      ...{ fundedCompletions: '2', remainingCompletions: null, version: String(told.binding.version) },
      ...{ taskHash: told.binding.taskHash, taskUri: told.taskURI, vault: low(told.vault) },
    })
    expect(shown.judge).toMatchObject({ address: low(address.judge), kind: 'account' })
    expect(shown.differences).toMatchObject([{ field: 'escrow', kind: 'gift', indexed: String(3n * COIN) }])
    expect(shown.funders.map(({ account, contributed }) => [account, contributed])).toEqual([
      [low(address.funder), String(3n * COIN)],
      [low(address.owner), String(COIN)],
    ])
    expect(shown.changes.map(({ kind }) => kind)).toContain('freeze')
  })

  test('has its deliveries with their clocks and who decided', async () => {
    const { agents, judged, proven } = stage
    const { task } = agents.market
    const of = async (tokenId: bigint) =>
      submissionPageSchema.parse(await get(`${tenderPath(task, tokenId)}/submissions?order=asc`)).items
    const [first, second] = await of(judged)
    expect(first).toMatchObject({ status: 'accepted', decidedBy: 'judge', reward: String(COIN), silence: null })
    expect(second).toMatchObject({
      status: 'pending',
      machineSettled: false,
      silence: 'pays',
      resultUri: 'ipfs://second',
    })
    expect(BigInt(second?.deadlineSec ?? 0)).toBe(BigInt(second?.submittedAtSec ?? 0) + 3_600n)
    expect(await of(proven)).toMatchObject([{ machineSettled: true, silence: 'releases' }])
  })

  test('is verified as a package, and has its title from there', async () => {
    const { agents, packed, judged } = stage
    const { task } = agents.market
    const shown = tenderDetailSchema.parse(await get(tenderPath(task, packed)))
    expect(shown.package).toMatchObject({ state: 'verified', codes: [] })
    expect(shown.title).toEqual(expect.stringMatching(/\w/))
    expect(shown.bindings).toMatchObject([{ version: '1', package: { state: 'verified' } }])
    const missing = tenderDetailSchema.parse(await get(tenderPath(task, judged)))
    expect(missing).toMatchObject({ title: null, package: { state: 'unavailable' } })
    expect(missing.warnings).toContain('package-unavailable')
  })

  test('that is over gave the money back', async () => {
    const { agents, cancelled } = stage
    const shown = tenderDetailSchema.parse(await get(tenderPath(agents.market.task, cancelled)))
    expect(shown).toMatchObject({ state: 'cancelled', isCancelled: true, escrow: '0', differences: [] })
    expect(shown.funders).toMatchObject([{ refunded: String(2n * COIN), hasReclaimed: true }])
  })
})

describe('contracts of another implementation', () => {
  test('are indexed by the events of the standards alone, marked, and agree with their contracts', async () => {
    const { foreignAgent, foreignTask, agents } = stage
    const agent = agentDetailSchema.parse(await get(agentPath(foreignAgent)))
    expect(agent).toMatchObject({
      ...{ origin: 'foreign', name: 'Stranger', supply: String(20n * COIN), pendingShares: String(5n * COIN) },
      ...{ holderCount: 2, scope: null, differences: [] },
    })
    const tender = tenderDetailSchema.parse(await get(tenderPath(foreignTask, 1n)))
    expect(tender).toMatchObject({ origin: 'foreign', escrow: String(COIN), differences: [] })
    expect(tender.owner).toBe(low(agents.market.address.owner))
    expect(tender.warnings).toContain('foreign-implementation')
  })

  test('that are hostile break nothing: sums are bounded, text is cut, claims about them are marked', async () => {
    const agent = agentDetailSchema.parse(await get(agentPath(hostile.agent)))
    expect(agent).toMatchObject({ origin: 'foreign', name: null, owner: null, pendingAssets: String(MAX_WORD) })
    expect(agent.uri).not.toContain('\0')
    expect(agent.differences.map(({ kind }) => kind)).toContain('unreadable')
    const much = agentDetailSchema.parse(await get(agentPath(hostile.much)))
    expect(much).toMatchObject({ origin: 'foreign' })
    const tender = tenderDetailSchema.parse(await get(tenderPath(hostile.tender, MAX_WORD)))
    expect(tender).toMatchObject({ origin: 'foreign', terms: null, version: String(2n ** 64n - 1n) })
    expect(tender.taskUri.length).toBe(8_192)
    expect(tender.warnings).toEqual(expect.arrayContaining(['foreign-implementation', 'no-terms']))
    const actions = actionPageSchema.parse(await get(`${agentPath(hostile.agent)}/actions`)).items
    expect(actions).toHaveLength(4)
    expect(actions.map(({ record }) => record.verdict.state)).not.toContain('verified')
  })

  test('do not change what is said of ours: no difference but theirs is open', async () => {
    const { reconciliation } = await status()
    const foreign = new Set([hostile.agent, hostile.tender, hostile.much].map(low))
    expect(reconciliation.differences.filter(({ contract }) => !foreign.has(contract))).toEqual([])
    expect(reconciliation.differenceCount).toBeGreaterThan(0)
  })
})

describe('the REST surface', () => {
  const pathsOf = (path: string): string =>
    path
      .replace(':chainId/:address', `${CHAIN}/${stage.agent}`)
      .replace(':chainId/:contract/:tokenId', `${CHAIN}/${stage.agents.market.task}/${stage.judged}`)
      .replace(':address', stage.agents.address.alice)

  test('answers every question as its schema and its document say', async () => {
    const document = (await get('/v1/openapi.json')) as { openapi: string; paths: object }
    expect(document.openapi).toBe('3.1.0')
    for (const { path, answerSchema } of routes) {
      const response = await fetch(`${index.url}${pathsOf(path)}`)
      expect([path, response.status]).toEqual([path, 200])
      answerSchema.parse(await response.json())
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('pages through a list without gap or repetition, in every order', async () => {
    const all = tenderPageSchema.parse(await get('/v1/market?limit=200')).items
    expect(all.length).toBeGreaterThanOrEqual(6)
    const keyOf = ({ contract, tokenId }: Tender): string => `${contract}/${tokenId}`
    for (const sort of ['created', 'updated', 'reward', 'escrow', 'deadline']) {
      for (const order of ['asc', 'desc']) {
        const seen: string[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const page: { items: Tender[]; nextCursor: string | null } = tenderPageSchema.parse(
            await get(`/v1/market?limit=2&sort=${sort}&order=${order}&cursor=${cursor}`),
          )
          seen.push(...page.items.map(keyOf))
          cursor = page.nextCursor
        }
        expect(seen.sort()).toEqual(all.map(keyOf).sort())
      }
    }
    for (const sort of ['created', 'updated', 'rate', 'capital', 'holders', 'actions']) {
      const first = agentPageSchema.parse(await get(`/v1/agents?limit=1&sort=${sort}`))
      const rest = agentPageSchema.parse(await get(`/v1/agents?sort=${sort}&cursor=${first.nextCursor}`))
      const addresses = [...first.items, ...rest.items].map(({ address }) => address)
      expect(new Set(addresses).size).toBe(4)
    }
  })

  test('filters by a state that is the same in SQL and in the answer', async () => {
    const { items } = tenderPageSchema.parse(await get('/v1/market?limit=200'))
    for (const state of ['open', 'unfunded', 'closed', 'over', 'cancelled']) {
      const filtered = tenderPageSchema.parse(await get(`/v1/market?limit=200&state=${state}`)).items
      expect(filtered).toEqual(items.filter((one) => one.state === state))
    }
    const verifiers = tenderPageSchema.parse(await get('/v1/market?judge=verifier&origin=oikos')).items
    expect(verifiers.map(({ tokenId }) => tokenId)).toEqual([String(stage.proven)])
    const funded = tenderPageSchema.parse(await get('/v1/market?funded=true&origin=oikos')).items
    expect(funded.map(({ tokenId }) => tokenId)).toEqual([String(stage.judged)])
  })

  test('any parameters are answered or refused in the one shape of an error', async () => {
    const lists = routes.filter(({ querySchema }) => querySchema !== 'nothing')
    const values = fc.oneof(
      fc.constantFrom('1', '0', '-1', '200', '9'.repeat(80), 'asc', 'open', 'csv', '\0', "'; drop table x; --", '%00'),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    const query = fc.constantFrom(...lists).chain((route) => {
      const names = fc.constantFrom(...Object.keys(querySchemas[route.querySchema].shape), 'zzz')
      return fc.tuple(fc.constant(route), fc.array(fc.tuple(names, values), { maxLength: 4 }))
    })
    await fc.assert(
      fc.asyncProperty(query, async ([route, pairs]) => {
        const search = new URLSearchParams()
        for (const [name, value] of pairs) search.append(name, value)
        const response = await fetch(`${index.url}${pathsOf(route.path)}?${search}`)
        expect([200, 400]).toContain(response.status)
        const text = await response.text()
        if (response.status === 400) errorSchema.parse(JSON.parse(text))
      }),
      { numRuns: 150 },
    )
  }, 120_000)

  test('refuses what is not there, what it does not do, and what is too large', async () => {
    const refusal = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${index.url}${path}`, init)
      return [response.status, errorSchema.parse(await response.json()).error.code]
    }
    expect(await refusal('/v1/nothing')).toEqual([404, 'not_found'])
    expect(await refusal(`/v1/agents/${CHAIN}/0x${'00'.repeat(20)}`)).toEqual([404, 'not_found'])
    expect(await refusal('/v1/market', { method: 'POST', body: '{}' })).toEqual([405, 'method_not_allowed'])
    expect(await refusal('/graphql', { method: 'POST', body: 'x'.repeat(70_000) })).toEqual([413, 'body_too_large'])
    expect(await refusal('/v1/agents/x/y')).toEqual([400, 'bad_request'])
    expect(await refusal(`/v1/market?x=${'y'.repeat(6_000)}`)).toEqual([400, 'bad_request'])
  })

  test('answers 304 to who has the answer, and gives lists as CSV', async () => {
    const url = `${index.url}/v1/market?limit=1`
    const first = await fetch(url)
    await first.body?.cancel()
    const etag = first.headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const csv = await fetch(`${url}&format=csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('x-next-cursor')).toEqual(expect.any(String))
    const [head, row] = (await csv.text()).split('\r\n')
    expect(head).toContain('chainId,contract,tokenId')
    expect(row).toContain(String(CHAIN))
  })

  test('gives GraphQL of the same tables', async () => {
    const query = '{ agents(where: { origin: "oikos" }) { items { name supply } } }'
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }
    const answer = await (await fetch(`${index.url}/graphql`, init)).json()
    expect(answer).toEqual({ data: { agents: { items: [{ name: 'Atlas', supply: String(90n * COIN) }] } } })
  })
})

describe('a desk', () => {
  const deskOf = async (account: string) => {
    const shown = accountSchema.parse(await get(`/v1/accounts/${account}`))
    return { shown, kinds: shown.desk.map(({ kind, contract, loss }) => [kind, contract, loss]) }
  }

  test('shows each party what waits, first what a clock takes away', async () => {
    const { agents, agent } = stage
    const { address, task } = agents.market
    // the judge of the market is the Executor of the Agents
    const judge = await deskOf(address.judge)
    expect(judge.kinds[0]).toEqual(['judge-submission', low(task), 'silence-pays-fulfiller'])
    expect(judge.kinds).toContainEqual(['settle-request', low(agent), 'nothing'])
    expect(judge.shown.roles).toContainEqual({ chainId: CHAIN, contract: low(agent), tokenId: null, role: 'executor' })
    const alice = await deskOf(address.funder)
    expect(alice.kinds).toContainEqual(['claim-tokens', low(agent), 'nothing'])
    expect(alice.shown.holdings).toMatchObject([
      { shares: String(90n * COIN), valueAtRate: String(90n * USDC) },
      { shares: String(15n * COIN) },
    ])
    const fulfiller = await deskOf(address.fulfiller)
    expect(fulfiller.kinds[0]).toEqual(['release-expired', low(task), 'slot-released-unpaid'])
    expect(fulfiller.kinds.map(([kind]) => kind)).toContain('claim-unjudged')
    expect(await deskOf(`0x${'99'.repeat(20)}`)).toMatchObject({ kinds: [], shown: { isTruncated: false } })
  })
})

describe('what happens while the index runs', () => {
  test('is told as a stream, and taken back when the chain is reorganised', async () => {
    const { agents, agent, judged } = stage
    const { task, as } = agents.market
    const messages: string[] = []
    const ending = new AbortController()
    const stream = await fetch(`${index.url}/v1/events`, { signal: ending.signal })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of stream.body ?? []) messages.push(decoder.decode(chunk))
    })().catch(() => undefined)
    const told = (): string => messages.join('')
    await until(
      async () => told(),
      (text) => text.includes('event: head'),
    )

    const before = tenderDetailSchema.parse(await get(tenderPath(task, judged)))
    const snapshot = await rpc(as.stranger, 'eth_blockNumber')
    const result = { resultHash: keccak256(toHex('third')), resultURI: 'ipfs://third' }
    await submitFulfillmentAndWait(as.fulfiller, { task, tokenId: judged, ...result })
    await agents.fund('bob', agent, 5n * USDC)
    await requestMintAndWait(agents.as.bob, { agent, amountAtomic: 5n * USDC })
    await until(
      async () => told(),
      (text) => text.includes('"event":"MintRequested"'),
    )
    expect(told()).toContain('"event":"FulfillmentSubmitted"')
    const during = tenderDetailSchema.parse(await get(tenderPath(task, judged)))
    expect(during).toMatchObject({ pending: '2', submissions: '3' })

    const depth = Number(await rpc(as.stranger, 'eth_blockNumber')) - Number(snapshot)
    await rpc(as.stranger, 'anvil_reorg', [depth, []])
    await rpc(as.stranger, 'evm_mine')
    await until(
      async () => told(),
      (text) => text.includes('event: removed'),
    )
    const after = await until(
      async () => tenderDetailSchema.parse(await get(tenderPath(task, judged))),
      ({ pending }) => pending === '1',
    )
    expect(after).toMatchObject({ submissions: before.submissions, updatedAt: before.updatedAt })
    const page = positionPageSchema.parse(await get(`${agentPath(agent)}/positions?account=${agents.address.bob}`))
    expect(page.items).toMatchObject([{ pending: String(30n * USDC) }])

    await settleBob(stage)
    await until(
      async () => told(),
      (text) => text.includes('"event":"Settled"'),
    )
    ending.abort()
    await reading
    const ours = ({ reconciliation }: Status) =>
      reconciliation.differences.filter(({ contract }) => contract === low(agent) || contract === low(task))
    await settled()
    expect(ours(await untilOrLog(status, (answer) => ours(answer).length === 0))).toEqual([])
  }, 120_000)
})
