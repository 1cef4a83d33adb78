import { attestedValuationAbi, erc4626ValuationAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { attestedValuationBytecode, erc4626ValuationBytecode } from '../bytecode/index.ts'
import { type DeployedContract, type DeployParameters, openDeployment } from './deploy-contract.ts'

/** Parameters of {@link deployVaultValuation}. */
export type DeployVaultValuationParameters = DeployParameters & {
  /** ERC-4626 vault whose asset is the Accept Token. */
  vault: Address
  /** Most that the price of a share of the vault may move, in basis points a day, before settlement stops. */
  corridorBpsPerDay: number
}

/**
 * Deploys a valuation of positions in one ERC-4626 vault; it serves every Agent that holds shares of it.
 * @throws ContractRevertedError (ZeroPrice), AccountMissingError, WrongChainError and what sending throws
 */
export async function deployVaultValuation(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployVaultValuationParameters,
): Promise<DeployedContract> {
  const { deploy } = await openDeployment(walletClient, publicClient, parameters, 'deployVaultValuation')
  return deploy(erc4626ValuationAbi, erc4626ValuationBytecode, [parameters.vault, parameters.corridorBpsPerDay])
}

/** Parameters of {@link deployAttestedValuation}. */
export type DeployAttestedValuationParameters = DeployParameters & {
  agent: Address
  /** Two different accounts, neither of which may be the Agent or one of its Executors. */
  proposer: Address
  accepter: Address
  /** Most that the value may move, in basis points a day; beyond it the Owner confirms. */
  corridorBpsPerDay: number
  /** The corridor is measured from at least this value, in smallest units of the Accept Token. */
  floorAtomic: bigint
  /** Age from which on no settlement may rely on the value. */
  maxAgeSec: number
}

/**
 * Deploys a valuation that two parties attest, for one Agent.
 * @throws ContractRevertedError (SameParty), AccountMissingError, WrongChainError and what sending throws
 */
export async function deployAttestedValuation(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployAttestedValuationParameters,
): Promise<DeployedContract> {
  const { agent, proposer, accepter, corridorBpsPerDay, floorAtomic, maxAgeSec } = parameters
  const { deploy } = await openDeployment(walletClient, publicClient, parameters, 'deployAttestedValuation')
  const args = [agent, proposer, accepter, corridorBpsPerDay, floorAtomic, maxAgeSec]
  return deploy(attestedValuationAbi, attestedValuationBytecode, args)
}
