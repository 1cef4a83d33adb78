import { hexToBytes } from '@noble/hashes/utils.js'
import type { BitcoinSettlement } from '../admission.ts'
import { limitExceeded, transactionMismatch } from '../diagnostics.ts'
import type { BitcoinState, Utxo } from '../documents/snapshot.ts'
import { PRODUCTION_LIMITS, U32_MAX, U64_MAX } from '../limits.ts'
import { concatBytes } from '../text.ts'
import { bitcoinScript } from './address.ts'
import type { BuiltTransaction } from './built.ts'
import { builtTransaction } from './built.ts'
import { littleEndian } from './bytes.ts'

/** Change below this many satoshi goes to the fee. Source: notes, section 7. */
export const DUST_ATOMIC = 546n
/** Virtual bytes of a transaction without inputs and outputs, of an input, and of two outputs. Source: notes, section 7. */
const BASE_VBYTES = 10n
const INPUT_VBYTES = 68n
const OUTPUTS_VBYTES = 62n

/** The fee in satoshi that a transfer with some inputs is planned with; two outputs are always assumed. */
export function bitcoinFeeAtomic(inputs: number, rateSatPerVbyte: bigint): bigint {
  return (BASE_VBYTES + INPUT_VBYTES * BigInt(inputs) + OUTPUTS_VBYTES) * rateSatPerVbyte
}

type Output = { readonly valueAtomic: bigint; readonly script: Uint8Array }

/**
 * The PSBT (version 2) of a transfer that spends the first outputs of the list which suffice. Throws SPX-G216 when there
 * are no or too many outputs, SPX-G213 when they do not suffice, the fee exceeds the intent's, or height or an output
 * index leaves 32 bits. Source: BIP 370; notes, section 7.
 */
export function buildBitcoinTransfer(settlement: BitcoinSettlement, state: BitcoinState): BuiltTransaction {
  const maximum = PRODUCTION_LIMITS.max_utxos
  if (state.utxos.length === 0 || BigInt(state.utxos.length) > maximum) throw limitExceeded('utxos', maximum)
  if (state.height > U32_MAX) throw transactionMismatch(`height: got ${state.height}, expected at most ${U32_MAX}`)
  const { inputs, total } = selectInputs(settlement, state)
  const planned = bitcoinFeeAtomic(inputs.length, state.fee_rate_sat_vbyte)
  if (planned > settlement.maxFeeAtomic || total < settlement.amountAtomic + planned)
    throw transactionMismatch(`${total} satoshi do not pay the amount and a fee of ${planned}`)
  const change = total - settlement.amountAtomic - planned
  const fee = change < DUST_ATOMIC ? planned + change : planned
  if (fee > settlement.maxFeeAtomic)
    throw transactionMismatch(`the transfer costs ${fee} satoshi, expected at most ${settlement.maxFeeAtomic}`)
  const outputs: Output[] = [{ valueAtomic: settlement.amountAtomic, script: bitcoinScript(settlement.recipient) }]
  if (change >= DUST_ATOMIC) outputs.push({ valueAtomic: change, script: hexToBytes(state.wallet_script_pubkey) })
  return builtTransaction('bitcoin', encodePsbt(state.height, inputs, outputs.sort(compareOutputs)), fee)
}

function selectInputs(settlement: BitcoinSettlement, state: BitcoinState): { inputs: readonly Utxo[]; total: bigint } {
  const inputs: Utxo[] = []
  let total = 0n
  for (const utxo of state.utxos) {
    if (utxo.vout > U32_MAX) throw transactionMismatch(`vout: got ${utxo.vout}, expected at most ${U32_MAX}`)
    inputs.push(utxo)
    total += utxo.value_atomic
    if (total > U64_MAX) throw transactionMismatch('the inputs are worth more than 2^64-1 satoshi')
    if (total >= settlement.amountAtomic + bitcoinFeeAtomic(inputs.length, state.fee_rate_sat_vbyte)) break
  }
  return { inputs, total }
}

/** Order by value, then by script bytes (all scripts here have the same length). */
function compareOutputs(left: Output, right: Output): number {
  if (left.valueAtomic !== right.valueAtomic) return left.valueAtomic < right.valueAtomic ? -1 : 1
  for (const [index, byte] of left.script.entries()) {
    const difference = byte - (right.script[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function encodePsbt(height: bigint, inputs: readonly Utxo[], outputs: readonly Output[]): Uint8Array {
  return concatBytes(
    Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff),
    pair(0x02, littleEndian(2n, 4)),
    pair(0x03, littleEndian(height, 4)),
    pair(0x04, Uint8Array.of(inputs.length)),
    pair(0x05, Uint8Array.of(outputs.length)),
    pair(0x06, Uint8Array.of(0)),
    pair(0xfb, littleEndian(2n, 4)),
    Uint8Array.of(0),
    ...inputs.map(encodeInput),
    ...outputs.map(encodeOutput),
  )
}

function encodeInput(utxo: Utxo): Uint8Array {
  const script = hexToBytes(utxo.script_pubkey)
  return concatBytes(
    pair(0x01, concatBytes(littleEndian(utxo.value_atomic, 8), Uint8Array.of(script.length), script)),
    pair(0x03, littleEndian(1n, 4)),
    pair(0x0e, hexToBytes(utxo.txid).reverse()),
    pair(0x0f, littleEndian(utxo.vout, 4)),
    pair(0x10, littleEndian(U32_MAX, 4)),
    Uint8Array.of(0),
  )
}

function encodeOutput(output: Output): Uint8Array {
  return concatBytes(pair(0x03, littleEndian(output.valueAtomic, 8)), pair(0x04, output.script), Uint8Array.of(0))
}

/** A pair with a one-byte key; all lengths and counts here are below 253 and take one byte. */
function pair(key: number, value: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(1, key, value.length), value)
}
