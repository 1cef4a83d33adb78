import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const room = join(import.meta.dirname, '..', '..')

/** Folders whose files make the site. */
const SOURCES = [
  join(room, 'src', 'client'),
  join(room, 'public'),
  join(room, '..', '..', 'packages', 'core', 'src'),
  join(room, '..', '..', 'packages', 'sdk', 'src'),
]

/** Builds the site where its sources are newer than what was built, and gives its folder. */
export async function buildExplorer(): Promise<string> {
  const folder = join(room, 'dist')
  const index = join(folder, 'index.html')
  if (!existsSync(index) || (await newestOf(SOURCES)) > statSync(index).mtimeMs)
    await build({ root: room, logLevel: 'error' })
  return folder
}

async function newestOf(folders: readonly string[]): Promise<number> {
  let newest = 0
  for (const folder of folders)
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return newest
}
