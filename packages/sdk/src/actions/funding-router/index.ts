export {
  type FundTaskThroughRouterParameters,
  fundTaskThroughRouter,
  fundTaskThroughRouterAndWait,
  simulateFundTaskThroughRouter,
} from './fund-task-through-router.ts'
export { type GetRoutedContributionParameters, getRoutedContribution } from './get-routed-contribution.ts'
export { type GetRouterPotParameters, getRouterPot, type RouterPot } from './get-router-pot.ts'
export { type GetRouterTermsParameters, getRouterTerms, type RouterTerms } from './get-router-terms.ts'
export { type QuoteRouterFeeParameters, quoteRouterFee } from './quote-router-fee.ts'
export {
  type RefundFromRouterParameters,
  refundFromRouter,
  refundFromRouterAndWait,
  simulateRefundFromRouter,
} from './refund-from-router.ts'
export type { RoutedTenderTarget, RouterTarget } from './target.ts'
