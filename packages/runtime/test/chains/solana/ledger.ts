import { createHash } from 'node:crypto'
import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit'
import { createVirtualMachine, type Execution, type Rehearsal, type VirtualMachine } from './virtual-machine.ts'

/** How far a cluster has agreed on a block. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Blocks that a blockhash may be used in after its own. Source: Agave, MAX_PROCESSING_AGE. */
export const BLOCKHASH_LIFE = 150n

/** A transaction that arrived, decoded. */
export type Arrived = {
  readonly signature: string
  readonly wire: Uint8Array
  readonly transaction: Transaction
  readonly feePayer: string
  readonly blockhash: string
}

/** A transaction in a block. */
export type Included = Arrived & Execution & { readonly slot: bigint; readonly height: bigint }

/** A block. Height counts blocks, slots also count the empty turns between them. */
export type SolanaBlock = {
  readonly slot: bigint
  readonly height: bigint
  readonly blockhash: string
  readonly transactions: readonly Included[]
  /** Balances that it changed, after it. */
  readonly balances: ReadonlyMap<string, bigint>
}

/** What a ledger starts from. */
export type SolanaLedgerOptions = {
  /** Slots by which the confirmed and the finalized block are behind the newest. */
  readonly confirmedLag?: bigint
  readonly finalizedLag?: bigint
  /** Whether a transaction that arrives gets a block at once. */
  readonly isInstant?: boolean
}

type Step =
  | { readonly kind: 'set'; readonly account: string; readonly balance: bigint }
  | { readonly kind: 'run'; readonly included: Included }

/** What a node shows and takes. */
export type SolanaView = {
  readonly blocks: readonly SolanaBlock[]
  /** The newest block of a commitment. */
  readonly blockAt: (commitment: Commitment) => SolanaBlock
  /** Whether a blockhash may be used in the block after one. */
  readonly isLive: (blockhash: string, parent: SolanaBlock) => boolean
  readonly find: (signature: string) => Included | undefined
  /** Lamports of an account as of the newest block of a commitment. */
  readonly balanceAt: (account: string, commitment: Commitment) => bigint
  readonly rehearse: (transaction: Transaction) => Rehearsal
  /** Takes a transaction that passed the checks of a node; on an instant ledger it is in a block afterwards. */
  readonly submit: (arrived: Arrived) => void
}

/** A cluster with one node, in memory. Every method acts at once; there is no clock. */
export type SolanaLedger = ReturnType<typeof createSolanaLedger>

const FIRST_SLOT = 1000n
const FIRST_HEIGHT = 900n

