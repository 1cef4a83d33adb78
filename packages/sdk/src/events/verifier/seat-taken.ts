import { streakVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A provider took the seat of a tender with a delivery of `epoch`. */
export type SeatTakenEvent = ContractEvent<typeof streakVerifierAbi, 'SeatTaken'>

const event = defineVerifierEvent(streakVerifierAbi, 'SeatTaken')

/** One page of the SeatTaken events of a streak verifier. */
export const listSeatTaken = event.list

/** Follows the SeatTaken events of a streak verifier. Returns a function that ends it. */
export const watchSeatTaken = event.watch
