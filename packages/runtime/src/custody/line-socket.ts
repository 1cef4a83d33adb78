import type { Socket } from 'node:net'

/** Why no line came. */
export type LineFault = 'timeout' | 'oversize' | 'closed'

/**
 * The first line that comes on a socket, without its LF, within a time and a size. Anything behind it is not read. It gives
 * the fault instead of a line when there is none; it never throws.
 */
export function readLine(
  socket: Socket,
  bounds: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<{ readonly line: string } | { readonly fault: LineFault }> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let length = 0
    const finish = (result: { readonly line: string } | { readonly fault: LineFault }): void => {
      clearTimeout(timer)
      socket.off('data', onData)
      socket.off('close', onClose)
      socket.off('end', onClose)
      resolve(result)
    }
    const onData = (piece: Buffer): void => {
      const end = piece.indexOf(0x0a)
      const part = end === -1 ? piece : piece.subarray(0, end)
      length += part.length
      pieces.push(part)
      if (length > bounds.maxBytes) finish({ fault: 'oversize' })
      else if (end !== -1) finish({ line: Buffer.concat(pieces).toString('utf8') })
    }
    const onClose = (): void => finish({ fault: 'closed' })
    const timer = setTimeout(() => finish({ fault: 'timeout' }), bounds.timeoutMs)
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.once('end', onClose)
  })
}
