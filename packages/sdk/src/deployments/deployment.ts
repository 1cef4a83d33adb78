import type { Address, Hash } from 'viem'
import { OikosError } from '../errors/oikos-error.ts'

/** Where the contracts of one network are: a task market and, where there is one, a factory of Agents. */
export type Deployment = {
  readonly chainId: number
  /**
   * Name of the network, such as `sepolia` or `local`: a local chain may carry the chain id of a public one, so the id
   * alone does not tell them apart.
   */
  readonly network: string
  /** Hash of block 0, which does tell two chains of one id apart. Absent when it is not known. */
  readonly genesisHash?: Hash
  /** The contracts were not there before this block, so logs are read from here. */
  readonly deployedAtBlock: bigint
  readonly taskToken: Address
  readonly hashlockVerifier: Address
  readonly batchReceiptVerifier: Address
  /** Where Agents are born on this network; absent where there is no factory. */
  readonly agentFactory?: Address
  /** Agents of that factory under names that somebody gave them: 1 to 40 lower-case letters, digits and hyphens. */
  readonly agents?: Readonly<Record<string, Address>>
}

/** Deployments cannot be read, none fits, or several do. */
export class DeploymentError extends OikosError {
  override readonly name = 'DeploymentError'
  /** `malformed` data, `unknown` chain or network, or `ambiguous` chain id. */
  readonly reason: 'malformed' | 'unknown' | 'ambiguous'

  constructor(reason: DeploymentError['reason'], sentence: string, options: { advice: string; cause?: unknown }) {
    super(sentence, options)
    this.reason = reason
  }
}
