import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Where Debian and others put Chromium; `OIKOS_CHROMIUM` names another place. */
const PLACES = [
  process.env['OIKOS_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser that tests run in; undefined where there is none, and then those tests are skipped. */
export const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path))

/** Starts the browser without a window. Chromium's own sandbox does not run as root, as tests in a container do. */
export function startBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('there is no Chromium')
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** What went wrong on a page while it was watched. */
export type Watched = { readonly faults: string[]; readonly outside: string[] }

/** Notes every error, dialog and request to somewhere else than `origin`. */
export function watch(page: Page, origin: string): Watched {
  const watched: Watched = { faults: [], outside: [] }
  page.on('pageerror', (error) => watched.faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') watched.faults.push(message.text())
  })
  page.on('dialog', (dialog) => {
    watched.faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) watched.outside.push(url)
  })
  return watched
}

/** Rules of WCAG 2.2 AA that a page breaks, by axe. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  // through the debugger's protocol, which the page's content security policy does not hold
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    type Axe = { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    const { axe } = globalThis as unknown as { axe: Axe }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  })
}
