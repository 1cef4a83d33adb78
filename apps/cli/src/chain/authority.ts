import type { Sha256Digest } from '@oikos/core'
import {
  type Deployment,
  getAnswerHash,
  getBatch,
  getVerifierProfile,
  interfaceIds,
  OikosError,
  type ReceiptBatch,
  supportsInterface,
  type TaskTarget,
} from '@oikos/sdk'
import { type Address, isAddressEqual } from 'viem'
import { getCode } from 'viem/actions'
import type { Connection } from './connect.ts'

/** Who decides about deliveries to a tender, as far as it can be told from the chain. */
export type Judgment =
  | { readonly kind: 'person'; readonly address: Address; readonly hasCode: boolean }
  | { readonly kind: 'hashlock'; readonly address: Address; readonly answerHash: Sha256Digest | undefined }
  | { readonly kind: 'batch'; readonly address: Address; readonly batch: ReceiptBatch | undefined }
  | { readonly kind: 'unknown-verifier'; readonly address: Address; readonly claimedProfile: string | undefined }

/** Reads who holds the judgment slot. A verifier is known only when the deployment names it. Throws RpcError. */
export async function readJudgment(
  connection: Connection,
  target: TaskTarget,
  address: Address,
  deployment: Deployment | undefined,
): Promise<Judgment> {
  const { client } = connection
  const verifier = { ...target, verifier: address }
  if (deployment !== undefined && isAddressEqual(deployment.hashlockVerifier, address)) {
    return { kind: 'hashlock', address, answerHash: await getAnswerHash(client, verifier) }
  }
  if (deployment !== undefined && isAddressEqual(deployment.batchReceiptVerifier, address)) {
    return { kind: 'batch', address, batch: await getBatch(client, verifier) }
  }
  const declares = await orUndefined(
    supportsInterface(client, { contract: address, interfaceId: interfaceIds.ITaskVerifier }),
  )
  if (declares === true) {
    const claimedProfile = await orUndefined(getVerifierProfile(client, { verifier: address }))
    return { kind: 'unknown-verifier', address, claimedProfile }
  }
  const code = await getCode(client, { address })
  return { kind: 'person', address, hasCode: code !== undefined && code !== '0x' }
}

/** What the slot holds, in words. */
export function judgmentText(judgment: Judgment): string {
  switch (judgment.kind) {
    case 'person':
      return judgment.hasCode ? 'judge (a contract)' : 'judge'
    case 'hashlock':
      return 'hash-lock verifier'
    case 'batch':
      return 'batch-receipt verifier'
    case 'unknown-verifier':
      return 'verifier of unknown kind'
    default:
      return judgment satisfies never
  }
}

/** How a delivery to a verifier is settled: the rest of the command after `task settle`. */
export function settleStep(judgment: Judgment, named: string, submissionId: bigint): string {
  const options = {
    hashlock: '--answer <file>',
    batch: '--tree <file>',
    'unknown-verifier': '--proof <hex>',
    person: '',
  }
  return `task settle ${named} ${submissionId} ${options[judgment.kind]}`.trimEnd()
}

/** A contract that does not answer has said nothing; a node that does not answer is an error. */
async function orUndefined<value>(answer: Promise<value>): Promise<value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) return undefined
    throw error
  }
}
