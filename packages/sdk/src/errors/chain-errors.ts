import type { Address } from 'viem'
import { OikosError } from './oikos-error.ts'

/** The node could not be reached, refused the request or answered with an error of its own. Retryable. */
export class RpcError extends OikosError {
  override readonly name = 'RpcError'

  constructor(detail: string, options: { cause?: unknown } = {}) {
    super(`The chain node did not answer: ${detail}`, {
      advice: 'Check the RPC address and your connection, then try again.',
      retryable: true,
      cause: options.cause,
    })
  }
}

/** A call names a chain other than the one that the client is connected to. */
export class WrongChainError extends OikosError {
  override readonly name = 'WrongChainError'
  readonly got: number
  readonly expected: number

  constructor(got: number, expected: number, options: { cause?: unknown } = {}) {
    super(`The client is connected to chain ${got}, but this call is for chain ${expected}.`, {
      advice: `Connect to chain ${expected}.`,
      cause: options.cause,
    })
    this.got = got
    this.expected = expected
  }
}

/** Nothing that answers this function is deployed at the address. */
export class NoContractError extends OikosError {
  override readonly name = 'NoContractError'
  readonly address: Address
  readonly functionName: string

  constructor(address: Address, functionName: string, options: { cause?: unknown } = {}) {
    super(`No contract that answers ${functionName} was found at ${address}.`, {
      advice: 'Check the address and the chain; a local chain forgets its contracts when it restarts.',
      cause: options.cause,
    })
    this.address = address
    this.functionName = functionName
  }
}

/** A write was asked for without an account to make it. */
export class AccountMissingError extends OikosError {
  override readonly name = 'AccountMissingError'

  constructor(functionName: string) {
    super(`${functionName} needs an account, and neither the client nor the call has one.`, {
      advice: 'Create the client with an account, or pass `account`.',
    })
  }
}

/** The sender cannot pay for the value or the gas of a transaction. */
export class InsufficientFundsError extends OikosError {
  override readonly name = 'InsufficientFundsError'
  readonly account: Address | undefined

  constructor(account: Address | undefined, options: { cause?: unknown } = {}) {
    super(`${account ?? 'The sender'} does not have enough native currency for the value and the gas of this call.`, {
      advice: 'Send native currency to the account, or lower the amount.',
      cause: options.cause,
    })
    this.account = account
  }
}

/** The wallet or its user declined. Nothing was sent. */
export class RequestRejectedError extends OikosError {
  override readonly name = 'RequestRejectedError'

  constructor(options: { cause?: unknown } = {}) {
    super('The request was declined in the wallet; nothing was sent.', {
      advice: 'Confirm it in the wallet if you want to go on.',
      cause: options.cause,
    })
  }
}

/** A failure that none of the other classes describes. The cause is kept. */
export class UnexpectedError extends OikosError {
  override readonly name = 'UnexpectedError'

  constructor(detail: string, options: { cause?: unknown } = {}) {
    super(`The call failed: ${detail}`, { advice: 'The cause of this error has the details.', cause: options.cause })
  }
}
