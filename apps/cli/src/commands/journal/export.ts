import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isIdentifier } from '@oikos/core/economic'
import { allKeys, type JournalArchive } from '@oikos/runtime'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { JOURNAL_OPTIONS, readJournalOf } from '../../economic/open-journal.ts'
import { versionFile } from '../../economic/run-folder.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Output } from '../../output/output.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

/** How often progress is said, milliseconds. */
const PROGRESS_MS = 1000

/** `oikos journal export`: the exact documents, as files. */
export const exported: CommandSpec = {
  name: 'export',
  summary: 'write the exact documents of one payment, or of all, into a new folder',
  details:
    'Each payment becomes a folder with the name of its key, with journal.v1.json and following: what evidence verify reads. The folder appears whole or not at all. The journal keeps everything.',
  args: [['[key]', 'one idempotency key; all when it is left out']],
  options: [
    { flags: '--out <folder>', text: 'folder to write; must not exist (required)' },
    ...JOURNAL_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos journal export --out payments', 'oikos journal export invoice.7 --out invoice-7 --json'],
  run: async (context, input) => {
    const { output, terminal } = context
    const out = input.text('out')
    if (out === undefined) throw new UsageError('Nothing says where to write.', 'Add --out <folder>.')
    const target = resolve(terminal.cwd, out)
    if (existsSync(target)) throw new UsageError(`${JSON.stringify(out)} exists already.`, 'Name a new folder.')
    const key = input.optionalArgument(0)
    const counts = await readJournalOf(context, input, (archive) =>
      wholeOrNot(target, (folder) => writeAll(archive, key, folder, output)),
    )
    output.result({ ok: true, folder: target, ...counts }, [
      `wrote ${countOf(counts.keys, 'payment')}, ${countOf(counts.versions, 'version')} to ${plain(out)}`,
    ])
    output.next('evidence verify <folder of a payment, with its evidence.json>')
    return EXIT.done
  },
}

async function wholeOrNot<Value>(target: string, fill: (folder: string) => Promise<Value>): Promise<Value> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(`${target}.`)
    const value = await fill(folder)
    await rename(folder, target)
    return value
  } catch (cause) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : undefined
    if (code === undefined) throw cause
    throw new UsageError(`The folder cannot be written (${code}).`, 'Name another place.', { cause })
  }
}

async function writeAll(
  archive: JournalArchive,
  only: string | undefined,
  folder: string,
  output: Output,
): Promise<{ readonly keys: number; readonly versions: number }> {
  let keys = 0
  let versions = 0
  let saidAt = Date.now()
  for await (const key of only === undefined ? allKeys(archive) : [only]) {
    const written = await writePayment(archive, key, folder)
    if (written === 0)
      throw new NotFoundError(`Nothing is stored under the key ${JSON.stringify(key)}.`, 'See journal list.')
    keys += 1
    versions += written
    if (Date.now() - saidAt >= PROGRESS_MS) {
      saidAt = Date.now()
      output.say(`wrote ${countOf(keys, 'payment')} ...`)
    }
  }
  await sync(folder)
  return { keys, versions }
}

async function writePayment(archive: JournalArchive, key: string, folder: string): Promise<number> {
  const stored = await archive.listVersions(key)
  if (stored.length === 0) return 0
  const own = join(folder, folderName(key))
  await mkdir(own)
  for (const { version, document } of stored) {
    const handle = await open(join(own, versionFile(version)), 'wx')
    try {
      await handle.writeFile(document)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  await sync(own)
  return stored.length
}

/** A key is a legal name but for the two that are places; a key that is no identifier was not written by an agent. */
function folderName(key: string): string {
  if (!isIdentifier(key))
    throw new UsageError(
      `The key ${JSON.stringify(key)} is no identifier, so it names no folder.`,
      'Look at it with journal check; export the others one by one.',
    )
  return /^\.+$/.test(key) ? key.replaceAll('.', '%2e') : key
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
