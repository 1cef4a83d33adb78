import type { scopeAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'

/** Why a Scope refuses a change. The errors are those of IScope.sol. */
export const scopeReverts: RevertTable<typeof scopeAbi> = {
  NotFactory: ({ caller }, say) => ({
    sentence: `Only the factory opens the boundary of a new Agent; the caller is ${say.address(caller)}.`,
    advice: 'Create an Agent through the factory.',
  }),
  NotOwner: ({ agent, caller }, say) => ({
    sentence: `Only the Owner of ${say.address(agent)} may loosen its boundary; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the Owner. Without an Owner the boundary can only be tightened.',
  }),
  NotOwnerOrGuardian: ({ agent, caller }, say) => ({
    sentence: `Only the Owner or the guardian of ${say.address(agent)} may tighten its boundary; the caller is ${say.address(caller)}.`,
    advice: 'Send it from one of them.',
  }),
  NotOpened: ({ agent }, say) => ({
    sentence: `${say.address(agent)} was not born in the factory of this Scope.`,
    advice: 'Check the addresses of the Agent and of its Scope.',
  }),
  AlreadyOpened: ({ agent }, say) => ({
    sentence: `The boundary of ${say.address(agent)} is open already.`,
    advice: 'Change it with a proposal.',
  }),
  NotProposed: ({ changeId }) => ({
    sentence: `The change ${changeId} is not proposed, or was withdrawn or enacted.`,
    advice: 'Propose exactly this document first; one different letter makes it another change.',
  }),
  AlreadyProposed: ({ changeId }) => ({
    sentence: `The change ${changeId} is proposed already.`,
    advice: 'Wait for its delay and enact it.',
  }),
  NotReady: ({ changeId, readyAt }, say) => ({
    sentence: `The change ${changeId} can be enacted from ${say.time(readyAt)} on.`,
    advice: 'Try again after that moment; holders use the time to read it.',
    retryable: true,
    retryAtSec: readyAt,
  }),
  Lapsed: ({ changeId, lapsedAt }, say) => ({
    sentence: `The proposal of the change ${changeId} lapsed at ${say.time(lapsedAt)}.`,
    advice: 'Propose it anew.',
  }),
  DelayTooLong: ({ got, max }, say) => ({
    sentence: `The delay would be ${say.duration(got)}; at most ${say.duration(max)} are possible.`,
    advice: 'Choose a shorter delay.',
  }),
  TooMany: ({ got, max }) => ({
    sentence: `There would be ${got} of them; at most ${max} are possible.`,
    advice: 'An Agent has up to 64 rules, a rule up to 12 conditions, a change up to 64 items.',
  }),
  NoSuchRule: ({ agent, key }, say) => ({
    sentence: `${say.address(agent)} has no rule under the key ${key}.`,
    advice: 'List the rules to see which there are.',
  }),
  NoSuchCap: ({ agent, key }, say) => ({
    sentence: `${say.address(agent)} has no cap under the key ${key}.`,
    advice: 'Only what has a cap can be lowered; to set one, propose it.',
  }),
  NotTighter: ({ got, now_ }) => ({
    sentence: `${got} is not tighter than what is set, ${now_}.`,
    advice: 'To loosen, propose a change.',
  }),
  PlainRuleHasArguments: ({ target }, say) => ({
    sentence: `The rule for plain payments to ${say.address(target)} has a selector, conditions or a spend word, which a payment without data cannot have.`,
    advice: 'Leave them out.',
  }),
  LimitWithoutBucket: ({ target }, say) => ({
    sentence: `The rule for ${say.address(target)} has a period for its calls but no limit.`,
    advice: 'Give both, or none.',
  }),
}
