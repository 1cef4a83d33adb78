import { createServer } from 'node:net'

/** A port that is free at this moment on an address; `wanted` itself where it is not 0. Rejects when that one is taken. */
export function findPort(wanted: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(wanted, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : wanted
      server.close(() => resolve(port))
    })
  })
}
