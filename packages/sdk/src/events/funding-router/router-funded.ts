import type { fundingRouterAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineRouterEvent } from './define-router-event.ts'

/** Somebody funded a tender through a router; `net` reached the tender. */
export type RouterFundedEvent = ContractEvent<typeof fundingRouterAbi, 'Funded'>

const event = defineRouterEvent('Funded')

/** One page of the Funded events of a funding router. */
export const listRouterFunded = event.list

/** Follows the Funded events of a funding router. Returns a function that ends it. */
export const watchRouterFunded = event.watch
