export { type AcceptValueParameters, acceptValue, acceptValueAndWait, simulateAcceptValue } from './accept-value.ts'
export {
  type ConfirmValueParameters,
  confirmValue,
  confirmValueAndWait,
  simulateConfirmValue,
} from './confirm-value.ts'
export {
  type AttestedValuation,
  type GetAttestedValuationParameters,
  getAttestedValuation,
} from './get-attested-valuation.ts'
export { type GetValuationParameters, getValuation, type Valuation } from './get-valuation.ts'
export { type GetValuationAssetParameters, getValuationAsset } from './get-valuation-asset.ts'
export { type GetVaultValuationParameters, getVaultValuation, type VaultValuation } from './get-vault-valuation.ts'
export {
  type PokeValuationParameters,
  pokeValuation,
  pokeValuationAndWait,
  simulatePokeValuation,
} from './poke-valuation.ts'
export {
  type ProposeValueParameters,
  proposeValue,
  proposeValueAndWait,
  simulateProposeValue,
} from './propose-value.ts'
export type { ValuationTarget } from './target.ts'
