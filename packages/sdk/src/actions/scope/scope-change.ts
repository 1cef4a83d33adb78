import { scopeAbi } from '@oikos/core/abi'
import type { Policy } from '@oikos/core/scope-policy'
import { encodeAbiParameters, getAbiItem, type Hash, keccak256 } from 'viem'

const change = getAbiItem({ abi: scopeAbi, name: 'propose' }).inputs[1]

/** The id under which a change is proposed: keccak256 of the encoded document. Source: ScopeGovernance.sol, propose. */
export function changeIdOf(policy: Policy): Hash {
  return keccak256(encodeAbiParameters([change], [policy]))
}
