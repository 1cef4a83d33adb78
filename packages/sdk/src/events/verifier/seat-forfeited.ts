import { streakVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A provider lost the seat of a tender by missing `missedEpoch`. */
export type SeatForfeitedEvent = ContractEvent<typeof streakVerifierAbi, 'SeatForfeited'>

const event = defineVerifierEvent(streakVerifierAbi, 'SeatForfeited')

/** One page of the SeatForfeited events of a streak verifier. */
export const listSeatForfeited = event.list

/** Follows the SeatForfeited events of a streak verifier. Returns a function that ends it. */
export const watchSeatForfeited = event.watch
