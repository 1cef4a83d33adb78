export * from './cid.ts'
export * from './digest.ts'
