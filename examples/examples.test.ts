import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { TaskHash } from '@oikos/core'
import { parseEvidence, verifyEvidence } from '@oikos/core/economic'
import { getAgentBooks, getTender, listSubmissions, parseDeployments } from '@oikos/sdk'
import { createContentResolver, unpackPackage } from '@oikos/sdk/node'
import { erc20Abi, isAddressEqual, parseEther, zeroAddress } from 'viem'
import { getBalance, getBlock, getBlockNumber, readContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../scripts/chain.ts'
import { root } from '../scripts/toolchain.ts'
import { checkBatch } from './labelling/check-batch.ts'
import { type LabellingOutcome, playLabelling } from './labelling/play.ts'
import { createNarrator } from './market/narrator.ts'
import { addressOf, balanceOf, type Stage, setStage } from './market/stage.ts'
import { playSiteReport, type ReportOutcome } from './site-report/play.ts'
import { playTreasury, type TreasuryOutcome } from './treasury/play.ts'

const folder = import.meta.dirname

describe('an Agent and the worked tenders', () => {
  let chain: LocalChain
  let stage: Stage
  let home: string
  let treasury: TreasuryOutcome
  let labels: LabellingOutcome
  let report: ReportOutcome
  const told: string[] = []

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'oikos-examples-'))
    chain = await startChain()
    const sink = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        told.push(text)
        done()
      },
    })
    stage = await setStage({
      url: chain.url,
      contentFolder: join(home, 'content'),
      purseFolder: join(home, 'purse'),
      say: createNarrator(sink),
    })
    treasury = await playTreasury(
      stage,
      async () => {},
      async (agent) => {
        labels = await playLabelling(stage, agent)
        report = await playSiteReport(stage, agent)
      },
    )
  })
  afterAll(async () => {
    await chain.stop()
    await rm(home, { recursive: true, force: true })
  })

  test('capital: three deposits are settled at one price, to the last unit', () => {
    const share = 10n ** 18n
    expect(treasury.raised).toEqual({
      shares: { ada: 5_000n * share, ben: 3_000n * share, cleo: 2_000n * share },
      rate: 1_000_000n,
    })
  })

  test('labelling: three receipts pay three rewards to the Agent, the gift is spent first, the rest goes back', async () => {
    expect(labels.paid).toEqual([250_000_000n, 250_000_000n, 250_000_000n])
    expect(labels.refunded).toBe(100_000_000n)
    expect(labels.vaultLeft).toBe(0n)
    const { submissions } = await listSubmissions(stage.client.stranger, { ...labels.target, order: 'oldest' })
    expect(submissions.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'rejected', 'accepted'])
    expect(submissions.every(({ machineSettled }) => machineSettled)).toBe(true)
    const fulfillers = submissions.map(({ fulfiller }) => fulfiller)
    const { agent } = treasury
    expect(fulfillers).toEqual([agent, agent, stage.client.stranger.account.address, agent])
    const tender = await getTender(stage.client.stranger, labels.target)
    expect([tender.completions, tender.pending, tender.cancelled, tender.frozen]).toEqual([3n, 0n, true, true])
  })

  test('site report: one refusal, one default, refunds in proportion to what was put in', async () => {
    expect(report.paid).toBe(1_200_000_000n)
    expect(report.refundedToDemander).toBe(200_000_000n)
    expect(report.refundedToPatron).toBe(100_000_000n)
    expect(report.vaultLeft).toBe(0n)
    const { submissions } = await listSubmissions(stage.client.stranger, { ...report.target, order: 'oldest' })
    expect(submissions.map(({ status }) => status)).toEqual(['rejected', 'accepted'])
    expect(submissions.map(({ taskVersion }) => taskVersion)).toEqual([2n, 2n])
    expect(submissions.map(({ fulfiller }) => fulfiller)).toEqual([treasury.agent, treasury.agent])
  })

  test('the payment: paid exactly once, served once, though the paying process was ended by SIGKILL', async () => {
    const { bought } = report
    const price = parseEther('0.0003')
    expect(bought.firstEnd).toBe('SIGKILL')
    expect([bought.broadcasts, bought.served]).toEqual([1, 1])
    // the whole chain is read: whatever was paid from the purse would be in it
    const blocks = await Promise.all(
      Array.from({ length: Number(await getBlockNumber(stage.client.stranger)) + 1 }, (_, number) =>
        getBlock(stage.client.stranger, { blockNumber: BigInt(number), includeTransactions: true }),
      ),
    )
    const transactions = blocks.flatMap((block) => block.transactions)
    const fromPurse = transactions.filter(({ from }) => isAddressEqual(from, bought.payer))
    expect(fromPurse).toMatchObject([{ hash: bought.transactionId, value: price, input: '0x' }])
    expect(isAddressEqual(fromPurse[0]?.to ?? zeroAddress, bought.shop)).toBe(true)
    expect(bought.shopGainAtomic).toBe(price)
    expect(await getBalance(stage.client.stranger, { address: bought.shop })).toBe(price)
  })

  test('the payment: its Evidence verifies, lies in the store, and is linked by the record of the delivery', async () => {
    const { evidence, transactionId } = report.bought
    expect(verifyEvidence(evidence.bytes)).toMatchObject({ ok: true })
    expect(parseEvidence(evidence.bytes).document.result).toMatchObject({
      ...{ status: 'confirmed', transaction_id: transactionId },
    })
    const resolved = await createContentResolver({ store: stage.store }).resolve(evidence.uri)
    expect(resolved).toMatchObject({ ok: true, bytes: new Uint8Array(evidence.bytes) })
    const linking = treasury.records.filter(({ verdict }) => verdict?.record?.links.evidence !== undefined)
    expect(linking.map(({ citation, verdict }) => [citation.action, verdict?.record?.links.evidence])).toEqual([
      ['execute', [{ digest: evidence.digest, uri: evidence.uri }]],
    ])
    expect(linking[0]?.verdict?.record?.claims.decision).toMatch(/second report/)
  })

  test('the payment: the delivery that was paid holds what was bought, and says what follows from it', async () => {
    const { submissions } = await listSubmissions(stage.client.stranger, { ...report.target, order: 'oldest' })
    const output = join(home, 'second')
    const source = createContentResolver({ store: stage.store }).source()
    await unpackPackage({ taskHash: (submissions[1]?.resultHash ?? '0x') as TaskHash, source, output })
    const log = await readFile(join(output, 'sources', 'wels-meter-log.json'))
    expect(log).toEqual(Buffer.from(report.bought.body))
    const text = await readFile(join(output, 'REPORT.md'), 'utf8')
    expect(text).toContain(createHash('sha256').update(log).digest('hex'))
    // 9703 and 6204 exchanged: 79451 - 9703 + 6204
    expect(text).toMatch(/6204 kWh at night in 2025-09, 39\.0 %, and 75952 kWh/)
  })

  test('the rate: rewards raise it, saving leaves it, interest raises it; each is rounded down', () => {
    // (11,950e6 * 1e18 + 1e6 * 1e12) / (10,000e18 + 1e12), by the books of docs/agent-equity.md
    expect(treasury.rateAfterWork).toBe(1_194_999n)
    const { rateBefore, rateAfter, rateWithInterest, valuedAtomic } = treasury.invested
    expect([rateBefore, rateAfter]).toEqual([1_194_999n, 1_194_999n])
    // 4,000e6 vault shares of 4,120e6 + 1 units over 4,000e6 + 1 shares
    expect(valuedAtomic).toBe(4_119_999_999n)
    expect(rateWithInterest).toBe(1_206_999n)
  })

  test("the boundary: a thief with the Executor's key is refused four times, each for another reason", () => {
    expect(treasury.invested.refused).toEqual(['ConditionFailed', 'TokenOutTooHigh', 'NoRule', 'own-contract'])
  })

  test('a holder leaves with her part to the last unit, and those who stay lose none of theirs', async () => {
    expect(treasury.left).toEqual({ paid: 2_413_998_000n, rateBefore: 1_206_999n, rateAfter: 1_207_000n })
    const books = await getAgentBooks(stage.client.stranger, { agent: treasury.agent })
    expect(books).toMatchObject({
      balanceAtomic: 5_536_002_000n,
      requestsAtomic: 0n,
      valuedAtomic: 4_119_999_999n,
      assetsAtomic: 9_656_001_999n,
      supplyAtomic: 8_000n * 10n ** 18n,
    })
  })

  test('every dollar is somewhere: nothing was made or lost on the way', async () => {
    const parties = ['demander', 'patron', 'stranger', 'ada', 'ben', 'cleo', 'operator', 'owner'] as const
    const held = await Promise.all(
      [...parties.map((party) => addressOf(stage, party)), treasury.agent, stage.savings].map((account) =>
        balanceOf(stage, account),
      ),
    )
    expect(held.reduce((sum, amount) => sum + amount, 0n)).toBe(12_470_000_000n)
    expect(await dollarSupply(stage)).toBe(12_470_000_000n)
  })

  test('§6.2.1: every action cites a record that verifies from the store', () => {
    expect(treasury.records.map(({ citation, status }) => [citation.action, status])).toEqual([
      ['settleMintBatch', 'verified'],
      ['execute', 'verified'],
      ['execute', 'verified'],
      ['execute', 'verified'],
      ['execute', 'verified'],
      ['execute', 'verified'],
      ['executeWithAllowance', 'verified'],
      ['settleRedeem', 'verified'],
    ])
    for (const { verdict } of treasury.records)
      expect(verdict).toMatchObject({ anchored: true, bound: true, findings: [] })
    const linked = treasury.records.filter(({ verdict }) => verdict?.record?.links.packages?.length === 1)
    expect(linked).toHaveLength(5)
  })

  test('every step names a transaction or a reason, and how to check it', () => {
    const text = told.join('')
    expect(text.match(/0x[0-9a-f]{64} in block \d+/g)?.length).toBeGreaterThan(35)
    expect(text.match(/reason +“.+” ipfs:\/\/bafkrei/g)).toHaveLength(8)
    expect(text).toContain('8 of 8 records verified')
    expect(text).toContain('npm run oikos -- agent show atlas')
    expect(text).toContain('npm run oikos -- task verify 2')
    expect(text).toMatch(/process \d+ is ended by SIGKILL/)
    expect(text).toContain('npm run oikos -- evidence verify')
    expect(text).toContain('npm run oikos -- audit atlas')
    expect(text).toMatch(/A late refusal is refused: /)
    expect(text).toMatch(/Settling at once is refused: /)
  })
})

