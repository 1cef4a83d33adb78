import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { paymentMiddleware as expressPayment } from '@x402/express'
import { paymentMiddleware as honoPayment, x402ResourceServer } from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import type { Seller, SellerPrice } from '../src/x402/index.ts'
import type { SelfSigned } from './self-signed.ts'

/** A web shop that sells one resource, on the unmodified packages of x402. */
export type Shop = {
  readonly port: number
  /** How often the resource was handed out. */
  readonly served: () => number
  readonly close: () => Promise<void>
}

/** What a shop is made of. */
export type ShopOptions = {
  readonly framework: 'express' | 'hono'
  readonly seller: Seller
  readonly accepts: readonly SellerPrice[]
  /** The URL that is sold; its host is the name under which the shop is known. */
  readonly resource: string
  readonly method?: 'GET' | 'POST'
  readonly certificate?: SelfSigned
  /** Handlers may fail; the count is that of the calls so far. */
  readonly handle?: (call: number) => { readonly status: number; readonly body: unknown }
}

/** Opens a shop on a free port of 127.0.0.1. */
export async function openShop(options: ShopOptions): Promise<Shop> {
  const { seller, accepts, resource, method = 'GET', certificate } = options
  const resources = seller.register(new x402ResourceServer(seller.facilitator))
  const route = {
    accepts: accepts.map(seller.accept),
    // A shop with TLS learns its own URL from the request.
    ...(certificate === undefined ? { resource } : {}),
    extensions: { ...seller.extensions },
  }
  const routes = { [`${method} ${new URL(resource).pathname}`]: route }
  let calls = 0
  let served = 0
  const handle = () => {
    calls += 1
    const answer = options.handle?.(calls) ?? { status: 200, body: { secret: 42 } }
    if (answer.status < 400) served += 1
    return answer
  }
  const listener = options.framework === 'express' ? expressShop() : honoShop()
  const server: Server =
    certificate === undefined
      ? createServer(listener)
      : createTlsServer({ cert: certificate.certificatePem, key: certificate.keyPem }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    served: () => served,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  function expressShop() {
    const app = express()
    app.use(expressPayment(routes, resources))
    app.all(new URL(resource).pathname, (_request, response) => {
      const { status, body } = handle()
      response.status(status).json(body)
    })
    return app
  }

  function honoShop() {
    const app = new Hono()
    app.use(honoPayment(routes, resources))
    app.all(new URL(resource).pathname, (context) => {
      const { status, body } = handle()
      return context.json(body as object, status as 200)
    })
    return getRequestListener(app.fetch)
  }
}
