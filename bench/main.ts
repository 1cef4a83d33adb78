import { join } from 'node:path'
import { root, runProgram } from '../scripts/toolchain.ts'

/** Runs every benchmark, or those whose names are given: `npm run bench -- package`. */
const benchmarks = ['package', 'gas', 'journal', 'rails', 'audit', 'operator', 'indexer', 'explorer'] as const

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = wanted.filter((word) => !benchmarks.some((name) => name === word))
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are: ${benchmarks.join(', ')}`)
  process.exit(2)
}
for (const name of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n── ${name}`)
  const { exitCode } = await runProgram(process.execPath, [join(root, 'bench', `${name}.ts`)], { echo: true })
  if (exitCode !== 0) process.exitCode = exitCode
}
