export { createEconomicAgent, type EconomicAgent } from './agent.ts'
export type { EconomicOutcome, EconomicRefusal, EconomicRun } from './finish.ts'
export type * from './host.ts'
export type { RunDocuments } from './run-documents.ts'
