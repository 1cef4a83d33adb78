export { buildExplorer } from './build-explorer.ts'
export { type Explorer, type ExplorerChain, type ExplorerOptions, serveExplorer } from './serve-explorer.ts'
