import { registerHooks } from 'node:module'

/** Modules of the platform that reach nothing outside of the process. */
const PURE = [
  'assert',
  'assert/strict',
  'buffer',
  'crypto',
  'events',
  'path',
  'path/posix',
  'punycode',
  'querystring',
  'stream',
  'stream/promises',
  'string_decoder',
  'timers',
  'timers/promises',
  'url',
  'util',
  'util/types',
  'zlib',
]
/** Modules that the permission model judges by itself. */
const JUDGED = ['child_process', 'fs', 'fs/promises', 'inspector', 'wasi', 'worker_threads']

/** Globals and process functions that reach the network or another process. */
const REACHING_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']
const REACHING_CALLS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_startProfilerIdleNotifier',
  'binding',
  '_linkedBinding',
  'dlopen',
  'setuid',
  'setgid',
  'seteuid',
  'setegid',
  'setgroups',
  'initgroups',
]

/**
 * Takes away what reaches out of the process, where the system cannot: a fence against mistakes of a worker and of what it
 * parses, no wall against code that was written to get out. Installed before the worker is loaded.
 */
export function installGuard(isJudged: boolean): void {
  const allowed = new Set(isJudged ? [...PURE, ...JUDGED] : PURE)
  const refuse = (name: string): never => {
    throw Object.assign(new Error(`a worker cannot use ${name}`), { code: 'ERR_ACCESS_DENIED' })
  }
  const getBuiltinModule = process.getBuiltinModule.bind(process) as (name: string) => object | undefined
  const judge = (name: string): void => {
    const bare = name.replace(/^node:/, '')
    if (name.startsWith('node:') || getBuiltinModule(name) !== undefined) if (!allowed.has(bare)) refuse(bare)
  }
  registerHooks({
    resolve: (specifier, context, next) => {
      judge(specifier)
      return next(specifier, context)
    },
  })
  const fix = (target: object, name: string, value: unknown): void => {
    Object.defineProperty(target, name, { value, writable: false, configurable: false })
  }
  for (const name of REACHING_GLOBALS) fix(globalThis, name, undefined)
  for (const name of REACHING_CALLS) fix(process, name, () => refuse(`process.${name}`))
  fix(process, 'getBuiltinModule', (name: string) => {
    judge(String(name))
    return getBuiltinModule(String(name))
  })
}
