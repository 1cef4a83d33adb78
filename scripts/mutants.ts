import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Code, type Compiler, makeCompiler } from './mutants/compile.ts'
import type { Mutant } from './mutants/mutant.ts'
import { type MutantRoom, mutantRooms } from './mutants/rooms.ts'
import { foundryProgram, type ProgramResult, root, runProgram } from './toolchain.ts'

/**
 * Puts one fault after another into a copy of the contracts and asks the tests to notice it, until the first one does.
 * A fault that nothing notices is a test that is missing.
 *
 * `--room <name>` tries the faults of one room, `--only <text,text>` those whose file or rule contains one of the texts,
 * `--list` prints them, `--json` prints the outcomes as JSON, `--jobs <n>` tries n at a time (default: one per core). Fails
 * when a fault survives, does not compile, or no longer fits its source.
 */
type Fate = 'killed' | 'survived' | 'error'
type Outcome = Mutant & { fate: Fate; by: string; elapsedMs: number }

const source = (file: string): string => join(root, 'contracts', 'src', file)

/** Where the fault applies; the reason why it does not, otherwise. */
function mutate({ file, original, replacement }: Mutant): { text: string } | { reason: string } {
  const text = readFileSync(source(file), 'utf8')
  const found = text.split(original).length - 1
  if (found !== 1) return { reason: `the snippet occurs ${found} times, expected once` }
  return { text: text.replace(original, () => replacement) }
}

/**
 * The copy compiles without the intermediate representation, which takes a sixth of the time: a fault is a fault in either
 * pipeline, and the sound contracts have to pass every test in this one too before anything is tried.
 */
function withoutIntermediateRepresentation(configuration: string): string {
  const profiles = /^additional_compiler_profiles = .*\n/m
  const restrictions = /^compilation_restrictions = \[[\s\S]*?^\]\n/m
  return configuration.replace(profiles, '').replace(restrictions, '')
}

/** A copy of a room's contracts that may be spoiled. Dependencies are linked, since nothing writes into them. */
function copyContracts(room: MutantRoom): string {
  const folder = mkdtempSync(join(tmpdir(), 'oikos-mutants-'))
  const contracts = join(root, 'contracts')
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(root, 'scripts', 'solc.cjs'), join(folder, 'scripts', 'solc.cjs'))
  for (const part of ['src', 'test']) {
    cpSync(join(contracts, part), join(folder, 'contracts', part), { recursive: true })
  }
  const configuration = readFileSync(join(contracts, 'foundry.toml'), 'utf8')
  writeFileSync(join(folder, 'contracts', 'foundry.toml'), withoutIntermediateRepresentation(configuration))
  for (const path of globSync([...room.without], { cwd: join(folder, 'contracts') })) {
    rmSync(join(folder, 'contracts', path), { recursive: true, force: true })
  }
  for (const part of ['node_modules', 'vectors']) symlinkSync(join(root, part), join(folder, part))
  return folder
}

/**
 * How hard the tests look: first with few random inputs, which notices nearly every fault, then as the project runs them.
 * A path filter instead would make forge compile all sources once more, to see what the filter needs.
 */
const looks: readonly Record<string, string>[] = [
  { FOUNDRY_FUZZ_RUNS: '24', FOUNDRY_INVARIANT_RUNS: '1', FOUNDRY_INVARIANT_DEPTH: '24' },
  {},
]

