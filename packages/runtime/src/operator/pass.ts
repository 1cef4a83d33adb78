import type { AgentBooks, BlockMoment } from '@oikos/sdk'
import type { OperatorContext } from './context.ts'
import type { Fence } from './store/leases.ts'

/** One look at the chain, all at one block, and the right to act on it. */
export type Pass = {
  readonly context: OperatorContext
  readonly fence: Fence
  readonly head: BlockMoment
  readonly books: AgentBooks
  readonly signal: AbortSignal
  /** Tenders that need not be looked at before a moment, in milliseconds since 1970, by id. */
  readonly postponed: Map<string, bigint>
  /** Says what is waited for, in one sentence. */
  readonly wait: (sentence: string) => void
}
