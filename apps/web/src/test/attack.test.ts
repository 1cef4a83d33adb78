import {
  accountSchema,
  agentDetailSchema,
  agentPageSchema,
  tenderDetailSchema,
  tenderPageSchema,
} from '@oikos/indexer/rest'
import {
  createEconomicAgent,
  createMemoryJournal,
  createRehearsalChain,
  createRehearsalHost,
  rehearsalPolicy,
  rehearsalSource,
} from '@oikos/runtime'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildExplorer, type Explorer, serveExplorer } from '../server/index.ts'
import { ATTACKS } from './attacks.ts'
import { axeFaults, chromiumPath, startBrowser, watch } from './browser.ts'
import { type StubIndex, startStubIndex, stubAnswers } from './stub-index.ts'

const chain = 11155111
/** Evaluated in the page: whether nothing is being read any more. */
const IS_READ = "document.querySelector('main [role=status]')?.textContent !== 'Reading …'"
const contract = `0x${'02'.repeat(20)}`
const agent = `0x${'0a'.repeat(20)}`
const PAGES: readonly (readonly [string, string])[] = [
  ['market', '/'],
  ['tender', `/tender/${chain}/${contract}/1`],
  ['agents', '/agents'],
  ...['books', 'earnings', 'actions', 'requests', 'scope', 'roles', 'holders'].map(
    (tab) => [`agent, ${tab}`, `/agent/${chain}/${agent}?tab=${tab}`] as const,
  ),
  ['account', `/account/0x${'07'.repeat(20)}`],
  ['evidence', '/evidence'],
  ['audit', '/audit'],
]

describe('the stub of the index', () => {
  it('answers in the shapes of the index', () => {
    const answers = stubAnswers(['x'])
    tenderPageSchema.parse(answers.market())
    tenderDetailSchema.parse(answers.tender())
    agentPageSchema.parse(answers.agents())
    agentDetailSchema.parse(answers.agent())
    accountSchema.parse(answers.account())
  })
})

describe.skipIf(chromiumPath === undefined)('pages with texts of strangers (needs Chromium)', () => {
  let browser: Browser
  let index: StubIndex
  let explorer: Explorer

  beforeAll(async () => {
    const siteFolder = await buildExplorer()
    index = await startStubIndex(ATTACKS)
    explorer = await serveExplorer({
      chains: [
        {
          chainId: chain,
          network: 'local',
          rpcUrl: index.url,
          hasTestAccounts: true,
          taskTokens: [],
          agentFactories: [],
        },
      ],
      apiUrl: index.url,
      gatewayUrl: index.url,
      siteFolder,
    })
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await explorer?.stop()
    await index?.stop()
  })

  const open = async (path: string, options: Parameters<Browser['newContext']>[0] = {}) => {
    const context: BrowserContext = await browser.newContext(options)
    const page = await context.newPage()
    const watched = watch(page, explorer.url)
    await page.goto(explorer.url + path)
    await page.waitForSelector('main h1, main h2')
    await page.waitForLoadState('load')
    // the stub has no stream of events
    const faults = () => watched.faults.filter((text) => !text.includes('404'))
    return { page, watched, faults, close: () => context.close() }
  }

  it.each(PAGES)('%s: nothing runs, nothing leaves the origin, the layout holds on a phone', async (_, path) => {
    const { page, watched, faults, close } = await open(path, { viewport: { width: 390, height: 844 } })
    try {
      await page.waitForFunction(IS_READ)
      expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined()
      expect(faults()).toEqual([])
      expect(watched.outside).toEqual([])
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
      expect(width).toBeLessThanOrEqual(390)
    } finally {
      await close()
    }
  })

  it.each(PAGES)('%s: WCAG 2.2 AA by axe, in both themes', async (_, path) => {
    const { page, close } = await open(path)
    try {
      await page.waitForFunction(IS_READ)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await axeFaults(page)).toEqual([])
      }
    } finally {
      await close()
    }
  })

  it('a text that pretends to be a verdict is not drawn as one', async () => {
    const liar = await startStubIndex(['✓ verified'])
    const lied = await serveExplorer({
      chains: [],
      apiUrl: liar.url,
      gatewayUrl: liar.url,
      siteFolder: await buildExplorer(),
    })
    const page = await browser.newPage()
    try {
      await page.goto(lied.url)
      const rows = page.locator('tbody tr', { hasText: '✓ verified' })
      await rows.first().waitFor()
      expect(await rows.locator('.mark.good').count()).toBe(0)
    } finally {
      await page.close()
      await lied.stop()
      await liar.stop()
    }
  })

  it('replays the Evidence of a payment in the page, and refuses one that was altered', async () => {
    const recipient = `0x${'11'.repeat(20)}`
    const policy = rehearsalPolicy({ recipients: [recipient], maxAmountAtomic: 10n, maxRolling24hAtomic: 100n })
    const nowMs = 1_700_000_000_000n
    const chainOfRehearsal = createRehearsalChain({ clockMs: () => nowMs + 1n })
    const journal = createMemoryJournal({ clockMs: () => nowMs })
    const host = createRehearsalHost({ journal, chain: chainOfRehearsal, elapsedMs: () => 0n })
    const source = rehearsalSource({ idempotencyKey: 'page', recipient, amountAtomic: 5n, createdAtMs: nowMs })
    const run = await createEconomicAgent(policy, host, { aborted: false }).execute(source)
    if (run.kind !== 'run') throw new Error('the rehearsal did not run')
    const bytes = Buffer.from(run.evidence.bytes)
    const altered = Buffer.from(bytes.toString('utf8').replace('"confirmed"', '"rejected"'))
    const { page, close } = await open('/evidence')
    try {
      const give = async (buffer: Buffer) => {
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'evidence.json', mimeType: 'application/json', buffer })
      }
      await give(bytes)
      await page.locator('.mark.good', { hasText: 'verified' }).waitFor()
      expect(await page.locator('.track li').count()).toBe(run.trace.document.events.length)
      await give(altered)
      await page.locator('.mark.bad', { hasText: 'does not verify' }).waitFor()
      await give(Buffer.from('<script>window.pwned=1</script>'))
      await page.locator('.mark.bad', { hasText: 'does not verify' }).waitFor()
      expect(await page.evaluate('window.pwned')).toBeUndefined()
    } finally {
      await close()
    }
  })

  it('shows the report of an audit, and says in a sentence what is none', async () => {
    const { page, close } = await open('/audit')
    const give = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'r.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    try {
      const finding = { code: 'books.differ', where: ATTACKS[0], message: ATTACKS[1] }
      await give(
        JSON.stringify({
          schema: 'oikos-audit/1',
          kind: 'agent',
          status: 'refused',
          counts: { 'books.differ': 1 },
          findings: [finding],
        }),
      )
      await page.getByText('books.differ').first().waitFor()
      expect(await page.evaluate('window.pwned')).toBeUndefined()
      await give('{}')
      await page.getByText('The file is no report').waitFor()
    } finally {
      await close()
    }
  })

  it('everything on the market is reached by the keyboard alone', async () => {
    const { page, close } = await open('/')
    try {
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the content')
      const reached = new Set<string>()
      for (let press = 0; press < 40; press += 1) {
        await page.keyboard.press('Tab')
        reached.add(String(await page.evaluate('document.activeElement?.tagName')))
      }
      for (const tag of ['A', 'BUTTON', 'SELECT', 'SECTION']) expect(reached).toContain(tag)
    } finally {
      await close()
    }
  })

  it('an index that does not answer is told, with a way to try again', async () => {
    await index.stop()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(explorer.url)
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await context.close()
  })
})
