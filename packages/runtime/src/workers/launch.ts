import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Isolation } from './isolation.ts'
import type { Worker, WorkLimits } from './worker.ts'

/** A program with its arguments, and the environment that it starts in. */
export type Command = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const runner = fileURLToPath(new URL('./child/main.ts', import.meta.url))
const packageFile = fileURLToPath(new URL('../../package.json', import.meta.url))

/** Where system programs are; the worker's own environment is empty. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin'
/** What a dynamically linked Node.js and the system's programs need. */
const SYSTEM_FOLDERS = ['/usr', '/lib', '/lib64', '/bin', '/sbin']
/**
 * Private memory that Node.js 24 maps before a worker does anything, MiB: 581 were seen, most of it never touched (the
 * WebAssembly that strips types). A limit on data must lie above.
 */
const BASE_DATA_MIB = 640
/** Open files of a worker: Node.js uses about twenty. */
const OPEN_FILES = 64
/** Processor seconds beyond the time limit after which the system ends a worker whose parent is gone. */
const SPARE_CPU_SECONDS = 5

/** A shell that sets limits of the system, then becomes the program that follows. */
const LIMIT = 'ulimit -c 0 && ulimit -n "$1" && ulimit -d "$2" && ulimit -t "$3" && shift 3 && exec "$@"'
/**
 * A shell in fresh namespaces that builds a root of what a worker may see, read-only, and enters it. `/sys` exists on every
 * Linux and nothing that a worker needs is in it, so it is the place of the new root; the mounts vanish with the process.
 */
const ENTER_ROOT = `set -e
mount -t tmpfs -o mode=755,size=1m tmpfs /sys
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "/sys$1"; else mkdir -p "/sys\${1%/*}"; : > "/sys$1"; fi
  mount --bind -o ro "$1" "/sys$1"
  shift
done
shift
ulimit -f 0
exec chroot /sys setpriv --no-new-privs --bounding-set=-all --inh-caps=-all env -i "$@"`
const NAMESPACES = ['--user', '--map-root-user', '--net', '--ipc', '--uts', '--mount', '--pid', '--fork']

/** The command that runs one worker under an isolation. */
export function launchCommand(worker: Worker, limits: WorkLimits, isolation: Isolation): Command {
  const node = realpathSync(process.execPath)
  const readable = readablePaths(worker)
  const command = [node, ...nodeFlags(readable, limits, isolation), runner, worker.module.href, guardOf(isolation)]
  // without a shell or `env`, nothing stands between and the environment is empty from the start
  if (isolation.level !== 'namespaces' && !isolation.hasResourceLimits)
    return { program: node, args: command.slice(1), env: {} }
  const [program = '', ...args] = withLimits(limits, isolation, inNamespaces(isolation, [node, ...readable], command))
  return { program, args, env: { PATH: SYSTEM_PATH } }
}

/** The worker's folder, this package's runner, and what else the worker names. */
function readablePaths({ module, readable = [] }: Worker): readonly string[] {
  const paths = [
    dirname(fileURLToPath(module)),
    dirname(runner),
    packageFile,
    ...readable.map((url) => fileURLToPath(url)),
  ]
  return [...new Set(paths.map((path) => realpathSync(path)))]
}

function nodeFlags(readable: readonly string[], { memoryMiB }: WorkLimits, { level }: Isolation): readonly string[] {
  const flags = [
    '--no-warnings',
    '--disallow-code-generation-from-strings',
    '--no-addons',
    `--max-old-space-size=${memoryMiB}`,
  ]
  return level === 'guard' ? flags : [...flags, '--permission', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

function guardOf({ level }: Isolation): string {
  switch (level) {
    case 'namespaces':
      return 'no-guard'
    case 'permissions':
      return 'guard-reach'
    case 'guard':
      return 'guard-all'
    default:
      return level satisfies never
  }
}

function inNamespaces({ level }: Isolation, visible: readonly string[], command: readonly string[]): readonly string[] {
  if (level !== 'namespaces') return ['env', '-i', ...command]
  const roots = outermost([...SYSTEM_FOLDERS.filter((path) => existsSync(path)), ...visible])
  return ['unshare', ...NAMESPACES, '--kill-child=KILL', '--', 'sh', '-c', ENTER_ROOT, 'sh', ...roots, '--', ...command]
}

/** Leaves out paths within others. */
function outermost(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}/`)))
}

function withLimits(
  limits: WorkLimits,
  { hasResourceLimits }: Isolation,
  command: readonly string[],
): readonly string[] {
  if (!hasResourceLimits) return command
  const dataKiB = (BASE_DATA_MIB + limits.memoryMiB) * 1024
  const cpuSeconds = Math.ceil(limits.timeoutMs / 1000) + SPARE_CPU_SECONDS
  return ['/bin/sh', '-c', LIMIT, 'sh', String(OPEN_FILES), String(dataKiB), String(cpuSeconds), ...command]
}
