import { styleText } from 'node:util'

/** What a piece of text is, so that it can be told apart; never the only carrier of a meaning. */
type Tone = 'bold' | 'dim' | 'good' | 'bad' | 'warning'

/** Colours a text, or leaves it as it is where there is no terminal. */
export type Paint = (tone: Tone, text: string) => string

const FORMATS = { bold: 'bold', dim: 'dim', good: 'green', bad: 'red', warning: 'yellow' } as const

/** A painter for one stream. */
export function createPaint(colour: boolean): Paint {
  return (tone, text) => (colour ? styleText(FORMATS[tone], text, { validateStream: false }) : text)
}
