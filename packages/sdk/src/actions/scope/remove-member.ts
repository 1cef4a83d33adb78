import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link removeMember}. */
export type RemoveMemberParameters = ScopeTarget &
  WriteParameters & {
    /** Number of the set. */
    set: bigint
    /** The word; an address as a number. */
    member: bigint
  }

const write = defineScopeWrite({
  functionName: 'removeMember',
  event: 'MemberRemoved',
  args: ({ agent, set, member }: RemoveMemberParameters) => [agent, set, member],
})

/** Takes a member out of a set at once, as the Owner or the guardian. Simulates, then sends. */
export const removeMember = write.send

/** What {@link removeMember} would do, on the latest state; nothing is sent. */
export const simulateRemoveMember = write.simulate

/** {@link removeMember}, then waits for the event MemberRemoved. */
export const removeMemberAndWait = write.sendAndWait
