import {
  type DecodedEvmTransfer,
  decodeEvmSigned,
  isTransactionId,
  type TransactionId,
  utf8,
} from '@oikos/core/economic'
import { bytesToHex, keccak256, recoverTransactionAddress } from 'viem'

/** A transfer that the chain has taken. */
type MemoryTransaction = DecodedEvmTransfer & { readonly transactionId: TransactionId; readonly from: string }

/** A block and the accounts as they are after it. */
export type MemoryBlock = {
  readonly height: bigint
  readonly blockId: string
  readonly timestampSec: bigint
  readonly baseFeePerGas: bigint
  readonly transactions: readonly MemoryTransaction[]
  readonly accounts: ReadonlyMap<string, MemoryAccount>
}

/** Balance in wei, and how many transactions it has sent. */
export type MemoryAccount = { readonly balance: bigint; readonly nonce: bigint }

/** What a chain starts from. */
export type MemoryChainOptions = {
  /** Wei by address, `0x` and 40 lower-case digits. */
  readonly balances: Readonly<Record<string, bigint>>
  /** Milliseconds since 1970; the system clock when absent. */
  readonly clockMs?: () => bigint
}

/** A chain of plain transfers in memory, encoded as Sepolia. Nothing is mined unless it is told to. */
export type MemoryChain = {
  /** From the first block, which holds nothing, to the newest. */
  readonly blocks: () => readonly MemoryBlock[]
  /** What waits, by id. */
  readonly pool: () => ReadonlyMap<string, MemoryTransaction>
  /** Takes a signed transfer, or answers why not, in the words of geth. */
  readonly submit: (
    signedTransaction: Uint8Array,
  ) => Promise<{ readonly transactionId: string } | { readonly refusal: string }>
  /** Adds blocks; the first one takes everything that is next in its account's order, can pay, and is above the base fee. */
  readonly mine: (blocks: number) => void
  /** Replaces the last blocks by as many others and one more, with their transactions in the first of them or without. */
  readonly reorganise: (depth: number, transactions: 'without' | 'again') => void
  /** Forgets a transaction that waits. */
  readonly forget: (transactionId: string) => void
  /** Of the next blocks, wei per gas. */
  readonly setBaseFee: (feePerGas: bigint) => void
  /** Adds a block with another balance of an account. */
  readonly setBalance: (address: string, balance: bigint) => void
}

const FIRST_BASE_FEE = 7n
const NOBODY: MemoryAccount = { balance: 0n, nonce: 0n }

