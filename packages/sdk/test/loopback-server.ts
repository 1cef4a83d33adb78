import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** HTTP servers on loopback for one test each; closed after it. */
export function loopbackServers(): { readonly start: (listener: RequestListener) => Promise<string> } {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  return {
    start: async (listener) => {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closers.push(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  }
}
