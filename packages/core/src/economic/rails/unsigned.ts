import { bytesToHex } from '@noble/hashes/utils.js'
import type { AdmittedIntent, BitcoinSettlement, EvmSettlement, Settlement, SolanaSettlement } from '../admission.ts'
import { limitExceeded, transactionMismatch } from '../diagnostics.ts'
import type { BitcoinState, ChainSnapshot, EvmState, SolanaState } from '../documents/snapshot.ts'
import { SEPOLIA_CHAIN_ID, TRANSFER_GAS } from '../documents/snapshot.ts'
import { U32_MAX } from '../limits.ts'
import { bitcoinScript } from './address.ts'
import { bitcoinFeeAtomic, buildBitcoinTransfer, DUST_ATOMIC } from './bitcoin.ts'
import { decodePsbt } from './bitcoin-decode.ts'
import type { BuiltTransaction } from './built.ts'
import { readerOf, requireThat } from './bytes.ts'
import { buildEvmTransfer } from './evm.ts'
import { decodeEvmUnsigned } from './evm-decode.ts'
import { buildSolanaTransfer, COMPUTE_BUDGET_PROGRAM, MICRO_LAMPORTS, SYSTEM_PROGRAM } from './solana.ts'
import { decodeSolanaMessage } from './solana-decode.ts'

/**
 * Builds the unsigned transaction of an admitted intent on a snapshot, decodes it again with an independent decoder and
 * compares every field with intent and snapshot. Throws SPX-G213, or SPX-G216 for `unsigned_transaction_bytes`,
 * `compute_units` or `utxos`. Source: notes, section 7.
 */
export function buildUnsigned(admitted: AdmittedIntent, snapshot: ChainSnapshot): BuiltTransaction {
  const { settlement } = admitted
  const built = encode(settlement, snapshot)
  const maximum = admitted.policy.document.limits.max_unsigned_transaction_bytes
  if (BigInt(built.bytes.length) > maximum) throw limitExceeded('unsigned_transaction_bytes', maximum)
  assertUnsigned(built.bytes, settlement, snapshot)
  return built
}

function encode(settlement: Settlement, snapshot: ChainSnapshot): BuiltTransaction {
  if (settlement.rail === 'evm' && snapshot.rail === 'evm') return buildEvmTransfer(settlement, snapshot.state)
  if (settlement.rail === 'solana' && snapshot.rail === 'solana') return buildSolanaTransfer(settlement, snapshot.state)
  if (settlement.rail === 'bitcoin' && snapshot.rail === 'bitcoin')
    return buildBitcoinTransfer(settlement, snapshot.state)
  throw transactionMismatch('intent and snapshot are of different rails')
}

/** Throws SPX-G213 unless the bytes are exactly the transfer that intent and snapshot stand for. */
export function assertUnsigned(bytes: Uint8Array, settlement: Settlement, snapshot: ChainSnapshot): void {
  if (settlement.rail === 'evm' && snapshot.rail === 'evm') assertEvm(bytes, settlement, snapshot.state)
  else if (settlement.rail === 'solana' && snapshot.rail === 'solana') assertSolana(bytes, settlement, snapshot.state)
  else if (settlement.rail === 'bitcoin' && snapshot.rail === 'bitcoin')
    assertBitcoin(bytes, settlement, snapshot.state)
  else throw transactionMismatch('intent and snapshot are of different rails')
}

function assertEvm(bytes: Uint8Array, settlement: EvmSettlement, state: EvmState): void {
  const transfer = decodeEvmUnsigned(bytes)
  requireThat(transfer.chainId === SEPOLIA_CHAIN_ID, 'another chain')
  requireThat(transfer.nonce === state.nonce, 'another nonce')
  requireThat(transfer.to === settlement.recipient, 'another recipient')
  requireThat(transfer.value === settlement.amountAtomic, 'another amount')
  requireThat(transfer.gasLimit === TRANSFER_GAS, 'another gas limit')
  requireThat(transfer.maxPriorityFeePerGas === state.max_priority_fee_per_gas, 'another priority fee')
  requireThat(transfer.maxFeePerGas - transfer.maxPriorityFeePerGas === 2n * state.base_fee_per_gas, 'another fee')
  requireThat(transfer.maxFeePerGas * transfer.gasLimit <= settlement.maxFeeAtomic, 'the fee can exceed the intent')
}

