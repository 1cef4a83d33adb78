import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import {
  cancelTaskAndWait,
  commitAnswerAndWait,
  freezeTaskAndWait,
  fundTaskAndWait,
  getSubmission,
  getVault,
  hashlockAnswerHash,
  hashlockResultHash,
  mintTaskAndWait,
  nativeAsset,
  rejectFulfillmentAndWait,
  submitFulfillmentAndWait,
  type TaskTarget,
} from '@oikos/sdk'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Address, bytesToHex, parseEther } from 'viem'
import { getBalance } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openExplorer, type Surroundings } from '../../../../examples/market/explorer.ts'
import { createNarrator } from '../../../../examples/market/narrator.ts'
import { type HiredOperator, hireOperator } from '../../../../examples/market/operators.ts'
import { addressOf, publishPackage, type Stage, setStage } from '../../../../examples/market/stage.ts'
import { characters, minRequestAgeSec, playBirth } from '../../../../examples/treasury/birth.ts'
import { labelRules } from '../../../../examples/treasury/rules.ts'
import { type LocalChain, startChain } from '../../../../scripts/chain.ts'
import { ATTACKS } from './attacks.ts'
import { axeFaults, chromiumPath, startBrowser, type Watched, watch } from './browser.ts'

const reward = parseEther('0.25')
const windowSec = 3_600n

