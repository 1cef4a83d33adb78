import { readReasonedCall } from '@oikos/core/reasoning'
import type { Address, Hex } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import { ReasoningMismatchError } from '../../errors/reasoning-errors.ts'

/**
 * Refuses to cite a record for a call that it was not written for. The auditor who reads it later makes the same
 * comparison.
 * @throws ReasoningMismatchError
 */
export function assertReasoned(
  { record: { binding } }: StoredReasoning,
  call: { chainId: number; agent: Address; data: Hex },
): void {
  const { action, callHash } = readReasonedCall(call.data)
  const fields = [
    ['chainId', String(binding.chainId), String(call.chainId)],
    ['agent', binding.agent.toLowerCase(), call.agent.toLowerCase()],
    ['action', binding.action, action],
    ['callHash', binding.callHash, callHash],
  ] as const
  for (const [field, got, expected] of fields) {
    if (got !== expected) throw new ReasoningMismatchError(field, got, expected)
  }
}
