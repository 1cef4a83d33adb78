import { signedOutcomeVerifierAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link isAttestor}. */
export type IsAttestorParameters = VerifierTarget &
  AtBlock & {
    account: Address
  }

/** Whether an account attests the deliveries of a tender to a signed outcome or a streak verifier. */
export function isAttestor(client: Client, parameters: IsAttestorParameters): Promise<boolean> {
  const { verifier, task, tokenId, account } = parameters
  const call = { abi: signedOutcomeVerifierAbi, address: verifier, functionName: 'isAttestor' } as const
  return read(client, parameters, { ...call, args: [task, tokenId, account] })
}