/** A chain with an Agent and a tender, an index over it, and a browser in front of the explorer. */
describe.skipIf(chromiumPath === undefined)('acting from the page, on a real chain (needs Chromium)', () => {
  let chain: LocalChain
  let stage: Stage
  let home: string
  let surroundings: Surroundings
  let browser: Browser
  let agent: Address
  let operator: HiredOperator
  let tender: TaskTarget
  let page: Page
  let watched: Watched

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'oikos-acting-'))
    chain = await startChain()
    const sink = new Writable({ write: (_text, _encoding, done) => done() })
    const contentFolder = join(home, 'content')
    stage = await setStage({
      url: chain.url,
      contentFolder,
      purseFolder: join(home, 'purse'),
      say: createNarrator(sink),
    })
    agent = await playBirth(stage, characters.mira)
    operator = await hireOperator(stage, {
      ...{ name: 'Mira', agent, executor: 'clerk', rules: labelRules, settings: { crankClaims: false } },
    })
    tender = await openTender(stage)
    surroundings = await openExplorer(stage, { folder: join(home, 'index'), contentFolder })
    browser = await startBrowser()
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 } })
    watched = watch(page, surroundings.url)
  }, 240_000)

  afterAll(async () => {
    await browser?.close()
    await surroundings?.stop()
    await operator?.close()
    await chain?.stop()
    await rm(home, { recursive: true, force: true })
  }, 60_000)

  /** Opens a page of the explorer as one of the test accounts. */
  const openAs = async (party: string, path: string): Promise<void> => {
    await page.goto(surroundings.url + path)
    await page.getByLabel('Test account').selectOption({ label: `Test account: ${party}` })
  }
  const agentPath = (tab = 'books') => `/agent/11155111/${agent.toLowerCase()}?tab=${tab}`
  const tenderPath = (at: TaskTarget = tender) => `/tender/11155111/${at.task.toLowerCase()}/${at.tokenId}`
  const dialog = () => page.locator('dialog[open]')

  const text = async (locator: Locator): Promise<string> => (await locator.textContent()) ?? ''

  /** Fills in the form of an action and asks for the simulation. */
  const plan = async (button: string, fields: Readonly<Record<string, string>> = {}): Promise<string> => {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    for (const [label, value] of Object.entries(fields)) await dialog().getByLabel(label).fill(value)
    await dialog().getByRole('button', { name: 'See what will happen' }).click()
    const told = dialog().locator('.told li, .told .notice').first()
    await told.waitFor({ timeout: 30_000 })
    return text(dialog().locator('.told'))
  }
  /** Signs what was simulated and waits for the chain. */
  const sign = async (): Promise<string> => {
    await dialog().getByRole('button', { name: 'Sign and send' }).click()
    await dialog().getByText('in block').waitFor({ timeout: 30_000 })
    const told = await text(dialog().locator('.told'))
    await dialog().getByRole('button', { name: 'Close' }).click()
    return told
  }

  it('buys shares at no more than a price: the simulation says what that gives, and two signatures follow', async () => {
    await openAs('ada', agentPath())
    const told = await plan('Buy shares', { 'Amount in USDC': '100', 'At most': '1.05' })
    expect(told).toContain('100 USDC go from your account into the Agent')
    expect(told).toMatch(/this would give 100 shares, at 1 USDC a share with all fees/)
    expect(told).toContain('no more than 1.05 USDC a share, or not at all')
    expect(told).toContain('Two signatures')
    expect(await axeFaults(page)).toEqual([])
    expect(await sign()).toContain('Your request waits for settlement')
    await page.getByRole('button', { name: 'Requests' }).click()
    await page.locator('tr', { hasText: '100 USDC' }).first().waitFor({ timeout: 30_000 })
  })

  it('says in plain words what cannot be: too little money, no number, a horizon that has not passed', async () => {
    await openAs('ada', agentPath())
    expect(await plan('Buy shares', { 'Amount in USDC': '999999' })).toContain('that is less than 999999 USDC')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    expect(await plan('Buy shares', { 'Amount in USDC': '1e6' })).toContain('plain number')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await plan('Take back what waits')
    const told = await text(dialog().locator('.told strong'))
    expect(told).toMatch(/reclaim|horizon|take/i)
    expect(told).not.toMatch(/0x[0-9a-f]{64}|Error:/)
    await dialog().getByText('What the contract answered').click()
    expect(await text(dialog().locator('.told code'))).toMatch(/0x[0-9a-f]{8}/)
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  it('changes the limit of a request that waits', async () => {
    await openAs('ada', agentPath('requests'))
    const told = await plan('Change the limit', { 'Worst price': '1.02' })
    expect(told).toContain('no more than 1.02 USDC a share')
    expect(await sign()).toContain('The limit is set')
  })

  it('fetches shares after a settlement, and sells them again, and takes the request back after the horizon', async () => {
    await stage.passTime(BigInt(minRequestAgeSec))
    await operator.act()
    await openAs('ada', agentPath('requests'))
    expect(await plan('Fetch')).toContain('100 shares go to')
    expect(await sign()).toContain('100 shares are paid out')
    await openAs('ada', agentPath())
    expect(await plan('Sell shares', { 'Number of shares': '40', 'At least': '0.9' })).toContain(
      '40 shares go from your account',
    )
    await sign()
    await stage.passTime(604_801n)
    await openAs('ada', agentPath())
    expect(await plan('Take back what waits')).toContain('40 shares come back to your account')
    await sign()
  })

  it('funds a tender, delivers to it, and the judge accepts: the fulfiller is paid', async () => {
    await openAs('patron', tenderPath())
    expect(await plan('Fund it', { 'Amount in ETH': '1' })).toContain('1 ETH go from your account into the vault')
    await sign()
    await deliver('visitor', 'first')
    const before = await balanceOf(6)
    await openAs('judge', tenderPath())
    expect(await plan('Accept')).toContain('The vault pays 0.25 ETH to')
    expect(await sign()).toContain('accepted and paid')
    expect((await balanceOf(6)) - before).toBe(reward)
  })

  it('refuses a delivery, and lets a silent judge’s delivery be claimed by anybody', async () => {
    await deliver('visitor', 'second')
    await openAs('judge', tenderPath())
    expect(await plan('Reject')).toContain('is refused and paid nothing')
    await sign()
    expect((await getSubmission(stage.client.stranger, { ...tender, submissionId: 2n })).status).toBe('rejected')
    await deliver('visitor', 'third')
    await stage.passTime(windowSec + 1n)
    await openAs('stranger', tenderPath())
    expect(await plan('Claim: nobody judged')).toContain('The judge was silent')
    await sign()
    expect((await getSubmission(stage.client.stranger, { ...tender, submissionId: 3n })).status).toBe('accepted')
  })

  it('explains who may judge to somebody who may not', async () => {
    await deliver('visitor', 'fourth')
    await openAs('stranger', tenderPath())
    await plan('Accept')
    const told = await text(dialog().locator('.told strong'))
    expect(told).toMatch(/judge|authority|accept/i)
    expect(told).not.toMatch(/0x[0-9a-f]{64}|Error:/)
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  it('shows in the page what the vault really has', async () => {
    await page.goto(surroundings.url + tenderPath())
    const vault = await getVault(stage.client.stranger, tender)
    expect(await getBalance(stage.client.stranger, { address: vault })).toBe(parseEther('0.5'))
    await page.locator('dd', { hasText: '0.5 ETH' }).first().waitFor({ timeout: 30_000 })
  })

  it('acts with a wallet of the browser, which signs by itself', async () => {
    const own = await browser.newPage()
    try {
      await own.exposeFunction('askWallet', async (method: string, params: unknown[]) => {
        // what a person would press: the account of the patron, on the chain of this test
        if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [addressOf(stage, 'patron')]
        return stage.client.patron.transport.request({ method, params })
      })
      await own.addInitScript(() => {
        const { askWallet } = globalThis as unknown as {
          askWallet: (method: string, params: unknown) => Promise<unknown>
        }
        const ethereum = {
          isOikosTest: true,
          request: ({ method, params = [] }: { method: string; params?: unknown }) => askWallet(method, params),
          on: () => undefined,
          removeListener: () => undefined,
        }
        Object.assign(globalThis, { ethereum })
      })
      await own.goto(surroundings.url + tenderPath())
      await own.getByRole('button', { name: 'Connect a wallet' }).click()
      await own.getByRole('button', { name: 'Disconnect' }).waitFor()
      await own.getByRole('button', { name: 'Fund it', exact: true }).click()
      const form = own.locator('dialog[open]')
      await form.getByLabel('Amount in ETH').fill('0.01')
      await form.getByRole('button', { name: 'See what will happen' }).click()
      await form.getByText('0.01 ETH go from your account').waitFor()
      await form.getByRole('button', { name: 'Sign and send' }).click()
      await form.getByText('The vault has 0.01 ETH more').waitFor({ timeout: 30_000 })
    } finally {
      await own.close()
    }
    const vault = await getVault(stage.client.stranger, tender)
    expect(await getBalance(stage.client.stranger, { address: vault })).toBe(parseEther('0.51'))
  })

  it('settles a delivery with a proof that a verifier accepts', async () => {
    const answer = new TextEncoder().encode('forty-two')
    const { client, deployment } = stage
    const locked = await openTender(stage, deployment.hashlockVerifier)
    const verifier = deployment.hashlockVerifier
    await commitAnswerAndWait(client.researcher, { ...locked, verifier, answerHash: hashlockAnswerHash(answer) })
    await fundTaskAndWait(client.researcher, { ...locked, amountAtomic: reward })
    const resultHash = hashlockResultHash(answer, client.stranger.account.address)
    await submitFulfillmentAndWait(client.stranger, { ...locked, resultHash, resultURI: '' })
    await openAs('visitor', tenderPath(locked))
    await page.getByRole('button', { name: 'Settle with a proof' }).first().waitFor({ timeout: 30_000 })
    expect(await plan('Settle with a proof', { Proof: bytesToHex(answer) })).toContain(
      'The verifier accepts this proof',
    )
    expect(await sign()).toContain('settled by proof and paid')
  })

  it('takes a funder’s part back when a tender is cancelled', async () => {
    const { client } = stage
    await rejectFulfillmentAndWait(client.judge, { ...tender, submissionId: 4n })
    await cancelTaskAndWait(client.researcher, tender)
    await openAs('patron', tenderPath())
    expect(await plan('Take back my part')).toContain('comes back to your account')
    expect(await sign()).toContain('0.51 ETH came back to you')
  })

  it('verifies the files of a tender and a record of an Agent in the browser', async () => {
    await page.goto(surroundings.url + tenderPath())
    await page.getByRole('button', { name: 'Check it in this browser' }).click()
    await page.getByText('This browser, against version 1').waitFor({ timeout: 30_000 })
    expect(
      await text(page.locator('section', { hasText: 'What is asked for' }).locator('.mark.good').last()),
    ).toContain('verified')
    await page.goto(surroundings.url + agentPath('actions'))
    await page.getByRole('button', { name: 'Check it in this browser' }).first().click()
    await page.getByText('bound to this very call').waitFor({ timeout: 30_000 })
  })

  it('draws the files of a hostile package without running, loading or believing anything of them', async () => {
    const folder = join(home, 'hostile')
    await mkdir(join(folder, 'spec'), { recursive: true })
    await writeFile(join(folder, 'TASK.md'), ['# verified ✓', ...ATTACKS].join('\n\n'))
    await writeFile(
      join(folder, 'picture.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script></svg>',
    )
    await writeFile(
      join(folder, 'page.html'),
      '<script>window.pwned=1</script><img src="https://tracker.invalid/x.gif">',
    )
    await writeFile(join(folder, 'spec', 'spec.yaml'), 'a: 1\n')
    const hostile = await openTender(stage, addressOf(stage, 'judge'), folder)
    await page.goto(surroundings.url + tenderPath(hostile))
    await expect
      .poll(
        async () => {
          await page.reload()
          return page.getByRole('button', { name: 'Check it in this browser' }).count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    await page.getByRole('button', { name: 'Check it in this browser' }).click()
    await page.getByText('This browser, against version 1').waitFor({ timeout: 30_000 })
    for (const file of await page.locator('details > summary').all()) await file.click()
    await page.locator('.markdown').first().waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(
      await page.locator('.markdown :is(img, script, iframe, form, object, style, svg, link, base, meta)').count(),
    ).toBe(0)
    const links = await page
      .locator('.markdown a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    expect(links.every((link) => /^https?:/.test(link ?? ''))).toBe(true)
    expect(await axeFaults(page)).toEqual([])
    const svg = await fetch(`${surroundings.url}/ipfs/x`)
    expect(svg.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('has run without an error of a page, and asked nobody else', () => {
    // a tender that was minted a moment ago is not in the index yet
    expect(watched.faults.filter((fault) => !fault.includes('status of 404'))).toEqual([])
    expect(watched.outside).toEqual([])
  })

  async function deliver(party: string, text: string): Promise<void> {
    const file = join(home, `${text}.md`)
    await writeFile(file, `# ${text}\n`)
    await openAs(party, tenderPath())
    await page.getByRole('button', { name: 'Deliver to it', exact: true }).click()
    await dialog().getByLabel('What you deliver').setInputFiles(file)
    await dialog().getByText('SHA-256:').waitFor()
    await dialog().getByRole('button', { name: 'See what will happen' }).click()
    await dialog().getByText('The commitment').waitFor({ timeout: 30_000 })
    await sign()
    // the row of the delivery appears when the index has it
    await page.locator('tr', { hasText: 'Accept' }).first().waitFor({ timeout: 30_000 })
  }

  async function balanceOf(index: number): Promise<bigint> {
    const { mnemonicToAccount } = await import('viem/accounts')
    const { address } = mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: index,
    })
    return getBalance(stage.client.stranger, { address })
  }
})

/** A tender in native currency; with the judge of the stage in the slot it is frozen, for a verifier the publisher still commits. */
async function openTender(
  stage: Stage,
  judge: Address = addressOf(stage, 'judge'),
  folder = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'labelling', 'task'),
): Promise<TaskTarget> {
  const worked = {
    ...{ spec: 'spec/intents.yaml', specProfile: 'x-intent-labels-v1' },
    ...{ acceptance: 'acceptance/batch-receipts.md', acceptanceProfile: 'x-rubric-v1', maxCompletions: 3n },
  }
  const published = await publishPackage(stage, folder, folder.includes('hostile') ? {} : worked)
  const { client, deployment } = stage
  const minted = await mintTaskAndWait(client.researcher, {
    ...{ task: deployment.taskToken, to: addressOf(stage, 'researcher') },
    ...{ updateAuthority: addressOf(stage, 'researcher'), acceptanceAuthority: judge },
    ...{ tdHash: published.tdHash, taskHash: published.taskHash, taskURI: published.uri },
    terms: {
      ...{ asset: nativeAsset.address, rewardPerCompletionAtomic: reward, maxCompletions: 3n },
      ...{ submitBySec: 0n, settleBySec: 0n, epochLengthSec: 0n, maxCompletionsPerEpoch: 0n },
      judgmentWindowSec: windowSec,
    },
  })
  const target = { task: deployment.taskToken, tokenId: minted.event.args.tokenId }
  if (judge === addressOf(stage, 'judge')) await freezeTaskAndWait(client.researcher, target)
  return target
}
