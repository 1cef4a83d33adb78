import type { RailUnderTest } from '../../packages/runtime/test/rails/rail-under-test.ts'

/** The same transfer without us, by the library that people use for this chain. */
export type BareTransfers = {
  /** Sends one transfer as the library does it by default, with all questions that it asks before; gives its id. */
  readonly send: () => Promise<string>
  /** Asks the node once for the transfer and its block; throws when it is not included. */
  readonly confirm: (id: string) => Promise<void>
  /** Signs transfers beforehand; the result sends them all as fast as the node takes them. */
  readonly presign: (count: number) => Promise<() => Promise<void>>
  /** Lets the wallet of `rail` go on after these. */
  readonly close: () => void
}

/** A rail to be measured: one file for each. */
export type BenchedRail = {
  /** Of the chain. */
  readonly name: string
  readonly library: string
  /** The chain and the rail, with nothing between them. */
  readonly make: () => Promise<RailUnderTest & BareTransfers>
}
