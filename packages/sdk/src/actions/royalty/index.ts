export { type GetRoyaltyParameters, getRoyalty, type Royalty } from './get-royalty.ts'
export { type GetRoyaltyTaskParameters, getRoyaltyTask } from './get-royalty-task.ts'
export {
  type LowerRoyaltyParameters,
  lowerRoyalty,
  lowerRoyaltyAndWait,
  simulateLowerRoyalty,
} from './lower-royalty.ts'
export { type PassRoyaltyParameters, passRoyalty, passRoyaltyAndWait, simulatePassRoyalty } from './pass-royalty.ts'
export { type QuoteRoyaltyParameters, quoteRoyalty, type RoyaltyQuote } from './quote-royalty.ts'
export { type SetRoyaltyParameters, setRoyalty, setRoyaltyAndWait, simulateSetRoyalty } from './set-royalty.ts'
export type { RoyaltyTarget, TenderRoyaltyTarget } from './target.ts'
