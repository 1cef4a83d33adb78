import { lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DOCUMENT_KINDS, type DocumentKind } from '@oikos/core/economic'
import { MAX_VERSIONS_PER_KEY } from '@oikos/runtime'
import { NotFoundError, UsageError } from '../errors.ts'
import { readDocument } from './document-file.ts'

/** What was found of one run: its documents, versions of its journal, its source run. */
export type RunFiles = {
  readonly evidence: Uint8Array
  readonly documents: { readonly [Kind in DocumentKind]?: Uint8Array }
  /** Versions of the journal by number. */
  readonly versions: ReadonlyMap<number, Uint8Array>
  readonly source: { readonly [Part in SourcePart]?: Uint8Array }
  /** Names that stand for no document, in their order. */
  readonly unread: readonly string[]
}

type SourcePart = 'evidence' | 'profile' | 'task'
const SOURCE_PARTS: readonly SourcePart[] = ['evidence', 'profile', 'task']

/** Most entries of a folder that are looked at. */
const MAX_ENTRIES = 1000

/** Reads Evidence alone from a file, or a whole run from a folder. Throws NotFoundError and UsageError. */
export async function readRun(cwd: string, path: string): Promise<RunFiles> {
  const state = await lstat(resolve(cwd, path)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
      throw new NotFoundError(`There is no file or folder ${JSON.stringify(path)}.`, 'Check the path.', { cause })
    throw new UsageError(`${JSON.stringify(path)} cannot be read (${cause.code}).`, 'Check its permissions.', { cause })
  })
  if (state.isDirectory()) return readFolder(cwd, path)
  return { evidence: await readDocument(cwd, path), documents: {}, versions: new Map(), source: {}, unread: [] }
}

async function readFolder(cwd: string, path: string): Promise<RunFiles> {
  const entries = await readdir(resolve(cwd, path), { withFileTypes: true })
  if (entries.length > MAX_ENTRIES)
    throw new UsageError(
      `${JSON.stringify(path)} has ${entries.length} entries; at most ${MAX_ENTRIES} are looked at.`,
      'Name a folder that holds one run.',
    )
  const read = (name: string) => readDocument(cwd, join(path, name))
  // Only regular files: whoever sent the folder could have put a pipe or a link to somewhere else into it.
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const documents: { [Kind in DocumentKind]?: Uint8Array } = {}
  for (const kind of DOCUMENT_KINDS) if (names.delete(`${kind}.json`)) documents[kind] = await read(`${kind}.json`)
  const source: { [Part in SourcePart]?: Uint8Array } = {}
  for (const part of SOURCE_PARTS)
    if (names.delete(`agent-runtime.${part}.json`)) source[part] = await read(`agent-runtime.${part}.json`)
  const versions = new Map<number, Uint8Array>()
  for (let version = 1; version <= MAX_VERSIONS_PER_KEY; version += 1)
    if (names.delete(versionFile(version))) versions.set(version, await read(versionFile(version)))
  const { evidence, ...others } = documents
  if (evidence === undefined)
    throw new NotFoundError(`${JSON.stringify(path)} holds no evidence.json.`, 'Name the folder of one run, or a file.')
  const links = entries.filter((entry) => !entry.isFile()).map(({ name }) => name)
  return { evidence, documents: others, versions, source, unread: [...names, ...links].sort() }
}

/** Name of the file of a version of a journal. */
export function versionFile(version: number | bigint): string {
  return `journal.v${version}.json`
}