/** Makes a ledger with enough empty blocks that all commitments have one. */
export function createSolanaLedger(options: SolanaLedgerOptions = {}) {
  const { confirmedLag = 1n, finalizedLag = 31n, isInstant = true } = options
  let machine = createVirtualMachine()
  const blocks: SolanaBlock[] = []
  const steps: { readonly height: bigint; readonly step: Step }[] = []
  const included = new Map<string, Included>()
  let pool: Arrived[] = []
  let fork = 0
  let skipped = 0n
  let leader: 'includes' | 'refuses' = 'includes'

  const tip = (): SolanaBlock => {
    const block = blocks.at(-1)
    if (block === undefined) throw new Error('solana ledger: got no block')
    return block
  }
  /** The height of the block of a blockhash on this fork, or undefined. */
  const heightOf = (blockhash: string): bigint | undefined =>
    blocks.findLast((block) => block.blockhash === blockhash)?.height
  /** Whether a blockhash may be used in the block after one. */
  const isLive = (blockhash: string, parent: SolanaBlock): boolean => {
    const height = heightOf(blockhash)
    return height !== undefined && height <= parent.height && parent.height < height + BLOCKHASH_LIFE
  }

  const add = (take: (at: { slot: bigint; height: bigint }) => readonly Step[]): void => {
    const parent = blocks.at(-1)
    const slot = (parent?.slot ?? FIRST_SLOT - 1n) + 1n + skipped
    const height = (parent?.height ?? FIRST_HEIGHT - 1n) + 1n
    skipped = 0n
    machine.warpTo(slot)
    const taken = take({ slot, height })
    for (const step of taken) steps.push({ height, step })
    const transactions = taken.flatMap((step) => (step.kind === 'run' ? [step.included] : []))
    for (const transaction of transactions) included.set(transaction.signature, transaction)
    const touched = taken.flatMap((step) => (step.kind === 'set' ? [step.account] : accountsOf(step.included)))
    const balances = new Map(touched.map((account): [string, bigint] => [account, machine.balanceOf(account)]))
    blocks.push({ slot, height, blockhash: blockhashOf(fork, slot), transactions, balances })
  }

  /** Runs what is in the pool as far as it can be part of the next block; what can never be is forgotten. */
  const takePool = (at: { slot: bigint; height: bigint }): readonly Step[] => {
    const parent = tip()
    const waiting = pool
    pool = []
    return waiting.flatMap((arrived): readonly Step[] => {
      if (!isLive(arrived.blockhash, parent) || included.has(arrived.signature)) return []
      const execution = machine.run(arrived.transaction)
      return execution.isCharged ? [{ kind: 'run', included: { ...arrived, ...execution, ...at } }] : []
    })
  }

  const produce = (count = 1): void => {
    for (let index = 0; index < count; index += 1) add((at) => (leader === 'includes' ? takePool(at) : []))
  }

  for (let index = 0; index < 40; index += 1) add(() => [])

  /** What a node shows that has the blocks up to one. */
  const viewOf = (newest: () => SolanaBlock): SolanaView => {
    const blockAt = (commitment: Commitment): SolanaBlock => {
      const lag = commitment === 'processed' ? 0n : commitment === 'confirmed' ? confirmedLag : finalizedLag
      const { slot } = newest()
      return blocks.findLast((block) => block.slot + lag <= slot) ?? tip()
    }
    return {
      blockAt,
      isLive,
      blocks,
      find: (signature) => {
        const found = included.get(signature)
        return found !== undefined && found.slot <= newest().slot ? found : undefined
      },
      balanceAt: (account, commitment) => {
        const { height } = blockAt(commitment)
        const changed = blocks.findLast((block) => block.height <= height && block.balances.has(account))
        return changed?.balances.get(account) ?? 0n
      },
      rehearse: (transaction) => machine.rehearse(transaction),
      submit: (arrived) => {
        if (!pool.some(({ signature }) => signature === arrived.signature)) pool.push(arrived)
        if (isInstant && leader === 'includes') produce()
      },
    }
  }

  return {
    ...viewOf(tip),
    produce,
    /** What a node shows that got no block after the one that is the newest now. */
    stopped: (): SolanaView => {
      const { height } = tip()
      return viewOf(() => blocks.findLast((block) => block.height <= height) ?? tip())
    },
    /** Lets slots pass without blocks. */
    skip: (slots: bigint): void => {
      skipped += slots
    },
    /** Gives an account a balance in lamports, in a block of its own. */
    setBalance: (account: string, balance: bigint): void => {
      machine.setBalance(account, balance)
      add(() => [{ kind: 'set', account, balance }])
    },
    /** Whether a transaction waits for a block. */
    isWaiting: (signature: string): boolean => pool.some((arrived) => arrived.signature === signature),
    /** Whether blocks take transactions. */
    setLeader: (next: 'includes' | 'refuses'): void => {
      leader = next
    },
    /** Forgets all transactions that wait. */
    dropPool: (): void => {
      pool = []
    },
    /** Abandons the newest blocks. Their transactions wait again, or are lost; their blockhashes were never there. */
    rollback: (count: number, transactions: 'wait again' | 'are lost'): void => {
      const removed = blocks.splice(blocks.length - count, count)
      const first = removed[0]
      if (first === undefined || blocks.length === 0) throw new Error(`solana ledger: cannot roll back ${count} blocks`)
      const kept = steps.filter(({ height }) => height < first.height)
      steps.splice(0, steps.length, ...kept)
      fork += 1
      machine = replay(steps.map(({ step }) => step))
      for (const { signature } of removed.flatMap((block) => block.transactions)) included.delete(signature)
      if (transactions === 'wait again') pool.push(...removed.flatMap((block) => block.transactions))
    },
  }
}

function replay(steps: readonly Step[]): VirtualMachine {
  const machine = createVirtualMachine()
  for (const step of steps) {
    if (step.kind === 'set') machine.setBalance(step.account, step.balance)
    else machine.run(step.included.transaction)
  }
  return machine
}

function blockhashOf(fork: number, slot: bigint): string {
  return getBase58Decoder().decode(createHash('sha256').update(`fork ${fork} slot ${slot}`).digest())
}

function accountsOf({ transaction }: Arrived): readonly string[] {
  return getCompiledTransactionMessageDecoder().decode(transaction.messageBytes).staticAccounts
}

/** Decodes a transaction as it arrives. Throws when the bytes are none. */
export function readArrived(wire: Uint8Array): Arrived {
  const transaction = getTransactionDecoder().decode(wire)
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  return {
    // Behind one byte that counts the signatures.
    signature: getBase58Decoder().decode(wire.subarray(1, 65)),
    wire,
    transaction,
    feePayer: message.staticAccounts[0] ?? '',
    blockhash: message.lifetimeToken,
  }
}
