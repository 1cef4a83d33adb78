export { createRehearsalChain, type RehearsalChain, type RehearsalChainOptions } from './chain.ts'
export { createRehearsalHost, type RehearsalHostOptions } from './host.ts'
export {
  type RehearsalBounds,
  type RehearsalPayment,
  rehearsalPolicy,
  rehearsalRunOf,
  rehearsalSource,
} from './proposal.ts'
