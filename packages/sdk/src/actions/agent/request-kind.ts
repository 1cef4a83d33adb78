/** The two sides of an Agent: a deposit for shares, or shares for a payout. */
export type RequestKind = 'mint' | 'redeem'

/** The number under which contract and events know a kind. Source: ERC-8406, section 5, Settled. */
export function requestKindNumber(kind: RequestKind): 0 | 1 {
  return kind === 'mint' ? 0 : 1
}

/** The kind of a number in an event. Throws RangeError for another number than 0 and 1. */
export function requestKindOf(number: number): RequestKind {
  if (number !== 0 && number !== 1) throw new RangeError(`a kind is 0 or 1, got ${number}`)
  return number === 0 ? 'mint' : 'redeem'
}
