import type { Address, Hex } from 'viem'
import type { Asset } from '../asset/asset.ts'
import { explainRevert } from './explain-revert.ts'
import { OikosError } from './oikos-error.ts'

/** What is known about a revert. */
export type ContractRevertedErrorOptions = {
  /** Bytes that the call returned; undefined when the node did not pass them on. */
  data?: Hex | undefined
  contract?: Address | undefined
  functionName?: string | undefined
  /** Asset of the tender, so that amounts are written in it. */
  asset?: Asset | undefined
  cause?: unknown
}

/** A contract refused a call. The sentence and the advice come from the tables beside this file. */
export class ContractRevertedError extends OikosError {
  override readonly name = 'ContractRevertedError'
  /** Name of the custom error in the contract, such as `EscrowTooLow`; `Unknown` for one that is not ours. */
  readonly errorName: string
  /** Arguments under their names in the contract; amounts in smallest units, times in unix seconds. */
  readonly args: Readonly<Record<string, unknown>>
  readonly data: Hex | undefined
  readonly contract: Address | undefined
  readonly functionName: string | undefined
  /** From when on the same call may succeed, in unix seconds, where the clock decides. */
  readonly retryAtSec: bigint | undefined

  constructor(options: ContractRevertedErrorOptions) {
    const { data, contract, functionName, asset, cause } = options
    const explained = data === undefined ? undefined : explainRevert(data, { asset })
    super(explained?.sentence ?? describeUnknown(functionName, contract, data), {
      advice:
        explained?.advice ?? 'Check that the address is the contract you mean, and that your tool knows its version.',
      retryable: explained?.retryable ?? false,
      cause,
    })
    this.errorName = explained?.errorName ?? 'Unknown'
    this.args = explained?.args ?? {}
    this.data = data
    this.contract = contract
    this.functionName = functionName
    this.retryAtSec = explained?.retryAtSec
  }
}

function describeUnknown(
  functionName: string | undefined,
  contract: Address | undefined,
  data: Hex | undefined,
): string {
  const call = `${functionName ?? 'The call'}${contract === undefined ? '' : ` at ${contract}`}`
  if (data === undefined || data === '0x') return `${call} was refused without a reason.`
  return `${call} was refused with an error that is not known here: ${data.slice(0, 74)}${data.length > 74 ? '…' : ''}`
}
