import type { PgColumnsBuilders } from 'ponder'

/** The log that made a row, or changed it last. */
const placed = (t: PgColumnsBuilders) => ({
  block: t.int8({ mode: 'number' }).notNull(),
  timeSec: t.int8({ mode: 'number' }).notNull(),
  tx: t.hex().notNull(),
  logIndex: t.integer().notNull(),
})

/** The log that a row was first made by, beside the one that changed it last. */
export const born = (t: PgColumnsBuilders) => ({
  bornBlock: t.int8({ mode: 'number' }).notNull(),
  bornTimeSec: t.int8({ mode: 'number' }).notNull(),
  bornTx: t.hex().notNull(),
  bornLogIndex: t.integer().notNull(),
})

export const onChain = (t: PgColumnsBuilders) => ({ chainId: t.int8({ mode: 'number' }).notNull(), ...placed(t) })
export const ofAgent = (t: PgColumnsBuilders) => ({ ...onChain(t), agent: t.hex().notNull() })
export const ofTender = (t: PgColumnsBuilders) => ({
  ...onChain(t),
  contract: t.hex().notNull(),
  tokenId: t.bigint().notNull(),
})
