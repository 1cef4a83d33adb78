import { createHash } from 'node:crypto'

/** A topic of the watch list; an item has it when its headline holds one of the keywords. */
export type Topic = { name: string; keywords: readonly string[] }

type Item = { time: string; outlet: string; reach: number; headline: string }

const maxSummaryWords = 60
/** Largest report that is read, in characters; an honest one takes 1,500. */
const maxCharacters = 20_000

/**
 * What is wrong with a report on one edition of the feed, in the order of the acceptance rules; nothing when it is right.
 * The report that the rules allow is written from the feed and compared, so that nothing can be missing or invented.
 */
export function findReportFaults(edition: {
  name: string
  feed: string
  topics: readonly Topic[]
  report: string
}): string[] {
  const { name, feed, topics, report } = edition
  if (report.length > maxCharacters) return [`the report has more than ${maxCharacters} characters`]
  const items = readFeed(feed)
  const table = topics.map((topic) => {
    const found = items.filter((item) => hasTopic(item, topic))
    return { topic: topic.name, items: found.length, reach: found.reduce((sum, { reach }) => sum + reach, 0) }
  })
  const lines = report.split('\n')
  const faults: string[] = []
  if (lines[0] !== `# Media report ${name}`) faults.push('the heading does not name the edition')
  const digest = `feed: 0x${createHash('sha256').update(feed).digest('hex')}`
  if (!lines.includes(digest)) faults.push('the digest of the feed is missing or another')
  for (const row of table) {
    const line = `| ${row.topic} | ${row.items} | ${row.reach} |`
    if (!lines.includes(line))
      faults.push(`the row of ${row.topic} should have ${row.items} items and a reach of ${row.reach}`)
  }
  const rows = lines.filter((line) => line.startsWith('| ')).length
  if (rows !== table.length + 1) faults.push(`the table has ${rows - 1} rows for ${table.length} topics`)
  const expected = items.filter((item) => topics.some((topic) => hasTopic(item, topic))).map(lineOf)
  const listed = lines.filter((line) => line.startsWith('- '))
  for (const line of expected.filter((line) => !listed.includes(line))) faults.push(`missing: ${line.slice(2)}`)
  for (const line of listed.filter((line) => !expected.includes(line))) faults.push(`invented: ${line.slice(2)}`)
  if (faults.length === 0 && listed.join('\n') !== expected.join('\n'))
    faults.push('items are repeated or out of order')
  return [...faults, ...findSummaryFaults(report, table)]
}

function findSummaryFaults(report: string, table: readonly { items: number; reach: number }[]): string[] {
  const summary = report.split('\n## Summary\n')[1]?.trim() ?? ''
  const words = summary.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return ['there is no summary']
  const faults = words.length > maxSummaryWords ? [`the summary has ${words.length} words`] : []
  const known = new Set(table.flatMap(({ items, reach }) => [String(items), String(reach)]))
  const numbers: readonly string[] = summary.match(/\d+/g) ?? []
  const unknown = numbers.filter((number) => !known.has(number))
  return [...faults, ...unknown.map((number) => `${number} in the summary is no number of the table`)]
}

function hasTopic({ headline }: Item, { keywords }: Topic): boolean {
  const words: readonly string[] = headline.toLowerCase().match(/\p{L}+/gu) ?? []
  return keywords.some((keyword) => words.includes(keyword))
}

function lineOf({ time, outlet, headline }: Item): string {
  return `- ${time} ${outlet}: ${headline}`
}

function readFeed(text: string): Item[] {
  const lines = text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
  return lines.map((line) => {
    const [, time, outlet, reach, headline] = /^(\d\d:\d\d),([^,"]+),(\d+),"([^"]*)"$/.exec(line) ?? []
    if (time === undefined || outlet === undefined || headline === undefined) throw new Error(`not an item: ${line}`)
    return { time, outlet, reach: Number(reach), headline }
  })
}
