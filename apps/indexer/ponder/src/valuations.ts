import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { type Indexing, type Logged, low, placeOf } from './kept.ts'

/** Anybody may emit these: they are kept under the emitter, and shown where an Agent lists it. */
async function keepNews({ db, chain }: Indexing, event: Logged, name: string, value: bigint): Promise<void> {
  const news = { event: name, value, ...placeOf(event) }
  await db
    .insert(schema.valuationNews)
    .values({ chainId: chain.id, address: low(event.log.address), ...news })
    .onConflictDoUpdate(() => news)
}

ponder.on('Valuation:Checkpoint', ({ event, context }) => keepNews(context, event, 'Checkpoint', event.args.price))
ponder.on('Valuation:ValueAttested', ({ event, context }) =>
  keepNews(context, event, 'ValueAttested', event.args.value),
)
ponder.on('Valuation:ValueProposed', ({ event, context }) =>
  keepNews(context, event, 'ValueProposed', event.args.value),
)
