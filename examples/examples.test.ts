import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { TaskHash } from '@oikos/core'
import { parseEvidence, verifyEvidence } from '@oikos/core/economic'
import { tenderPageSchema } from '@oikos/indexer/rest'
import { getAgentBooks, getTender, listCitations, listSubmissions, parseDeployments, verifyCitation } from '@oikos/sdk'
import { createContentResolver, unpackPackage } from '@oikos/sdk/node'
import { erc20Abi, isAddressEqual, parseEther, zeroAddress } from 'viem'
import { getBalance, getBlock, getBlockNumber, readContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, startBrowser, watch } from '../apps/web/src/test/browser.ts'
import { type LocalChain, startChain } from '../scripts/chain.ts'
import { root } from '../scripts/toolchain.ts'
import { type LabellingOutcome, playLabelling } from './labelling/play.ts'
import { createNarrator } from './market/narrator.ts'
import { addressOf, balanceOf, type Stage, setStage } from './market/stage.ts'
import { playSiteReport, type ReportOutcome } from './site-report/play.ts'
import { playTreasury, type TreasuryOutcome } from './treasury/play.ts'

describe('two Agents, each run by an operator, and the worked tenders', () => {
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
      async ({ atlas, mira }) => {
        labels = await playLabelling(stage, mira)
        report = await playSiteReport(stage, atlas)
        return [labels.target, report.target]
      },
    )
  })
  afterAll(async () => {
    await chain.stop()
    await rm(home, { recursive: true, force: true })
  })

  test('capital: five deposits of three holders are settled at one price an Agent, to the last unit', () => {
    const share = 10n ** 18n
    expect(treasury.raised).toEqual({
      shares: {
        'ada atlas': 5_000n * share,
        'ben atlas': 3_000n * share,
        'cleo atlas': 2_000n * share,
        'ben mira': 1_000n * share,
        'cleo mira': 500n * share,
      },
      rates: { atlas: 1_000_000n, mira: 1_000_000n },
    })
  })

  test('labelling: three receipts pay three rewards to the Agent, the gift is spent first, the rest goes back', async () => {
    expect(labels.paid).toBe(750_000_000n)
    expect(labels.refunded).toBe(100_000_000n)
    expect(labels.vaultLeft).toBe(0n)
    const { submissions } = await listSubmissions(stage.client.stranger, { ...labels.target, order: 'oldest' })
    expect(submissions.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'rejected', 'accepted'])
    expect(submissions.every(({ machineSettled }) => machineSettled)).toBe(true)
    const fulfillers = submissions.map(({ fulfiller }) => fulfiller)
    const { mira } = treasury.agents
    expect(fulfillers).toEqual([mira, mira, stage.client.stranger.account.address, mira])
    const tender = await getTender(stage.client.stranger, labels.target)
    expect([tender.completions, tender.pending, tender.cancelled, tender.frozen]).toEqual([3n, 0n, true, true])
  })

  test('labelling: what the worker made in its sandbox was checked batch by batch, and all of it passed', () => {
    expect(labels.checked.map(({ number, passed, checked }) => [number, passed, checked])).toEqual([
      [1, true, 6],
      [2, true, 6],
      [3, true, 6],
    ])
    expect(labels.checked.reduce((sum, { agreed }) => sum + agreed, 0)).toBe(17)
  })

  test('site report: one refusal, one default, refunds in proportion to what was put in', async () => {
    expect(report.paid).toBe(1_200_000_000n)
    expect(report.refundedToResearcher).toBe(200_000_000n)
    expect(report.refundedToPatron).toBe(100_000_000n)
    expect(report.vaultLeft).toBe(0n)
    const { submissions } = await listSubmissions(stage.client.stranger, { ...report.target, order: 'oldest' })
    expect(submissions.map(({ status }) => status)).toEqual(['rejected', 'accepted'])
    expect(submissions.map(({ taskVersion }) => taskVersion)).toEqual([2n, 2n])
    const { atlas } = treasury.agents
    expect(submissions.map(({ fulfiller }) => fulfiller)).toEqual([atlas, atlas])
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
    const [atlas] = treasury.audits.agents
    expect(atlas?.payments).toMatchObject([{ digest: evidence.digest }])
    const { citations } = await listCitations(stage.client.stranger, { agent: treasury.agents.atlas, fromBlock: 0n })
    const resolver = createContentResolver({ store: stage.store })
    const linked: unknown[] = []
    for (const citation of citations) {
      const judged = await verifyCitation(stage.client.stranger, {
        ...{ chainId: stage.deployment.chainId, agent: treasury.agents.atlas, citation, resolver },
      })
      expect(judged).toMatchObject({ status: 'verified', verdict: { anchored: true, bound: true, findings: [] } })
      const links = judged.verdict?.record?.links.evidence
      if (links !== undefined) linked.push([citation.action, links])
    }
    expect(linked).toEqual([['execute', [{ digest: evidence.digest, uri: evidence.uri }]]])
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
    expect(text).toMatch(/night_kwh is 6204, 39\.0 %, and 75952 over all periods/)
  })

  test('the rate: rewards raise it, saving leaves it, interest raises it; each is rounded down', () => {
    // (11,200e6 * 1e18 + 1e6 * 1e12) / (10,000e18 + 1e12) and (2,250e6 * 1e18 + 1e6 * 1e12) / (1,500e18 + 1e12)
    expect(treasury.ratesAfterWork).toEqual({ atlas: 1_119_999n, mira: 1_499_999n })
    const { rateBefore, rateAfter, rateWithInterest, valuedAtomic } = treasury.invested
    expect([rateBefore, rateAfter]).toEqual([1_119_999n, 1_119_999n])
    // 4,000e6 vault shares of 4,120e6 + 1 units over 4,000e6 + 1 shares
    expect(valuedAtomic).toBe(4_119_999_999n)
    expect(rateWithInterest).toBe(1_131_999n)
  })

  test("the boundary: a thief with the Executor's key is refused four times, each for another reason", () => {
    expect(treasury.invested.refused).toEqual(['ConditionFailed', 'TokenOutTooHigh', 'NoRule', 'own-contract'])
  })

  test('a holder leaves with her part to the last unit, and those who stay lose none of theirs', async () => {
    expect(treasury.left).toEqual({ paid: 2_263_998_000n, rateBefore: 1_131_999n, rateAfter: 1_132_000n })
    const books = await getAgentBooks(stage.client.stranger, { agent: treasury.agents.atlas })
    expect(books).toMatchObject({
      balanceAtomic: 4_936_002_000n,
      requestsAtomic: 0n,
      valuedAtomic: 4_119_999_999n,
      assetsAtomic: 9_056_001_999n,
      supplyAtomic: 8_000n * 10n ** 18n,
    })
  })

  test('every dollar is somewhere: nothing was made or lost on the way', async () => {
    const parties = ['demander', 'researcher', 'patron', 'stranger', 'ada', 'ben', 'cleo', 'operator', 'owner'] as const
    const { atlas, mira } = treasury.agents
    const held = await Promise.all(
      [...parties.map((party) => addressOf(stage, party)), atlas, mira, stage.savings].map((account) =>
        balanceOf(stage, account),
      ),
    )
    expect(held.reduce((sum, amount) => sum + amount, 0n)).toBe(14_970_000_000n)
    expect(await dollarSupply(stage)).toBe(14_970_000_000n)
  })

  test('§6.2.1: every action cites a record that verifies from the store', () => {
    const actions = treasury.audits.agents.map((audit) => audit.actions)
    expect(actions).toMatchObject([
      { total: 5, verified: 5, refused: 0, unavailable: 0 },
      { total: 4, verified: 4, refused: 0, unavailable: 0 },
    ])
    expect(actions.map(({ listed }) => listed.map(({ action }) => action))).toEqual([
      ['settleMintBatch', 'execute', 'execute', 'executeWithAllowance', 'settleRedeemBatch'],
      ['settleMintBatch', 'execute', 'execute', 'execute'],
    ])
  })

  test('the audit of everything that was played is verified: Agents, deliveries, payments, tenders', async () => {
    const { agents, tenders } = treasury.audits
    expect([...agents, ...tenders].map(({ status }) => status)).toEqual([
      'verified',
      'verified',
      'verified',
      'verified',
    ])
    expect(agents.map(({ deliveries, payments }) => [deliveries.length, payments.length])).toEqual([
      [2, 1],
      [3, 0],
    ])
    const reports = await readdir(stage.auditsFolder)
    expect(reports.sort()).toEqual(['atlas.html', 'mira.html', 'tender-1.html', 'tender-2.html'])
  })

  test('every step names a transaction or a reason, and how to check it', () => {
    const text = told.join('')
    expect(text.match(/0x[0-9a-f]{64} in block \d+/g)?.length).toBeGreaterThan(40)
    expect(text.match(/reason +“.+” ipfs:\/\/bafkrei/g)).toHaveLength(9)
    expect(text).toContain('5 of 5: each cites a record that is the reason of this very call')
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

/** Each page of the explorer with what the story left on the chain; skipped where there is no Chromium. */
async function lookAround(url: string, atlas: string): Promise<void> {
  if (chromiumPath === undefined) return
  const agent = `/agent/11155111/${atlas.toLowerCase()}`
  const market = tenderPageSchema.parse(await (await fetch(`${url}/api/v1/market`)).json())
  const report = market.items.find(({ tokenId }) => tokenId === '2')
  const pages: readonly (readonly [string, readonly string[]])[] = [
    ['/', ['label-support-messages', 'energy-report']],
    [`/tender/11155111/${report?.contract}/2`, ['accepted by silence', 'refused by judge', 'nobody: it is frozen']],
    ['/agents', ['Atlas', 'Mira']],
    [agent, ['1.132 USDC', 'No difference.']],
    [`${agent}?tab=earnings`, ['1\u202f200 USDC']],
    [`${agent}?tab=actions`, ['submitFulfillment(tokenId 2', 'verified']],
    [`${agent}?tab=requests`, ['fetched', 'settled']],
    [`${agent}?tab=scope`, ['May call submitFulfillment', 'Everything else is refused.']],
    [`${agent}?tab=roles`, ['Executor', 'Guardian']],
    [`${agent}?tab=holders`, ['62.50 %', '37.50 %']],
    [`/account/${atlas.toLowerCase()}`, ['Desk']],
  ]
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const watched = watch(page, url)
    for (const [path, texts] of pages) {
      await page.goto(url + path)
      for (const text of texts) await page.locator('main').getByText(text).first().waitFor({ timeout: 30_000 })
    }
    expect(watched).toEqual({ faults: [], outside: [] })
  } finally {
    await browser.close()
  }
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
    expect(url).toMatch(/^http:/)
    await expect(fetch(url ?? '', { method: 'POST', body: '{}' })).rejects.toThrow()
    expect(output).toContain('Stopped')
  })

  test('interrupted while it waits, it has named the Agent in the deployments, stops its chain, and exits with 0', async () => {
    const arguments_ = [join(root, 'examples', 'start.ts'), '--port', '0', '--web', '0']
    const home = await mkdtemp(join(tmpdir(), 'oikos-start-'))
    const env = { ...process.env, OIKOS_HOME: home }
    const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'pipe'], env })
    // a test that fails leaves neither the story nor its chain running
    onTestFinished(() => void child.kill('SIGINT'))
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
    await lookAround(
      /Explorer +(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1] ?? '',
      deployment?.agents?.['atlas'] ?? '',
    )
    child.kill('SIGINT')
    const exitCode = await new Promise((resolve) => child.once('close', resolve))
    expect(exitCode, output).toBe(0)
    expect((await readdir(home)).sort()).toEqual(['audits', 'content'])
    await rm(home, { recursive: true })
    const url = /Chain +(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1] ?? ''
    await expect(fetch(url, { method: 'POST', body: '{}' })).rejects.toThrow()
  }, 180_000)
})
