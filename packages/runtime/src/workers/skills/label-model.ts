import { SUBJECTS } from './label-vocabulary.ts'
import { stemOf, stemsOf, wordsOf } from './words.ts'

/** A label with what its spec says of it. */
export type LabelSpec = { readonly name: string; readonly description: string }

/** The best label of a message, with its distance from the second: 0 is a toss-up, 1 is beyond doubt. */
export type Labelled = { readonly label: string; readonly margin: number }

type Weights = Map<string, number>

/**
 * Labels messages by the nearest of the labels' word weights, each shared word counting as much as it is rare among the
 * messages: words of a label's name and description, and the general vocabulary of the subjects that these speak of. Equal
 * input gives equal output; a message without any known word gets the label that is rarest so far, with margin 0.
 */
export function labelMessages(labels: readonly LabelSpec[], messages: readonly string[]): readonly Labelled[] {
  const terms = messages.map(termsOf)
  const rarity = raritiesOf(terms)
  const weights = labels.map((label) => ({ label: label.name, weights: weightsOf(label) }))
  const used = new Map(labels.map(({ name }) => [name, 0]))
  return terms.map((document): Labelled => {
    const scores = weights.map((known) => ({ label: known.label, score: similarity(known.weights, document, rarity) }))
    scores.sort((left, right) => right.score - left.score)
    const [best, second] = scores
    const isBlank = best === undefined || best.score === 0
    const label = isBlank ? rarest(used) : best.label
    used.set(label, (used.get(label) ?? 0) + 1)
    return { label, margin: isBlank ? 0 : (best.score - (second?.score ?? 0)) / best.score }
  })
}

/** Stems of a message, and its pairs and triples of neighbouring words. */
function termsOf(message: string): readonly string[] {
  const words = wordsOf(message)
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  const triples = words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`)
  return [...new Set([...stemsOf(message), ...pairs, ...triples])]
}

function raritiesOf(documents: readonly (readonly string[])[]): Weights {
  const counts: Weights = new Map()
  for (const terms of documents) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map([...counts].map(([term, count]) => [term, Math.log(1 + documents.length / count)]))
}

function weightsOf({ name, description }: LabelSpec): Weights {
  const weights: Weights = new Map()
  const own = new Set(stemsOf(`${name} ${description}`))
  for (const stem of own) weights.set(stem, 1)
  for (const { signs, words } of SUBJECTS) {
    const stems = new Set(stemsOf(signs))
    const shared = [...stems].filter((stem) => own.has(stem)).length
    if (shared === 0) continue
    const closeness = Math.min(1, shared / 3 + 0.34)
    for (const term of vocabularyOf(words)) weights.set(term, Math.max(weights.get(term) ?? 0, closeness))
  }
  return weights
}

/** Single words as stems, phrases in quotes as they stand. */
function vocabularyOf(words: string): readonly string[] {
  return (words.match(/"[^"]+"|\S+/g) ?? []).map((entry) =>
    entry.startsWith('"') ? entry.slice(1, -1).replaceAll('-', ' ') : stemOf(entry),
  )
}

function rarest(used: ReadonlyMap<string, number>): string {
  return [...used].sort(([, left], [, right]) => left - right)[0]?.[0] ?? ''
}

function similarity(weights: Weights, terms: readonly string[], rarity: Weights): number {
  let product = 0
  for (const term of terms) {
    const words = term.split(' ').length
    product += (weights.get(term) ?? 0) * (rarity.get(term) ?? 0) * words
  }
  return product / Math.sqrt(1 + terms.length)
}
