import { isEvmAddress, SEPOLIA_CHAIN_ID } from '@oikos/core/economic'
import { NodeAnswerError, type NodeReader, nodeObject, nodeText, type TransferLookup } from './lookup.ts'

/**
 * Looks native transfers up on Sepolia over JSON-RPC. A transfer has no call data and has succeeded; its block is that of
 * the canonical chain at its height.
 */
export function createEvmLookup(node: NodeReader): TransferLookup {
  return async (transactionId) => {
    if (quantity(await node.read('eth_chainId', []), 'eth_chainId') !== SEPOLIA_CHAIN_ID)
      throw new NodeAnswerError('eth_chainId', `${SEPOLIA_CHAIN_ID}`)
    const found = await node.read('eth_getTransactionByHash', [transactionId])
    if (found === null) return { status: 'unknown' }
    const transaction = nodeObject(found, 'eth_getTransactionByHash')
    const given = await node.read('eth_getTransactionReceipt', [transactionId])
    if (given === null) return { status: 'pending' }
    const receipt = nodeObject(given, 'eth_getTransactionReceipt')
    const height = quantity(receipt['blockNumber'], 'eth_getTransactionReceipt')
    const block = nodeObject(
      await node.read('eth_getBlockByNumber', [`0x${height.toString(16)}`, false]),
      'eth_getBlockByNumber',
    )
    if (block['hash'] !== receipt['blockHash']) return { status: 'pending' }
    if (quantity(receipt['status'], 'eth_getTransactionReceipt') !== 1n) return { status: 'failed' }
    const payer = nodeText(transaction['from'], 'eth_getTransactionByHash').toLowerCase()
    const recipient =
      transaction['to'] === null ? '' : nodeText(transaction['to'], 'eth_getTransactionByHash').toLowerCase()
    const isBare =
      nodeText(transaction['hash'], 'eth_getTransactionByHash') === transactionId && transaction['input'] === '0x'
    if (!isBare || !isEvmAddress(payer) || !isEvmAddress(recipient)) return { status: 'other' }
    const head = quantity(await node.read('eth_blockNumber', []), 'eth_blockNumber')
    return {
      status: 'transferred',
      transfer: {
        payer,
        recipient,
        amountAtomic: quantity(transaction['value'], 'eth_getTransactionByHash'),
        // A node behind a balancer may be a block late.
        confirmations: head < height ? 1 : Number(head - height) + 1,
        blockTimeMs: Number(quantity(block['timestamp'], 'eth_getBlockByNumber')) * 1000,
      },
    }
  }
}

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/

/** An integer as Ethereum nodes write it. Source: Ethereum JSON-RPC, "Hex value encoding". */
function quantity(value: unknown, method: string): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value)
  throw new NodeAnswerError(method, 'a quantity')
}