function assertSolana(bytes: Uint8Array, settlement: SolanaSettlement, state: SolanaState): void {
  const message = decodeSolanaMessage(bytes)
  const { recipient } = settlement
  const [limit, price, transfer, ...more] = message.instructions
  requireThat(limit !== undefined && price !== undefined && transfer !== undefined && more.length === 0, 'instructions')
  requireThat(
    message.requiredSignatures === 1 && message.readonlySigned === 0 && message.readonlyUnsigned === 2,
    'other signers',
  )
  const accounts = [state.fee_payer, recipient, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM]
  requireThat(message.accounts.join() === accounts.join(), 'other accounts')
  requireThat(new Set(message.accounts).size === accounts.length, 'an account is listed twice')
  requireThat(message.recentBlockhash === state.recent_blockhash, 'another blockhash')
  requireThat(
    limit.program === COMPUTE_BUDGET_PROGRAM && limit.accounts.length === 0 && limit.data.length === 5,
    'the first instruction is not the compute limit',
  )
  requireThat(
    price.program === COMPUTE_BUDGET_PROGRAM && price.accounts.length === 0 && price.data.length === 9,
    'the second instruction is not the compute price',
  )
  requireThat(
    transfer.program === SYSTEM_PROGRAM &&
      transfer.accounts.join() === `${state.fee_payer},${recipient}` &&
      transfer.data.length === 12,
    'the third instruction is not the transfer',
  )
  const units = numbers(limit.data, 1, 4)
  const microLamports = numbers(price.data, 1, 8)
  const amount = numbers(transfer.data, 4, 8)
  requireThat(units[0] === 2n && units[1] === settlement.maxComputeUnits, 'another compute limit')
  requireThat(amount[0] === 2n && amount[1] === settlement.amountAtomic, 'another amount')
  requireThat(microLamports[0] === 3n, 'not a compute price')
  const priority = microLamports[1] * units[1]
  const highest = settlement.maxPriorityFeeAtomic * MICRO_LAMPORTS
  requireThat(priority <= highest && priority + units[1] > highest, 'another compute price')
  // In micro-lamports, so that the partial lamport that the chain rounds up is seen.
  const budget = (settlement.maxFeeAtomic - state.lamports_per_signature) * MICRO_LAMPORTS
  requireThat(priority <= budget, 'the fee exceeds the intent')
}

/** Two little-endian numbers of the given lengths. */
function numbers(data: Uint8Array, first: number, second: number): readonly [bigint, bigint] {
  const reader = readerOf(data)
  return [reader.little(first), reader.little(second)]
}

function assertBitcoin(bytes: Uint8Array, settlement: BitcoinSettlement, state: BitcoinState): void {
  const psbt = decodePsbt(bytes)
  requireThat(psbt.transactionVersion === 2n && psbt.modifiable === 0n, 'another version, or modifiable')
  requireThat(psbt.lockTime === state.height, 'another lock time')
  requireThat(psbt.inputs.length > 0 && psbt.inputs.length <= state.utxos.length, 'another number of inputs')
  for (const [index, input] of psbt.inputs.entries()) {
    const utxo = state.utxos[index]
    requireThat(input.txid === utxo?.txid && input.vout === utxo.vout, 'another output is spent')
    requireThat(
      input.spends.valueAtomic === utxo.value_atomic && input.spends.script === utxo.script_pubkey,
      'a spent output has another value or script',
    )
    requireThat(input.sighashType === 1n && input.sequence === U32_MAX, 'another sequence or signature type')
  }
  const recipientScript = bytesToHex(bitcoinScript(settlement.recipient))
  const paid = psbt.outputs.findIndex(
    (output) => output.script === recipientScript && output.valueAtomic === settlement.amountAtomic,
  )
  requireThat(paid !== -1, 'no output pays the recipient')
  const [change, ...more] = psbt.outputs.filter((_, index) => index !== paid)
  requireThat(more.length === 0, 'more than two outputs')
  if (change !== undefined)
    requireThat(
      change.script === state.wallet_script_pubkey && change.valueAtomic >= DUST_ATOMIC,
      'an output pays somebody else',
    )
  const valueIn = psbt.inputs.reduce((sum, input) => sum + input.spends.valueAtomic, 0n)
  const valueOut = psbt.outputs.reduce((sum, output) => sum + output.valueAtomic, 0n)
  const fee = valueIn - valueOut
  const planned = bitcoinFeeAtomic(psbt.inputs.length, state.fee_rate_sat_vbyte)
  requireThat(fee >= planned && fee <= settlement.maxFeeAtomic, 'the fee is too low, or exceeds the intent')
  requireThat(change === undefined ? fee < planned + DUST_ATOMIC : fee === planned, 'change went to the fee')
}
