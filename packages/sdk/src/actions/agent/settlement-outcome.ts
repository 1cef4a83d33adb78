/** What can become of one member of a settlement, in the order of the contract. Source: IAgentErrors.sol, Outcome. */
const OUTCOMES = [
  'settled',
  'nothing-pending',
  'own-request',
  'too-young',
  'too-small',
  'limit-breached',
  'illiquid',
] as const

/** What became of one member of a settlement. */
export type SettlementOutcome = (typeof OUTCOMES)[number]

/** The outcome of a number in SettlementSkipped or Unsettled; undefined for a number that is not known here. */
export function settlementOutcomeOf(number: number): SettlementOutcome | undefined {
  return OUTCOMES[number]
}

/** Why a member was not settled, as the rest of a sentence: `the request was not settled because …`. */
export const outcomeReasons: Readonly<Record<SettlementOutcome, string>> = {
  settled: 'it was settled',
  'nothing-pending': 'nothing is pending',
  'own-request': 'nobody settles their own request',
  'too-young': 'the request is younger than the least age that the Agent demands',
  'too-small': 'it is so small that rounding would take more than one basis point of it',
  'limit-breached': 'the rate is worse than the limit that the requester set',
  illiquid: 'the Agent does not hold enough free Accept Token',
}
