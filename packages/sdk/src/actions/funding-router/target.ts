import type { Address } from 'viem'
import type { TaskTarget } from '../target.ts'

/** A funding router. */
export type RouterTarget = {
  router: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}

/** A tender that is funded through a router. */
export type RoutedTenderTarget = TaskTarget & RouterTarget
