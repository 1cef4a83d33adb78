/** What the address of a list says: filters, order and page, so that a view can be shared. All values are texts. */
type ListSearch = { readonly sort?: string; readonly order?: string; readonly cursor?: string }

/** Filters of the market. */
export type MarketSearch = ListSearch & { readonly state?: string; readonly judge?: string; readonly funded?: string }
/** Filters of the list of Agents. */
export type AgentsSearch = ListSearch & { readonly origin?: string }
/** Which part of a page is open. */
export type TabSearch = { readonly tab?: string; readonly cursor?: string }

const MAX_LENGTH = 300

/** Keeps the named parameters that are short texts; everything else of a stranger's link is dropped. */
function readTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [N in Name]?: string } {
  const texts: { [N in Name]?: string } = {}
  for (const name of names) {
    const value = search[name]
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof text === 'string' && text !== '' && text.length <= MAX_LENGTH) texts[name] = text
  }
  return texts
}

export const readMarketSearch = (search: Record<string, unknown>): MarketSearch =>
  readTexts(search, ['sort', 'order', 'cursor', 'state', 'judge', 'funded'])

export const readAgentsSearch = (search: Record<string, unknown>): AgentsSearch =>
  readTexts(search, ['sort', 'order', 'cursor', 'origin'])

export const readTabSearch = (search: Record<string, unknown>): TabSearch => readTexts(search, ['tab', 'cursor'])
