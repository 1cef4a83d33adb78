import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkbench, type Workbench } from './test/harness.ts'

let bench: Workbench
beforeEach(async () => {
  bench = await createWorkbench()
})
afterEach(() => bench.stop())

const configure = (value: unknown) => writeFile(join(bench.folder, 'home', 'config.json'), JSON.stringify(value))

describe('settings', () => {
  it('takes the folder of keys from option, environment, configuration and default, in this order', async () => {
    const folderOf = async (args: string[], env: Record<string, string>) =>
      JSON.parse((await bench.run(['key', 'list', '--json', ...args], { env })).out).folder
    expect(await folderOf([], {})).toBe(join(bench.folder, 'home', 'keystore'))
    await configure({ keystore: 'configured' })
    expect(await folderOf([], {})).toBe(join(bench.folder, 'home', 'configured'))
    expect(await folderOf([], { OIKOS_KEYSTORE: 'named' })).toBe(join(bench.folder, 'named'))
    expect(await folderOf(['--keystore', 'given'], { OIKOS_KEYSTORE: 'named' })).toBe(join(bench.folder, 'given'))
  })

  it.each([
    ['an unknown member', { rpx: 'http://127.0.0.1' }],
    ['a node that is no URL', { rpc: 'ftp://example.org' }],
    ['an asset that is no address', { assets: { USDC: '0x1' } }],
    ['gateways that are no list', { gateways: 'https://example.org' }],
  ])('refuses %s', async (_what, value) => {
    await configure(value)
    expect((await bench.run(['key', 'list'])).code).toBe(2)
  })

  it('takes no configuration and no keys from the folder that one happens to work in', async () => {
    await mkdir(join(bench.folder, '.oikos'))
    await writeFile(join(bench.folder, '.oikos', 'config.json'), JSON.stringify({ keystore: '/stolen', rpc: 'no' }))
    const { code, out } = await bench.run(['key', 'list', '--json'])
    expect(code).toBe(0)
    expect(out).not.toContain('stolen')
  })
})
