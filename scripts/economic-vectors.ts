import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  admitIntent,
  parseIntent,
  parsePolicy,
  policyShape,
  renderCanonical,
  utf8,
} from '../packages/core/src/economic/index.ts'
import { quote } from '../packages/core/src/economic/json.ts'
import {
  makePaymentVectors,
  makeRefusalVectors,
  makeStringVectors,
  vectorPolicy,
} from '../packages/core/test/economic-vectors.ts'
import { root } from './toolchain.ts'

/** Writes the vectors of `vectors/economic`, which its README explains. `--check` writes nothing and fails on stale ones. */
const folder = join(root, 'vectors/economic')

const json = (value: unknown): string =>
  `${JSON.stringify(value, (_key, field) => (typeof field === 'bigint' ? field.toString() : field), 1)}\n`

function read(document: 'policy' | 'intent', text: string): unknown {
  if (document === 'policy') return parsePolicy(utf8(text))
  return admitIntent(parsePolicy(utf8(renderCanonical(policyShape, vectorPolicy()))), parseIntent(utf8(text)))
}

const files: Readonly<Record<string, string>> = {
  'payments.json': json(makePaymentVectors()),
  'refusals.json': json(makeRefusalVectors(read)),
  'strings.json': json(makeStringVectors(quote)),
}

const stale = Object.keys(files).filter((name) => {
  const path = join(folder, name)
  return !existsSync(path) || readFileSync(path, 'utf8') !== files[name]
})
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`${stale.join(', ')} out of date. Run node scripts/economic-vectors.ts and commit the result.`)
    process.exitCode = 1
  }
} else {
  mkdirSync(folder, { recursive: true })
  for (const name of stale) writeFileSync(join(folder, name), files[name] ?? '')
  console.log(stale.length === 0 ? 'economic vectors are up to date' : `wrote ${stale.join(', ')}`)
}
