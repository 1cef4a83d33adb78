/** The part of Express that the tests use; it brings no types of its own. */
declare module 'express' {
  import type { RequestListener } from 'node:http'

  type ExpressResponse = { status: (code: number) => ExpressResponse; json: (body: unknown) => void }
  type ExpressApp = RequestListener & {
    use: (middleware: unknown) => void
    all: (path: string, handler: (request: unknown, response: ExpressResponse) => void) => void
  }
  const express: () => ExpressApp
  export = express
}
