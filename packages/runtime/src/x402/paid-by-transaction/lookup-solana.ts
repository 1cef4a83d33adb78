import {
  decodeSolanaMessage,
  decodeSolanaSigned,
  EconomicError,
  isSolanaAddress,
  type RailAddress,
} from '@oikos/core/economic'
import { getBase58Decoder } from '@solana/kit'
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { RAIL_CHAINS } from '../networks.ts'
import {
  NodeAnswerError,
  type NodeReader,
  nodeInteger,
  nodeObject,
  nodeText,
  type ObservedTransfer,
  type TransferLookup,
} from './lookup.ts'

/** Confirmations of a block that is final. Source: Solana documentation, `getSignatureStatuses`: null when rooted, else 0 to 31. */
const FINAL_CONFIRMATIONS = 32

/**
 * Looks native transfers up on Solana devnet over JSON-RPC. A transfer has one signer, one transfer instruction of the
 * System Program from that signer to the recipient, and besides it only instructions of the compute budget.
 */
export function createSolanaLookup(node: NodeReader): TransferLookup {
  return async (transactionId, recipient) => {
    const genesis = nodeText(await node.read('getGenesisHash', []), 'getGenesisHash')
    if (!RAIL_CHAINS.solana.endsWith(`:${genesis.slice(0, 32)}`)) throw new NodeAnswerError('getGenesisHash', 'devnet')
    const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0n }
    const found = await node.read('getTransaction', [transactionId, config])
    if (found === null) return { status: 'unknown' }
    const answer = nodeObject(found, 'getTransaction')
    if (nodeObject(answer['meta'], 'getTransaction')['err'] !== null) return { status: 'failed' }
    const moved = readTransfer(transactionId, wireOf(answer['transaction']), recipient)
    if (moved === undefined) return { status: 'other' }
    const confirmations = await confirmationsOf(node, transactionId)
    if (confirmations === undefined) return { status: 'pending' }
    const blockTimeMs = nodeInteger(answer['blockTime'], 'getTransaction') * 1000
    return { status: 'transferred', transfer: { ...moved, confirmations, blockTimeMs } }
  }
}

function wireOf(value: unknown): Uint8Array {
  const [text, encoding] = Array.isArray(value) ? (value as readonly unknown[]) : []
  if (typeof text !== 'string' || encoding !== 'base64') throw new NodeAnswerError('getTransaction', 'in base64')
  return new Uint8Array(Buffer.from(text, 'base64'))
}

type Moved = Pick<ObservedTransfer, 'payer' | 'recipient' | 'amountAtomic'>

function readTransfer(transactionId: string, wire: Uint8Array, recipient: RailAddress): Moved | undefined {
  try {
    const { signature, message } = decodeSolanaSigned(wire)
    const { accounts, instructions, requiredSignatures } = decodeSolanaMessage(message)
    const payer = accounts[0] ?? ''
    const transfers = instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM_ADDRESS)
    const [transfer, ...more] = transfers
    const isTransfer =
      getBase58Decoder().decode(signature) === transactionId &&
      requiredSignatures === 1 &&
      isSolanaAddress(payer) &&
      more.length === 0 &&
      transfer?.program === SYSTEM_PROGRAM_ADDRESS &&
      transfer.data.length === 12 &&
      transfer.accounts.length === 2 &&
      transfer.accounts[0] === payer &&
      transfer.accounts[1] === recipient
    if (!isTransfer) return undefined
    const data = new DataView(transfer.data.buffer, transfer.data.byteOffset, transfer.data.byteLength)
    // Instruction 2 of the System Program is the transfer.
    if (data.getUint32(0, true) !== 2) return undefined
    return { payer, recipient, amountAtomic: data.getBigUint64(4, true) }
  } catch (cause) {
    // A legacy message, one with lookup tables or with more signatures.
    if (cause instanceof EconomicError) return undefined
    throw cause
  }
}

async function confirmationsOf(node: NodeReader, transactionId: string): Promise<number | undefined> {
  const method = 'getSignatureStatuses'
  const answer = nodeObject(await node.read(method, [[transactionId], { searchTransactionHistory: true }]), method)
  const [status] = Array.isArray(answer['value']) ? (answer['value'] as readonly unknown[]) : []
  if (status === null || status === undefined) return undefined
  const { confirmations } = nodeObject(status, method)
  return confirmations === null ? FINAL_CONFIRMATIONS : nodeInteger(confirmations, method) + 1
}
