import { hashlockVerifierAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'

/** Parameters of {@link getVerifierProfile}. */
export type GetVerifierProfileParameters = AtBlock & { verifier: Address; chainId?: number }

/** The acceptance profile that a verifier claims to implement, such as `x-hashlock-v1`. A claim of that contract. */
export function getVerifierProfile(client: Client, parameters: GetVerifierProfileParameters): Promise<string> {
  const call = { abi: hashlockVerifierAbi, address: parameters.verifier, functionName: 'profile' } as const
  return read(client, parameters, { ...call, args: [] })
}
