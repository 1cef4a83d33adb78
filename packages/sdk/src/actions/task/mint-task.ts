import type { TaskHash, TdHash } from '@oikos/core'
import type { Address } from 'viem'
import type { ContractTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'
import { type TenderTerms, toContractTerms } from './tender-terms.ts'

/** Parameters of {@link mintTask}. */
export type MintTaskParameters = ContractTarget &
  WriteParameters & {
    /** Holder of the asset, to whom the residual belongs. */
    to: Address
    /** May publish, freeze and cancel. */
    updateAuthority: Address
    /** Judge, or a verifier contract. */
    acceptanceAuthority: Address
    /** SHA-256 of the plaintext primary document. */
    tdHash: TdHash
    /** SHA-256 of the encoded TaskRoot. */
    taskHash: TaskHash
    /** Where the package may be found; not empty. */
    taskURI: string
    terms: TenderTerms
  }

const write = defineTaskWrite({
  functionName: 'mintTask',
  event: 'TaskUpdated',
  args: ({ to, updateAuthority, acceptanceAuthority, tdHash, taskHash, taskURI, terms }: MintTaskParameters) => [
    to,
    updateAuthority,
    acceptanceAuthority,
    tdHash,
    taskHash,
    taskURI,
    toContractTerms(terms),
  ],
})

/** Mints a tender; anyone may. The terms never change. Money comes with fundTask. Simulates, then sends. */
export const mintTask = write.send

/** What {@link mintTask} would do, on the latest state; nothing is sent. `result` is the id if nobody mints before. */
export const simulateMintTask = write.simulate

/** {@link mintTask}, then waits for the event TaskUpdated; `event.args.tokenId` is the id of the tender. */
export const mintTaskAndWait = write.sendAndWait
