import type { WriteParameters } from '../target.ts'
import { defineQuietVaultValuationWrite } from './define-vault-valuation-write.ts'
import type { ValuationTarget } from './target.ts'

/** Parameters of {@link pokeValuation}. */
export type PokeValuationParameters = ValuationTarget & WriteParameters

const write = defineQuietVaultValuationWrite({
  functionName: 'poke',
  event: 'Checkpoint',
  args: (_: PokeValuationParameters) => [],
})

/**
 * Moves the checkpoint of an ERC-4626 valuation to the price of now, if it lies in the corridor; anyone may. Simulates,
 * then sends.
 */
export const pokeValuation = write.send

/** What {@link pokeValuation} would do, on the latest state; nothing is sent. */
export const simulatePokeValuation = write.simulate

/** {@link pokeValuation}, then waits; `event` is Checkpoint, or undefined when the price had not moved. */
export const pokeValuationAndWait = write.sendAndWait