function runTests(folder: string, look: Record<string, string>): Promise<ProgramResult> {
  // a failed sequence is neither shortened nor kept: the next fault is to be judged by itself
  rmSync(join(folder, 'contracts', 'cache', 'invariant'), { recursive: true, force: true })
  rmSync(join(folder, 'contracts', 'cache', 'fuzz'), { recursive: true, force: true })
  return runProgram(foundryProgram('forge'), ['test', '--fail-fast'], {
    cwd: join(folder, 'contracts'),
    env: { ...look, FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' },
  })
}

/** First test that failed, or undefined where the run ended without a verdict. */
function firstFailure(output: string): string | undefined {
  const match = /\[FAIL[^\n]*\] (\w+)\(/.exec(output)
  return match?.[1] ?? /\[FAIL[\s\S]*?\n ?(\w+)\([^)]*\) \(runs/.exec(output)?.[1]
}

async function judge(folder: string): Promise<{ fate: Fate; by: string }> {
  for (const look of looks) {
    const { exitCode, output } = await runTests(folder, look)
    if (exitCode === 0) continue
    const by = firstFailure(output)
    if (by !== undefined) return { fate: 'killed', by }
    return { fate: 'error', by: /Error[^\n]*/.exec(output)?.[0] ?? 'forge failed without a failing test' }
  }
  return { fate: 'survived', by: '' }
}

/** The fault's code, compiled ahead while the tests look at the fault before it. */
type Prepared = { mutant: Mutant; code: ReadonlyMap<string, Code> | string; elapsedMs: number }

async function prepare(compiler: Compiler, mutant: Mutant): Promise<Prepared> {
  const started = Date.now()
  const mutated = mutate(mutant)
  const code = 'reason' in mutated ? mutated.reason : await compiler.compile(mutant.file, mutated.text)
  return { mutant, code, elapsedMs: Date.now() - started }
}

async function tryMutant(folder: string, compiler: Compiler, { mutant, code, elapsedMs }: Prepared): Promise<Outcome> {
  if (typeof code === 'string') return { ...mutant, fate: 'error', by: code, elapsedMs }
  const started = Date.now()
  const sound = new Map([...code.keys()].map((name) => [name, compiler.installed(name)]))
  if ([...code].every(([name, { bytecode }]) => sound.get(name)?.bytecode === bytecode)) {
    return { ...mutant, fate: 'error', by: 'compiles to the same code: no fault at all', elapsedMs }
  }
  compiler.install(code)
  try {
    return { ...mutant, ...(await judge(folder)), elapsedMs: elapsedMs + Date.now() - started }
  } finally {
    compiler.install(sound)
  }
}

/** The compiler beside forge has to give the very code that forge gives. */
async function assertSameCode(compiler: Compiler, room: MutantRoom): Promise<void> {
  for (const [deployed, file] of Object.entries(room.deployed)) {
    const code = await compiler.compile(file, readFileSync(source(file), 'utf8'))
    if (typeof code === 'string') throw new Error(`the sound contracts do not compile: ${code}`)
    if (!code.has(deployed)) throw new Error(`${file} gives no ${deployed}`)
    for (const [name, { bytecode }] of code) {
      if (compiler.installed(name).bytecode !== bytecode) throw new Error(`${name} compiles to other code than forge's`)
    }
  }
}

const seconds = (elapsedMs: number): string => `${(elapsedMs / 1000).toFixed(1)} s`
const label = ({ file, breaks }: Mutant): string => `${file.replace(/^.*\/|\.sol$/g, '')}: ${breaks}`

function report(outcomes: readonly Outcome[]): void {
  const count = (fate: Fate): number => outcomes.filter((outcome) => outcome.fate === fate).length
  for (const outcome of outcomes.filter(({ fate }) => fate !== 'killed')) {
    console.log(`${outcome.fate.toUpperCase()} ${label(outcome)}${outcome.by === '' ? '' : ` (${outcome.by})`}`)
    console.log(`  - ${outcome.original}\n  + ${outcome.replacement}`)
  }
  const errors = count('error')
  console.log(`\n${count('killed')} killed, ${count('survived')} survived${errors === 0 ? '' : `, ${errors} in error`}`)
}

const flags = process.argv.slice(2)
const onlyAt = flags.indexOf('--only')
const only = (onlyAt === -1 ? '' : (flags[onlyAt + 1] ?? '')).split(',')
const asJson = flags.includes('--json')
const jobsAt = flags.indexOf('--jobs')
const jobs = jobsAt === -1 ? availableParallelism() : Math.max(1, Number(flags[jobsAt + 1]) || 1)
const roomAt = flags.indexOf('--room')
const rooms = roomAt === -1 ? mutantRooms : mutantRooms.filter(({ name }) => name === flags[roomAt + 1])
const allMutants = rooms.flatMap(({ mutants }) => mutants)
const isChosen = ({ file, breaks }: Mutant): boolean =>
  only.some((word) => file.includes(word) || breaks.includes(word))
const chosen = allMutants.filter(isChosen)
const names = new Set(allMutants.map(label))

if (names.size !== allMutants.length) {
  console.error(`every fault needs a name of its own: ${allMutants.length} faults, ${names.size} names`)
  process.exitCode = 2
} else if (chosen.length === 0) {
  const roomNames = mutantRooms.map(({ name }) => name).join(', ')
  console.error(`no fault matches ${flags.join(' ')}; --list prints all, and the rooms are ${roomNames}`)
  process.exitCode = 2
} else if (flags.includes('--list')) {
  for (const mutant of chosen) {
    const mutated = mutate(mutant)
    console.log(`${label(mutant)}${'reason' in mutated ? `  [${mutated.reason}]` : ''}`)
  }
  process.exitCode = chosen.every((mutant) => 'text' in mutate(mutant)) ? 0 : 1
} else {
  process.exitCode = await main()
}

/** Takes faults from the queue until it is empty; the next one is compiled while the tests look at the one before it. */
async function work(
  folder: string,
  room: MutantRoom,
  queue: Mutant[],
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const compiler = makeCompiler(join(folder, 'contracts'), room.deployed)
  const prepareNext = (): Promise<Prepared> | undefined => {
    const mutant = queue.shift()
    return mutant === undefined ? undefined : prepare(compiler, mutant)
  }
  let next = prepareNext()
  while (next !== undefined) {
    const prepared = await next
    next = prepareNext()
    onOutcome(await tryMutant(folder, compiler, prepared))
  }
}

/** Tries the chosen faults of one room. Throws when its tests fail without any fault. */
async function tryRoom(room: MutantRoom, onOutcome: (outcome: Outcome) => void, onFolder: (folder: string) => void) {
  const queue = room.mutants.filter(isChosen)
  if (queue.length === 0) return
  const first = copyContracts(room)
  onFolder(first)
  const folders = [first]
  const started = Date.now()
  const sound = await judge(first)
  if (sound.fate !== 'survived') {
    throw new Error(`the tests of ${room.name} fail without any fault, so they can prove nothing: ${sound.by}`)
  }
  console.error(`${room.name}: ${queue.length} faults; the sound contracts pass in ${seconds(Date.now() - started)}`)
  await assertSameCode(makeCompiler(join(first, 'contracts'), room.deployed), room)
  while (folders.length < Math.min(jobs, queue.length)) {
    const copy = mkdtempSync(join(tmpdir(), 'oikos-mutants-'))
    onFolder(copy)
    folders.push(copy)
    cpSync(first, copy, { recursive: true, verbatimSymlinks: true })
    // forge compiles at a new place once more; were that left to the first fault, sound code would take its place
    await runProgram(foundryProgram('forge'), ['build'], { cwd: join(copy, 'contracts') })
  }
  await Promise.all(folders.map((folder) => work(folder, room, queue, onOutcome)))
}

async function main(): Promise<number> {
  const folders: string[] = []
  const removeFolders = (): void => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  const onInterrupt = (): void => {
    removeFolders()
    process.exit(130)
  }
  process.once('SIGINT', onInterrupt)
  try {
    const started = Date.now()
    const outcomes: Outcome[] = []
    const onOutcome = (outcome: Outcome): void => {
      outcomes.push(outcome)
      const position = `${outcomes.length}/${chosen.length}`.padStart(7)
      const verdict = `${outcome.fate.padEnd(8)} ${seconds(outcome.elapsedMs).padStart(7)}`
      console.error(`${position} ${verdict}  ${label(outcome)}  ${outcome.by.split('\n')[0]}`)
    }
    for (const room of rooms) await tryRoom(room, onOutcome, (folder) => folders.push(folder))
    if (asJson) console.log(JSON.stringify(outcomes, null, 2))
    else report(outcomes)
    console.error(`${seconds(Date.now() - started)} in all`)
    return outcomes.every(({ fate }) => fate === 'killed') ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 2
  } finally {
    process.off('SIGINT', onInterrupt)
    removeFolders()
  }
}
