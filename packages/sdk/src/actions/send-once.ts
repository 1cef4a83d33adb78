import {
  type Account,
  type Address,
  BaseError,
  type Client,
  type Hash,
  type Hex,
  InvalidInputRpcError,
  keccak256,
  type PrepareTransactionRequestParameters,
  type SendTransactionParameters,
  TransactionNotFoundError,
  TransactionRejectedRpcError,
  type TransactionSerializable,
} from 'viem'
import { getTransaction, prepareTransactionRequest, sendRawTransaction, sendTransaction } from 'viem/actions'
import { type ErrorContext, toOikosError } from '../errors/to-oikos-error.ts'
import {
  SendOutcomeUnknownError,
  TransactionPendingError,
  TransactionRefusedError,
} from '../errors/transaction-errors.ts'

/** A call or, without `to`, a deployment. */
export type OutgoingCall = {
  account: Account | Address
  to?: Address
  data: Hex
  value?: bigint
}

type LocalAccount = Extract<Account, { type: 'local' }>

/**
 * Sends a call exactly once. A failure after which the node may have the transaction all the same is never one that
 * invites to send again: where the account signs here, its hash is known and asked for.
 * @throws TransactionPendingError when the node may have the transaction, SendOutcomeUnknownError when a wallet may have
 *   sent it; else what prevented it: TransactionRefusedError, ContractRevertedError, InsufficientFundsError,
 *   RequestRejectedError, RpcError
 */
export async function sendOnce(client: Client, call: OutgoingCall, context: ErrorContext): Promise<Hash> {
  const { account } = call
  if (typeof account === 'object' && account.type === 'local') return sendSigned(client, account, call, context)
  try {
    return await sendTransaction(client, { ...call, chain: null } as unknown as SendTransactionParameters)
  } catch (cause) {
    const error = toOikosError(cause, context)
    if (error.name !== 'RpcError' && error.name !== 'UnexpectedError') throw error
    throw isRefusal(cause) ? error : new SendOutcomeUnknownError({ cause })
  }
}

async function sendSigned(
  client: Client,
  account: LocalAccount,
  call: OutgoingCall,
  context: ErrorContext,
): Promise<Hash> {
  let signed: Hex
  try {
    const request = { ...call, account, chain: null } as unknown as PrepareTransactionRequestParameters
    const prepared = await prepareTransactionRequest(client, request)
    signed = await account.signTransaction(prepared as unknown as TransactionSerializable)
  } catch (error) {
    throw toOikosError(error, context)
  }
  try {
    return await sendRawTransaction(client, { serializedTransaction: signed })
  } catch (cause) {
    const hash = keccak256(signed)
    const presence = await lookUp(client, hash)
    if (presence === 'known') return hash
    const error = toOikosError(cause, context)
    if (error.name !== 'RpcError' && error.name !== 'UnexpectedError') throw error
    if (presence === 'absent' && isRefusal(cause)) {
      throw new TransactionRefusedError(hash, (cause as BaseError).details, { cause })
    }
    throw new TransactionPendingError(hash, 0, { cause })
  }
}

/** Whether the node has a transaction. */
async function lookUp(client: Client, hash: Hash): Promise<'known' | 'absent' | 'no answer'> {
  try {
    await getTransaction(client, { hash })
    return 'known'
  } catch (error) {
    return error instanceof TransactionNotFoundError ? 'absent' : 'no answer'
  }
}

/** Whether the pool of the node kept the transaction out. Source: EIP-1474, codes -32000 and -32003. */
function isRefusal(error: unknown): boolean {
  const refused = (cause: unknown): boolean =>
    cause instanceof InvalidInputRpcError || cause instanceof TransactionRejectedRpcError
  return error instanceof BaseError && error.walk(refused) !== null
}
