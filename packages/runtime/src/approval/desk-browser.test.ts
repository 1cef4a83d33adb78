import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeFaults, chromiumPath, startBrowser, watch } from '../../../../apps/web/src/test/browser.ts'
import { approvalRequestOf, NOW_MS, type TestRequest } from '../../test/approval-request.ts'
import { approverKeyOf } from './approver-key.ts'
import { type ApprovalDesk, createApprovalDesk } from './desk.ts'
import { type DeskServer, startDeskServer } from './desk-server.ts'

const key = approverKeyOf('anna', new Uint8Array(32).fill(1))
const hostileMemo = `"><script>window.ran='memo'</script><img src=x onerror="window.ran='image'"><a href="javascript:window.ran=1">x</a>`

describe.skipIf(chromiumPath === undefined)('the page of an approver in a real browser (needs Chromium)', () => {
  let browser: Browser
  let desk: ApprovalDesk
  let server: DeskServer
  let origin: string
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    desk = createApprovalDesk({ key, clockMs: () => NOW_MS })
    server = await startDeskServer({ desk, clockMs: () => NOW_MS, holdMs: 20 })
    origin = new URL(server.questionsUrl).origin
    context = await browser.newContext()
    page = await context.newPage()
  })
  afterEach(async () => {
    await context.close()
    await server.close()
    for (const other of others.splice(0)) await new Promise((resolve) => other.close(resolve))
  })

  /** Opens the link of the person, which goes on to the desk by itself. */
  async function openDesk(): Promise<void> {
    await page.goto(server.createPersonUrl())
    await page.waitForURL(`${origin}/`)
  }

  const nonceOf = (number: number) => number.toString(16).padStart(64, '0')
  /** Puts a question and gives the decision, if there is one. */
  async function ask(number = 1, about: TestRequest = {}): Promise<unknown> {
    const { request, intent, policy } = approvalRequestOf({ key: `key.${number}`, ...about })
    const question = { schema: 'oikos.approval-question.v1', nonce: nonceOf(number), request: request.text }
    const answer = await desk.put(JSON.stringify({ ...question, intent, policy, reservedAtomic: '60000' }), 0)
    return answer?.decision
  }

  /** A site of somebody else, on another name of this machine, which browsers take for another site. */
  const others: Server[] = []
  async function openOtherSite(html: string): Promise<string> {
    const other = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    others.push(other)
    return `http://localhost:${(other.address() as AddressInfo).port}/`
  }

  test('a payment is approved by a click, and only the one that was clicked', async () => {
    await ask(1)
    await ask(2, { amountAtomic: 2_000n })
    const { faults, outside } = watch(page, origin)
    await openDesk()
    const text = await page.textContent('main')
    expect(text).toContain('0.00000000000014 ETH (140000 wei) after this payment')
    await page.locator('section', { hasText: '(2000 wei)' }).getByRole('button', { name: 'Approve' }).click()
    expect(await page.textContent('main')).toContain('The payment was approved.')
    expect([await ask(1), await ask(2, { amountAtomic: 2_000n })]).toEqual([undefined, 'approved'])
    await page.getByRole('link', { name: 'Back' }).click()
    expect(await page.textContent('h1')).toBe('Payments that wait: 1')
    expect([faults, outside]).toEqual([[], []])
  })

  test('a payment is refused by the keyboard alone', async () => {
    await ask()
    await openDesk()
    const focused = () => page.evaluate('document.activeElement?.textContent')
    for (let count = 0; count < 10 && (await focused()) !== 'Refuse'; count += 1) await page.keyboard.press('Tab')
    expect(await focused()).toBe('Refuse')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/decisions`)
    expect(await page.textContent('main')).toContain('The payment was rejected.')
    expect(await ask()).toBe('rejected')
  })

  test('nothing moves under the hand of the person: the page looks for news by itself only while nothing waits', async () => {
    await openDesk()
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(1)
    await ask()
    await page.goto(`${origin}/`)
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0)
    await ask(2)
    await page.getByRole('link', { name: 'Look for others' }).click()
    expect(await page.textContent('h1')).toBe('Payments that wait: 2')
  })

  test('text of a request is text: no script, no element, no request to anywhere comes out of it', async () => {
    await ask(1, { memo: hostileMemo })
    const { faults, outside } = watch(page, origin)
    await openDesk()
    expect(await page.textContent('main')).toContain(`<script>window.ran='memo'</script>`)
    expect(await page.locator('script, img, iframe, [onerror], [href^=javascript]').count()).toBe(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect([faults, outside]).toEqual([[], []])
  })

  test('the content security policy lets its one style act and no script, whoever puts one there', async () => {
    await ask()
    await openDesk()
    expect(await page.evaluate('getComputedStyle(document.querySelector("dt")).fontWeight')).toBe('600')
    const { faults } = watch(page, origin)
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'window.ran = 1'
      const image = document.createElement('img')
      image.setAttribute('onerror', 'window.ran = 2')
      image.src = '/nothing'
      document.body.append(script, image)
    }`)
    await expect.poll(() => faults.length).toBeGreaterThan(1)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(faults.every((fault) => /Content Security Policy/.test(fault))).toBe(true)
  })

  test('breaks no rule of WCAG 2.2 AA that can be looked up', async () => {
    await ask()
    await openDesk()
    expect(await axeFaults(page)).toEqual([])
  })

  test('the link works from another site, once, and makes one browser the person', async () => {
    await ask()
    const link = server.createPersonUrl()
    await page.goto(await openOtherSite(`<a href="${link}">decide</a>`))
    await page.getByRole('link').click()
    await page.waitForURL(`${origin}/`)
    expect(await page.textContent('main')).toContain('(1000 wei)')
    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(link)
    expect(await stranger.textContent('main')).toContain('each works once')
    await stranger.context().close()
  })

  test('a form of another site decides nothing, and its frame shows nothing', async () => {
    await ask()
    await openDesk()
    const value = (name: string) => page.locator(`input[name=${name}]`).first().inputValue()
    const fields = { nonce: await value('nonce'), token: await value('token'), decision: 'approved' }
    const inputs = Object.entries(fields).map(([name, text]) => `<input type="hidden" name="${name}" value="${text}">`)
    const site = await openOtherSite(
      `<iframe src="${origin}/"></iframe><form method="post" action="${origin}/decisions">${inputs.join('')}<button>win</button></form>`,
    )
    const { faults } = watch(page, origin)
    await page.goto(site)
    await expect.poll(() => faults.join()).toMatch(/frame/i)
    await page.getByRole('button').click()
    await page.waitForURL(`${origin}/decisions`)
    expect(await page.textContent('main')).toContain('nothing was decided')
    expect(await ask()).toBeUndefined()
  })
})
