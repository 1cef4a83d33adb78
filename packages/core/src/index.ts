export * from './digest/index.ts'
export * from './task-package/index.ts'
