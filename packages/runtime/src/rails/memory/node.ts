import { SEPOLIA_CHAIN_ID, TRANSFER_GAS } from '@oikos/core/economic'
import { RpcAnswerError, WrongNetworkError } from '../endpoint/index.ts'
import type { EvmBlockTag, EvmNode } from '../evm/node.ts'
import { createEvmRailOn, type EvmRail, type EvmRailSettings } from '../evm/rail.ts'
import type { MemoryAccount, MemoryBlock, MemoryChain } from './chain.ts'

/** Carries one request to a node, or throws an EndpointFaultError as a transport would, before or after it arrived. */
export type MemoryLine = <Answer>(kind: 'read' | 'broadcast', ask: () => Promise<Answer>) => Promise<Answer>

/** How a rail sees a chain in memory. */
export type MemoryNodeOptions = {
  /** The name of the node in errors. Default `memory:`. */
  readonly origin?: string
  readonly line?: MemoryLine
  /** The network that the node names. Default Sepolia's. */
  readonly chainId?: bigint
  /** The highest block that the node has seen, as one that is behind; it then knows of no waiting transaction either. */
  readonly seesUpTo?: () => bigint
}

/** How far the consensus layer is behind the newest block. Source: Ethereum consensus specification, slots of an epoch. */
const SAFE_BLOCKS = 32n
const FINALIZED_BLOCKS = 64n
const PRIORITY_FEE_PER_GAS = 1n
const NO_ACCOUNT: MemoryAccount = { balance: 0n, nonce: 0n }

/** Pays on a chain in memory, with all the judgment of the EVM rail and no transport. */
export function createMemoryRail(
  chain: MemoryChain,
  settings: EvmRailSettings,
  nodes: readonly MemoryNodeOptions[] = [{}],
): EvmRail {
  return createEvmRailOn(
    nodes.map((node) => createMemoryNode(chain, node)),
    settings,
  )
}

/** A node that shows a chain in memory. */
export function createMemoryNode(chain: MemoryChain, options: MemoryNodeOptions): EvmNode {
  const { origin = 'memory:', chainId = SEPOLIA_CHAIN_ID, seesUpTo } = options
  const line: MemoryLine = options.line ?? ((_kind, ask) => ask())
  const read = <Answer>(ask: () => Answer): Promise<Answer> => line('read', async () => ask())

  const blocks = (): readonly MemoryBlock[] => {
    const all = chain.blocks()
    return seesUpTo === undefined ? all : all.filter(({ height }) => height <= seesUpTo())
  }
  const waiting = () => (seesUpTo === undefined ? [...chain.pool().values()] : [])
  const head = (): MemoryBlock => {
    const newest = blocks().at(-1)
    if (newest === undefined) throw new TypeError('a node that sees no block')
    return newest
  }
  const at = (tag: EvmBlockTag | 'latest' | 'pending'): MemoryBlock | undefined => {
    if (typeof tag === 'bigint') return blocks()[Number(tag)]
    const depth = tag === 'safe' ? SAFE_BLOCKS : tag === 'finalized' ? FINALIZED_BLOCKS : 0n
    const height = head().height - depth
    return blocks()[Number(height < 0n ? 0n : height)]
  }
  const account = (address: string, tag: EvmBlockTag | 'latest' | 'pending') =>
    at(tag)?.accounts.get(address) ?? NO_ACCOUNT
  const holder = (id: string) =>
    blocks().find(({ transactions }) => transactions.some((one) => one.transactionId === id))

  return {
    origin,
    checkNetwork: () =>
      read(() => {
        if (chainId !== SEPOLIA_CHAIN_ID) throw new WrongNetworkError(origin, `${chainId}`, `${SEPOLIA_CHAIN_ID}`)
      }),
    getHead: () => read(head),
    getBlock: (tag) => read(() => at(tag)),
    listSlots: (height) => read(() => at(height)?.transactions),
    getNonce: (address, tag) =>
      read(() => {
        const own = tag === 'pending' ? waiting().filter(({ from }) => from === address) : []
        return account(address, tag).nonce + BigInt(own.length)
      }),
    getBalance: (address, tag) => read(() => account(address, tag).balance),
    getPriorityFee: () => read(() => PRIORITY_FEE_PER_GAS),
    estimateGas: () => read(() => TRANSFER_GAS),
    getInclusion: (id) =>
      read(() => {
        const block = holder(id)
        return block && { height: block.height, blockId: block.blockId, hasSucceeded: true }
      }),
    getTransaction: (id) =>
      read(() => [...(holder(id)?.transactions ?? []), ...waiting()].find(({ transactionId }) => transactionId === id)),
    send: (signed) =>
      line('broadcast', async () => {
        const taken = await chain.submit(signed)
        if ('transactionId' in taken) return taken.transactionId
        throw new RpcAnswerError(origin, 'eth_sendRawTransaction', -32000n, taken.refusal)
      }),
    close: () => {},
  }
}
