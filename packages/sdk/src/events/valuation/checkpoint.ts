import { defineVaultValuationEvent, type VaultValuationEvent } from './define-vault-valuation-event.ts'

/** The price that an ERC-4626 valuation is measured from moved. */
export type CheckpointEvent = VaultValuationEvent<'Checkpoint'>

const event = defineVaultValuationEvent('Checkpoint')

/** One page of the Checkpoint events of an ERC-4626 valuation, which may be narrowed by the indexed arguments. */
export const listCheckpoint = event.list

/** Follows the Checkpoint events of an ERC-4626 valuation. Returns a function that ends it. */
export const watchCheckpoint = event.watch
