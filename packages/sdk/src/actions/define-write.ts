import {
  type Abi,
  type Account,
  type Address,
  type Client,
  type ContractEventName,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hash,
  type Hex,
  type SimulateContractParameters,
} from 'viem'
import { simulateContract } from 'viem/actions'
import { AccountMissingError } from '../errors/chain-errors.ts'
import { type ErrorContext, toOikosError } from '../errors/to-oikos-error.ts'
import { UnexpectedReceiptError } from '../errors/transaction-errors.ts'
import { type ContractEvent, decodeEvents } from '../events/contract-event.ts'
import { type Receipt, type WaitParameters, waitForReceipt } from './receipt.ts'
import { sendOnce } from './send-once.ts'
import { assertConnected, type WriteParameters } from './target.ts'

type WriteName<abi extends Abi> = ContractFunctionName<abi, 'nonpayable' | 'payable'>

/** How a write maps from our parameters to a call and to the event that reports its effect. */
type WriteDefinition<
  abi extends Abi,
  name extends WriteName<abi>,
  eventAbi extends Abi,
  event extends ContractEventName<eventAbi>,
  parameters,
  args extends ContractFunctionArgs<abi, 'nonpayable' | 'payable', name>,
> = {
  abi: abi
  functionName: name
  contract: (parameters: parameters) => Address
  args: (parameters: parameters) => args
  /** Native currency that goes with the call, in wei. Default: none. */
  value?: (client: Client, parameters: parameters) => Promise<bigint>
  /** Refuses, by throwing an OikosError, a call that must not be made; asked before anything else of the chain. */
  assertCall?: (parameters: parameters, call: { chainId: number; data: Hex }) => void
  /** Event that reports the effect, by which contract, and in which ABI. */
  event: event
  emitter: (parameters: parameters) => Address
  eventAbi: eventAbi
}

/** What a write will send: fits viem's `sendTransaction(client, request)`. */
export type WriteRequest = { account: Account | Address; to: Address; data: Hex; value: bigint }

/** A write as the chain would execute it now. Nothing was sent. */
export type Simulation<result> = {
  request: WriteRequest
  /** What the function would return. */
  result: result
}

/** A write that is on the chain. */
export type Confirmed<eventAbi extends Abi, event extends ContractEventName<eventAbi>> = {
  hash: Hash
  receipt: Receipt
  /** The event that reports the effect. */
  event: ContractEvent<eventAbi, event>
  /** Every event of the same contract in this transaction, in order. */
  events: readonly ContractEvent<eventAbi, ContractEventName<eventAbi>>[]
}

/** A write that is on the chain and may have had nothing to do, so that the event may be missing. */
export type Completed<eventAbi extends Abi, event extends ContractEventName<eventAbi>> = Omit<
  Confirmed<eventAbi, event>,
  'event'
> & {
  /** The event that reports the effect; undefined when there was none. */
  event: ContractEvent<eventAbi, event> | undefined
}

/** The three forms of a write. */
export type WriteAction<parameters, result, confirmed> = {
  /**
   * Executes the call on the latest state without sending it.
   * @throws ContractRevertedError, NoContractError, WrongChainError, AccountMissingError, InsufficientFundsError, RpcError
   */
  simulate: (client: Client, parameters: parameters) => Promise<Simulation<result>>
  /**
   * Simulates, and sends once when that succeeds. Throws what `simulate` throws, RequestRejectedError, and after which
   * nothing may be sent again: TransactionPendingError, SendOutcomeUnknownError.
   */
  send: (client: Client, parameters: parameters) => Promise<Hash>
  /** Sends, waits, decodes. Throws what `send` throws, TransactionRevertedError, UnexpectedReceiptError. */
  sendAndWait: (client: Client, parameters: parameters & WaitParameters) => Promise<confirmed>
}

/** Builds the three forms of one write whose effect is always reported by an event. */
export function defineWrite<
  const abi extends Abi,
  name extends WriteName<abi>,
  const eventAbi extends Abi,
  event extends ContractEventName<eventAbi>,
  parameters extends WriteParameters & { chainId?: number },
  const args extends ContractFunctionArgs<abi, 'nonpayable' | 'payable', name>,
