import {
  type DeliveryOutcome,
  type OutcomeProfile,
  outcomeDigest,
  outcomeTypedData,
  recoverOutcomeSigner,
} from '@oikos/core/verifier-profiles'
import type { Account, Address, Client, Hex, SignTypedDataParameters } from 'viem'
import { signTypedData } from 'viem/actions'
import { AccountMissingError, UnexpectedError } from '../../errors/chain-errors.ts'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { assertConnected } from '../target.ts'
import { getSubmission } from '../task/get-submission.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link signOutcome}. */
export type SignOutcomeParameters = VerifierTarget & {
  /** Attestor. Default: the account of the client. */
  account?: Account | Address
  profile: OutcomeProfile
  /** Counts from 1 in each tender. */
  submissionId: bigint
}

/** What an attestor has signed about one delivery. */
export type SignedOutcome = {
  readonly outcome: DeliveryOutcome
  /** Keccak-256 digest of the typed data. */
  readonly digest: Hex
  readonly signer: Address
  /** 65 bytes: r, s, v. */
  readonly signature: Hex
}

/**
 * Signs the outcome of a delivery for encodeOutcomeProof, as one of its attestors. Nothing is sent. The fulfiller and the
 * result are read from the chain, so an attestor checks the delivery itself, and the signature counts for nothing else.
 * @throws AccountMissingError, RequestRejectedError, WrongChainError, ContractRevertedError (NonexistentSubmission),
 *   NoContractError, RpcError, UnexpectedError when the account does not sign as an attestor can
 */
export async function signOutcome(client: Client, parameters: SignOutcomeParameters): Promise<SignedOutcome> {
  const { verifier, task, tokenId, submissionId, profile } = parameters
  const account = parameters.account ?? client.account
  if (account === undefined) throw new AccountMissingError('signOutcome')
  const signer = typeof account === 'object' ? account.address : account
  const chainId = await assertConnected(client, parameters.chainId)
  const { fulfiller, resultHash } = await getSubmission(client, { task, tokenId, submissionId })
  const outcome = { taskContract: task, tokenId, submissionId, fulfiller, resultHash }
  const domain = { profile, chainId, verifier }
  const digest = outcomeDigest(domain, outcome)
  let signature: Hex
  try {
    const typedData = { account, ...outcomeTypedData(domain, outcome) }
    signature = await signTypedData(client, typedData as unknown as SignTypedDataParameters)
  } catch (error) {
    throw toOikosError(error, { contract: verifier, account: signer })
  }
  if (recoverOutcomeSigner(digest, signature) !== signer.toLowerCase()) {
    throw new UnexpectedError(`the signature is not one of ${signer} that a verifier takes; a contract cannot attest`)
  }
  return { outcome, digest, signer, signature }
}
