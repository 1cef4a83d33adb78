import type { Address } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link setAcceptanceAuthority}. */
export type SetAcceptanceAuthorityParameters = TaskTarget &
  WriteParameters & {
    /** Judge, or a verifier contract; not zero. */
    newAuthority: Address
  }

const write = defineTaskWrite({
  functionName: 'setAcceptanceAuthority',
  event: 'AcceptanceAuthorityChanged',
  args: ({ tokenId, newAuthority }: SetAcceptanceAuthorityParameters) => [tokenId, newAuthority],
})

/** Passes the judgment slot on, as the address that is in it. Simulates, then sends. */
export const setAcceptanceAuthority = write.send

/** What {@link setAcceptanceAuthority} would do, on the latest state; nothing is sent. */
export const simulateSetAcceptanceAuthority = write.simulate

/** {@link setAcceptanceAuthority}, then waits for the event AcceptanceAuthorityChanged. */
export const setAcceptanceAuthorityAndWait = write.sendAndWait
