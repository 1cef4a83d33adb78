/** Bytes before each frame: its length, unsigned, big-endian. */
export const PREFIX_BYTES = 4

/** The bytes of one frame, for a pipe. */
export function packFrame(payload: Uint8Array): readonly Uint8Array[] {
  const prefix = new Uint8Array(PREFIX_BYTES)
  new DataView(prefix.buffer).setUint32(0, payload.length)
  return [prefix, payload]
}

/** What is wrong with a stream of frames. */
type FrameFault = 'too-large' | 'cut-off'

/** Takes a stream apart into frames, under a limit for all of them together. */
export type FrameReader = {
  /** Takes what arrived; returns a fault as soon as a frame is announced that would exceed the limit. */
  push(chunk: Uint8Array): FrameFault | undefined
  /** All frames, once the stream has ended; `cut-off` when it ended within one. */
  end(): readonly Uint8Array[] | FrameFault
}

/** @param maxBytes of all frames with their prefixes */
export function createFrameReader(maxBytes: number): FrameReader {
  const frames: Uint8Array[] = []
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let needed: number | undefined
  let taken = 0

  const take = (bytes: number): Uint8Array => {
    const result = new Uint8Array(bytes)
    let filled = 0
    while (filled < bytes) {
      const [chunk = new Uint8Array()] = pending
      const part = chunk.subarray(0, bytes - filled)
      result.set(part, filled)
      filled += part.length
      if (part.length === chunk.length) pending = pending.slice(1)
      else pending[0] = chunk.subarray(part.length)
    }
    pendingBytes -= bytes
    return result
  }

  return {
    push: (chunk) => {
      taken += chunk.length
      if (taken > maxBytes) return 'too-large'
      if (chunk.length > 0) pending.push(chunk)
      pendingBytes += chunk.length
      for (;;) {
        if (needed === undefined) {
          if (pendingBytes < PREFIX_BYTES) return undefined
          needed = new DataView(take(PREFIX_BYTES).buffer).getUint32(0)
          if (needed > maxBytes) return 'too-large'
        }
        if (pendingBytes < needed) return undefined
        frames.push(take(needed))
        needed = undefined
      }
    },
    end: () => (pendingBytes > 0 || needed !== undefined ? 'cut-off' : frames),
  }
}
