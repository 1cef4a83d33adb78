import type { TaskHash, TdHash } from '../digest/index.ts'
import { type FulfillmentDescriptor, type Manifest, readFulfillment, readManifest } from './documents.ts'
import { viewTask } from './package-view.ts'
import { inspectTaskRoot, type TaskRoot } from './task-root.ts'
import { type PackageFacts, type PackageVerdict, type VerifyOptions, verifyPackage } from './verify-package.ts'

/** What the chain binds beside `taskHash`: `tdHash`, and the version, which counts from 1. */
export type TaskBinding = { readonly tdHash: TdHash; readonly version: bigint }

/** An earlier binding of the same token, as a `TaskUpdated` event gives it. */
export type PastTaskBinding = { readonly taskHash: TaskHash; readonly version: bigint }

/** What is to be verified, and what it must agree with. */
export type VerifyTaskOptions = VerifyOptions & {
  /** The on-chain `taskHash`; the root is looked up by it. */
  readonly taskHash: TaskHash
  readonly binding?: TaskBinding
  /** The on-chain terms; `maxCompletions` 0 is unbounded. */
  readonly terms?: { readonly maxCompletions: bigint }
  /** Earlier bindings in any order; the one before `binding.version` decides `prev`. */
  readonly history?: readonly PastTaskBinding[]
}

/** {@link PackageFacts} with the documents that only a task has. */
export type TaskFacts = PackageFacts & { manifest?: Manifest; fulfillment?: FulfillmentDescriptor }

/** The verdict on a task package. */
export type TaskVerdict = PackageVerdict<TaskRoot, TaskFacts>

/**
 * Verifies a task package against everything that is given: its `taskHash`, binding, terms and history. Hostile input
 * gives a verdict, never a thrown error. Source: ERC-8414, TaskRoot to Confidentiality descriptor.
 */
export function verifyTaskPackage(options: VerifyTaskOptions): Promise<TaskVerdict> {
  const binding = options.binding && { primaryHash: options.binding.tdHash, version: options.binding.version }
  const history = options.history?.map(({ taskHash, version }) => ({ hash: taskHash, version })) ?? []
  return verifyPackage<TaskRoot, TaskFacts>(
    {
      inspect: inspectTaskRoot,
      view: viewTask,
      readManifest: (bytes, root, { facts, limits, findings }) => {
        const manifest = readManifest(bytes, root.spec.path, limits, findings)
        if (manifest !== undefined) facts.manifest = manifest
      },
      readFulfillment: (bytes, { facts, limits, findings }) => {
        if (options.terms === undefined) facts.notChecked.push('terms')
        const fulfillment = readFulfillment(bytes, options.terms?.maxCompletions, limits, findings)
        if (fulfillment !== undefined) facts.fulfillment = fulfillment
      },
    },
    { options, rootHash: options.taskHash, binding, history },
    (facts) => facts,
  )
}
