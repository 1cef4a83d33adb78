import type { JsonObject, TaskHash } from '@oikos/core'

/** What a worker is given: files of a package that was verified first, and nothing of the operator's. Still hostile. */
export type WorkOrder = {
  readonly taskHash: TaskHash
  /** Profile of the spec, e.g. `x-intent-labels-v1`: says how the files are to be read. */
  readonly specProfile: string
  /** By path within the package. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What was bought for this order, by name. */
  readonly resources: ReadonlyMap<string, Uint8Array>
  /** What the package asks of a delivery (its `fulfillment` document), where it has one. */
  readonly fulfillment: JsonObject | undefined
}

/** What a worker made: files to be packed and delivered, and one sentence about them for the reasoning record. */
export type WorkProduct = {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly summary: string
}

/** Why there is no product. */
export type WorkFailureCode =
  | 'worker.refused'
  | 'worker.crashed'
  | 'worker.timeout'
  | 'worker.memory'
  | 'worker.output-too-large'
  | 'worker.output-malformed'
  | 'worker.cancelled'

export type WorkOutcome =
  | { readonly ok: true; readonly product: WorkProduct }
  | { readonly ok: false; readonly code: WorkFailureCode; readonly message: string }

/** A skill that runs in a process of its own. */
export type Worker = {
  /** E.g. `labels`. */
  readonly name: string
  /** Profiles of specs that it can serve. */
  readonly specProfiles: readonly string[]
  /**
   * The module that the child process loads; it exports `work(order): Promise<WorkProduct>`. It can read its own folder. An
   * error whose name is `WorkRefusal` says that it will not do the order.
   */
  readonly module: URL
  /** Files and folders that the module needs beside its own, such as a library. */
  readonly readable?: readonly URL[]
}

/** What one run of a worker may use. */
export type WorkLimits = {
  readonly timeoutMs: number
  readonly memoryMiB: number
  readonly outputBytes: number
}

/** Runs workers apart from everything that the operator has. Never throws for what a worker does. */
export type Workshop = {
  readonly workers: readonly Worker[]
  run(worker: Worker, order: WorkOrder, limits: WorkLimits, signal: AbortSignal): Promise<WorkOutcome>
}
