import { type AnyAgentEvent, getAssetBalance, listEvents, OikosError } from '@oikos/sdk'
import { type Address, type Client, erc20Abi, type Hash } from 'viem'
import { type AuditFindings, addFinding } from './findings.ts'

/** Accept Token that came to the Agent (more than 0) or left it, in smallest units. */
export type TokenMove = { readonly blockNumber: bigint; readonly transactionHash: Hash; readonly amount: bigint }

type Range = {
  readonly token: Address
  readonly agent: Address
  readonly fromBlock: bigint
  readonly toBlock: bigint
  /** Strangers can send as much dust as they like. */
  readonly maxMoves: number
}

/** Every move of a range of blocks, in their order; undefined where there are more than are wanted. Throws RpcError. */
export async function listTokenMoves(client: Client, range: Range): Promise<readonly TokenMove[] | undefined> {
  const [came, left] = await Promise.all([listOneWay(client, 'to', range), listOneWay(client, 'from', range)])
  if (came === undefined || left === undefined) return undefined
  return [...came, ...left].sort((one, other) => Number(one.blockNumber - other.blockNumber))
}

type TransferPage = Awaited<ReturnType<typeof listEvents<typeof erc20Abi>>>

async function listOneWay(
  client: Client,
  way: 'from' | 'to',
  { token, agent, fromBlock, toBlock, maxMoves }: Range,
): Promise<TokenMove[] | undefined> {
  const moves: TokenMove[] = []
  const query = { abi: erc20Abi, address: token, eventName: 'Transfer', args: { [way]: agent } } as const
  for (let from: bigint | undefined = fromBlock; from !== undefined; ) {
    const page: TransferPage = await listEvents(client, query, { fromBlock: from, toBlock })
    for (const event of page.events) {
      if (event.eventName !== 'Transfer') continue
      const { value } = event.args
      const { blockNumber, transactionHash } = event
      moves.push({ blockNumber, transactionHash, amount: way === 'to' ? value : -value })
    }
    if (moves.length > maxMoves) return undefined
    from = page.nextFromBlock
  }
  return moves
}

/** What the Agent held before a block; undefined where the node does not have that state. Throws RpcError. */
export async function heldBefore(
  client: Client,
  { token, agent, block }: { readonly token: Address; readonly agent: Address; readonly block: bigint },
): Promise<bigint | undefined> {
  if (block === 0n) return 0n
  try {
    return await getAssetBalance(client, { asset: token, account: agent, blockNumber: block - 1n })
  } catch (error) {
    // before its birth a token has no code, and a node may have forgotten what was then
    if (error instanceof OikosError) return undefined
    throw error
  }
}

/**
 * Finds Accept Token that left without an event of the Agent that says why: a payout, a reclaim, a fee, or an execution, which
 * may send what its Scope allows. Both lists are of the same whole blocks.
 */
export function checkOutflows(
  events: readonly AnyAgentEvent[],
  moves: readonly TokenMove[],
  findings: AuditFindings,
): void {
  const explained = new Map<Hash, bigint | 'executed'>()
  for (const event of events) {
    const before = explained.get(event.transactionHash) ?? 0n
    const amount = event.eventName === 'Executed' ? 'executed' : payoutOf(event)
    const sum = amount === 'executed' || before === 'executed' ? 'executed' : before + amount
    explained.set(event.transactionHash, sum)
  }
  const left = new Map<Hash, bigint>()
  for (const { transactionHash, amount } of moves) {
    if (amount < 0n) left.set(transactionHash, (left.get(transactionHash) ?? 0n) - amount)
  }
  for (const [transactionHash, amount] of left) {
    const reason = explained.get(transactionHash) ?? 0n
    if (reason === 'executed' || reason === amount) continue
    addFinding(findings, 'books.outflow', transactionHash, `${amount} left, events of the Agent explain ${reason}`)
  }
}

function payoutOf(event: AnyAgentEvent): bigint {
  switch (event.eventName) {
    case 'SharesRedeemed':
      return event.args.assets
    case 'Reclaimed':
      return event.args.kind === 0 ? event.args.amount : 0n
    case 'FeesClaimed':
      return event.args.amount
    default:
      return 0n
  }
}
