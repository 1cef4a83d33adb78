import { CarReader } from '@ipld/car'
import { type Cid, dagCborCidOf, packTaskPackage, rawCidOf } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../test/memory-store.ts'
import { collect } from '../../test/temporary-folder.ts'
import { exportCar } from './export-car.ts'
import { readCar } from './read-car.ts'

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const packed = packTaskPackage({
  files: new Map([
    ['TASK.md', text('# Work')],
    ['data/a.txt', text('a')],
  ]),
})

async function storeOfPackage() {
  const store = createMemoryStore()
  for (const [cid, bytes] of packed.blocks) store.blocks.set(cid, bytes)
  return store
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(Buffer.concat(await collect(pieces)))
}

function joined(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))))
}

async function* inPieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Uint8Array, options?: Parameters<typeof readCar>[1]) {
  const { roots, blocks } = await readCar(inPieces(bytes), options)
  return { roots, blocks: await collect(blocks) }
}

describe('exportCar', () => {
  it('writes a root with the blocks that its package needs, as the library of others reads it', async () => {
    const car = await bytesOf(exportCar({ source: await storeOfPackage(), roots: [packed.rootCid] }))
    const reader = await CarReader.fromBytes(car)
    expect((await reader.getRoots()).map(String)).toEqual([packed.rootCid])
    const cids: string[] = []
    for await (const cid of reader.cids()) cids.push(String(cid))
    expect(cids[0]).toBe(packed.rootCid)
    expect(cids.sort()).toEqual([...packed.blocks.keys()].sort())
  })

  it('gives the same bytes for the same roots, and the root alone when asked', async () => {
    const source = await storeOfPackage()
    const first = await bytesOf(exportCar({ source, roots: [packed.rootCid] }))
    expect(await bytesOf(exportCar({ source, roots: [packed.rootCid, packed.rootCid] }))).toEqual(first)
    const alone = await bytesOf(exportCar({ source, roots: [packed.rootCid], follow: false }))
    expect((await read(alone)).blocks.map(({ cid }) => cid)).toEqual([packed.rootCid])
  })

  it('refuses a block that is not there, or is another', async () => {
    const source = await storeOfPackage()
    const leaf = [...source.blocks.keys()].find((cid) => cid !== packed.rootCid) as Cid
    source.blocks.set(leaf, text('other'))
    await expect(bytesOf(exportCar({ source, roots: [packed.rootCid] }))).rejects.toMatchObject({
      code: 'hash-mismatch',
    })
    source.blocks.delete(leaf)
    await expect(bytesOf(exportCar({ source, roots: [packed.rootCid] }))).rejects.toMatchObject({
      code: 'block-missing',
    })
  })
})

describe('readCar', () => {
  const framed = (cid: Uint8Array, bytes: Uint8Array) => joined([[cid.length + bytes.length], cid, bytes])
  const rawCid = (digest: Uint8Array, codec = 0x55) => joined([[1, codec, 0x12, 32], digest])
  const sha = async (bytes: Uint8Array) => new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
  /** dag-cbor of {roots: [], version: 1} with its length before it. */
  const header = Uint8Array.of(17, 0xa2, 0x65, ...text('roots'), 0x80, 0x67, ...text('version'), 1)

  it('reads what it wrote, in pieces of any size', async () => {
    const car = await bytesOf(exportCar({ source: await storeOfPackage(), roots: [packed.rootCid] }))
    const { roots, blocks } = await read(car)
    expect(roots).toEqual([packed.rootCid])
    expect(new Map(blocks.map(({ cid, bytes }) => [cid, bytes]))).toEqual(new Map(packed.blocks))
  })

  it('refuses each kind of broken archive under its own code', async () => {
    const block = text('block')
    const good = framed(rawCid(await sha(block)), block)
    const cases: readonly [string, Uint8Array][] = [
      ['truncated', joined([header, good.subarray(0, -1)])],
      ['hash-mismatch', joined([header, framed(rawCid(await sha(block)), text('blocK'))])],
      ['unsupported-cid', joined([header, framed(rawCid(await sha(block), 0x70), block)])],
      ['malformed', joined([header, [10], rawCid(await sha(block))])],
      ['malformed', joined([[0], header])],
      ['malformed', joined([header, [0], good])],
      ['unsupported-version', joined([header.subarray(0, -1), [3]])],
      ['too-large', joined([[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], header])],
      ['too-large', joined([header, [0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], rawCid(await sha(block)), block])],
      ['truncated', new Uint8Array()],
    ]
    for (const [code, bytes] of cases) await expect(read(bytes), code).rejects.toMatchObject({ name: 'CarError', code })
    expect((await read(joined([header, good]))).blocks).toMatchObject([{ cid: rawCidOf(block) }])
  })

  it('holds its limits', async () => {
    const source = await storeOfPackage()
    const car = await bytesOf(exportCar({ source, roots: [packed.rootCid] }))
    const fails = (limits: object) => expect(read(car, { limits })).rejects
    await fails({ carBytes: car.length - 1 }).toMatchObject({ code: 'too-large' })
    await fails({ blockBytes: 5 }).toMatchObject({ code: 'too-large' })
    await fails({ blocks: packed.blocks.size - 1 }).toMatchObject({ code: 'too-many-blocks' })
    await fails({ roots: 0 }).toMatchObject({ code: 'too-many-roots' })
    expect((await read(car, { limits: { carBytes: car.length, blocks: packed.blocks.size } })).blocks.length).toBe(
      packed.blocks.size,
    )
    expect(packed.rootCid).toBe(dagCborCidOf(packed.blocks.get(packed.rootCid) as Uint8Array))
  })
})
