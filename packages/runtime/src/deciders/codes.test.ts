import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ANSWER_CODES } from './codes.ts'

it('describes every code of an answer in docs/deciders.md, in the order of the checks', () => {
  const page = readFileSync(new URL('../../../../docs/deciders.md', import.meta.url), 'utf8')
  expect([...page.matchAll(/^\| `(answer\.[a-z-]+)` \|/gm)].map(([, code]) => code)).toEqual(ANSWER_CODES)
})
