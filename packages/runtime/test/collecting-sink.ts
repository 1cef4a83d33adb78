import type { PushSink } from '../src/economic/host.ts'

/** A sink that keeps what it is given, for tests that stand in the place of the engine. */
export function collectingSink(): { readonly sink: PushSink; readonly text: () => string } {
  const pieces: Uint8Array[] = []
  return {
    sink: {
      push: (bytes) => {
        pieces.push(bytes.slice())
        return true
      },
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  }
}
