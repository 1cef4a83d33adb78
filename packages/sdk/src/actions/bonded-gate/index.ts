export {
  type AcceptThroughGateParameters,
  acceptThroughGate,
  acceptThroughGateAndWait,
  simulateAcceptThroughGate,
} from './accept-through-gate.ts'
export {
  type CollectEarningsParameters,
  collectEarnings,
  collectEarningsAndWait,
  simulateCollectEarnings,
} from './collect-earnings.ts'
export {
  type CollectEarningsToParameters,
  collectEarningsTo,
  collectEarningsToAndWait,
  simulateCollectEarningsTo,
} from './collect-earnings-to.ts'
export {
  type DeliverWithBondParameters,
  deliverWithBond,
  deliverWithBondAndWait,
  simulateDeliverWithBond,
} from './deliver-with-bond.ts'
export {
  type EvictDeliveryParameters,
  evictDelivery,
  evictDeliveryAndWait,
  simulateEvictDelivery,
} from './evict-delivery.ts'
export { type GetBondDelivererParameters, getBondDeliverer } from './get-bond-deliverer.ts'
export { type GetDeskParameters, getDesk } from './get-desk.ts'
export { type GateRule, type GetGateRuleParameters, getGateRule } from './get-gate-rule.ts'
export {
  type HandOverThroughGateParameters,
  handOverThroughGate,
  handOverThroughGateAndWait,
  simulateHandOverThroughGate,
} from './hand-over-through-gate.ts'
export {
  type RejectThroughGateParameters,
  rejectThroughGate,
  rejectThroughGateAndWait,
  simulateRejectThroughGate,
} from './reject-through-gate.ts'
export { type SettleBondParameters, settleBond, settleBondAndWait, simulateSettleBond } from './settle-bond.ts'
export type { GateDeliveryTarget, GateTarget, GateTenderTarget } from './target.ts'
