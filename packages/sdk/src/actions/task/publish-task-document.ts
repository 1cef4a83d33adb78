import { bytesToHex } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link publishTaskDocument}. */
export type PublishTaskDocumentParameters = TaskTarget &
  WriteParameters & {
    /** The exact bytes of the primary document, at most 24,575; its SHA-256 is the bound tdHash. */
    document: Uint8Array
  }

const write = defineTaskWrite({
  functionName: 'publishTaskDocument',
  event: 'TaskDocumentPublished',
  args: ({ tokenId, document }: PublishTaskDocumentParameters) => [tokenId, bytesToHex(document)],
})

/**
 * Puts the document of the current version on the chain, as the update authority; allowed after a freeze.
 * Simulates, then sends.
 */
export const publishTaskDocument = write.send

/** What {@link publishTaskDocument} would do, on the latest state; nothing is sent. */
export const simulatePublishTaskDocument = write.simulate

/** {@link publishTaskDocument}, then waits for the event TaskDocumentPublished. */
export const publishTaskDocumentAndWait = write.sendAndWait
