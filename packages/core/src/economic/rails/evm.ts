import type { EvmSettlement } from '../admission.ts'
import { transactionMismatch } from '../diagnostics.ts'
import type { EvmState } from '../documents/snapshot.ts'
import { SEPOLIA_CHAIN_ID, TRANSFER_GAS } from '../documents/snapshot.ts'
import { U64_MAX } from '../limits.ts'
import { concatBytes } from '../text.ts'
import { evmAddressBytes } from './address.ts'
import type { BuiltTransaction } from './built.ts'
import { builtTransaction } from './built.ts'
import { encodeRlpList, integerBytes } from './rlp.ts'

/** Transaction type of EIP-1559. */
const EIP1559_TYPE = 0x02

/**
 * The unsigned EIP-1559 transfer: `maxFeePerGas` = 2 * base fee + priority fee. Throws SPX-G213 when a product leaves 64
 * bits or the most it can cost exceeds the intent's fee. Source: EIP-1559; notes, section 7.
 */
export function buildEvmTransfer(settlement: EvmSettlement, state: EvmState): BuiltTransaction {
  const maxFeePerGas = 2n * state.base_fee_per_gas + state.max_priority_fee_per_gas
  const feeAtomic = maxFeePerGas * TRANSFER_GAS
  if (2n * state.base_fee_per_gas > U64_MAX || maxFeePerGas > U64_MAX || feeAtomic > settlement.maxFeeAtomic)
    throw transactionMismatch(`the transfer can cost ${feeAtomic} wei, expected at most ${settlement.maxFeeAtomic}`)
  const body = encodeRlpList([
    integerBytes(SEPOLIA_CHAIN_ID),
    integerBytes(state.nonce),
    integerBytes(state.max_priority_fee_per_gas),
    integerBytes(maxFeePerGas),
    integerBytes(TRANSFER_GAS),
    evmAddressBytes(settlement.recipient),
    integerBytes(settlement.amountAtomic),
    new Uint8Array(0),
    'empty list',
  ])
  return builtTransaction('evm', concatBytes(Uint8Array.of(EIP1559_TYPE), body), feeAtomic)
}
