import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root, runProgram } from './toolchain.ts'

/**
 * The house rules that a small program can check: which room imports which, folder names, file length, generated files
 * up to date, no ambient authority in `core`. Prints one line a finding and fails when there is any.
 */
const findings: string[] = []

/** What each room may import from the others. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [],
  'packages/sdk': ['packages/core'],
  'packages/runtime': ['packages/core', 'packages/sdk'],
  'apps/cli': ['packages/core', 'packages/sdk', 'packages/runtime'],
  'apps/indexer': ['packages/core', 'packages/sdk'],
  // of the index, types of its answers only: docs/decisions/0302-types-of-the-index.md
  'apps/web': ['packages/core', 'packages/sdk', 'apps/indexer'],
}
const packageRooms: Readonly<Record<string, string>> = {
  '@oikos/core': 'packages/core',
  '@oikos/sdk': 'packages/sdk',
  '@oikos/runtime': 'packages/runtime',
  '@oikos/cli': 'apps/cli',
  '@oikos/indexer': 'apps/indexer',
  '@oikos/web': 'apps/web',
}
/** Files of core that Node.js takes in place of a portable one with the same meaning. */
const platformFiles: ReadonlySet<string> = new Set(['packages/core/src/digest/sha256-node.ts'])
const forbiddenFolders = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib'])
const maxLines = 500
const importPattern = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)['"]([^'"]+)['"]/g
const platformGlobals =
  /\b(process|Buffer|__dirname|require)\b\s*[.([]|\b(fetch|setTimeout|setInterval)\s*\(|\bDate\.now\s*\(|\bMath\.random\s*\(|\bcrypto\.(getRandomValues|randomUUID)\b/

function trackedFiles(): string[] {
  const options = { cwd: root, encoding: 'utf8' as const }
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options)
    .split('\n')
    .filter((line) => line !== '')
}

function roomOf(path: string): string | undefined {
  return Object.keys(rooms).find((room) => path.startsWith(`${room}/`))
}

function importedRoom(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const target = relative(root, join(root, dirname(file), specifier))
      .split(sep)
      .join('/')
    return roomOf(target)
  }
  const name = specifier.split('/').slice(0, 2).join('/')
  return packageRooms[name]
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/test/')
}

function checkImports(file: string, text: string): void {
  const room = roomOf(file)
  if (room === undefined || isTest(file)) return
  for (const [, specifier] of text.matchAll(importPattern)) {
    if (specifier === undefined) continue
    const target = importedRoom(file, specifier)
    const allowed = rooms[room] ?? []
    if (target !== undefined && target !== room && !allowed.includes(target)) {
      findings.push(`${file}: ${room} may not import ${target} (${specifier})`)
    }
    if (target === 'apps/indexer' && room === 'apps/web' && specifier !== '@oikos/indexer/rest') {
      findings.push(`${file}: of the index, the explorer takes @oikos/indexer/rest only (${specifier})`)
    }
    if (room === 'packages/core' && specifier.startsWith('node:') && !platformFiles.has(file)) {
      findings.push(`${file}: core does no I/O and runs in a browser, so it cannot import ${specifier}`)
    }
  }
}

/** Strips comments and text, so that words in them do not count as code. */
function codeOnly(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, ' ')
}

function checkAuthority(file: string, text: string): void {
  if (!file.startsWith('packages/core/src/') || isTest(file) || file.endsWith('.gen.ts')) return
  const match = platformGlobals.exec(codeOnly(text))
  if (match !== null) findings.push(`${file}: core takes time, randomness and I/O as data, but uses ${match[0]}`)
}

function checkNames(file: string): void {
  for (const folder of file.split('/').slice(0, -1)) {
    if (forbiddenFolders.has(folder)) findings.push(`${file}: a folder called ${folder} says nothing; name the concern`)
  }
}

function checkLength(file: string, text: string): void {
  const lines = text.split('\n').length - 1
  if (lines > maxLines && !file.includes('.gen.')) findings.push(`${file}: ${lines} lines; split it below ${maxLines}`)
}

async function checkGenerated(files: readonly string[]): Promise<void> {
  for (const generator of generators.filter((file) => files.includes(file))) {
    const { exitCode, output } = await runProgram(process.execPath, [join(root, generator), '--check'])
    if (exitCode !== 0) findings.push(`${generator} --check: ${output.trim()}`)
  }
}

/** Every program that writes generated files answers to `--check`. */
const generators = [
  'scripts/abi.ts',
  'scripts/agent-vectors.ts',
  'scripts/schemas.ts',
  'scripts/vectors.ts',
  'scripts/verifier-vectors.ts',
  'scripts/economic-vectors.ts',
  'scripts/example-contracts.ts',
  'bench/gas.ts',
]

const files = trackedFiles()
for (const file of files.filter((name) => /\.(ts|tsx|sol|mjs|cjs)$/.test(name))) {
  const text = readFileSync(join(root, file), 'utf8')
  checkImports(file, text)
  checkAuthority(file, text)
  checkLength(file, text)
}
for (const file of files) checkNames(file)
await checkGenerated(files)

for (const finding of findings) console.error(finding)
console.log(findings.length === 0 ? `tidy: ${files.length} files in order` : `tidy: ${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
