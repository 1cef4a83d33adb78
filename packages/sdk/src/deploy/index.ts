export { BirthError } from './birth-error.ts'
export { type AgentFinding, type AgentVerdict, type CheckAgentParameters, checkAgent } from './check-agent.ts'
export { checkFactoryCode } from './check-factory-code.ts'
export { type CompanionKind, type CompanionTerms, companionDeployData } from './companion-creation.ts'
export { assertBorn, type CreateAgentParameters, type CreatedAgent, createAgent } from './create-agent.ts'
export {
  type DeployAgentFactoryParameters,
  type DeployedAgentFactory,
  deployAgentFactory,
} from './deploy-agent-factory.ts'
export {
  type DeployBondedGateParameters,
  type DeployFundingRouterParameters,
  type DeployJuryPanelParameters,
  type DeploySplitterParameters,
  type DeployStockVerifierParameters,
  type DeployTenderRoyaltyParameters,
  deployBondedGate,
  deployFundingRouter,
  deployJuryPanel,
  deploySplitter,
  deployStockVerifier,
  deployTenderRoyalty,
  type StockVerifierKind,
} from './deploy-companion.ts'
export type { DeployedContract, DeployParameters } from './deploy-contract.ts'
export { type DeployTaskMarketParameters, deployTaskMarket } from './deploy-task-market.ts'
export {
  type DeployAttestedValuationParameters,
  type DeployVaultValuationParameters,
  deployAttestedValuation,
  deployVaultValuation,
} from './deploy-valuation.ts'
export { DeployedCodeError } from './deployed-code-error.ts'
export { type Companion, type IdentifyCompanionParameters, identifyCompanion } from './identify-companion.ts'
export {
  type AgentDescription,
  type AgentPlan,
  initialRateOf,
  type PlanAgentParameters,
  planAgent,
} from './plan-agent.ts'
