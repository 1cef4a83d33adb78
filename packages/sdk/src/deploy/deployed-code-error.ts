import type { Address } from 'viem'
import { OikosError } from '../errors/oikos-error.ts'

/** What is at an address is not what was deployed or created there. */
export class DeployedCodeError extends OikosError {
  override readonly name = 'DeployedCodeError'
  readonly address: Address

  constructor(address: Address, problem: string) {
    super(`The contract at ${address} is not the one that was meant: ${problem}`, {
      advice: 'Do not use it; check the node and the factory.',
    })
    this.address = address
  }
}
