import { ContractRevertedError, toOikosError } from '@oikos/sdk'
import type { Stage } from '../../market/stage.ts'

/** Shows that a contract refuses a call, and why. Throws when it does not refuse, or for another reason. */
export async function showRefusal(
  stage: Stage,
  { what, because }: { what: string; because: string },
  simulated: Promise<unknown>,
): Promise<void> {
  const error = await simulated.then(
    () => undefined,
    (reason: unknown) => toOikosError(reason),
  )
  if (error === undefined) throw new Error(`${what} was not refused, expected ${because}`)
  if (!(error instanceof ContractRevertedError) || error.errorName !== because) {
    throw new Error(`${what} failed otherwise than by ${because}`, { cause: error })
  }
  stage.say.note(`${what} is refused: ${error.shortMessage}`)
}
