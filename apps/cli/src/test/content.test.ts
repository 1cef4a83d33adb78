import { readFile, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { shardOf } from '@oikos/sdk/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketBench, createWorkbench, textAt, type Workbench } from './harness.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.stop())

async function add(on: Workbench, name: string, text: string): Promise<string> {
  await writeFile(join(on.folder, name), text)
  return textAt((await on.run(['content', 'add', name, '--json'])).json, 'cid')
}

/** Makes blocks look as if they had been stored two days ago. */
async function age(on: Workbench, ...cids: readonly string[]): Promise<void> {
  const then = new Date(Date.now() - 2 * 86_400_000)
  for (const cid of cids) await utimes(join(on.folder, 'home', 'content', shardOf(cid as never), cid), then, then)
}

describe('content serve', () => {
  it('prints where it is, serves the store, and ends with Ctrl-C', async () => {
    const cid = await add(bench, 'a.txt', 'served')
    const interruption = new AbortController()
    const said = new Promise<void>((resolve) => {
      const onSay = (text: string): void => {
        if (text.includes('Ctrl-C')) resolve()
      }
      serving = bench.run(['content', 'serve', '--port', '0', '--json'], { signal: interruption.signal, onSay })
    })
    await said
    interruption.abort()
    const { code, out } = await serving
    expect(code).toBe(130)
    const [first] = out.split('\n}\n')
    const { url } = JSON.parse(`${first}\n}`) as { url: string }
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await expect(fetch(`${url}/ipfs/${cid}`)).rejects.toThrow()
  })
  let serving: ReturnType<Workbench['run']>

  it('refuses an origin that is none', async () => {
    expect((await bench.run(['content', 'serve', '--allow-origin', 'example.org'])).code).toBe(2)
  })
})

describe('content export and import', () => {
  it('carry a package from one store to another, and refuse to overwrite', async () => {
    await bench.run(['task', 'init', 'work'])
    const root = textAt((await bench.run(['task', 'pack', 'work', '--json'])).json, 'rootCid')
    const exported = await bench.run(['content', 'export', root, '--out', 'work.car', '--json'])
    expect(exported.json).toMatchObject({ ok: true, roots: [root] })
    expect((await bench.run(['content', 'export', root, '--out', 'work.car'])).code).toBe(2)
    const other = await createWorkbench()
    await writeFile(join(other.folder, 'work.car'), await readFile(join(bench.folder, 'work.car')))
    const imported = await other.run(['content', 'import', 'work.car', '--json'])
    expect(imported.json).toMatchObject({
      ok: true,
      roots: [root],
      blocks: (exported.json as { blocks: number }).blocks,
    })
    expect((await other.run(['content', 'get', root, '--out', 'root.cbor'])).code).toBe(0)
    await other.stop()
  })

  it('take nothing of an archive that was changed, and say why', async () => {
    const car = await readFile(join(bench.folder, 'work.car'))
    car[car.length - 1] = (car[car.length - 1] ?? 0) ^ 1
    await writeFile(join(bench.folder, 'bad.car'), car)
    const { code, json } = await bench.run(['content', 'import', 'bad.car', '--json'])
    expect([code, textAt(json, 'error.code')]).toEqual([1, 'hash-mismatch'])
    expect((await bench.run(['content', 'import', 'none.car'])).code).toBe(4)
  })
})

describe('content pin', () => {
  it('gives a node the blocks, and never prints the token', async () => {
    const cid = await add(bench, 'pinned.txt', 'pinned')
    const tokens: (string | undefined)[] = []
    const node = createServer((request, response) => {
      tokens.push(request.headers.authorization)
      request.resume()
      request.on('end', () => response.end(JSON.stringify({ Key: cid, Pins: [cid] })))
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    const env = { OIKOS_PIN_TOKEN: 'a-secret' }
    const done = await bench.run(['content', 'pin', cid, '--node', url, '--json'], { env })
    expect([done.code, done.json]).toMatchObject([0, { cid, uploaded: 1 }])
    expect(tokens).toEqual(['Bearer a-secret', 'Bearer a-secret'])
    expect(done.out + done.err).not.toContain('a-secret')
    node.closeAllConnections()
    node.close()
    const gone = await bench.run(['content', 'pin', cid, '--node', url, '--json'], { env })
    expect([gone.code, textAt(gone.json, 'error.code')]).toEqual([3, 'unreachable'])
    expect((await bench.run(['content', 'pin', cid])).code).toBe(2)
  })
})

describe('content collect', () => {
  it('keeps what the chain cites and what that links to, shows first, and removes with --yes', async () => {
    const { bench: on, as, stop } = await createMarketBench()
    try {
      await on.run(['task', 'init', 'work'])
      await as(
        0,
        'task',
        'mint',
        'work',
        '--reward',
        '1 ETH',
        '--window',
        '3d',
        '--judge',
        '0x'.padEnd(42, '1'),
        '--yes',
      )
      await as(0, 'task', 'fund', '1', '2 ETH', '--yes')
      const packed = await on.run(['task', 'pack', 'work', '--out', 'packed', '--json'])
      const root = textAt(packed.json, 'rootCid')
      const delivery = await add(on, 'delivery.txt', 'the work')
      await as(1, 'task', 'submit', '1', '--file', 'delivery.txt', '--yes')
      const loose = await add(on, 'loose.txt', 'loose')
      const young = await add(on, 'young.txt', 'young')
      await age(on, loose, delivery, root)
      const shown = await on.run(['content', 'collect', '--json'])
      expect(shown.json).toMatchObject({ dryRun: true, cids: [loose], young: { blocks: 1 }, unread: [] })
      expect((await on.run(['content', 'get', loose])).code).toBe(0)
      const done = await on.run(['content', 'collect', '--yes', '--json'])
      expect(done.json).toMatchObject({ dryRun: false, done: { removed: 1, spared: 0 } })
      expect((await on.run(['content', 'get', loose])).code).toBe(4)
      for (const kept of [delivery, young]) expect((await on.run(['content', 'get', kept])).code).toBe(0)
      expect((await on.run(['task', 'verify', '1'])).err).not.toContain('missing')
    } finally {
      await stop()
    }
  })

  it('keeps what a file lists without a chain, and refuses when nothing says what is cited', async () => {
    const own = await createWorkbench()
    const [kept, loose] = [await add(own, 'k.txt', 'kept'), await add(own, 'l.txt', 'loose')]
    await age(own, kept, loose)
    await writeFile(join(own.folder, 'cited.txt'), `# mine\nipfs://${kept}\n`)
    const { json } = await own.run(['content', 'collect', '--only-cited', '--cited', 'cited.txt', '--json'])
    expect(json).toMatchObject({ cids: [loose], kept: { blocks: 1 } })
    expect((await own.run(['content', 'collect', '--only-cited'])).code).toBe(2)
    await own.stop()
  })
})
