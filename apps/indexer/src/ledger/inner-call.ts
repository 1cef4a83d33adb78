import { agentAbi } from '@oikos/core/abi'
import { decodeFunctionData, type Hex } from 'viem'

/** Longest transaction input that is looked into, in bytes. */
const MAX_INPUT_BYTES = 131_072

/**
 * The call data that `execute` or `executeWithAllowance` passes on, where the transaction called the Agent itself. Undefined
 * for other functions and for input that does not decode.
 */
export function innerCallData(input: Hex): Hex | undefined {
  if (input.length > 2 + 2 * MAX_INPUT_BYTES) return undefined
  try {
    const call = decodeFunctionData({ abi: agentAbi, data: input })
    return call.functionName === 'execute' || call.functionName === 'executeWithAllowance' ? call.args[2] : undefined
  } catch {
    return undefined
  }
}
