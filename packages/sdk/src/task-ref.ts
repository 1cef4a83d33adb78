import { type Address, getAddress, isAddress, maxUint256 } from 'viem'
import { OikosError } from './errors/oikos-error.ts'

/** A tender, wherever it is. Fits every action as its target. */
export type TaskRef = {
  readonly chainId: number
  /** The task contract. */
  readonly task: Address
  readonly tokenId: bigint
}

/** A text does not name a tender. */
export class TaskRefFormatError extends OikosError {
  override readonly name = 'TaskRefFormatError'
  readonly got: string

  constructor(got: string, problem: string) {
    super(`Task ${JSON.stringify(got.slice(0, 160))}: ${problem}`, {
      advice: 'Write it as chain:contract:number, for example 11155111:0x0000000000000000000000000000000000000001:7.',
    })
    this.got = got
  }
}

/** 16 digits of chain id, 42 characters of address, 78 digits of token id. */
const REF_TEXT = /^([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40}):([1-9][0-9]{0,77})$/

/**
 * Reads `chainId:taskContract:tokenId`. An address in mixed case must have its checksum. Source: ERC-55.
 * @throws {@link TaskRefFormatError}
 */
export function parseTaskRef(text: string): TaskRef {
  const match = REF_TEXT.exec(text)
  if (match === null) throw new TaskRefFormatError(text, 'expected a chain id, a contract address and a number from 1.')
  const [, chain = '', contract = '', number = ''] = match
  const address = contract as Address
  const plain = address === address.toLowerCase()
  if (!plain && !isAddress(address)) throw new TaskRefFormatError(text, 'the checksum of the address is wrong.')
  const chainId = Number(chain)
  if (!Number.isSafeInteger(chainId)) throw new TaskRefFormatError(text, 'the chain id is too large.')
  const tokenId = BigInt(number)
  if (tokenId > maxUint256) throw new TaskRefFormatError(text, 'the number is too large.')
  return { chainId, task: getAddress(address), tokenId }
}

/** Writes the one text of a tender, with the checksum of the address. {@link parseTaskRef} reads it back. */
export function formatTaskRef(ref: TaskRef): string {
  return `${ref.chainId}:${getAddress(ref.task)}:${ref.tokenId}`
}