function dollarSupply(stage: Stage): Promise<bigint> {
  const { address } = stage.dollar
  return readContract(stage.client.stranger, { abi: erc20Abi, address, functionName: 'totalSupply' })
}

describe('the files of the examples', () => {
  test.each([
    ['batch-1', 6],
    ['batch-2', 5],
    ['batch-3', 6],
  ])('%s passes the check with %i of 6 secret labels', async (name, agreed) => {
    const number = name.at(-1)
    const files = {
      batch: join(folder, 'labelling', 'task', 'data', `${name}.jsonl`),
      gold: join(folder, 'labelling', 'qa', `gold-${number}.jsonl`),
      delivery: join(folder, 'labelling', 'deliveries', `${name}.jsonl`),
    }
    expect(await checkBatch(files)).toEqual({ passed: true, agreed, checked: 6 })
  })

  test('the report that was paid has exactly the numbers of the readings', async () => {
    const csv = await readFile(join(folder, 'site-report', 'task', 'data', 'readings.csv'), 'utf8')
    const totals = new Map<string, { total: number; night: number; highest: [number, string] }>()
    for (const line of csv.trim().split('\n').slice(1)) {
      const [site = '', month = '', day = '', night = ''] = line.split(',')
      const entry = totals.get(site) ?? { total: 0, night: 0, highest: [0, ''] }
      const sum = Number(day) + Number(night)
      const highest: [number, string] = sum > entry.highest[0] ? [sum, month] : entry.highest
      totals.set(site, { total: entry.total + sum, night: entry.night + Number(night), highest })
    }
    const rows = [...totals].map(
      ([site, { total, night, highest }]) => `| ${site} | ${total} | ${highest[1]} | ${night} |`,
    )
    const report = await readFile(join(folder, 'site-report', 'deliveries', 'second', 'REPORT.md'), 'utf8')
    expect(rows).toHaveLength(4)
    for (const row of rows) expect(report).toContain(row)
  })
})

