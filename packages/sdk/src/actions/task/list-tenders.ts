import type { Client } from 'viem'
import { OikosError } from '../../errors/oikos-error.ts'
import { latestBlockNumber } from '../block.ts'
import { mapBounded, type PageParameters, planPage } from '../page.ts'
import { getNextTokenId } from './get-next-token-id.ts'
import { getTender, type Tender } from './get-tender.ts'
import type { CollectionReadParameters } from './read-task.ts'

/** Tenders that one page holds unless the caller says otherwise. */
export const DEFAULT_TENDERS_PER_PAGE = 25

/** Most tenders in one page. Each takes 18 requests, which a transport may batch. */
export const MAX_TENDERS_PER_PAGE = 100

/** Tenders that are read at the same time. */
const CONCURRENCY = 4

/** Parameters of {@link listTenders}. */
export type ListTendersParameters = CollectionReadParameters & PageParameters

/** A tender that exists and cannot be read, because the contract of its asset does not answer. */
export type UnreadableTender = { readonly tokenId: bigint; readonly error: OikosError }

/** One page of tenders, all at one block. */
export type TenderPage = {
  tenders: Tender[]
  /** Tenders of this page whose asset does not say what the vault holds. */
  unreadable: UnreadableTender[]
  blockNumber: bigint
  nextCursor?: bigint
}

/**
 * One page of the tenders of a task contract. A tender with a hostile asset does not spoil the page: it is listed as
 * unreadable.
 * @throws RangeError for a page that is out of range; NoContractError, WrongChainError, RpcError
 */
export async function listTenders(client: Client, parameters: ListTendersParameters): Promise<TenderPage> {
  const blockNumber = parameters.blockNumber ?? (await latestBlockNumber(client))
  const at = { ...parameters, blockNumber }
  const count = (await getNextTokenId(client, at)) - 1n
  const limits = { defaultSize: DEFAULT_TENDERS_PER_PAGE, maxSize: MAX_TENDERS_PER_PAGE }
  const { numbers, nextCursor } = planPage(parameters, count, limits)
  const found = await mapBounded(numbers, CONCURRENCY, (tokenId) =>
    getTender(client, { ...at, tokenId }).catch((error: unknown): UnreadableTender => {
      if (error instanceof OikosError && error.name === 'ContractRevertedError') return { tokenId, error }
      throw error
    }),
  )
  const tenders = found.filter((entry): entry is Tender => !('error' in entry))
  const unreadable = found.filter((entry): entry is UnreadableTender => 'error' in entry)
  return { tenders, unreadable, blockNumber, ...(nextCursor === undefined ? {} : { nextCursor }) }
}
