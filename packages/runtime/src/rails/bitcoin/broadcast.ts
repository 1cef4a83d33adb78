import {
  bitcoinTxid,
  type DecodedBitcoinTransaction,
  type Disposition,
  decodeBitcoinTransaction,
  isTransactionId,
  readWitness,
  type TransactionId,
} from '@oikos/core/economic'
import { hash160 } from '@scure/btc-signer/utils.js'
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
import { type BitcoinContext, factsOf, furthestFirst, GRACE_MS } from './context.ts'
import type { BitcoinNode, Outpoint } from './node.ts'

/**
 * Sends a signed transfer to one node, once, and says what is known of it then. Whatever a node answers but its id, and
 * whatever breaks after the bytes may have left, is settled by looking the id up: a transaction that any node has is not an
 * error. What every node lacks after a plain refusal, and what was never sent before, is `rejected`; after any other error of
 * a node it is `unknown`.
 */
export async function broadcastBitcoin(context: BitcoinContext, signed: Uint8Array, sink: PushSink): Promise<void> {
  const { sent, nodes, clockMs } = context
  const { transactionId, height, inputs } = identify(context, signed)
  const target = context.targets.get(transactionId) ?? context.confirmationTarget
  const hex = Buffer.from(signed).toString('hex')
  let isFirst: boolean | undefined
  let disposition: Disposition = 'accepted'
  try {
    await sendToOne(await beforeSending(() => furthestFirst(context)), {
      check: async (node) => {
        await node.checkNetwork()
        isFirst ??= await noteFirst(sent, transactionId, factsOf({ target, height, inputs }))
      },
      send: (node) => send(node, hex, transactionId),
    })
  } catch (cause) {
    if (isFirst === true && isNothingSent(cause)) await sent.withdraw(transactionId)
    disposition = await lookUpAfter(nodes, transactionId, isFirst === true, cause)
  }
  pushReceipt(sink, { rail: 'bitcoin', signedTransaction: signed, transactionId, disposition, observedAtMs: clockMs() })
}

type Identity = {
  readonly transactionId: TransactionId
  /** The height at which it was planned, which is its lock time. Source: notes, section 7. */
  readonly height: bigint
  readonly inputs: readonly Outpoint[]
}

function identify({ script }: BitcoinContext, signed: Uint8Array): Identity {
  const transaction = refuseUnreadable('signed transaction', () => decodeBitcoinTransaction(signed))
  for (const [index, program] of signersOf(transaction).entries()) {
    const signer = `0014${Buffer.from(program).toString('hex')}`
    if (signer !== script)
      throw new RailRefusalError(`signed transaction: input ${index} is of ${signer}, expected the wallet ${script}`)
  }
  const transactionId = bitcoinTxid(transaction.base)
  if (!isTransactionId('bitcoin', transactionId)) throw new TypeError(`no transaction id: ${transactionId}`)
  return {
    transactionId,
    height: transaction.lockTime,
    inputs: transaction.inputs.map(({ txid, vout }) => ({ txid, vout })),
  }
}

/** The key hashes of the witnesses. Whether their signatures hold only a node can say, which knows what they spend. */
function signersOf({ inputs }: DecodedBitcoinTransaction): readonly Uint8Array[] {
  if (inputs.length === 0) throw new RailRefusalError('signed transaction: spends nothing')
  return inputs.map(({ witness }) =>
    hash160(refuseUnreadable('signed transaction', () => readWitness(witness)).publicKey),
  )
}

async function send(node: BitcoinNode, hex: string, transactionId: string): Promise<void> {
  const named = await node.send(hex)
  if (named === transactionId) return
  throw new EndpointFaultError(node.origin, 'malformed', 'uncertain', 'the node names another transaction')
}

/**
 * What a node says that did not take a transaction: not readable, an input that is missing or spent, or against a rule of the
 * chain or of the node. Source: Bitcoin Core, rpc/protocol.h.
 */
const PLAIN_REFUSALS: readonly bigint[] = [-22n, -25n, -26n]

/** Finds out what became of bytes that may have arrived. Throws `cause` when that is not known. */
async function lookUpAfter(
  nodes: readonly BitcoinNode[],
  transactionId: TransactionId,
  isFirst: boolean,
  cause: unknown,
): Promise<Disposition> {
  if (!(cause instanceof EndpointError) || cause.effect === 'not-started') throw cause
  const found = await lookUp(nodes, transactionId).catch(() => 'unknown' as const)
  if (found === 'accepted' || found === 'pending') return found
  if (!(cause instanceof RpcAnswerError)) throw cause
  return found === 'absent' && isFirst && PLAIN_REFUSALS.includes(cause.code) ? 'rejected' : 'unknown'
}

/** Whether any node has a transaction. `absent` only when every node was asked and answered. */
async function lookUp(
  nodes: readonly BitcoinNode[],
  transactionId: TransactionId,
): Promise<'accepted' | 'pending' | 'absent' | 'unknown'> {
  const look = async (node: BitcoinNode): Promise<'block' | 'pool' | 'absent'> => {
    await node.checkNetwork()
    const { kind } = await node.locate(transactionId, null)
    return kind === 'stale' ? 'absent' : kind
  }
  const { answers } = await askAll(nodes, look, GRACE_MS)
  const results = answers.map(({ result }) => result)
  if (results.includes('block')) return 'accepted'
  if (results.includes('pool')) return 'pending'
  return results.length === nodes.length ? 'absent' : 'unknown'
}
