import {
  type BitcoinAddress,
  bitcoinScript,
  bitcoinTxid,
  decodeBitcoinTransaction,
  EconomicError,
  isBitcoinAddress,
  readWitness,
} from '@oikos/core/economic'
import { p2wpkh } from '@scure/btc-signer'
import { RAIL_CHAINS, REGTEST_ADDRESSES } from '../networks.ts'
import { NodeAnswerError, type NodeReader, nodeInteger, nodeObject, nodeText, type TransferLookup } from './lookup.ts'

/** Bitcoin Core's code for a transaction that it does not know. Source: Bitcoin Core, `RPC_INVALID_ADDRESS_OR_KEY`. */
const UNKNOWN_TRANSACTION = -5

/**
 * Looks transfers up on Bitcoin regtest over Bitcoin Core's JSON-RPC; the node must keep an index of transactions
 * (`txindex=1`). A transfer spends P2WPKH outputs of one key only, and has one output to the recipient.
 */
export function createBitcoinLookup(node: NodeReader): TransferLookup {
  return async (transactionId, recipient) => {
    const genesis = nodeText(await node.read('getblockhash', [0n]), 'getblockhash')
    if (!RAIL_CHAINS.bitcoin.endsWith(`:${genesis.slice(0, 32)}`)) throw new NodeAnswerError('getblockhash', 'regtest')
    if (!isBitcoinAddress(recipient)) return { status: 'other' }
    const found = await findTransaction(node, transactionId)
    if (found === undefined) return { status: 'unknown' }
    const { hex, blockhash } = found
    if (blockhash === undefined) return { status: 'pending' }
    const header = nodeObject(
      await node.read('getblockheader', [nodeText(blockhash, 'getrawtransaction')]),
      'getblockheader',
    )
    // Below one: the block is no part of the chain any more.
    if (!(Number(header['confirmations']) >= 1)) return { status: 'pending' }
    const confirmations = nodeInteger(header['confirmations'], 'getblockheader')
    const moved = readTransfer(transactionId, nodeText(hex, 'getrawtransaction'), recipient)
    if (moved === undefined) return { status: 'other' }
    const blockTimeMs = nodeInteger(header['time'], 'getblockheader') * 1000
    return { status: 'transferred', transfer: { ...moved, recipient, confirmations, blockTimeMs } }
  }
}

async function findTransaction(
  node: NodeReader,
  transactionId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return nodeObject(await node.read('getrawtransaction', [transactionId, true]), 'getrawtransaction')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && Number(cause.code) === UNKNOWN_TRANSACTION) return undefined
    throw cause
  }
}

function readTransfer(
  transactionId: string,
  hex: string,
  recipient: BitcoinAddress,
): { payer: BitcoinAddress; amountAtomic: bigint } | undefined {
  try {
    const { base, inputs, outputs } = decodeBitcoinTransaction(new Uint8Array(Buffer.from(hex, 'hex')))
    const payers = new Set(
      inputs.map(({ witness }) => p2wpkh(readWitness(witness).publicKey, REGTEST_ADDRESSES).address),
    )
    const [payer, ...others] = payers
    const script = Buffer.from(bitcoinScript(recipient)).toString('hex')
    const [paid, ...more] = outputs.filter((output) => output.script === script)
    if (bitcoinTxid(base) !== transactionId || payer === undefined || paid === undefined) return undefined
    if (others.length > 0 || more.length > 0 || !isBitcoinAddress(payer)) return undefined
    return { payer, amountAtomic: paid.valueAtomic }
  } catch (cause) {
    // Other kinds of inputs, or a transaction without witnesses.
    if (cause instanceof EconomicError) return undefined
    throw cause
  }
}
