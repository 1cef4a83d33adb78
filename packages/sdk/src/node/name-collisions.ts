/** Two package paths that are one name on a file system that ignores case or normalises Unicode. */
export type NameCollision = { readonly path: string; readonly other: string }

/** One name for all spellings that some file system takes for the same: case folded, composed. */
function foldName(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * The first pair of paths that cannot stand beside each other on every file system: equal after folding, a file where
 * another path needs a folder, or folders that differ only in spelling.
 */
export function findNameCollision(paths: readonly string[]): NameCollision | undefined {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  for (const path of paths) {
    const folded = foldName(path)
    const other = files.get(folded) ?? folders.get(folded)
    if (other !== undefined) return { path, other }
    files.set(folded, path)
    for (const folder of parentsOf(path)) {
      const foldedFolder = foldName(folder)
      const file = files.get(foldedFolder)
      if (file !== undefined) return { path, other: file }
      const spelling = folders.get(foldedFolder)
      if (spelling !== undefined && spelling !== folder) return { path, other: spelling }
      folders.set(foldedFolder, folder)
    }
  }
  return undefined
}

function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) parents.push(path.slice(0, at))
  return parents
}