/** Makes a chain that lives with the process: for tests, rehearsals and demonstrations. Signatures on it are real. */
export function createMemoryChain(options: MemoryChainOptions): MemoryChain {
  const clockMs = options.clockMs ?? (() => BigInt(Date.now()))
  const pool = new Map<string, MemoryTransaction>()
  let baseFeePerGas = FIRST_BASE_FEE
  let branch = 0

  const seal = (
    transactions: readonly MemoryTransaction[],
    accounts: ReadonlyMap<string, MemoryAccount>,
  ): MemoryBlock => {
    const height = BigInt(blocks.length)
    const ids = transactions.map(({ transactionId }) => transactionId).join()
    const name = `${blocks.at(-1)?.blockId} ${height} ${branch} ${baseFeePerGas} ${ids}`
    const timestampSec = clockMs() / 1000n
    return { height, blockId: keccak256(utf8(name)), timestampSec, baseFeePerGas, transactions, accounts }
  }
  const blocks: MemoryBlock[] = []
  const genesis = Object.entries(options.balances).map(
    ([address, balance]) => [address, { balance, nonce: 0n }] as const,
  )
  blocks.push(seal([], new Map(genesis)))
  const head = (): MemoryBlock => {
    const newest = blocks.at(-1)
    if (newest === undefined) throw new TypeError('a chain without a first block')
    return newest
  }

  const include = (candidates: Iterable<MemoryTransaction>): void => {
    const accounts = new Map(head().accounts)
    const included: MemoryTransaction[] = []
    for (const transaction of [...candidates].sort((left, right) => Number(left.nonce - right.nonce))) {
      if (!apply(accounts, transaction, baseFeePerGas)) continue
      included.push(transaction)
      pool.delete(transaction.transactionId)
    }
    blocks.push(seal(included, accounts))
    for (const [id, { from, nonce }] of pool) if (nonce < (accounts.get(from) ?? NOBODY).nonce) pool.delete(id)
  }
  const mine: MemoryChain['mine'] = (count) => {
    for (let block = 0; block < count; block += 1) include(pool.values())
  }

  return {
    blocks: () => blocks,
    pool: () => pool,
    submit: async (signed) => {
      const transaction = await readTransaction(signed)
      const { transactionId } = transaction
      const refusal = refusalOf(transaction, { pool, account: head().accounts.get(transaction.from) ?? NOBODY })
      if (refusal !== undefined) return { refusal }
      pool.set(transactionId, transaction)
      return { transactionId }
    },
    mine,
    reorganise: (depth, transactions) => {
      const removed = blocks.splice(Math.max(1, blocks.length - depth))
      branch += 1
      include(transactions === 'again' ? removed.flatMap((block) => block.transactions) : [])
      for (let block = 0; block < removed.length; block += 1) include([])
    },
    forget: (transactionId) => {
      pool.delete(transactionId)
    },
    setBaseFee: (feePerGas) => {
      baseFeePerGas = feePerGas
    },
    setBalance: (address, balance) => {
      const accounts = new Map(head().accounts)
      accounts.set(address, { ...(accounts.get(address) ?? NOBODY), balance })
      blocks.push(seal([], accounts))
    },
  }
}

async function readTransaction(signed: Uint8Array): Promise<MemoryTransaction> {
  const { transfer } = decodeEvmSigned(signed)
  const serializedTransaction = bytesToHex(signed) as `0x02${string}`
  const from = (await recoverTransactionAddress({ serializedTransaction })).toLowerCase()
  const transactionId: string = keccak256(signed)
  if (!isTransactionId('evm', transactionId)) throw new TypeError(`no transaction id: ${transactionId}`)
  return { ...transfer, from, transactionId }
}

/** Words of geth (core/txpool). */
function refusalOf(
  { transactionId, from, nonce, value, maxFeePerGas, gasLimit }: MemoryTransaction,
  { pool, account }: { readonly pool: ReadonlyMap<string, MemoryTransaction>; readonly account: MemoryAccount },
): string | undefined {
  if (pool.has(transactionId)) return 'already known'
  if (nonce < account.nonce) return 'nonce too low'
  if (account.balance < value + maxFeePerGas * gasLimit) return 'insufficient funds for gas * price + value'
  const rival = [...pool.values()].find((other) => other.from === from && other.nonce === nonce)
  return rival === undefined ? undefined : 'replacement transaction underpriced'
}

/** Moves money when a transaction is next in its account's order, can pay, and is above the base fee. */
function apply(
  accounts: Map<string, MemoryAccount>,
  { from, to, nonce, value, maxFeePerGas, maxPriorityFeePerGas, gasLimit }: MemoryTransaction,
  baseFeePerGas: bigint,
): boolean {
  const payer = accounts.get(from) ?? NOBODY
  const asked = baseFeePerGas + maxPriorityFeePerGas
  const fee = (asked < maxFeePerGas ? asked : maxFeePerGas) * gasLimit
  if (nonce !== payer.nonce || maxFeePerGas < baseFeePerGas || payer.balance < value + fee) return false
  accounts.set(from, { balance: payer.balance - value - fee, nonce: nonce + 1n })
  const payee = accounts.get(to) ?? NOBODY
  accounts.set(to, { ...payee, balance: payee.balance + value })
  return true
}
