import { type OikosError, RpcError, TransactionPendingError, toOikosError } from '@oikos/sdk'
import {
  type Address,
  BaseError,
  type Client,
  createClient,
  type Hash,
  type Hex,
  http,
  keccak256,
  type PrivateKeyAccount,
  RpcRequestError,
  type TransactionSerializable,
} from 'viem'
import { getTransaction, getTransactionCount, prepareTransactionRequest } from 'viem/actions'
import { NodeRefusedError } from '../errors.ts'
import type { PlannedRequest } from './perform.ts'

/** A call with the gas and the fees that it may cost at most. What is shown is what is signed. */
export type PricedCall = {
  readonly from: Address
  /** Undefined: a contract is deployed. */
  readonly to: Address | undefined
  readonly data: Hex
  readonly valueWei: bigint
  readonly gasLimit: bigint
  readonly fees:
    | { readonly type: 'eip1559'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
    | { readonly type: 'legacy'; readonly gasPrice: bigint }
}

/** A fifth above the estimate: the state may have changed a little when the call is executed. */
const GAS_MARGIN_PERCENT = 20n

/** Estimates gas and fees of a simulated call. Throws InsufficientFundsError, ContractRevertedError, RpcError. */
export async function priceCall(client: Client, from: Address, request: PlannedRequest): Promise<PricedCall> {
  const { to, data, value } = request
  try {
    const prepared = await prepareTransactionRequest(client, {
      account: from,
      chain: null,
      ...(to === undefined ? {} : { to }),
      data,
      value,
      parameters: ['fees', 'gas', 'type'],
    })
    const gasLimit = (prepared.gas * (100n + GAS_MARGIN_PERCENT)) / 100n
    const call = { from, to, data, valueWei: value, gasLimit }
    // the type of the prepared request cannot say which of the two kinds the node made it
    const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = prepared as unknown as Partial<Record<string, bigint>>
    if (maxFeePerGas !== undefined) {
      return { ...call, fees: { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n } }
    }
    return { ...call, fees: { type: 'legacy', gasPrice: gasPrice ?? 0n } }
  } catch (error) {
    throw toOikosError(error, { contract: to, account: from })
  }
}

/** Most that the gas of a call costs, in wei. */
export function worstGasCost({ gasLimit, fees }: PricedCall): bigint {
  return gasLimit * (fees.type === 'eip1559' ? fees.maxFeePerGas : fees.gasPrice)
}

/** How long the node may take to accept a transaction, in milliseconds. */
const BROADCAST_TIMEOUT_MS = 20_000

/**
 * Signs a call and sends it exactly once. Its hash is known, and told, before it leaves this process.
 * @returns the hash, when the node has the transaction or may have it
 * @throws OikosError when the node certainly refused it; TransactionPendingError when it may have it and does not answer
 */
export async function broadcast(
  options: {
    readonly rpcUrl: string
    readonly chainId: number
    readonly signal: AbortSignal
    readonly onSigned: (hash: Hash) => void
  },
  account: PrivateKeyAccount,
  call: PricedCall,
): Promise<Hash> {
  // without retries: a second copy of the request would be answered with an error although the first one was accepted
  const client = createClient({
    transport: http(options.rpcUrl, { retryCount: 0, timeout: BROADCAST_TIMEOUT_MS }),
  })
  const nonce = await getTransactionCount(client, { address: account.address, blockTag: 'pending' }).catch(
    (error: unknown) => {
      throw toOikosError(error)
    },
  )
  const transaction: TransactionSerializable = {
    ...call.fees,
    chainId: options.chainId,
    nonce,
    ...(call.to === undefined ? {} : { to: call.to }),
    data: call.data,
    value: call.valueWei,
    gas: call.gasLimit,
  }
  const serialized = await account.signTransaction(transaction)
  const hash = keccak256(serialized)
  // from here to the request nothing waits: an interruption comes before the hash is told, and stops it, or after
  options.signal.throwIfAborted()
  options.onSigned(hash)
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [serialized] })
    return hash
  } catch (error) {
    const refusal = readRefusal(error, call)
    if (refusal !== undefined) throw refusal
    return await findOut(client, hash, error)
  }
}

/** Words with which nodes say that they keep a transaction out. Everything else leaves open whether they have it. */
const REFUSED =
  /insufficient funds|nonce too low|nonce too high|underpriced|intrinsic gas|exceeds block gas|gas limit|fee cap|max fee|less than block base fee|invalid sender|invalid chain|only replay-protected|tip above fee/i

function readRefusal(error: unknown, call: PricedCall): OikosError | undefined {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (answer === null || !REFUSED.test(`${(answer as RpcRequestError).details} ${(answer as Error).message}`)) {
    return undefined
  }
  const refusal = toOikosError(error, { contract: call.to, account: call.from })
  const { details } = answer as RpcRequestError
  return refusal instanceof RpcError ? new NodeRefusedError(details, { cause: error }) : refusal
}

/** The node did not say that it has the transaction: ask for it by its hash. */
async function findOut(client: Client, hash: Hash, cause: unknown): Promise<Hash> {
  try {
    await getTransaction(client, { hash })
    return hash
  } catch {
    throw new TransactionPendingError(hash, 0, { cause })
  }
}