>(
  definition: WriteDefinition<abi, name, eventAbi, event, parameters, args>,
): WriteAction<
  parameters,
  ContractFunctionReturnType<abi, 'nonpayable' | 'payable', name>,
  Confirmed<eventAbi, event>
> {
  const { sendAndWait: complete, ...forms } = defineQuietWrite(definition)
  return {
    ...forms,
    sendAndWait: async (client, parameters) => {
      const { event, ...completed } = await complete(client, parameters)
      if (event === undefined) throw new UnexpectedReceiptError(completed.hash, definition.event)
      return { ...completed, event }
    },
  }
}

/**
 * As {@link defineWrite}, for a write that succeeds without an event when there is nothing to do, such as a claim that
 * somebody else has triggered before. Every write action is made here.
 */
export function defineQuietWrite<
  const abi extends Abi,
  name extends WriteName<abi>,
  const eventAbi extends Abi,
  event extends ContractEventName<eventAbi>,
  parameters extends WriteParameters & { chainId?: number },
  const args extends ContractFunctionArgs<abi, 'nonpayable' | 'payable', name>,
>(
  definition: WriteDefinition<abi, name, eventAbi, event, parameters, args>,
): WriteAction<
  parameters,
  ContractFunctionReturnType<abi, 'nonpayable' | 'payable', name>,
  Completed<eventAbi, event>
> {
  type Result = ContractFunctionReturnType<abi, 'nonpayable' | 'payable', name>
  const { abi, functionName } = definition

  const contextOf = (client: Client, parameters: parameters): ErrorContext => {
    const account = parameters.account ?? client.account
    return {
      contract: definition.contract(parameters),
      functionName,
      account: typeof account === 'object' ? account.address : account,
      asset: parameters.asset,
    }
  }

  const simulate = async (client: Client, parameters: parameters): Promise<Simulation<Result>> => {
    const account = parameters.account ?? client.account
    if (account === undefined) throw new AccountMissingError(functionName)
    const chainId = await assertConnected(client, parameters.chainId)
    const to = definition.contract(parameters)
    const call = { abi, functionName, args: definition.args(parameters) }
    try {
      const data = encodeFunctionData(call as unknown as EncodeFunctionDataParameters)
      definition.assertCall?.(parameters, { chainId, data })
      const value = (await definition.value?.(client, parameters)) ?? 0n
      // The generic ABI is beyond viem's own types here; the definition above was checked against the concrete one.
      const options = { ...call, address: to, account, ...(value === 0n ? {} : { value }) } as unknown
      const { result } = await simulateContract(client, options as SimulateContractParameters)
      return { request: { account, to, data, value }, result: result as Result }
    } catch (error) {
      throw toOikosError(error, contextOf(client, parameters))
    }
  }

  const send = async (client: Client, parameters: parameters): Promise<Hash> => {
    const { request } = await simulate(client, parameters)
    return sendOnce(client, request, contextOf(client, parameters))
  }

  const sendAndWait = async (
    client: Client,
    parameters: parameters & WaitParameters,
  ): Promise<Completed<eventAbi, event>> => {
    const hash = await send(client, parameters)
    parameters.onSent?.(hash)
    const receipt = await waitForReceipt(client, { ...parameters, hash }, contextOf(client, parameters))
    const events = decodeEvents(definition.eventAbi, definition.emitter(parameters), receipt.logs)
    const found = events.find(({ eventName }) => eventName === definition.event)
    // a wallet may have replaced the transaction by another one, which cannot be told from one with nothing to do
    if (found === undefined && receipt.transactionHash !== hash)
      throw new UnexpectedReceiptError(hash, definition.event)
    return {
      hash: receipt.transactionHash,
      receipt,
      event: found as ContractEvent<eventAbi, event> | undefined,
      events,
    }
  }

  return { simulate, send, sendAndWait }
}
