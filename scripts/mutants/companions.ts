import { bondMutants } from './companions-bond.ts'
import { juryMutants } from './companions-judge.ts'
import { settlementMutants } from './companions-settle.ts'
import { attestedMutants } from './companions-verify.ts'
import type { Mutant } from './mutant.ts'

/**
 * Every fault that the tests of the companions have to notice. Left out, because no call can tell them from the
 * original:
 *
 * - `ECDSA.recover` for `tryRecover` in AttestedOutcome: a verifier that reverts has not accepted either.
 * - Splitter without its look at `bps > BPS`: the sum overflows, which reverts too.
 */
export const companionMutants: readonly Mutant[] = [
  ...attestedMutants,
  ...juryMutants,
  ...settlementMutants,
  ...bondMutants,
]
