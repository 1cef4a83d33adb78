import { lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseTaskHash, parseTdHash, type TaskHash, type TdHash } from '@oikos/core'
import {
  PACKED_NAMES,
  PackageRefusedError,
  type PackedFolder,
  type PackFolderOptions,
  packFolder,
  verifyFolder,
} from '@oikos/sdk/node'
import type { Context } from '../context.ts'
import { NotFoundError, UsageError } from '../errors.ts'
import type { Input } from '../input/input.ts'
import { copyObjects } from './copy-objects.ts'
import { readRoles, readSealing } from './package-options.ts'

/** What a token is bound to, and where the package is. */
export type BoundPackage = {
  readonly taskHash: TaskHash
  readonly tdHash: TdHash
  readonly uri: string | undefined
  /** Acceptance profile that the package names. */
  readonly acceptanceProfile: string | undefined
}

/** Milliseconds between two lines of progress. */
const PROGRESS_INTERVAL_MS = 500

/**
 * Packs a folder and puts every object into the content store; with `output`, leaves a packed folder there as well.
 * Throws what packFolder throws.
 */
export async function packIntoStore(
  context: Context,
  input: Input,
  folder: string,
  options: PackFolderOptions & { readonly output?: string } = {},
): Promise<PackedFolder> {
  const source = resolve(context.terminal.cwd, folder)
  const encrypt = await readSealing(context, input)
  const temporary = options.output === undefined ? await mkdtemp(join(tmpdir(), 'oikos-pack-')) : undefined
  const output = options.output ?? join(temporary ?? '', 'package')
  try {
    const packed = await packFolder(source, {
      ...readRoles(input),
      ...options,
      ...(encrypt === undefined ? {} : { encrypt }),
      output,
      signal: context.terminal.signal,
      onProgress: createProgress(context),
    })
    await copyObjects(join(output, PACKED_NAMES.objects), await context.store(), context.terminal.signal)
    return packed
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
  }
}

function createProgress(context: Context): NonNullable<PackFolderOptions['onProgress']> {
  let last = Date.now()
  return ({ filesDone, files, bytesDone, bytes }) => {
    if (Date.now() - last < PROGRESS_INTERVAL_MS && filesDone < files) return
    if (filesDone === files && bytesDone === bytes && files < 2) return
    last = Date.now()
    context.output.say(`packing: ${filesDone} of ${files} files, ${bytesDone} of ${bytes} bytes`)
  }
}

/**
 * The package that a command is about: a folder, packed or to be packed, or the hashes of one.
 * @throws UsageError, NotFoundError, PackageRefusedError for a packed folder that does not verify, and what packing throws
 */
export async function takePackage(
  context: Context,
  input: Input,
  folder: string | undefined,
  options: PackFolderOptions,
): Promise<BoundPackage> {
  const [tdHash, taskHash, uri] = [input.text('td-hash'), input.text('task-hash'), input.text('uri')]
  if (folder === undefined) {
    if (tdHash === undefined || taskHash === undefined) {
      throw new UsageError(
        'No package is named.',
        'Give its folder, or --td-hash and --task-hash as "task pack" printed them.',
      )
    }
    return { taskHash: parseTaskHash(taskHash), tdHash: parseTdHash(tdHash), uri, acceptanceProfile: undefined }
  }
  if (tdHash !== undefined || taskHash !== undefined) {
    throw new UsageError('A folder and hashes are given; they could differ.', 'Give one of them.')
  }
  const place = resolve(context.terminal.cwd, folder)
  const state = await lstat(place).catch(() => undefined)
  if (state === undefined) {
    throw new NotFoundError(`There is no folder ${JSON.stringify(folder)}.`, `Make one: task init ${folder}.`)
  }
  const isPacked = await lstat(join(place, PACKED_NAMES.root)).then(
    (root) => root.isFile(),
    () => false,
  )
  return isPacked ? takePacked(context, place, uri) : takeSource(context, input, place, uri, options)
}

async function takePacked(context: Context, place: string, uri: string | undefined): Promise<BoundPackage> {
  const verdict = await verifyFolder(place)
  const { primary, rootCid } = verdict.facts
  if (!verdict.ok || primary === undefined) throw new PackageRefusedError(verdict)
  await copyObjects(join(place, PACKED_NAMES.objects), await context.store(), context.terminal.signal)
  return {
    taskHash: verdict.taskHash,
    tdHash: parseTdHash(primary.hash),
    uri: uri ?? `ipfs://${rootCid}`,
    acceptanceProfile: verdict.root?.acceptance?.profile,
  }
}

async function takeSource(
  context: Context,
  input: Input,
  place: string,
  uri: string | undefined,
  options: PackFolderOptions,
): Promise<BoundPackage> {
  const packed = await packIntoStore(context, input, place, options)
  return {
    taskHash: packed.taskHash,
    tdHash: packed.tdHash,
    uri: uri ?? `ipfs://${packed.rootCid}`,
    acceptanceProfile: packed.root.acceptance?.profile,
  }
}
