export type { RouterEventTarget } from './define-router-event.ts'
export { listRouterFunded, type RouterFundedEvent, watchRouterFunded } from './router-funded.ts'
export {
  listRouterRefundCollected,
  type RouterRefundCollectedEvent,
  watchRouterRefundCollected,
} from './router-refund-collected.ts'
export { listRouterRefunded, type RouterRefundedEvent, watchRouterRefunded } from './router-refunded.ts'
