import { createHash } from 'node:crypto'

/** The same function as in `sha256-portable.ts`, by the processor's own instructions where Node.js runs. */
export function sha256Hex(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
