/** One deliberate fault: `original` occurs exactly once in `file` and becomes `replacement`. */
export type Mutant = {
  /** Path below contracts/src. */
  file: string
  original: string
  replacement: string
  /** The rule that no longer holds; unique, since it is the mutant's name. */
  breaks: string
}

/** The faults of one file, each written as original, replacement, and what it breaks. */
export function inFile(file: string, faults: readonly (readonly [string, string, string])[]): readonly Mutant[] {
  return faults.map(([original, replacement, breaks]) => ({ file, original, replacement, breaks }))
}
