import { MAX_FILES, MAX_OBJECT_BYTES, MAX_PACKAGE_BYTES } from '@oikos/core'

/** Bounds of one archive, in bytes and blocks. */
export type CarLimits = {
  readonly carBytes: number
  readonly blockBytes: number
  readonly blocks: number
  readonly roots: number
}

/** Room for the largest package with the framing of its blocks, and for many small records. */
export const DEFAULT_CAR_LIMITS: CarLimits = {
  carBytes: MAX_PACKAGE_BYTES + 64 * 1024 * 1024,
  blockBytes: MAX_OBJECT_BYTES,
  blocks: 10 * MAX_FILES,
  roots: 1_000,
}
