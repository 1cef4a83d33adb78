export * from './digest/index.ts'
export * from './quantity/index.ts'
export * from './task-package/index.ts'
