import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

/** Where the story of a run goes: people read it, so it is lines of text; a test can collect them instead. */
export type Narrator = {
  chapter: (title: string) => void
  /** One step: who did what. Numbered within the chapter. */
  step: (who: string, what: string) => void
  /** A fact about the last step: a transaction, an amount, a hash. */
  fact: (label: string, value: string) => void
  /** A command with which anyone can check the last step. */
  check: (command: string) => void
  note: (text: string) => void
}

/** Writes to a stream, with colour where the stream is a terminal and NO_COLOR is not set. */
export function createNarrator(stream: Writable): Narrator {
  let chapters = 0
  let steps = 0
  const line = (text = ''): void => {
    stream.write(`${text}\n`)
  }
  const style = (format: Parameters<typeof styleText>[0], text: string): string => styleText(format, text, { stream })
  return {
    chapter: (title) => {
      chapters += 1
      steps = 0
      line()
      line(style('bold', `${chapters}  ${title}`))
    },
    step: (who, what) => {
      steps += 1
      line()
      line(`${chapters}.${steps}  ${style('cyan', who)} ${what}`)
    },
    fact: (label, value) => line(`      ${style('dim', label.padEnd(12))} ${value}`),
    check: (command) => line(`      ${style('dim', 'check'.padEnd(12))} ${command}`),
    note: (text) => line(`      ${text}`),
  }
}
