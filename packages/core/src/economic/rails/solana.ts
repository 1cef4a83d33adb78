import { base58 } from '@scure/base'
import type { SolanaSettlement } from '../admission.ts'
import { limitExceeded, transactionMismatch } from '../diagnostics.ts'
import type { SolanaState } from '../documents/snapshot.ts'
import { PRODUCTION_LIMITS } from '../limits.ts'
import { concatBytes } from '../text.ts'
import { solanaAddressBytes } from './address.ts'
import type { BuiltTransaction } from './built.ts'
import { builtTransaction } from './built.ts'
import { littleEndian } from './bytes.ts'

/** The program that sets compute limit and price. */
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
/** The program that moves lamports. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** Micro-lamports in a lamport: the unit of the compute price. */
export const MICRO_LAMPORTS = 1_000_000n

/** The compute price (micro-lamports per unit, rounded down) and what it then costs (lamports, rounded up). */
export function solanaPriorityFee(
  priorityFeeAtomic: bigint,
  computeUnits: bigint,
): { price: bigint; feeAtomic: bigint } {
  const price = (priorityFeeAtomic * MICRO_LAMPORTS) / computeUnits
  return { price, feeAtomic: (computeUnits * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS }
}

/**
 * The version 0 message of a transfer with compute limit and price. Throws SPX-G216 for the compute units, SPX-G213 when
 * the fee exceeds the intent's or payer and recipient are the same account. Source: notes, section 7.
 */
export function buildSolanaTransfer(settlement: SolanaSettlement, state: SolanaState): BuiltTransaction {
  const { maxComputeUnits: units, maxPriorityFeeAtomic: priority } = settlement
  const maximum = PRODUCTION_LIMITS.max_compute_units
  if (units === 0n || units > maximum) throw limitExceeded('compute_units', maximum)
  if (state.fee_payer === settlement.recipient) throw transactionMismatch('the payer pays itself')
  const { price, feeAtomic: priorityFee } = solanaPriorityFee(priority, units)
  const feeAtomic = state.lamports_per_signature + priorityFee
  if (priorityFee > priority || feeAtomic > settlement.maxFeeAtomic)
    throw transactionMismatch(`the transfer costs ${feeAtomic} lamports, expected at most ${settlement.maxFeeAtomic}`)
  const bytes = concatBytes(
    // Version 0; one signature; no read-only signer; the last two accounts are read-only.
    Uint8Array.of(0x80, 1, 0, 2),
    Uint8Array.of(4),
    solanaAddressBytes(state.fee_payer),
    solanaAddressBytes(settlement.recipient),
    base58.decode(COMPUTE_BUDGET_PROGRAM),
    base58.decode(SYSTEM_PROGRAM),
    base58.decode(state.recent_blockhash),
    Uint8Array.of(3),
    instruction(2, [], Uint8Array.of(2), littleEndian(units, 4)),
    instruction(2, [], Uint8Array.of(3), littleEndian(price, 8)),
    instruction(3, [0, 1], littleEndian(2n, 4), littleEndian(settlement.amountAtomic, 8)),
    // No address lookup tables.
    Uint8Array.of(0),
  )
  return builtTransaction('solana', bytes, feeAtomic)
}

/** Every list here is shorter than 128, so that its length is one byte of shortvec. */
function instruction(program: number, accounts: readonly number[], ...data: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(...data)
  return concatBytes(Uint8Array.of(program, accounts.length, ...accounts, body.length), body)
}
