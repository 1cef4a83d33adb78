import type { Account, Address, Client } from 'viem'
import { getChainId } from 'viem/actions'
import type { Asset } from '../asset/asset.ts'
import { WrongChainError } from '../errors/chain-errors.ts'
import { toOikosError } from '../errors/to-oikos-error.ts'

/** A contract, and on request the chain that the client must be connected to. */
export type ContractTarget = {
  /** The task contract. */
  task: Address
  /** When given, a client of another chain is refused with {@link WrongChainError}. */
  chainId?: number
}

/** One tender. A TaskRef fits. */
export type TaskTarget = ContractTarget & {
  /** Counts from 1. */
  tokenId: bigint
}

/** Which state a read sees. */
export type AtBlock = {
  /** Default: the latest block. */
  blockNumber?: bigint
}

/** Who makes a write. */
export type WriteParameters = {
  /** Default: the account of the client. */
  account?: Account | Address
  /** Asset of the tender, or Accept Token of the Agent, when known; it makes amounts in the sentences of errors readable. */
  asset?: Asset
}

/** Refuses a client that is connected to another chain than the call names. Throws {@link WrongChainError}. */
export async function assertChain(client: Client, expected: number | undefined): Promise<void> {
  if (expected === undefined) return
  const got = client.chain?.id ?? (await connectedChainId(client))
  if (got !== expected) throw new WrongChainError(got, expected)
}

/** The chain that the client's node really serves. Throws RpcError. */
export async function connectedChainId(client: Client): Promise<number> {
  try {
    return await getChainId(client)
  } catch (error) {
    throw toOikosError(error)
  }
}

/**
 * Refuses to send where the node serves another chain than the call or the client names; gives the id of that chain.
 * Throws {@link WrongChainError}, RpcError.
 */
export async function assertConnected(client: Client, chainId?: number): Promise<number> {
  const connected = await connectedChainId(client)
  for (const expected of [chainId, client.chain?.id]) {
    if (expected !== undefined && expected !== connected) throw new WrongChainError(connected, expected)
  }
  return connected
}
