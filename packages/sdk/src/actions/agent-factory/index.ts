export type { AgentBirth } from './birth.ts'
export {
  type CreateFromBirthParameters,
  createFromBirth,
  createFromBirthAndWait,
  simulateCreateFromBirth,
} from './create-from-birth.ts'
export { type FactoryTerms, type GetFactoryTermsParameters, getFactoryTerms } from './get-factory-terms.ts'
export { type PredictAgentParameters, predictAgent } from './predict-agent.ts'
export type { FactoryTarget } from './target.ts'
