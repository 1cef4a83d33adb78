type Item = { id: string; category: string; split: string; basis: string; question: string; answer: string }

/** Line by which text that was trained on the benchmark can be found. Source: spec/release.md. */
const canary = 'canary: everyday-arithmetic 6f0c2f1e-6a0b-4f51-9d6c-8414a1b2c3d4'
const categories = ['convert', 'days', 'share']
const perCategory = { dev: 3, test: 9 } as const
/** What one of the first unit is in the second. */
const factors: ReadonlyMap<string, bigint> = new Map([
  ['kilometres metres', 1_000n],
  ['hours minutes', 60n],
  ['kilograms grams', 1_000n],
  ['litres millilitres', 1_000n],
  ['feet inches', 12n],
  ['weeks days', 7n],
])
/** Largest list that is read, in characters; an honest one has 4,000. */
const maxCharacters = 100_000
const dayMs = 86_400_000

/** What is wrong with a release, by the rules of spec/release.md; nothing when it is right. */
export function findReleaseFaults(release: { about: string; list: string }): string[] {
  const faults = release.about.split('\n').includes(canary) ? [] : ['RELEASE.md holds no canary']
  if (release.list.length > maxCharacters) return [...faults, `the list has more than ${maxCharacters} characters`]
  const items = readItems(release.list)
  if (items === undefined) return [...faults, 'items.csv is not the list that the specification describes']
  for (const category of categories) {
    for (const [split, wanted] of Object.entries(perCategory)) {
      const count = items.filter((item) => item.category === category && item.split === split).length
      if (count !== wanted) faults.push(`${category} has ${count} items in ${split}, not ${wanted}`)
    }
  }
  if (items.length !== 36) faults.push(`${items.length} items, not 36`)
  for (const what of ['id', 'question', 'basis'] as const) faults.push(...findRepeated(items, what))
  return [...faults, ...items.flatMap(findItemFaults)]
}

function findRepeated(items: readonly Item[], what: 'id' | 'question' | 'basis'): string[] {
  return items.flatMap((item, index) => {
    const earlier = items.slice(0, index).find((other) => other[what] === item[what])
    if (earlier === undefined) return []
    const where = `${earlier.id} (${earlier.split}) and ${item.id} (${item.split})`
    return [`${where} have the same ${what}`]
  })
}

function findItemFaults({ id, category, basis, question, answer }: Item): string[] {
  const [kind, ...values] = basis.split(' ')
  const value = kind === category ? basisValue(basis) : undefined
  if (value === undefined) return [`${id}: the basis asks nothing that is known`]
  const faults = value === answer ? [] : [`${id}: the answer is ${value}, not ${answer}`]
  const asked = question.split(/[^\d.-]+|[.](?!\d)/)
  const missing = values.filter((part) => /^\d/.test(part) && !asked.includes(part))
  return [...faults, ...missing.map((part) => `${id}: the question does not hold ${part}`)]
}

/** The value of a basis, or undefined where it has none. */
function basisValue(basis: string): string | undefined {
  const [kind, first = '', second = '', third = ''] = basis.split(' ')
  switch (kind) {
    case 'convert': {
      const factor = factors.get(`${second} ${third}`)
      const hundredths = inHundredths(first)
      return factor === undefined || hundredths === undefined ? undefined : fromHundredths(hundredths * factor)
    }
    case 'days': {
      const days = (dayOf(second) - dayOf(first)) / dayMs
      return Number.isInteger(days) && days > 0 ? String(days) : undefined
    }
    case 'share':
      return /^\d{1,3}$/.test(first) && /^\d{1,12}$/.test(second)
        ? fromHundredths(BigInt(first) * BigInt(second))
        : undefined
    default:
      return undefined
  }
}

/** Midnight UTC of a date; not a number where it is none, as 2023-02-29. */
function dayOf(date: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) || new Date(time).toISOString().startsWith(date) ? time : Number.NaN
}

function inHundredths(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + decimals.padEnd(2, '0'))
}

function fromHundredths(hundredths: bigint): string {
  const digits = hundredths.toString().padStart(3, '0')
  const decimals = digits.slice(-2).replace(/0+$/, '')
  return decimals === '' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${decimals}`
}

function readItems(text: string): Item[] | undefined {
  const [header, ...lines] = text.split('\n')
  if (header !== 'id,category,split,basis,question,answer' || lines.pop() !== '') return undefined
  const items: Item[] = []
  for (const line of lines) {
    const fields = /^([^,"]+),([^,"]+),([^,"]+),([^,"]+),"([^"]+)",([^,"]+)$/.exec(line)
    if (fields === null) return undefined
    const [, id = '', category = '', split = '', basis = '', question = '', answer = ''] = fields
    items.push({ id, category, split, basis, question, answer })
  }
  return items
}
