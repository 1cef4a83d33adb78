import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { tenderPageSchema } from '@oikos/indexer/rest'
import { isNativeAsset, type Submission } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { isAddressEqual } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../scripts/chain.ts'
import { openExplorer } from '../market/explorer.ts'
import { createNarrator } from '../market/narrator.ts'
import type { Stage } from '../market/stage.ts'
import { type MarketName, marketNames, playMarkets } from './play.ts'
import { auditMarket } from './stage/audit.ts'
import { accountForMoney, MoneyMismatchError } from './stage/money.ts'
import { openStage } from './stage/open-stage.ts'
import type { MarketOutcome } from './stage/outcome.ts'

describe('the worked markets, all on one chain with one content store', () => {
  let chain: LocalChain
  let home: string
  let stage: Stage
  let outcomes: ReadonlyMap<MarketName, MarketOutcome>
  const told: string[] = []

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'oikos-markets-'))
    chain = await startChain()
    const sink = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        told.push(text)
        done()
      },
    })
    stage = await openStage({ url: chain.url, home, say: createNarrator(sink) })
    outcomes = await playMarkets(stage)
  })
  afterAll(async () => {
    await chain.stop()
    await rm(home, { recursive: true, force: true })
  })

  const outcomeOf = (name: MarketName): MarketOutcome => {
    const outcome = outcomes.get(name)
    if (outcome === undefined) throw new Error(`${name} was not played`)
    return outcome
  }
  const moved = (name: MarketName) =>
    Object.fromEntries(outcomeOf(name).money.lines.map(({ who, movedAtomic }) => [who, movedAtomic]))
  const statuses = (name: MarketName) => outcomeOf(name).deliveries.map(({ status }) => status)
  const fulfillers = (name: MarketName) =>
    outcomeOf(name).deliveries.map(({ fulfiller }: Submission) => {
      const line = outcomeOf(name).money.lines.find(({ account }) => isAddressEqual(account, fulfiller))
      return line?.who
    })

  test('all of them appear in the index behind the explorer, with their vaults and the verdict on their files', async () => {
    const explorer = await openExplorer(stage, { folder: join(home, 'index'), contentFolder: join(home, 'content') })
    try {
      const listed = async () => {
        const page = tenderPageSchema.parse(await (await fetch(`${explorer.url}/api/v1/market?limit=50`)).json())
        return page.items.filter(({ tokenId }) =>
          [...outcomes.values()].some(({ target }) => `${target.tokenId}` === tokenId),
        )
      }
      const verdicts = async () => (await listed()).map((tender) => tender.package.state)
      await expect.poll(verdicts, { timeout: 60_000 }).toEqual(marketNames.map(() => 'verified'))
      // the verdicts may come before the last blocks, in which the vaults are emptied
      const vaults = async () => (await listed()).map(({ escrow, credited }) => `${escrow} ${credited}`)
      await expect.poll(vaults, { timeout: 60_000 }).toEqual(marketNames.map(() => '0 0'))
      for (const { judge } of await listed()) expect(judge?.kind).toMatch(/^(account|verifier|jury)$/)
    } finally {
      await explorer.stop()
    }
  }, 180_000)

  test('labelling: three receipts pay three batches, junk is released, a batch that fails earns nothing', () => {
    expect(statuses('labelling')).toEqual(['rejected', 'rejected', 'accepted', 'accepted', 'accepted'])
    expect(fulfillers('labelling')).toEqual(['squatter', 'squatter', 'ines', 'ines', 'jonas'])
    expect(moved('labelling')).toEqual({
      shop: -120_000_000n,
      ines: 80_000_000n,
      jonas: 40_000_000n,
      squatter: 0n,
      vault: 0n,
    })
    expect(outcomeOf('labelling').deliveries.every(({ machineSettled }) => machineSettled)).toBe(true)
  })

  test('media report: nine reports are paid by two funders and a gift, whose rest goes to whom it belongs', () => {
    const accepted = outcomeOf('media-report').deliveries.filter(({ status }) => status === 'accepted')
    expect([accepted.length, statuses('media-report').indexOf('rejected')]).toEqual([9, 3])
    expect(moved('media-report')).toEqual({
      agency: -143_571_428n,
      chamber: -111_428_572n,
      reader: -15_000_000n,
      editor: 0n,
      quill: 150_000_000n,
      lumen: 60_000_000n,
      rota: 60_000_000n,
      vault: 0n,
    })
  })

  test('exclusive build: a refusal, then a default claim after the time for rulings, to the last wei', () => {
    expect(statuses('exclusive-build')).toEqual(['rejected', 'accepted'])
    expect(fulfillers('exclusive-build')).toEqual(['builder', 'builder'])
    expect(moved('exclusive-build')).toEqual({
      cooperative: -444_444_444_444_444_444n,
      guild: -355_555_555_555_555_556n,
      reviewer: 0n,
      builder: 800_000_000_000_000_000n,
      vault: 0n,
    })
    const paidGas = outcomeOf('exclusive-build')
      .money.lines.filter(({ gasWei }) => gasWei > 0n)
      .map(({ who }) => who)
    expect(paidGas).toEqual(['cooperative', 'guild', 'reviewer', 'builder'])
  })

  test('confidential opinion: the public script rejects one delivery and passes another, both for version 2', () => {
    expect(statuses('confidential-opinion')).toEqual(['rejected', 'accepted'])
    expect(fulfillers('confidential-opinion')).toEqual(['alder', 'birch'])
    expect(outcomeOf('confidential-opinion').deliveries.map(({ taskVersion }) => taskVersion)).toEqual([2n, 2n])
    expect(moved('confidential-opinion')).toEqual({
      tenant: -900_000_000n,
      assessor: 0n,
      alder: 0n,
      birch: 900_000_000n,
      vault: 0n,
    })
  })

  test('confidential opinion: no word of the facts or the opinions is in the content store', async () => {
    const folder = join(home, 'content')
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
    expect(texts.length).toBeGreaterThan(50)
    expect(texts.some((text) => text.includes('An opinion on a commercial lease'))).toBe(true)
    for (const secret of ['Kirnau Aroma', 'Lagerhaus Hallau GmbH', '600 kilograms', 'Answers version:']) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([])
    }
  })

  test('benchmark: a fee at the entry, two votes, a team, one refusal by vote and one by timeout, to the last wei', () => {
    expect(statuses('benchmark')).toEqual(['accepted', 'rejected', 'rejected'])
    expect(fulfillers('benchmark')).toEqual(['splitter', 'splitter', 'splitter'])
    expect(moved('benchmark')).toEqual({
      clinic: -486_750_000_000_000_001n,
      bank: -304_218_750_000_000_001n,
      city: -247_431_249_999_999_999n,
      platform: 38_400_000_000_000_000n,
      mora: 500_000_000_000_000_001n,
      nils: 300_000_000_000_000_000n,
      oda: 200_000_000_000_000_000n,
      chair: 0n,
      statistician: 0n,
      secretary: 0n,
      panel: 0n,
      router: 0n,
      splitter: 0n,
      vault: 0n,
    })
  })

  test('the story names its refusals, its faults and how to check each tender', () => {
    const text = told.join('')
    for (const line of [
      "Settling the squatter's delivery with the proof of batch 1 is refused: ",
      'batch 4: 2 of 8 secret labels agree, no receipt',
      'Paying a third report on one day is refused: ',
      'Delivering to an empty vault is refused: ',
      'Accepting after the last day for rulings is refused: ',
      'A refusal after the window is refused: ',
      '18 of 29 checks failed',
      'Finalising while votes are taken is refused: ',
      'have the same basis',
    ]) {
      expect(text).toContain(line)
    }
    expect(text.match(/npm run oikos -- audit \d/g)).toHaveLength(marketNames.length)
  })

  test.each(marketNames)('%s: every unit is somewhere, the vault is empty, and the audit verifies', (name) => {
    const { money, audit } = outcomeOf(name)
    expect(money.lines.reduce((sum, { movedAtomic }) => sum + movedAtomic, 0n)).toBe(0n)
    for (const { beforeAtomic, afterAtomic, gasWei, movedAtomic } of money.lines) {
      expect(afterAtomic).toBe(beforeAtomic + movedAtomic - gasWei)
    }
    expect(money.lines.find(({ who }) => who === 'vault')?.afterAtomic).toBe(0n)
    expect(audit.status).toBe('verified')
  })

  test.each(marketNames)('%s: a story that is wrong by one unit is refused', async (name) => {
    const { asset, fromBlock, lines } = outcomeOf(name).money
    const [first, ...others] = lines
    if (first === undefined) throw new Error('no account')
    const wrong = [{ ...first, movedAtomic: first.movedAtomic + 1n }, ...others]
    await expect(accountForMoney(stage, { asset, fromBlock, expected: wrong })).rejects.toThrow(
      `${first.who} moved ${first.movedAtomic}, the story says ${first.movedAtomic + 1n}`,
    )
  })

  test.each(marketNames)('%s: a story that leaves out one who was paid is refused', async (name) => {
    const { asset, fromBlock, lines } = outcomeOf(name).money
    const paid = lines.find(({ movedAtomic }) => movedAtomic > 0n)
    const expected = lines.filter((line) => line !== paid)
    const refused = await accountForMoney(stage, { asset, fromBlock, expected }).catch((error: unknown) => error)
    if (!(refused instanceof MoneyMismatchError)) throw new Error(`${name} adds up without ${paid?.who}`)
    expect(refused.problems[0]).toBe(`the accounts add up to ${-(paid?.movedAtomic ?? 0n)}, not to nothing`)
    // a token says besides who sent what to whom
    const transfers = refused.problems.slice(1)
    expect(transfers.length > 0).toBe(!isNativeAsset(asset))
    for (const problem of transfers) expect(problem).toContain(`to ${paid?.account}, of whom the story names one only`)
  })

  test('an audit that finds no content says so, and is not taken for a good one', async () => {
    const store = await openContentStore(join(home, 'nothing'))
    const { target } = outcomeOf('media-report')
    await expect(auditMarket({ ...stage, store }, target)).rejects.toThrow(
      'the audit says incomplete, with package.missing',
    )
  })

  test('an audit without a warning that the story expects is refused', async () => {
    const { target } = outcomeOf('labelling')
    await expect(auditMarket(stage, target, ['roles.judge-owns'])).rejects.toThrow(
      'the audit says verified, with no finding',
    )
  })
})
