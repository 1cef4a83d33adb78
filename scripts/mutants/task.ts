import { bindingMutants } from './binding.ts'
import { callMutants } from './calls.ts'
import { endMutants } from './end.ts'
import { escrowMutants, vaultMutants } from './escrow.ts'
import type { Mutant } from './mutant.ts'
import { tenderMutants } from './tender.ts'
import { verifierMutants } from './verify.ts'

/**
 * Every fault that the tests of the task market have to notice. Left out, because no call can tell them from the
 * original:
 *
 * - `_deadline` without its fast path (`window == 0` always true): `shortWindow` is the same number as the terms'.
 * - `judgmentWindow < type(uint24).max` at mint: the one window between the two is then read from the terms.
 * - `batch.root == 0` not looked at: no SHA-256 of anything is zero, so `processProof(...) == 0` is false as well.
 */
export const taskMutants: readonly Mutant[] = [
  ...tenderMutants,
  ...endMutants,
  ...escrowMutants,
  ...vaultMutants,
  ...callMutants,
  ...bindingMutants,
  ...verifierMutants,
]
