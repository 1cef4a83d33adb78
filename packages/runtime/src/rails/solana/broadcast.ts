import {
  type Disposition,
  decodeSolanaMessage,
  decodeSolanaSigned,
  isTransactionId,
  type TransactionId,
} from '@oikos/core/economic'
import {
  type Address,
  getBase58Decoder,
  getBase64Decoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit'
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
  RpcAnswerError,
  sendToOne,
} from '../endpoint/index.ts'
import { BLOCKHASH_LIFE, type BlockhashLife, factsOf, furthestFirst, GRACE_MS, type SolanaContext } from './context.ts'
import type { SolanaNode } from './node.ts'

/**
 * Sends a signed transfer to one node, once, and says what is known of it then. Whatever a node answers but its id, and
 * whatever breaks after the bytes may have left, is settled by looking the id up: a transaction that is in a block is not an
 * error. What every node lacks after a plain refusal, and what was never sent before, is `rejected`; after any other error of
 * a node it is `unknown`.
 */
export async function broadcastSolana(context: SolanaContext, signed: Uint8Array, sink: PushSink): Promise<void> {
  const { sent, nodes, clockMs } = context
  const { transactionId, blockhash } = await identify(context, signed)
  const wire = getBase64Decoder().decode(signed)
  let isFirst: boolean | undefined
  let disposition: Disposition = 'accepted'
  try {
    await sendToOne(await beforeSending(() => furthestFirst(context)), {
      check: async (node) => {
        await node.checkNetwork()
        isFirst ??= await noteFirst(sent, transactionId, factsOf(await lifeOf(context, blockhash, node)))
      },
      send: (node) => send(node, wire, transactionId),
    })
  } catch (cause) {
    if (isFirst === true && isNothingSent(cause)) await sent.withdraw(transactionId)
    disposition = await lookUpAfter(nodes, transactionId, isFirst === true, cause)
  }
  pushReceipt(sink, { rail: 'solana', signedTransaction: signed, transactionId, disposition, observedAtMs: clockMs() })
}

type Identity = { readonly transactionId: TransactionId; readonly blockhash: string }

async function identify({ account }: SolanaContext, signed: Uint8Array): Promise<Identity> {
  const { signature, message } = refuseUnreadable('signed transaction', () => decodeSolanaSigned(signed))
  const { accounts, recentBlockhash } = refuseUnreadable('signed transaction', () => decodeSolanaMessage(message))
  const payer = accounts[0] ?? 'nobody'
  if (payer !== account) throw new RailRefusalError(`signed transaction: of ${payer}, expected the wallet ${account}`)
  const key = await getPublicKeyFromAddress(payer as Address)
  if (!(await verifySignature(key, signature as SignatureBytes, message)))
    throw new RailRefusalError('signed transaction: the signature does not hold')
  const transactionId = getBase58Decoder().decode(signature)
  if (!isTransactionId('solana', transactionId)) throw new TypeError(`no transaction id: ${transactionId}`)
  return { transactionId, blockhash: recentBlockhash }
}

/** The life of the blockhash as its snapshot had it, or, where that was another process, the longest that it can be. */
async function lifeOf(context: SolanaContext, blockhash: string, node: SolanaNode): Promise<BlockhashLife> {
  const known = context.blockhashes.get(blockhash)
  if (known !== undefined) return known
  const { slot, height } = await node.getTip('processed')
  return { lastValidBlockHeight: height + BLOCKHASH_LIFE, slot }
}

async function send(node: SolanaNode, wire: string, transactionId: string): Promise<void> {
  const named = await node.send(wire)
  if (named === transactionId) return
  throw new EndpointFaultError(node.origin, 'malformed', 'uncertain', 'the node names another transaction')
}

/**
 * A node answers so before it passes anything on: the trial run failed, a signature does not hold, another number of
 * signatures, or not a transaction at all. Source: Agave, rpc custom errors; JSON-RPC 2.0, invalid params.
 */
const PLAIN_REFUSALS: readonly bigint[] = [-32002n, -32003n, -32013n, -32602n]

/** Finds out what became of bytes that may have arrived. Throws `cause` when that is not known. */
async function lookUpAfter(
  nodes: readonly SolanaNode[],
  transactionId: TransactionId,
  isFirst: boolean,
  cause: unknown,
): Promise<Disposition> {
  if (!(cause instanceof EndpointError) || cause.effect === 'not-started') throw cause
  const found = await lookUp(nodes, transactionId).catch(() => 'unknown' as const)
  if (found === 'included') return 'accepted'
  if (!(cause instanceof RpcAnswerError)) throw cause
  return found === 'absent' && isFirst && PLAIN_REFUSALS.includes(cause.code) ? 'rejected' : 'unknown'
}

/** Whether any node has a transaction in a block. `absent` only when every node was asked and answered. */
async function lookUp(
  nodes: readonly SolanaNode[],
  transactionId: TransactionId,
): Promise<'included' | 'absent' | 'unknown'> {
  const look = async (node: SolanaNode): Promise<boolean> => {
    await node.checkNetwork()
    return (await node.getStatus(transactionId)).status !== undefined
  }
  const { answers } = await askAll(nodes, look, GRACE_MS)
  if (answers.some(({ result }) => result)) return 'included'
  return answers.length === nodes.length ? 'absent' : 'unknown'
}
