/** Words of a text in lower case, without marks of punctuation; an apostrophe within a word stays. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []
  )
}

const ENDINGS = [
  'ations',
  'ation',
  'ings',
  'ing',
  'ions',
  'ion',
  'ies',
  'ied',
  'ers',
  'ed',
  'er',
  'es',
  'ly',
  's',
  'e',
  'y',
]

/** A word without a common English ending, so that forms of one word meet: `charged` and `charges`. */
export function stemOf(word: string): string {
  const ending = ENDINGS.find((candidate) => word.endsWith(candidate) && word.length - candidate.length >= 3)
  return ending === undefined ? word : word.slice(0, -ending.length)
}

const FILLERS = new Set(
  'a an the of to in on at by for from with and or but as is are was were be been it its this that these those i we you he she they my our your his her their me us them not no so than then there here when which who what how has have had do does did will'.split(
    ' ',
  ),
)

/** Stems of a text that carry meaning. */
export function stemsOf(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !FILLERS.has(word))
    .map(stemOf)
}
