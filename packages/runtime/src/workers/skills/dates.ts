const MONTHS: readonly (readonly string[])[] = [
  ['january', 'januar', 'janvier', 'januari', 'jan', 'jänner'],
  ['february', 'februar', 'février', 'februari', 'feb'],
  ['march', 'märz', 'mars', 'maart', 'mar'],
  ['april', 'avril', 'apr'],
  ['may', 'mai', 'mei'],
  ['june', 'juni', 'juin', 'jun'],
  ['july', 'juli', 'juillet', 'jul'],
  ['august', 'août', 'augustus', 'aug'],
  ['september', 'septembre', 'sep', 'sept'],
  ['october', 'oktober', 'octobre', 'oct', 'okt'],
  ['november', 'novembre', 'nov'],
  ['december', 'dezember', 'décembre', 'dec', 'dez'],
]

/**
 * The first date of a text, as year-month-day; undefined when there is none that exists. `05/04/2026` is the 5th of April, or
 * with `isMonthFirst` the 4th of May; where only one reading is a date, that one.
 */
export function readDate(text: string, isMonthFirst: boolean): string | undefined {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text)
  if (iso !== null) return asDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = /\b(\d{1,2})([./-])(\d{1,2})\2(\d{4})\b/.exec(text)
  if (numbers !== null) {
    const [first, second, year] = [Number(numbers[1]), Number(numbers[3]), Number(numbers[4])]
    const dayFirst = asDate(year, second, first)
    const monthFirst = numbers[2] === '/' ? asDate(year, first, second) : undefined
    return isMonthFirst ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
  }
  const words = /\b(\d{1,2})\.?\s+([\p{L}]{3,9})\.?\s+(\d{4})\b/u.exec(text)
  if (words !== null) return asDate(Number(words[3]), monthOf(words[2] ?? ''), Number(words[1]))
  const american = /([\p{L}]{3,9})\.?\s+(\d{1,2}),\s*(\d{4})\b/u.exec(text)
  return american === null ? undefined : asDate(Number(american[3]), monthOf(american[1] ?? ''), Number(american[2]))
}

function monthOf(name: string): number {
  return MONTHS.findIndex((names) => names.includes(name.toLowerCase())) + 1
}

function asDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal =
    month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1990 && year <= 2100
  return isReal ? date.toISOString().slice(0, 10) : undefined
}
