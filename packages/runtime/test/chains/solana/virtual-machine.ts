import type { Address, Transaction } from '@solana/kit'
import { lamports } from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'

/** The program that owns accounts which hold nothing but lamports. */
const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** An error as the JSON-RPC of a validator writes it: a word, or an object with one key. */
type TransactionError = string | Readonly<Record<string, unknown>>

/** What running a transaction did. */
export type Execution = {
  readonly error: TransactionError | null
  /** Whether the payer was charged, so that the transaction is part of a block even when it failed. */
  readonly isCharged: boolean
  readonly feeAtomic: bigint
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
}

/** What a transaction would do; balances of the named accounts afterwards, in lamports. */
export type Rehearsal = Execution & { readonly balances: ReadonlyMap<string, bigint> }

/** The accounts of a chain and the programs that change them. */
export type VirtualMachine = {
  readonly balanceOf: (account: string) => bigint
  readonly setBalance: (account: string, amount: bigint) => void
  readonly run: (transaction: Transaction) => Execution
  readonly rehearse: (transaction: Transaction) => Rehearsal
  readonly warpTo: (slot: bigint) => void
}

/**
 * LiteSVM with its programs and rules, without its one blockhash, its history and its check of signatures: which
 * blockhashes live and which transactions are known is for the ledger to say, who signed for the node.
 */
export function createVirtualMachine(): VirtualMachine {
  const machine = new LiteSVM().withBlockhashCheck(false).withSigverify(false).withTransactionHistory(0n)
  const balanceOf = (account: string): bigint => machine.getBalance(account as Address) ?? 0n
  return {
    balanceOf,
    setBalance: (account, amount) => {
      machine.setAccount({
        address: account as Address,
        lamports: lamports(amount),
        data: new Uint8Array(0),
        executable: false,
        programAddress: SYSTEM_PROGRAM as Address,
        space: 0n,
      })
    },
    run: (transaction) => executionOf(machine.sendTransaction(transaction)),
    rehearse: (transaction) => {
      const result = machine.simulateTransaction(transaction)
      if (result instanceof FailedTransactionMetadata) return { ...executionOf(result), balances: new Map() }
      const accounts = result.postAccounts()
      const balances = new Map(accounts.map(({ address, lamports: held }): [string, bigint] => [address, held]))
      return { ...executionOf(result.meta()), balances }
    },
    warpTo: (slot) => machine.warpToSlot(slot),
  }
}

function executionOf(result: TransactionMetadata | FailedTransactionMetadata): Execution {
  const failed = result instanceof FailedTransactionMetadata
  const meta = failed ? result.meta() : result
  const text = result.toString()
  // The fee has no getter; it is part of the text form only.
  const feeAtomic = BigInt(/\bfee: (\d+)/.exec(text)?.[1] ?? 0)
  return {
    error: failed ? errorOf(text) : null,
    isCharged: feeAtomic > 0n,
    feeAtomic,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
  }
}

/** Turns `InstructionError(0, Custom(1))` into `{"InstructionError":[0,{"Custom":1}]}`, and so on. */
function errorOf(text: string): TransactionError {
  const shown = /\{ err: (.*?), meta: /s.exec(text)?.[1] ?? 'Unknown'
  const instruction = /^InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))\)$/.exec(shown)
  if (instruction !== null) {
    const [, index, custom, word] = instruction
    return { InstructionError: [Number(index), custom === undefined ? word : { Custom: Number(custom) }] }
  }
  const rent = /^InsufficientFundsForRent \{ account_index: (\d+) \}$/.exec(shown)
  return rent === null ? shown : { InsufficientFundsForRent: { account_index: Number(rent[1]) } }
}
