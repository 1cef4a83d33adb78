import type { Address, Client } from 'viem'
import { type CompanionKind, type CompanionTerms, companionCreation } from './companion-creation.ts'
import { type DeployedContract, type DeployParameters, openDeployment } from './deploy-contract.ts'
import { DeployedCodeError } from './deployed-code-error.ts'
import { hasCodeOf } from './expected-code.ts'

/** Deploys a companion, waits for it, and compares its code with that of this package. */
async function deployCompanion<kind extends CompanionKind>(
  walletClient: Client,
  publicClient: Client,
  kind: kind,
  parameters: CompanionTerms[kind] & DeployParameters,
): Promise<DeployedContract> {
  const { deploy } = await openDeployment(walletClient, publicClient, parameters, 'deployCompanion')
  const creation = companionCreation(kind, parameters)
  const deployed = await deploy(creation.abi, creation.bytecode, creation.args)
  // a node behind the one that gave the receipt refuses the block instead of knowing no code
  const at = { blockNumber: deployed.receipt.blockNumber }
  if (!(await hasCodeOf(publicClient, deployed.address, creation, at))) {
    throw new DeployedCodeError(deployed.address, 'its code is not what this version creates.')
  }
  return deployed
}

/** Parameters of {@link deployJuryPanel}: who judges, each once and at most 32, how many of them, and how long they have. */
export type DeployJuryPanelParameters = CompanionTerms['jury-panel'] & DeployParameters

/**
 * Deploys a jury; it serves any number of tenders.
 * @param walletClient signs and sends
 * @param publicClient reads; may be the same client
 * @throws ContractRevertedError (JurorCountOutOfRange, QuorumOutOfRange, ZeroVoteWindow, BadJuror, DuplicateJuror),
 *   DeployedCodeError, AccountMissingError, WrongChainError and what sending throws
 */
export function deployJuryPanel(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployJuryPanelParameters,
): Promise<DeployedContract> {
  return deployCompanion(walletClient, publicClient, 'jury-panel', parameters)
}

/** Parameters of {@link deploySplitter}: who shares, at most 32, with 10,000 basis points in all. */
export type DeploySplitterParameters = CompanionTerms['splitter'] & DeployParameters

/**
 * Deploys a splitter for one team.
 * @throws ContractRevertedError (MemberCountOutOfRange, BadRecipient, ZeroShare, DuplicateMember, SharesDoNotAddUp),
 *   DeployedCodeError, AccountMissingError, WrongChainError and what sending throws
 */
export function deploySplitter(
  walletClient: Client,
  publicClient: Client,
  parameters: DeploySplitterParameters,
): Promise<DeployedContract> {
  return deployCompanion(walletClient, publicClient, 'splitter', parameters)
}

/** Parameters of {@link deployFundingRouter}: who gets the fee, and how much, at most 1,000 basis points. */
export type DeployFundingRouterParameters = CompanionTerms['funding-router'] & DeployParameters

/**
 * Deploys a funding router; it serves any number of tenders.
 * @throws ContractRevertedError (BadRecipient, FeeTooHigh), DeployedCodeError, AccountMissingError, WrongChainError and what
 *   sending throws
 */
export function deployFundingRouter(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployFundingRouterParameters,
): Promise<DeployedContract> {
  return deployCompanion(walletClient, publicClient, 'funding-router', parameters)
}

/** Parameters of {@link deployBondedGate}. */
export type DeployBondedGateParameters = CompanionTerms['bonded-gate'] & DeployParameters

/**
 * Deploys a bonded gate for one task contract with its rule; it serves any number of tenders there.
 * @throws ContractRevertedError (ZeroBond, LossOutOfRange, BadBeneficiary), DeployedCodeError, AccountMissingError,
 *   WrongChainError and what sending throws
 */
export function deployBondedGate(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployBondedGateParameters,
): Promise<DeployedContract> {
  return deployCompanion(walletClient, publicClient, 'bonded-gate', parameters)
}

/** Parameters of {@link deployTenderRoyalty}: the task contract whose tenders are sold. */
export type DeployTenderRoyaltyParameters = { readonly task: Address } & DeployParameters

/**
 * Deploys a royalty contract for one task contract.
 * @throws DeployedCodeError, AccountMissingError, WrongChainError and what sending throws
 */
export function deployTenderRoyalty(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployTenderRoyaltyParameters,
): Promise<DeployedContract> {
  return deployCompanion(walletClient, publicClient, 'tender-royalty', parameters)
}

/** A stock verifier by the name that its contract has in the list of companions. */
export type StockVerifierKind = Extract<CompanionKind, `${string}-verifier`>

/** Parameters of {@link deployStockVerifier}. */
export type DeployStockVerifierParameters = DeployParameters & { kind: StockVerifierKind }

/**
 * Deploys a stock verifier; one serves every tender of every task contract.
 * @throws DeployedCodeError, AccountMissingError, WrongChainError and what sending throws
 */
export function deployStockVerifier(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployStockVerifierParameters,
): Promise<DeployedContract> {
  return deployCompanion(walletClient, publicClient, parameters.kind, parameters)
}
