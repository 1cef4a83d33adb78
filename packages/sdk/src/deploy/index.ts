export { BirthError } from './birth-error.ts'
export { type AgentFinding, type AgentVerdict, type CheckAgentParameters, checkAgent } from './check-agent.ts'
export { checkFactoryCode } from './check-factory-code.ts'
export { assertBorn, type CreateAgentParameters, type CreatedAgent, createAgent } from './create-agent.ts'
export {
  type DeployAgentFactoryParameters,
  type DeployedAgentFactory,
  deployAgentFactory,
} from './deploy-agent-factory.ts'
export type { DeployedContract, DeployParameters } from './deploy-contract.ts'
export { type DeployTaskMarketParameters, deployTaskMarket } from './deploy-task-market.ts'
export {
  type DeployAttestedValuationParameters,
  type DeployVaultValuationParameters,
  deployAttestedValuation,
  deployVaultValuation,
} from './deploy-valuation.ts'
export { DeployedCodeError } from './deployed-code-error.ts'
export {
  type AgentDescription,
  type AgentPlan,
  initialRateOf,
  type PlanAgentParameters,
  planAgent,
} from './plan-agent.ts'
