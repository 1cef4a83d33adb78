/// <reference types="ponder/virtual" />

/** Gives Ponder's virtual modules the types of our config and our schema. Ponder writes a file of its own at each start. */
declare module 'ponder:internal' {
  const config: typeof import('./ponder.config.ts')
  const schema: typeof import('./ponder.schema.ts')
}
