import { type Decimal, percentHalfUp, sumOf } from './decimal.ts'
import { groupsOf, type Readings, totalOf } from './report-figures.ts'

/** Findings that a page has room for. */
const MAX_FINDINGS = 12
/** A share that lies so many points beside the median of its group is worth a sentence. */
const STRIKING_POINTS = 10
/** Fewer periods than this have no usual share. */
const MIN_PERIODS = 4

/** Sentences that the readings support by arithmetic alone, in a fixed order. */
export function findingsOf(readings: Readings): readonly string[] {
  return [...sharesOfGroups(readings), ...strikingPeriods(readings)].slice(0, MAX_FINDINGS)
}

function sharesOfGroups(readings: Readings): readonly string[] {
  const groups = groupsOf(readings)
  const whole = sumOf(readings.rows.map(totalOf))
  const shares = groups.map(({ name, rows }) => ({ name, percent: percentHalfUp(sumOf(rows.map(totalOf)), whole) }))
  if (groups.length < 2 || shares.some(({ percent }) => percent === undefined)) return []
  const listed = shares.map(({ name, percent }) => `${name} ${percent} %`).join(', ')
  return [`Of the whole, by ${readings.group}: ${listed} (rounded).`]
}

/** Where the first measure has another share of the total than it usually has in its group. */
function strikingPeriods({ measures, rows, group, period }: Readings): readonly string[] {
  if (measures.length < 2) return []
  return groupsOf({ measures, rows, group, period }).flatMap(({ name, rows: own }) => {
    if (own.length < MIN_PERIODS) return []
    return measures.flatMap((measure, index) => {
      // two measures are complements, so one of them says everything
      if (measures.length === 2 && index === 0) return []
      const shares = own.map((row) => percentHalfUp(row.values[index] ?? (0n as Decimal), totalOf(row)))
      const known = shares.filter((share) => share !== undefined).sort((left, right) => left - right)
      const median = known[Math.floor(known.length / 2)]
      if (median === undefined) return []
      const usual = known.filter((share) => Math.abs(share - median) < STRIKING_POINTS)
      return own.flatMap((row, at) => {
        const share = shares[at]
        if (share === undefined || Math.abs(share - median) < STRIKING_POINTS) return []
        return [
          `${name}, ${row.period}: ${measure} is ${share} % of the total; in the other ${usual.length} of its periods it lies between ${usual[0]} and ${usual.at(-1)} %. The readings do not say why.`,
        ]
      })
    })
  })
}
