import { createContentResolver, nodeSha256, openContentStore } from '@oikos/sdk/node'
import { z } from 'zod'
import { readPlan } from '../plan/index-plan.ts'
import { CheckStore } from './check-store.ts'
import { createIndexClient } from './index-client.ts'
import { runChecks } from './run-checks.ts'
import { openSqlDatabase } from './sql-database.ts'

/** Environment variable with the options of this process as JSON. */
const OPTIONS_VARIABLE = 'OIKOS_CHECKS'

/** Longest wait for one object. */
const FETCH_TIMEOUT_MS = 15_000

const options = z
  .strictObject({
    apiUrl: z.url(),
    contentFolder: z.string().nullable(),
    gateways: z.array(z.url()).max(16),
    /** Whether records and packages under https URIs of strangers are fetched: that tells them who asks. */
    fetchHttps: z.boolean(),
    pauseMs: z.number().int().min(50).max(600_000),
  })
  .parse(JSON.parse(process.env[OPTIONS_VARIABLE] ?? 'null'))

const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())

const plan = readPlan(process.env)
const store = await CheckStore.open(await openSqlDatabase(plan.checks))
const bases = options.gateways.map((gateway) => `${gateway.replace(/\/+$/, '')}/`)
const resolver = createContentResolver({
  ...(options.contentFolder === null ? {} : { store: await openContentStore(options.contentFolder) }),
  gateways: options.gateways,
  fetch: (url, init) => {
    if (options.fetchHttps || bases.some((base) => url.startsWith(base))) return fetch(url, init)
    throw new Error('only gateways are asked')
  },
  allowLoopbackUris: false,
  limits: { timeoutMs: FETCH_TIMEOUT_MS },
  hash: nodeSha256,
})
await runChecks({
  ...{ plan, store, resolver, signal: ending.signal, pauseMs: options.pauseMs },
  index: createIndexClient(options.apiUrl, ending.signal),
  onError: (error) => console.error(`${new Date().toISOString()} round failed: ${String(error).slice(0, 500)}`),
})
await store.close()
