import { encodeAbiParameters, type Hash, keccak256, parseAbiParameters, stringToHex, zeroHash } from 'viem'
import type { AnyScopeEvent } from '../../events/scope/define-scope-event.ts'

const LINK = parseAbiParameters('bytes32, bytes32')
const REMOVE_RULE = parseAbiParameters('string, bytes32')
const EXPIRE_RULE = parseAbiParameters('string, bytes32, uint40')
const LOWER_CAP = parseAbiParameters('string, bytes32, uint128, uint256')
const REMOVE_MEMBER = parseAbiParameters('string, uint232, uint256')

/**
 * The revision that a contract has after these events of one Agent, which must be in the order of the chain. Twin of
 * ScopeGovernance.sol, _record: who compares it with the contract knows that no change is missing.
 * @param from the revision before the first of them
 */
export function replayRevision(events: readonly AnyScopeEvent[], from: Hash = zeroHash): Hash {
  let revision = from
  for (const event of events) {
    const change = changeOf(event)
    if (change !== undefined) revision = keccak256(encodeAbiParameters(LINK, [revision, change]))
  }
  return revision
}

/** What a change adds to the hash; undefined for an event that changes nothing yet. */
function changeOf({ eventName, args }: AnyScopeEvent): Hash | undefined {
  switch (eventName) {
    case 'PolicyApplied':
      return args.changeId
    case 'RulesRemoved':
      return keccak256(stringToHex('removeAllRules'))
    case 'RuleRemoved':
      return keccak256(encodeAbiParameters(REMOVE_RULE, ['removeRule', args.key]))
    case 'RuleExpirySet':
      return keccak256(encodeAbiParameters(EXPIRE_RULE, ['expireRule', args.key, args.expiresAt]))
    case 'CapLowered':
      return keccak256(encodeAbiParameters(LOWER_CAP, ['lowerCap', args.key, args.limit, args.lifetimeLeft]))
    case 'MemberRemoved':
      return keccak256(encodeAbiParameters(REMOVE_MEMBER, ['removeMember', args.set, args.member]))
    case 'PolicyProposed':
    case 'PolicyWithdrawn':
      return undefined
  }
}