/** Runs the oikos command and reads its JSON. */
async function runOikos(words: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const args = ['--no-warnings', join(root, 'apps', 'cli', 'src', 'main.ts'), ...words]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(output)
}

describe('npm start', () => {
  test('with --once plays, stops its chain, and exits with 0', async () => {
    const child = spawn(process.execPath, [join(root, 'examples', 'start.ts'), '--once'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    const exitCode = await new Promise((resolve) => child.once('close', resolve))
    expect(exitCode, output).toBe(0)
    const url = /Chain +(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
    expect(url).toBeDefined()
    await expect(fetch(url ?? '', { method: 'POST', body: '{}' })).rejects.toThrow()
    expect(output).toContain('Stopped')
  })

  test('interrupted while it waits, it has named the Agent in the deployments, stops its chain, and exits with 0', async () => {
    const arguments_ = [join(root, 'examples', 'start.ts'), '--port', '0']
    const home = await mkdtemp(join(tmpdir(), 'oikos-start-'))
    const env = { ...process.env, OIKOS_HOME: home }
    const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    const waiting = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8')
        if (output.includes('Press Ctrl-C')) resolve()
      })
    })
    await waiting
    const [deployment] = parseDeployments(await readFile(join(home, 'deployments.json'), 'utf8'))
    expect(deployment?.agents?.['atlas']).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(deployment?.agentFactory).toMatch(/^0x[0-9a-fA-F]{40}$/)
    // the commands that it names, as a reader runs them
    const [rpcUrl] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
    const runCli = (...words: string[]) => runOikos(words, { ...env, OIKOS_RPC_URL: rpcUrl })
    const run = /oikos -- evidence verify (\S+)/.exec(output)?.[1] ?? ''
    expect(await runCli('evidence', 'verify', run, '--json')).toMatchObject({
      ok: true,
      result: { status: 'confirmed' },
    })
    const audit = await runCli('audit', 'atlas', '--json')
    expect(audit).toMatchObject({ report: { status: 'verified' } })
    expect(JSON.stringify(audit)).toContain(/evidence +(sha256:[0-9a-f]{64})/.exec(output)?.[1])
    child.kill('SIGINT')
    const exitCode = await new Promise((resolve) => child.once('close', resolve))
    expect(exitCode, output).toBe(0)
    expect(await readdir(home)).toEqual(['content'])
    await rm(home, { recursive: true })
    const url = /Chain +(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1] ?? ''
    await expect(fetch(url, { method: 'POST', body: '{}' })).rejects.toThrow()
  })
})
