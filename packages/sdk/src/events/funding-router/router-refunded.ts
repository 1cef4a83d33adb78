import type { fundingRouterAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineRouterEvent } from './define-router-event.ts'

/** A funder got a share of what a tender gave back. */
export type RouterRefundedEvent = ContractEvent<typeof fundingRouterAbi, 'Refunded'>

const event = defineRouterEvent('Refunded')

/** One page of the Refunded events of a funding router. */
export const listRouterRefunded = event.list

/** Follows the Refunded events of a funding router. Returns a function that ends it. */
export const watchRouterRefunded = event.watch
