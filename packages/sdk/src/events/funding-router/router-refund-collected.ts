import type { fundingRouterAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineRouterEvent } from './define-router-event.ts'

/** A tender gave back to a router. */
export type RouterRefundCollectedEvent = ContractEvent<typeof fundingRouterAbi, 'RefundCollected'>

const event = defineRouterEvent('RefundCollected')

/** One page of the RefundCollected events of a funding router. */
export const listRouterRefundCollected = event.list

/** Follows the RefundCollected events of a funding router. Returns a function that ends it. */
export const watchRouterRefundCollected = event.watch
