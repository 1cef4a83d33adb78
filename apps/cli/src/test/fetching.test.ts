import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopbackServers } from '../../../../packages/sdk/test/loopback-server.ts'
import { createMarketBench, fundedAddress, textAt } from './harness.ts'

const servers = loopbackServers()
let market: Awaited<ReturnType<typeof createMarketBench>>
let objects: Map<string, Buffer>

beforeAll(async () => {
  market = await createMarketBench()
  await market.as(0, 'task', 'init', 'work')
  await market.as(0, 'task', 'pack', 'work', '--out', 'package')
  const folder = join(market.bench.folder, 'package', 'objects')
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\bb[a-z2-7]{58}$/.test(file))
  objects = new Map(
    await Promise.all(files.map(async (file) => [file.slice(-59), await readFile(join(folder, file))] as const)),
  )
})
afterAll(() => market.stop())

async function mint(uri: string): Promise<string> {
  const terms = ['--reward', '1 wei', '--judge', fundedAddress(1), '--window', '1d']
  return textAt(await market.as(0, 'task', 'mint', 'package', ...terms, '--uri', uri, '--yes'), 'tokenId')
}

/** A gateway; `change` may alter what it gives. */
function gateway(change: (bytes: Buffer) => Buffer = (bytes) => bytes): Promise<string> {
  return servers.start((request, response) => {
    const cid = /\/ipfs\/(b[a-z2-7]{58})/.exec(request.url ?? '')?.[1] ?? ''
    const bytes = objects.get(cid)
    if (bytes === undefined) response.writeHead(404).end()
    else response.end(change(bytes))
  })
}

/** Verifies with an empty content store of its own. */
function verify(store: string, task: string, ...args: string[]) {
  return market.bench.run(['task', 'verify', task, '--content', store, '--json', ...args])
}

describe('a package is found wherever it is, and believed because of its hashes only', () => {
  it('at a gateway', async () => {
    const { code, json } = await verify('store-1', await mint('ipfs://somewhere'), '--gateway', await gateway())
    expect(json).toMatchObject({ ok: true, status: 'valid' })
    expect(code).toBe(0)
  })

  it('not at a gateway that lies, which is named, but at the next one', async () => {
    const liar = await gateway((bytes) => Buffer.concat([bytes, Buffer.from('!')]))
    const task = await mint('ipfs://somewhere')
    const lied = await verify('store-2', task, '--gateway', liar)
    expect(lied.code).toBe(1)
    expect(lied.json).toMatchObject({
      ok: false,
      status: 'incomplete',
      attempts: [{ from: liar, outcome: 'mismatch' }, { outcome: 'missing' }],
    })
    const saved = await verify('store-3', task, '--gateway', liar, '--gateway', await gateway())
    expect(saved.json).toMatchObject({ ok: true, attempts: [{ outcome: 'mismatch' }, {}, {}] })
  })

  it('in a packed folder that the URI names', async () => {
    const uri = pathToFileURL(join(market.bench.folder, 'package', 'root.cbor')).href
    const { code, json } = await verify('store-4', await mint(uri))
    expect(json).toMatchObject({ ok: true, status: 'valid' })
    expect(code).toBe(0)
  })

  it('not by an http URI to this machine, unless that is allowed', async () => {
    const { origin } = new URL(
      await servers.start((request, response) => {
        const name = request.url?.split('/').at(-1) ?? ''
        const bytes =
          name === 'root.cbor' ? [...objects].find(([cid]) => cid.startsWith('bafy'))?.[1] : objects.get(name)
        if (bytes === undefined) response.writeHead(404).end()
        else response.end(bytes)
      }),
    )
    const task = await mint(`${origin}/root.cbor`)
    expect((await verify('store-5', task)).json).toMatchObject({ ok: false, status: 'incomplete' })
    expect((await verify('store-6', task, '--allow-loopback')).json).toMatchObject({ ok: true })
  })
})
