import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { SelfSigned } from './self-signed.ts'

/** A server on loopback that speaks whatever a test makes it speak. */
export type RawServer = {
  readonly port: number
  /** Everything that clients sent, in the order in which it came. */
  readonly received: () => string
  /** Connections that were accepted. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Starts one on a free port of 127.0.0.1, with TLS when it has a certificate. `talk` gets each connection. */
export async function startRawServer(talk: (socket: Socket) => void, certificate?: SelfSigned): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let text = ''
  let count = 0
  const onConnection = (socket: Socket): void => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
    })
    talk(socket)
  }
  const server: Server =
    certificate === undefined
      ? createServer(onConnection)
      : createTlsServer({ cert: certificate.certificatePem, key: certificate.keyPem }, onConnection)
  server.on('tlsClientError', () => {})
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return {
    port,
    received: () => text,
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Waits for the end of the head of a request, then answers with a text and ends. */
export function answering(answer: string | Uint8Array): (socket: Socket) => void {
  return (socket) => {
    let head = ''
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString('latin1')
      if (head.includes('\r\n\r\n')) socket.end(answer)
    })
  }
}
