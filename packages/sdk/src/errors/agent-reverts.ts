import type { agentAbi } from '@oikos/core/abi'
import { type Hex, hexToString } from 'viem'
import { outcomeReasons, settlementOutcomeOf } from '../actions/agent/settlement-outcome.ts'
import { scopeVerdictOf, scopeVerdictReasons } from '../actions/scope/scope-verdict.ts'
import type { RevertTable } from './revert-table.ts'
import { shareReverts } from './share-reverts.ts'
import { taskTokenReverts } from './task-token-reverts.ts'

/** A name that a contract gives as bytes32. */
function nameOf(text: Hex): string {
  return hexToString(text, { size: 32 }).replace(/[^ -~]/g, '')
}

function selectorText(selector: Hex): string {
  return selector === '0x00000000' ? 'a plain payment' : `function ${selector}`
}

/** Why an Agent refuses a call. The errors are those of IAgentErrors.sol; docs/agent-equity.md lists their order. */
export const agentReverts: RevertTable<typeof agentAbi> = {
  ...shareReverts,

  // calls
  AgentLocked: () => ({
    sentence: 'The Agent is in the middle of another call, which tried to enter it again.',
    advice: 'Call it outside of a call that the Agent makes.',
  }),
  NotFactory: ({ caller, factory }, say) => ({
    sentence: `Only the factory ${say.address(factory)} gives an Agent its constitution; the caller is ${say.address(caller)}.`,
    advice: 'Create an Agent through the factory.',
  }),
  InsufficientGas: taskTokenReverts.InsufficientGas,

  // roles and brakes
  NotExecutor: ({ caller }, say) => ({
    sentence: `${say.address(caller)} is no Executor of this Agent.`,
    advice: 'Send it from an Executor, or have the Owner enable this account.',
  }),
  NotOwnerOrGuardian: ({ caller }, say) => ({
    sentence: `Only the Owner or the guardian of the Agent may do this; the caller is ${say.address(caller)}.`,
    advice: 'Send it from one of them.',
  }),
  OwnableUnauthorizedAccount: ({ account }, say) => ({
    sentence: `Only the Owner of the Agent, or whom the ownership was offered to, may do this; the caller is ${say.address(account)}.`,
    advice: 'Send it from that account.',
  }),
  OwnableInvalidOwner: ({ owner }, say) => ({
    sentence: `${say.address(owner)} cannot own an Agent.`,
    advice: 'Name an address other than zero; to leave it without an Owner, renounce.',
  }),
  AgentPaused: () => ({
    sentence: 'The Agent is paused: deposits, settlement and execution are stopped.',
    advice: 'Wait for the Owner to end the pause. Redemption requests, claims and reclaim go on.',
    retryable: true,
  }),
  NotPaused: () => ({
    sentence: 'The Agent is not paused.',
    advice: 'Nothing is left to do.',
  }),
  SettlementHalted: () => ({
    sentence: 'The rate left its corridor, so settlement waits for somebody to look at it.',
    advice: 'Have the Owner or the guardian confirm the rate. Claims and reclaim go on.',
    retryable: true,
  }),
  OwnerIsGone: () => ({
    sentence: 'The Agent has no Owner, so a pause could never be lifted.',
    advice: 'Remove rules or revoke Executors instead, as the guardian.',
  }),
  RateNeedsConfirmer: () => ({
    sentence: 'A corridor is set and there is no guardian: without an Owner nobody could confirm a rate.',
    advice: 'Name a guardian or lift the corridor first.',
  }),

  // arguments
  ZeroReasoningHash: () => ({
    sentence: 'The action cites no reasoning: the hash is zero.',
    advice: 'Store a reasoning record and cite it.',
  }),
  EmptyReasoningURI: () => ({
    sentence: 'The action cites no reasoning: the URI is empty.',
    advice: 'Store a reasoning record and cite it.',
  }),
  TextTooLong: ({ size, max }) => ({
    sentence: `The text has ${size} bytes; at most ${max} are taken.`,
    advice: 'Shorten it; a URI should refer to a document, not contain it.',
  }),
  ListTooLong: ({ size, max }) => ({
    sentence: `The list has ${size} members; at most ${max} are taken.`,
    advice: 'Split it.',
  }),
  ZeroAmount: taskTokenReverts.ZeroAmount,
  ZeroAddress: () => ({
    sentence: 'An address is zero, or that of the Agent itself, where another one is needed.',
    advice: 'Name an account that can act.',
  }),
  UnknownKind: ({ kind }) => ({
    sentence: `${kind} is no kind of request.`,
    advice: '0 is a deposit for shares, 1 shares for a payout.',
  }),
  OutOfRange: ({ what, got, min, max }) => ({
    sentence: `The value of ${nameOf(what)} is ${got}; it must be from ${min} to ${max}.`,
    advice:
      nameOf(what) === 'acceptToken'
        ? 'Check that a token contract is deployed at the address of the Accept Token.'
        : 'Choose a value inside.',
  }),
  FeeCannotRise: ({ got, max }) => ({
    sentence: `The fee would be ${got} basis points, and it is ${max}: fees are only ever lowered.`,
    advice: 'Name a fee that is not higher.',
  }),

  // requests
  DepositMismatch: ({ received, expected }, say) => ({
    sentence: `The Agent received ${say.amount(received)} of ${say.amount(expected)}.`,
    advice: 'The Accept Token takes a fee on transfers or sent nothing; such a token cannot be deposited.',
  }),
  AmountTooLarge: ({ got, max }, say) => ({
    sentence: `${say.amount(got)} are more than the ${say.amount(max)} that the books can hold.`,
    advice: 'Lower the amount.',
  }),
  SupplyTooLarge: ({ got, max }) => ({
    sentence: `There would be ${got} share units; at most ${max} can exist.`,
    advice: 'Lower the amount.',
  }),
  NothingPending: ({ requester }, say) => ({
    sentence: `${say.address(requester)} has nothing pending.`,
    advice: 'What is settled already is claimed, not reclaimed.',
  }),
  HorizonNotReached: ({ requester, reclaimableAt }, say) => ({
    sentence: `What ${say.address(requester)} has pending can be reclaimed from ${say.time(reclaimableAt)} on.`,
    advice: 'Try again after that moment; until then an Executor may settle or decline it.',
    retryable: true,
    retryAtSec: reclaimableAt,
  }),
  Unsettled: ({ requester, outcome }, say) => {
    const known = settlementOutcomeOf(outcome)
    const reason = known === undefined ? `of outcome ${outcome}, which is not known here` : outcomeReasons[known]
    return {
      sentence: `The request of ${say.address(requester)} was not settled because ${reason}.`,
      advice: unsettledAdvice[known ?? 'settled'] ?? 'Read the position of the requester and the books of the Agent.',
      retryable: known === 'too-young' || known === 'illiquid',
    }
  },
  NothingOwed: ({ account }, say) => ({
    sentence: `Nothing is owed to ${say.address(account)}.`,
    advice: 'Nothing is left to do.',
  }),

  // books
  ReserveBroken: ({ balance, reserve }, say) => ({
    sentence: `The Agent would hold ${say.amount(balance)}, less than the ${say.amount(reserve)} that it owes to requesters.`,
    advice:
      'Use less; what others deposited or are owed cannot be spent. Where nothing was spent, the token lost balances.',
  }),
  RateUnavailable: () => ({
    sentence: 'The Agent gives no rate in the middle of a transfer.',
    advice: 'Read it outside of the call.',
    retryable: true,
  }),
  RateIsZero: () => ({
    sentence: 'The shares are worth nothing at the moment, so nothing can be settled.',
    advice: 'Wait until the books have assets again.',
    retryable: true,
  }),
  RateOutsideBounds: ({ rate, min, max }, say) => ({
    sentence: `The rate is ${say.amount(rate)} a share, outside ${say.amount(min)} to ${say.amount(max)}.`,
    advice: 'Look at the books again, and confirm the rate that you see.',
  }),
  ValuationStale: ({ valuation }, say) => ({
    sentence: `The valuation ${say.address(valuation)} is too old or has moved too far, so nothing can be settled on it.`,
    advice: 'Have it renewed (poke, attest or confirm). Claims, reclaim and execution go on.',
    retryable: true,
  }),
  ValuationUnreadable: ({ valuation }, say) => ({
    sentence: `The valuation ${say.address(valuation)} gives no answer.`,
    advice: 'Have the Owner remove it, or wait until it answers again. Claims, reclaim and execution go on.',
    retryable: true,
  }),
  ValuationListed: ({ valuation }, say) => ({
    sentence: `The valuation ${say.address(valuation)} is listed already.`,
    advice: 'Nothing is left to do.',
  }),
  ValuationUnlisted: ({ valuation }, say) => ({
    sentence: `The valuation ${say.address(valuation)} is not listed.`,
    advice: 'List the valuations to see which are.',
  }),
  WrongValuationAsset: ({ valuation, got, expected }, say) => ({
    sentence: `The valuation ${say.address(valuation)} answers in ${say.address(got)}, not in the Accept Token ${say.address(expected)}.`,
    advice: 'Use a valuation in the Accept Token.',
  }),

  // dispatch
  RefusedByConstruction: ({ target, selector }, say) => ({
    sentence: `An Agent never makes this call (${selectorText(selector)} of ${say.address(target)}), whatever its Scope says.`,
    advice:
      'Never called are the Agent, its Scope and its factory; the Accept Token takes transfers of what is above the reserve only; a target needs code, and the value must be there.',
  }),
  OutOfScope: ({ target, selector, verdict }, say) => {
    const known = scopeVerdictOf(verdict)
    const reason = known === undefined ? `of verdict ${verdict}, which is not known here` : scopeVerdictReasons[known]
    return {
      sentence: `The Scope refuses ${selectorText(selector)} of ${say.address(target)} because ${reason}.`,
      advice:
        known === 'CapExceeded'
          ? 'Use less, or wait until the cap has refilled.'
          : 'Stay inside the Scope, or have the Owner propose a change of it.',
      retryable: known === 'CapExceeded',
    }
  },
  ReturnTooLarge: ({ size, max }) => ({
    sentence: `The target returned ${size} bytes; at most ${max} are taken.`,
    advice: 'Call a function that returns less.',
  }),
  AllowanceMismatch: ({ target, got, expected }, say) => ({
    sentence: `The Accept Token says that ${say.address(target)} may take ${say.amount(got)} where ${say.amount(expected)} were set.`,
    advice: 'This token cannot be lent by an allowance; use a transfer.',
  }),
  SafeERC20FailedOperation: ({ token }, say) => ({
    sentence: `The token ${say.address(token)} refused the transfer.`,
    advice: 'Check balance and approval, and whether the token blocks one of the accounts.',
  }),
  UnreadableBalance: taskTokenReverts.UnreadableBalance,
}

const unsettledAdvice: Readonly<Partial<Record<string, string>>> = {
  'nothing-pending': 'Read the position of the requester; what is settled already waits for a claim.',
  'own-request': 'Have another Executor settle it.',
  'too-young': 'Try again when the request is old enough.',
  'too-small': 'Have the requester add to it, or decline it.',
  illiquid: 'Free some of what the Agent has invested, then settle again.',
}
