import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Cid, RawCid, TaskHash, TdHash } from '../src/digest/index.ts'
import { parseTaskHash, rawCidOf, toDagCborCid } from '../src/digest/index.ts'
import type { PackTaskOptions } from '../src/task-package/index.ts'
import { xorCipher } from './xor-cipher.ts'

/**
 * Public conformance data, which is not part of the repository: beside it in `shared/conformance`, or where
 * `OIKOS_CONFORMANCE` says. Undefined when it is absent; tests that need it skip then and say so.
 */
export function findConformance(): string | undefined {
  const fromEnvironment = process.env['OIKOS_CONFORMANCE']
  const folder = fromEnvironment ?? resolve(import.meta.dirname, '../../../../shared/conformance')
  if (existsSync(folder)) return folder
  console.warn(`conformance data is absent at ${folder}: its tests are skipped; set OIKOS_CONFORMANCE to run them`)
  return undefined
}

/** What a published package must give. */
export type ExpectedPackage = {
  readonly tdHash: TdHash
  readonly taskHash: TaskHash
  readonly rootCID: string
  readonly version: number
  readonly taskrootBytes: number
  readonly leaves: Readonly<Record<string, { readonly digest: string; readonly cid: RawCid }>>
  readonly encryptedPaths?: readonly string[]
}

/** One published package: inputs, packing flags, outputs. */
export type PublishedPackage = {
  readonly name: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly flags: readonly string[]
  readonly expected: ExpectedPackage
  readonly root: Uint8Array
  readonly blocks: ReadonlyMap<Cid, Uint8Array>
}

function readTree(folder: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(relative(folder, path).split(sep).join('/'), new Uint8Array(readFileSync(path)))
  }
  return files
}

/** Every package under `task-packages`, in the order of their names. */
export function readPublishedPackages(conformance: string): PublishedPackage[] {
  const folder = join(conformance, 'task-packages')
  return readdirSync(folder)
    .sort()
    .map((name) => readPublishedPackage(join(folder, name), name))
}

function readPublishedPackage(folder: string, name: string): PublishedPackage {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as ExpectedPackage
  const root = new Uint8Array(readFileSync(join(folder, 'taskroot.cbor')))
  const blocks = new Map<Cid, Uint8Array>([[toDagCborCid(expected.taskHash), root]])
  for (const bytes of readTree(join(folder, 'objects')).values()) blocks.set(rawCidOf(bytes), bytes)
  const flags = JSON.parse(readFileSync(join(folder, 'flags.json'), 'utf8')) as string[]
  return { name, files: readTree(join(folder, 'input')), flags, expected, root, blocks }
}

/** The value of a flag. */
export function flag(flags: readonly string[], name: string): string | undefined {
  const index = flags.indexOf(`--${name}`)
  return index === -1 ? undefined : flags[index + 1]
}

/** Packing options that `flags.json` stands for. */
export function optionsFromFlags(flags: readonly string[]): Omit<PackTaskOptions, 'files'> {
  const text = (name: string, key: string) => {
    const value = flag(flags, name)
    return value === undefined ? {} : { [key]: value }
  }
  const key = flag(flags, 'key')
  const paths = flag(flags, 'encrypt')?.split(',')
  const prev = flag(flags, 'prev')
  const maxCompletions = flag(flags, 'max-completions')
  return {
    ...text('primary', 'primary'),
    ...text('spec', 'spec'),
    ...text('spec-profile', 'specProfile'),
    ...text('acceptance', 'acceptance'),
    ...text('acceptance-profile', 'acceptanceProfile'),
    name: 'input',
    version: BigInt(flag(flags, 'version') ?? 1),
    ...(maxCompletions !== undefined && { maxCompletions: BigInt(maxCompletions) }),
    ...(prev !== undefined && { prev: parseTaskHash(prev) }),
    ...(key !== undefined && paths !== undefined && { encrypt: { paths, cipher: xorCipher(key) } }),
  }
}
