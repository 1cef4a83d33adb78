import {
  type Disposition,
  decodeEvmSigned,
  isTransactionId,
  SEPOLIA_CHAIN_ID,
  type TransactionId,
} from '@oikos/core/economic'
import { bytesToHex, keccak256, recoverTransactionAddress } from 'viem'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { pushReceipt } from '../adapter/documents.ts'
import { isNothingSent, noteFirst } from '../adapter/note.ts'
import { refuseUnreadable } from '../adapter/requests.ts'
import {
  askAll,
  beforeSending,
  EndpointError,
  EndpointFaultError,
  EndpointsExhaustedError,
  RpcAnswerError,
  sendToOne,
} from '../endpoint/index.ts'
import { type EvmContext, factsOf, GRACE_MS, surveyNodes } from './context.ts'
import type { EvmNode } from './node.ts'

/**
 * Sends a signed transfer to one node, once, and says what is known of it then. Whatever a node answers but its id, and
 * whatever breaks after the bytes may have left, is settled by looking the id up: a transaction that any node has is not an
 * error. What no node has after a plain refusal, and what was never sent before, is `rejected`; after any other error of a node
 * it is `unknown`.
 */
export async function broadcastEvm(context: EvmContext, signed: Uint8Array, sink: PushSink): Promise<void> {
  const { sent, clockMs } = context
  const { transactionId, facts } = await identify(context, signed)
  const isFirst = await noteFirst(sent, transactionId, facts)
  let disposition: Disposition
  try {
    disposition = await send(context, signed, transactionId)
  } catch (cause) {
    if (isFirst && isNothingSent(cause)) await sent.withdraw(transactionId)
    disposition = await lookUpAfter(context.nodes, transactionId, isFirst, cause)
  }
  pushReceipt(sink, { rail: 'evm', signedTransaction: signed, transactionId, disposition, observedAtMs: clockMs() })
}

async function identify(
  { account }: EvmContext,
  signed: Uint8Array,
): Promise<{ readonly transactionId: TransactionId; readonly facts: string }> {
  const { transfer } = refuseUnreadable('signed transaction', () => decodeEvmSigned(signed))
  if (transfer.chainId !== SEPOLIA_CHAIN_ID)
    throw new RailRefusalError(`signed transaction: for chain ${transfer.chainId}, expected ${SEPOLIA_CHAIN_ID}`)
  const from = await signerOf(signed)
  if (from !== account) throw new RailRefusalError(`signed transaction: of ${from}, expected the wallet ${account}`)
  const transactionId: string = keccak256(signed)
  if (!isTransactionId('evm', transactionId)) throw new TypeError(`no transaction id: ${transactionId}`)
  return { transactionId, facts: factsOf({ from, nonce: transfer.nonce }) }
}

async function signerOf(signed: Uint8Array): Promise<string> {
  try {
    const serializedTransaction = bytesToHex(signed) as `0x02${string}`
    return (await recoverTransactionAddress({ serializedTransaction })).toLowerCase()
  } catch (cause) {
    throw new RailRefusalError('signed transaction: no key can have made this signature', { cause })
  }
}

async function send(context: EvmContext, signed: Uint8Array, transactionId: TransactionId): Promise<Disposition> {
  const nodes = await beforeSending(() => furthestFirst(context))
  await sendToOne(nodes, {
    check: (node) => node.checkNetwork(),
    send: async (node) => {
      const named = await node.send(signed)
      if (named === transactionId) return
      throw new EndpointFaultError(node.origin, 'malformed', 'uncertain', 'the node names another transaction')
    },
  })
  return 'accepted'
}

/** A single node needs no survey: it is checked before anything is sent. Nodes that do not answer now come last. */
async function furthestFirst(context: EvmContext): Promise<readonly EvmNode[]> {
  const { nodes } = context
  if (nodes.length === 1) return nodes
  try {
    const surveyed = (await surveyNodes(context)).map(({ node }) => node)
    return [...surveyed, ...nodes.filter((node) => !surveyed.includes(node))]
  } catch (cause) {
    if (cause instanceof EndpointsExhaustedError) return nodes
    throw cause
  }
}

/** What a node says when it will not keep a transaction, for reasons that lie in the transaction or the wallet. */
const PLAIN_REFUSAL =
  /insufficient funds|underpriced|intrinsic gas|gas required exceeds|exceeds block gas limit|fee cap|less than block base fee|invalid (sender|signature|chain id)|not supported/i

/**
 * Finds out what became of bytes that may have arrived. Throws `cause` when that is not known. A refusal is the last word
 * only about bytes that were never sent before: an earlier sending may have reached somebody.
 */
async function lookUpAfter(
  nodes: readonly EvmNode[],
  transactionId: TransactionId,
  isFirst: boolean,
  cause: unknown,
): Promise<Disposition> {
  if (!(cause instanceof EndpointError) || cause.effect === 'not-started') throw cause
  const found = await lookUp(nodes, transactionId, cause.origin).catch(() => 'unknown' as const)
  if (found === 'accepted' || found === 'pending') return found
  if (!(cause instanceof RpcAnswerError)) throw cause
  return isFirst && found === 'absent' && PLAIN_REFUSAL.test(cause.nodeMessage) ? 'rejected' : 'unknown'
}

/** Whether any node has a transaction. `absent` only when the node that was sent to says so, and no other one has it. */
async function lookUp(
  nodes: readonly EvmNode[],
  transactionId: TransactionId,
  sentTo: string,
): Promise<'accepted' | 'pending' | 'absent' | 'unknown'> {
  const look = async (node: EvmNode): Promise<'accepted' | 'pending' | 'absent'> => {
    await node.checkNetwork()
    if ((await node.getInclusion(transactionId)) !== undefined) return 'accepted'
    return (await node.getTransaction(transactionId)) === undefined ? 'absent' : 'pending'
  }
  const { answers } = await askAll(nodes, look, GRACE_MS)
  const results = answers.map(({ result }) => result)
  if (results.includes('accepted')) return 'accepted'
  if (results.includes('pending')) return 'pending'
  return answers.some(({ endpoint }) => endpoint.origin === sentTo) ? 'absent' : 'unknown'
}
