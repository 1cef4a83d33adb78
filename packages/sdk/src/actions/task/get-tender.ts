import type { Address, Client } from 'viem'
import { getBlockMoment } from '../block.ts'
import { connectedChainId } from '../target.ts'
import { getAcceptanceAuthority } from './get-acceptance-authority.ts'
import { getCompletionCount } from './get-completion-count.ts'
import { getEscrowBalance } from './get-escrow-balance.ts'
import { type EscrowShares, getEscrowShares } from './get-escrow-shares.ts'
import { getLockedEscrow } from './get-locked-escrow.ts'
import { getPendingCount } from './get-pending-count.ts'
import { getSubmissionCount } from './get-submission-count.ts'
import { getTaskBinding, type TaskBinding } from './get-task-binding.ts'
import { getTaskOwner } from './get-task-owner.ts'
import { getTaskURI } from './get-task-uri.ts'
import { getTenderTerms } from './get-tender-terms.ts'
import { getUpdateAuthority } from './get-update-authority.ts'
import { getVault } from './get-vault.ts'
import { hasOnchainTaskDocument } from './has-onchain-task-document.ts'
import { isTaskFrozen } from './is-task-frozen.ts'
import { isTenderCancelled } from './is-tender-cancelled.ts'
import type { TaskReadParameters } from './read-task.ts'
import type { TenderTerms } from './tender-terms.ts'

/** Everything that a tender says about itself, all at one block. Counts and times are bigint. */
export type Tender = {
  readonly chainId: number
  readonly task: Address
  readonly tokenId: bigint
  /** Block whose state this is, and its time, which is the clock of the tender. */
  readonly blockNumber: bigint
  readonly blockTimestampSec: bigint
  readonly owner: Address
  readonly updateAuthority: Address
  /** A judge, or a verifier contract. */
  readonly acceptanceAuthority: Address
  readonly binding: TaskBinding
  /** Text of the publisher; not verified. */
  readonly taskURI: string
  readonly frozen: boolean
  readonly cancelled: boolean
  readonly hasDocument: boolean
  readonly terms: TenderTerms
  readonly vault: Address
  /** Live balance of the vault; the shares say whose it is. */
  readonly balanceAtomic: bigint
  /** Reserved by pending deliveries. */
  readonly lockedAtomic: bigint
  readonly shares: EscrowShares
  readonly pending: bigint
  readonly completions: bigint
  readonly submissionCount: bigint
}

/** Parameters of {@link getTender}. */
export type GetTenderParameters = TaskReadParameters

/**
 * One snapshot of a tender: plain calls at one block number, so it needs no other contract and a transport that batches
 * sends them in one request.
 * @throws ContractRevertedError (ERC721NonexistentToken; UnreadableBalance where the asset is no token), NoContractError,
 *   WrongChainError, RpcError
 */
export async function getTender(client: Client, parameters: GetTenderParameters): Promise<Tender> {
  const { task, tokenId } = parameters
  const [chainId, block] = await Promise.all([connectedChainId(client), getBlockMoment(client, parameters.blockNumber)])
  const at = { ...parameters, blockNumber: block.number }
  const [binding, terms, shares, taskURI, owner, updateAuthority, acceptanceAuthority, vault, ...rest] =
    await Promise.all([
      getTaskBinding(client, at),
      getTenderTerms(client, at),
      getEscrowShares(client, at),
      getTaskURI(client, at),
      getTaskOwner(client, at),
      getUpdateAuthority(client, at),
      getAcceptanceAuthority(client, at),
      getVault(client, at),
      getEscrowBalance(client, at),
      getLockedEscrow(client, at),
      getPendingCount(client, at),
      getCompletionCount(client, at),
      getSubmissionCount(client, at),
      isTaskFrozen(client, at),
      isTenderCancelled(client, at),
      hasOnchainTaskDocument(client, at),
    ])
  const [balanceAtomic, lockedAtomic, pending, completions, submissionCount, frozen, cancelled, hasDocument] = rest
  return {
    ...{ chainId, task, tokenId, blockNumber: block.number, blockTimestampSec: block.timestampSec },
    ...{ owner, updateAuthority, acceptanceAuthority, binding, taskURI, frozen, cancelled, hasDocument, terms },
    ...{ vault, balanceAtomic, lockedAtomic, shares, pending, completions, submissionCount },
  }
}
