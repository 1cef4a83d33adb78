import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A file system of a given size, in memory, for tests of what happens when it is full. */
export type SmallDisk = {
  readonly folder: string
  readonly resize: (mebibytes: number) => void
  readonly remove: () => void
}

/** Mounts a file system; undefined where this process may not. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  if (process.platform !== 'linux' || userInfo().uid !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'oikos-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    rmdirSync(folder)
    return undefined
  }
  return {
    folder,
    resize: (size) => execFileSync('mount', ['-o', `remount,size=${size}m`, folder], { stdio: 'pipe' }),
    remove: () => {
      execFileSync('umount', [folder], { stdio: 'pipe' })
      rmdirSync(folder)
    },
  }
}

/** Whether {@link mountSmallDisk} works here. */
export function canMountDisks(): boolean {
  const disk = mountSmallDisk(1)
  disk?.remove()
  return disk !== undefined
}
