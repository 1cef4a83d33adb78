import { readFile } from 'node:fs/promises'

/** How a delivered batch compares with the batch, with itself and with the secret labels. */
export type PairCheck = { passed: boolean; agreed: number; checked: number; problem?: string }

/** Secret labels that have to agree, of eight in each batch. */
export const agreementsNeeded = 7
/** Largest file that is read, in characters: sixteen pairs take 2,000. */
const maxCharacters = 100_000

type Pair = { pair: string; a: string; b: string }
type Label = { pair: string; label: string }

/**
 * The shop's checking process for one batch: every pair labelled once and in order, mirror images alike, and enough of the
 * secret labels met. A delivery is a stranger's text, so whatever is wrong with it is a problem and not a failure.
 */
export async function checkPairs(files: { batch: string; gold: string; delivery: string }): Promise<PairCheck> {
  const [pairs, gold] = [readPairs(await readFile(files.batch, 'utf8')), readLabels(await readFile(files.gold, 'utf8'))]
  if (gold === undefined) throw new Error(`${files.gold} holds no labels`)
  const text = await readFile(files.delivery, 'utf8')
  const fail = (problem: string): PairCheck => ({ passed: false, agreed: 0, checked: gold.length, problem })
  const labels = text.length > maxCharacters ? undefined : readLabels(text)
  if (labels === undefined) return fail('no list of pairs and labels')
  if (labels.length !== pairs.length) return fail(`${labels.length} labels for ${pairs.length} pairs`)
  const byPair = new Map<string, string>()
  for (const [index, { pair }] of pairs.entries()) {
    const row = labels[index]
    if (row?.pair !== pair) return fail(`line ${index + 2} should label ${pair}`)
    if (row.label !== 'same' && row.label !== 'different') return fail(`${pair} is neither same nor different`)
    byPair.set(pair, row.label)
  }
  for (const { pair, a, b } of pairs) {
    const mirror = pairs.find((other) => other.a === b && other.b === a)
    if (mirror !== undefined && byPair.get(mirror.pair) !== byPair.get(pair)) {
      return fail(`${pair} and its mirror image ${mirror.pair} have different labels`)
    }
  }
  const agreed = gold.filter(({ pair, label }) => byPair.get(pair) === label).length
  return { passed: agreed >= agreementsNeeded, agreed, checked: gold.length }
}

function readPairs(text: string): Pair[] {
  return linesOf(text).map((line) => {
    const [, pair, a, b] = /^([^,"]+),"([^"]*)","([^"]*)"$/.exec(line) ?? []
    if (pair === undefined || a === undefined || b === undefined) throw new Error(`not a pair: ${line}`)
    return { pair, a, b }
  })
}

function readLabels(text: string): Label[] | undefined {
  if (!text.startsWith('pair,label\n')) return undefined
  const rows = linesOf(text).map((line) => line.split(','))
  return rows.every((row) => row.length === 2) ? rows.map(([pair = '', label = '']) => ({ pair, label })) : undefined
}

/** The lines below the header. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
}
