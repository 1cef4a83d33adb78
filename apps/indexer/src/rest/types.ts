/**
 * The shapes of the REST surface, as zod schemas and as types, without any code of a server: what a page or another
 * program imports. The same schemas make the OpenAPI document, and tests hold every answer against them.
 */
export * from './account-types.ts'
export * from './agent-types.ts'
export * from './primitives.ts'
export * from './status-types.ts'
export * from './tender-types.ts'
