import { type Client, hexToBytes } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getTaskDocument}. */
export type GetTaskDocumentParameters = TaskReadParameters

/** The exact bytes of the primary document, at most 24,575. Throws ContractRevertedError where none was published. */
export async function getTaskDocument(client: Client, parameters: GetTaskDocumentParameters): Promise<Uint8Array> {
  return hexToBytes(await readTask(client, parameters, 'taskDocument', [parameters.tokenId]))
}
