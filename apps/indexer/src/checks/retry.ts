import type { CheckOutcome } from './check-store.ts'

const MINUTE_SEC = 60
const DAY_SEC = 86_400

/** A record or package that verified is looked for again after this time: what resolves today may be gone tomorrow. */
const VERIFIED_SEC = 7 * DAY_SEC

/** What was refused is looked at again daily: another gateway may give other bytes for a name that is no CID. */
const REFUSED_SEC = DAY_SEC

/** First and longest pause after nothing gave the bytes; it doubles in between. */
const FIRST_PAUSE_SEC = MINUTE_SEC
const LONGEST_PAUSE_SEC = DAY_SEC

/** When a check is made again. `attempts` are those before this one. */
export function retryAt(state: CheckOutcome['state'], attempts: number, nowSec: number): number {
  if (state === 'verified') return nowSec + VERIFIED_SEC
  if (state === 'refused') return nowSec + REFUSED_SEC
  return nowSec + Math.min(LONGEST_PAUSE_SEC, FIRST_PAUSE_SEC * 2 ** Math.min(attempts, 16))
}
