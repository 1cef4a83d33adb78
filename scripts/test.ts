import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foundryProgram, type ProgramResult, root, runProgram } from './toolchain.ts'

/**
 * Runs every check and every test of the project, and ends with the line `N passed, N failed` over all of them.
 * A check without tests of its own (a formatter, a compiler) counts as one. `--only <name>` runs one of them.
 */
type Counts = { passed: number; failed: number }
type Check = { name: string; run: () => Promise<Counts> }

const forge = foundryProgram('forge')
const contracts = join(root, 'contracts')
const bin = (name: string): string => join(root, 'node_modules', '.bin', name)

function asOne({ exitCode }: ProgramResult): Counts {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** A runner that counts for itself must agree with its exit code; otherwise the run as a whole has failed. */
function counted(result: ProgramResult, passed: number, failed: number): Counts {
  if (result.exitCode === 0 && failed === 0 && passed > 0) return { passed, failed }
  return { passed, failed: Math.max(failed, 1) }
}

async function command(program: string, args: readonly string[], cwd = root): Promise<Counts> {
  return asOne(await runProgram(program, args, { cwd, echo: true }))
}

/** forge ends with `Ran N test suites in …: P tests passed, F failed, S skipped (T total tests)`. */
async function contractTests(): Promise<Counts> {
  const result = await runProgram(forge, ['test', '--no-match-path', 'test/gas/*'], {
    cwd: contracts,
    echo: true,
    // a figure in contracts/snapshots that changes is a failure until the file is committed with it
    env: { FORGE_SNAPSHOT_CHECK: 'true' },
  })
  const total = /(\d+) tests? passed, (\d+) failed, \d+ skipped \(/g
  const last = [...result.output.matchAll(total)].at(-1)
  return counted(result, Number(last?.[1] ?? 0), Number(last?.[2] ?? 0))
}

async function typeScriptTests(): Promise<Counts> {
  const report = join(tmpdir(), `oikos-vitest-${process.pid}.json`)
  const result = await runProgram(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      echo: true,
    },
  )
  try {
    const summary = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number }
    return counted(result, summary.numPassedTests, summary.numFailedTests)
  } catch {
    return counted(result, 0, 1)
  } finally {
    rmSync(report, { force: true })
  }
}

const checks: readonly Check[] = [
  { name: 'contracts build', run: () => command(forge, ['build'], contracts) },
  { name: 'contracts format', run: () => command(forge, ['fmt', '--check'], contracts) },
  { name: 'tidy', run: () => command(process.execPath, ['scripts/tidy.ts']) },
  { name: 'format and lint', run: () => command(bin('biome'), ['check', '--error-on-warnings', '.']) },
  { name: 'types', run: () => command(bin('tsc'), ['-p', 'tsconfig.json']) },
  { name: 'types of core without a platform', run: () => command(bin('tsc'), ['-p', 'packages/core/tsconfig.json']) },
  { name: 'types of the explorer', run: () => command(bin('tsc'), ['-p', 'apps/web/tsconfig.json']) },
  { name: 'unused code and dependencies', run: () => command(bin('knip'), []) },
  { name: 'contract tests', run: contractTests },
  { name: 'TypeScript tests', run: typeScriptTests },
]

const onlyAt = process.argv.indexOf('--only')
const only = onlyAt === -1 ? undefined : process.argv[onlyAt + 1]
const chosen = only === undefined ? checks : checks.filter(({ name }) => name.includes(only))
if (chosen.length === 0) {
  console.error(`no check is called ${only}; there are: ${checks.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const results: { name: string; counts: Counts; elapsedMs: number }[] = []
for (const { name, run } of chosen) {
  console.log(`\n── ${name}`)
  const started = Date.now()
  const counts = await run()
  results.push({ name, counts, elapsedMs: Date.now() - started })
}

console.log('\n── summary')
let passed = 0
let failed = 0
for (const { name, counts, elapsedMs } of results) {
  passed += counts.passed
  failed += counts.failed
  const verdict = counts.failed === 0 ? 'ok    ' : 'FAILED'
  console.log(
    `${verdict} ${name}: ${counts.passed} passed, ${counts.failed} failed (${(elapsedMs / 1000).toFixed(1)} s)`,
  )
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
