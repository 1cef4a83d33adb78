import { streakVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A publisher committed a tender to a streak; lengths in seconds. */
export type StreakCommittedEvent = ContractEvent<typeof streakVerifierAbi, 'StreakCommitted'>

const event = defineVerifierEvent(streakVerifierAbi, 'StreakCommitted')

/** One page of the StreakCommitted events of a streak verifier. */
export const listStreakCommitted = event.list

/** Follows the StreakCommitted events of a streak verifier. Returns a function that ends it. */
export const watchStreakCommitted = event.watch
