import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'

/** Files by path, as text or bytes. */
export type Tree = Readonly<Record<string, string | Uint8Array>>

/** A folder for one test; everything made in a test file is removed after each of its tests. */
export function temporaryFolders(): { readonly make: (tree?: Tree, name?: string) => Promise<string> } {
  const made: string[] = []
  afterEach(async () => {
    for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  return {
    make: async (tree = {}, name = 'task') => {
      const parent = await realpath(await mkdtemp(join(tmpdir(), 'oikos-test-')))
      made.push(parent)
      const folder = join(parent, name)
      await mkdir(folder)
      await writeTree(folder, tree)
      return folder
    },
  }
}

/** Writes files below a folder. */
export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

/** Names of everything beside a folder, to see what a failure left behind. */
export async function namesBeside(folder: string): Promise<string[]> {
  return (await readdir(dirname(folder))).sort()
}

/** Everything that an iterable gives. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
