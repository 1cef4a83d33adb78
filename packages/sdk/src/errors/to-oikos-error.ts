import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  HttpRequestError,
  InternalRpcError,
  isHex,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  UserRejectedRequestError,
  InsufficientFundsError as ViemInsufficientFundsError,
  WebSocketRequestError,
} from 'viem'
import type { Asset } from '../asset/asset.ts'
import {
  InsufficientFundsError,
  NoContractError,
  RequestRejectedError,
  RpcError,
  UnexpectedError,
} from './chain-errors.ts'
import { ContractRevertedError } from './contract-reverted-error.ts'
import { OikosError } from './oikos-error.ts'

/** What was being done when an error came up. */
export type ErrorContext = {
  contract?: Address | undefined
  functionName?: string | undefined
  account?: Address | undefined
  /** Asset of the tender, so that amounts are written in it. */
  asset?: Asset | undefined
}

/** Turns whatever was thrown by viem into an {@link OikosError}; one that already is comes back as it is. Never throws. */
export function toOikosError(error: unknown, context: ErrorContext = {}): OikosError {
  if (error instanceof OikosError) return error
  if (!(error instanceof BaseError)) {
    return new UnexpectedError(error instanceof Error ? error.message : String(error), { cause: error })
  }
  const find = <found>(type: new (...args: never[]) => found): found | undefined =>
    (error.walk((cause) => cause instanceof type) as found | null) ?? undefined

  const reverted = find(ContractFunctionRevertedError)
  // Some nodes report a sender without money as a revert or in words only; the text decides, as it does in viem.
  const cause = { cause: error }
  if (find(ViemInsufficientFundsError) !== undefined || /insufficient funds/i.test(reverted?.reason ?? error.details)) {
    return new InsufficientFundsError(context.account, cause)
  }
  if (reverted !== undefined && !isNodeFailure(error, reverted)) {
    return new ContractRevertedError({ ...context, data: reverted.raw ?? revertData(error), cause: error })
  }
  if (find(ContractFunctionZeroDataError) !== undefined && context.contract !== undefined) {
    return new NoContractError(context.contract, context.functionName ?? 'the call', cause)
  }
  if (find(UserRejectedRequestError) !== undefined) return new RequestRejectedError(cause)
  const data = revertData(error)
  if (data !== undefined || HALT.test(error.details))
    return new ContractRevertedError({ ...context, data, cause: error })
  if (transportErrors.some((type) => find(type) !== undefined)) return new RpcError(error.details, cause)
  return new UnexpectedError(error.shortMessage, cause)
}

/** How nodes name an execution that ended without a reply, such as one that ran out of gas. geth, reth, anvil. */
const HALT = /out of ?gas|EVM error|invalid opcode|opcode not found|stack (under|over)flow|invalid jump|OOG/i

/** viem takes every internal error of a node for a revert; one that is neither a revert nor a halt is the node's own. */
function isNodeFailure(error: BaseError, reverted: ContractFunctionRevertedError): boolean {
  if (reverted.raw !== undefined && reverted.raw !== '0x') return false
  const answer = error.walk((cause) => cause instanceof InternalRpcError)
  if (!(answer instanceof InternalRpcError)) return false
  return !/revert/i.test(answer.details) && !HALT.test(answer.details)
}

const transportErrors: readonly (new (...args: never[]) => Error)[] = [
  HttpRequestError,
  WebSocketRequestError,
  SocketClosedError,
  TimeoutError,
  RpcRequestError,
  InternalRpcError,
]

/** Revert bytes that a node sent as `data` of its JSON-RPC error. */
function revertData(error: BaseError): Hex | undefined {
  const holder = error.walk((cause) => isHex(dataOf(cause)))
  return holder === null ? undefined : (dataOf(holder) as Hex)
}

function dataOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'data' in cause ? cause.data : undefined
}
