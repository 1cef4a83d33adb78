import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  blocksFrom,
  type Cid,
  packTaskRoot,
  parseSha256Digest,
  sha256,
  type TaskHash,
  type TaskRoot,
  toDagCborCid,
  toRawCid,
  verifyTaskPackage,
} from '@oikos/core'
import { nodeSha256, type PackFolderOptions, packFolder, verifyFolder } from '@oikos/sdk/node'

/**
 * Packing of many small files and of one large file, and encoding and verifying of roots, beside plain SHA-256 of the
 * same bytes in the same run. `node bench/package.ts [--json]`; data is made in a temporary folder and removed.
 */
const MEBIBYTE = 1024 * 1024
const SMALL_FILES = 10_000
const SMALL_BYTES = 4_096
const LARGE_BYTES = 256 * MEBIBYTE
const ROOT_SIZES = [10, 1_000, 10_000] as const
/** The best of these repetitions is reported: other work on the machine only ever makes a run slower. */
const REPETITIONS = 3

type Row = { readonly name: string; readonly elapsedMs: number; readonly value: number; readonly unit: string }
const rows: Row[] = []

async function best(run: () => unknown, prepare: () => Promise<unknown> = async () => {}): Promise<number> {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    await prepare()
    const started = performance.now()
    await run()
    fastestMs = Math.min(fastestMs, performance.now() - started)
  }
  return fastestMs
}

function addRate(name: string, elapsedMs: number, bytes: number): number {
  const value = bytes / 1e6 / (elapsedMs / 1e3)
  rows.push({ name, elapsedMs, value, unit: 'MB/s' })
  return value
}

async function benchFolder(name: string, parent: string, bytes: number, options: PackFolderOptions): Promise<number> {
  const folder = join(parent, 'task')
  const output = join(parent, 'packed')
  const clean = () => rm(output, { recursive: true, force: true })
  const hashed = addRate(`${name}: pack, hashes only`, await best(() => packFolder(folder, options)), bytes)
  addRate(
    `${name}: pack and write, synced to disk`,
    await best(() => packFolder(folder, { ...options, output }), clean),
    bytes,
  )
  const limits = options.limits ?? {}
  addRate(`${name}: verify the packed folder`, await best(() => verifyFolder(output, { limits })), bytes)
  return hashed
}

async function benchLarge(parent: string): Promise<void> {
  const folder = join(parent, 'task')
  await mkdir(folder, { recursive: true })
  const bytes = randomBytes(LARGE_BYTES)
  await writeFile(join(folder, 'TASK.md'), '# Large\n')
  await writeFile(join(folder, 'large.bin'), bytes)
  const plainMs = await best(() => createHash('sha256').update(bytes).digest())
  const plain = addRate('256 MiB: plain node:crypto SHA-256 in memory', plainMs, LARGE_BYTES)
  const limits = { objectBytes: LARGE_BYTES }
  const packed = await benchFolder('256 MiB', parent, LARGE_BYTES, { limits })
  rows.push({
    name: '256 MiB: packing (hashes only) of plain SHA-256',
    elapsedMs: 0,
    value: (100 * packed) / plain,
    unit: '%',
  })
}

async function benchSmall(parent: string): Promise<void> {
  const folder = join(parent, 'task')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'TASK.md'), '# Many\n')
  const pieces: Buffer[] = []
  for (let index = 0; index < SMALL_FILES; index++) {
    const shard = join(folder, `part-${index % 100}`)
    if (index < 100) await mkdir(shard)
    const bytes = randomBytes(SMALL_BYTES)
    pieces.push(bytes)
    await writeFile(join(shard, `file-${index}.bin`), bytes)
  }
  const plainMs = await best(() => {
    for (const piece of pieces) createHash('sha256').update(piece).digest()
  })
  addRate('10,000 x 4 KiB: plain node:crypto SHA-256 in memory', plainMs, SMALL_FILES * SMALL_BYTES)
  await benchFolder('10,000 x 4 KiB', parent, SMALL_FILES * SMALL_BYTES, {})
}

function makeRoot(entries: number): TaskRoot {
  const cid = (index: number): Cid => toRawCid(parseSha256Digest(`0x${index.toString(16).padStart(64, '0')}`))
  const td = { path: 'TASK.md', cid: cid(1) }
  const files = new Map(
    Array.from({ length: entries }, (_, index): [string, Cid] => [`folder/file-${index}.bin`, cid(index + 2)]),
  )
  return { td, spec: { ...td, profile: 'llm-markdown-v1' }, manifest: cid(0), files }
}

async function benchRoots(): Promise<void> {
  for (const entries of ROOT_SIZES) {
    const root = makeRoot(entries)
    const bytes = packTaskRoot(root)
    const taskHash = sha256(bytes) as TaskHash
    const source = blocksFrom(new Map<Cid, Uint8Array>([[toDagCborCid(taskHash), bytes]]))
    const addMs = (name: string, elapsedMs: number) =>
      rows.push({
        name: `root of ${entries} files: ${name}`,
        elapsedMs,
        value: (elapsedMs * 1e3) / entries,
        unit: 'us per file',
      })
    addMs('encode (and read back)', await best(() => packTaskRoot(root)))
    const verify = () => verifyTaskPackage({ source, taskHash, level: 'root', hash: nodeSha256 })
    const verdict = await verify()
    if (!verdict.ok) throw new Error(`the root of the benchmark does not verify: ${verdict.findings[0]?.message}`)
    addMs('verify', await best(verify))
  }
}

const folder = await mkdtemp(join(tmpdir(), 'oikos-bench-'))
try {
  await benchRoots()
  await benchSmall(join(folder, 'small'))
  await benchLarge(join(folder, 'large'))
} finally {
  await rm(folder, { recursive: true, force: true })
}

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, repetitions: REPETITIONS, rows }, null, 1))
} else {
  for (const { name, elapsedMs, value, unit } of rows)
    console.log(`${name.padEnd(58)} ${elapsedMs.toFixed(1).padStart(10)} ms ${value.toFixed(1).padStart(10)} ${unit}`)
}
