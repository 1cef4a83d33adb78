import type { AdmittedIntent } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { parseCanonical, precheck, quotedBytes, refuseAs, requireRerender } from '../canonical.ts'
import type { Network, Rail } from '../catalog.ts'
import { documentSchema, isRail, RAIL_NETWORKS } from '../catalog.ts'
import { limitExceeded, transactionMismatch } from '../diagnostics.ts'
import type { JsonValue } from '../json.ts'
import { MAX_VALIDITY_MS, PRODUCTION_LIMITS } from '../limits.ts'
import type { EvmAddress, SolanaAddress } from '../rails/address.ts'
import { base58Bytes32, isEvmAddress, isSolanaAddress } from '../rails/address.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import type { RecordShape, Shape } from '../shape.ts'
import { anyText, eitherOf, isArray, listOf, oneOf, record, textOf, u64 } from '../shape.ts'
import { compareUtf8 } from '../text.ts'

/** Chain id of Sepolia. */
export const SEPOLIA_CHAIN_ID = 11_155_111n
/** Gas of a plain transfer. Source: Ethereum yellow paper, G_transaction. */
export const TRANSFER_GAS = 21_000n

/** State of Sepolia. Fees in wei per gas. */
export type EvmState = {
  readonly chain_id: bigint
  readonly from: EvmAddress
  readonly nonce: bigint
  readonly base_fee_per_gas: bigint
  readonly max_priority_fee_per_gas: bigint
  readonly gas_limit: bigint
}

/** State of Solana devnet. `recent_blockhash` is base58 of 32 bytes, the fee is in lamports. */
export type SolanaState = {
  readonly fee_payer: SolanaAddress
  readonly recent_blockhash: string
  readonly last_valid_block_height: bigint
  readonly lamports_per_signature: bigint
}

/** An unspent output of the wallet. `txid` is 64 digits in display order, `value_atomic` in satoshi. */
export type Utxo = {
  readonly txid: string
  readonly vout: bigint
  readonly value_atomic: bigint
  readonly script_pubkey: string
  readonly confirmations: bigint
}

/** State of Bitcoin regtest. The script is P2WPKH in hexadecimal, `utxos` are strictly increasing by (txid, vout). */
export type BitcoinState = {
  readonly wallet_script_pubkey: string
  readonly height: bigint
  readonly fee_rate_sat_vbyte: bigint
  readonly utxos: readonly Utxo[]
}

/** A snapshot of one rail with the state of that rail. */
type SnapshotOf<R extends Rail, S> = {
  readonly schema: 'semaprax.economic-agent-chain-snapshot.v1'
  readonly rail: R
  readonly network: Network<R>
  readonly observed_at_ms: bigint
  readonly expires_at_ms: bigint
  readonly state: S
}

/** What an adapter saw of a chain, frozen for one plan. Times in milliseconds since 1970. Source: notes, section 3. */
export type ChainSnapshot =
  | SnapshotOf<'evm', EvmState>
  | SnapshotOf<'solana', SolanaState>
  | SnapshotOf<'bitcoin', BitcoinState>

const HEX_32 = /^[0-9a-f]{64}$/
const P2WPKH_SCRIPT = /^0014[0-9a-f]{40}$/

const evmStateShape = record<EvmState>({
  chain_id: u64,
  from: textOf(isEvmAddress, 'an EVM address'),
  nonce: u64,
  base_fee_per_gas: u64,
  max_priority_fee_per_gas: u64,
  gas_limit: u64,
})

const solanaStateShape = record<SolanaState>({
  fee_payer: textOf(isSolanaAddress, 'a Solana address'),
  recent_blockhash: anyText,
  last_valid_block_height: u64,
  lamports_per_signature: u64,
})

const utxoShape = record<Utxo>({
  txid: anyText,
  vout: u64,
  value_atomic: u64,
  script_pubkey: anyText,
  confirmations: u64,
})

const bitcoinStateShape = record<BitcoinState>({
  wallet_script_pubkey: anyText,
  height: u64,
  fee_rate_sat_vbyte: u64,
  utxos: listOf(utxoShape),
})

function snapshotOf<R extends Rail, S>(rail: R, state: Shape<S>): RecordShape<SnapshotOf<R, S>> {
  const network: Network<R> = RAIL_NETWORKS[rail].network
  return record<SnapshotOf<R, S>>({
    schema: oneOf(documentSchema('snapshot')),
    rail: oneOf(rail),
    network: oneOf(network),
    observed_at_ms: u64,
    expires_at_ms: u64,
    state,
  })
}

const evmSnapshotShape = snapshotOf('evm', evmStateShape)
const solanaSnapshotShape = snapshotOf('solana', solanaStateShape)
const bitcoinSnapshotShape = snapshotOf('bitcoin', bitcoinStateShape)

/** Canonical form of a snapshot of any rail. */
export const snapshotShape = eitherOf<ChainSnapshot>(
  (value, refuseValue, at) => {
    const { rail } = evmSnapshotShape.readKeys(value, refuseValue, at)
    if (rail === 'solana') return solanaSnapshotShape.read(value, refuseValue, at)
    if (rail === 'bitcoin') return bitcoinSnapshotShape.read(value, refuseValue, at)
    return evmSnapshotShape.read(value, refuseValue, at)
  },
  (snapshot, quote) => {
    switch (snapshot.rail) {
      case 'evm':
        return evmSnapshotShape.write(snapshot, quote)
      case 'solana':
        return solanaSnapshotShape.write(snapshot, quote)
      case 'bitcoin':
        return bitcoinSnapshotShape.write(snapshot, quote)
      default:
        return snapshot satisfies never
    }
  },
)

const refuse = refuseAs('snapshot')
const disagree = (detail: string): never => {
  throw transactionMismatch(detail)
}

/**
 * Reads a snapshot for the rail of an admitted intent. Throws SPX-G216, SPX-G217, SPX-G210 and SPX-G213 in the order of
 * the notes, section 14, and at last SPX-G216 for the configured number of outputs.
 */
export function parseSnapshot(
  bytes: Uint8Array,
  admitted: AdmittedIntent,
  meter?: Meter,
): Sealed<'snapshot', ChainSnapshot> {
  const { limits } = admitted.policy.document
  precheck('snapshot', bytes, limits, meter)
  const { object, text } = parseCanonical('snapshot', bytes)
  const fields = evmSnapshotShape.readKeys(object, refuse, 'snapshot')
  const rail = anyText.read(fields.rail, refuse, 'rail')
  if (!isRail(rail) || rail !== admitted.settlement.rail) return disagree(`rail: got ${rail}`)
  const observed = u64.read(fields.observed_at_ms, refuse, 'observed_at_ms')
  const expires = u64.read(fields.expires_at_ms, refuse, 'expires_at_ms')
  if (expires <= observed || expires - observed > MAX_VALIDITY_MS)
    return disagree(`valid for ${expires - observed} ms, expected 1 to ${MAX_VALIDITY_MS}`)
  if (anyText.read(fields.network, refuse, 'network') !== admitted.settlement.network) return disagree('network')
  const window = { schema: documentSchema('snapshot'), observed_at_ms: observed, expires_at_ms: expires }
  const snapshot = readSnapshot(rail, window, fields.state)
  meter?.charge(quotedBytes(...snapshotTexts(snapshot)))
  requireRerender('snapshot', snapshotShape, snapshot, text)
  if (snapshot.rail === 'bitcoin' && BigInt(snapshot.state.utxos.length) > limits.max_utxos)
    throw limitExceeded('utxos', limits.max_utxos)
  return sealText('snapshot', snapshot, text, bytes)
}

function readSnapshot(
  rail: Rail,
  window: Pick<ChainSnapshot, 'schema' | 'observed_at_ms' | 'expires_at_ms'>,
  state: JsonValue,
): ChainSnapshot {
  switch (rail) {
    case 'evm':
      return { ...window, rail, network: RAIL_NETWORKS.evm.network, state: readEvmState(state) }
    case 'solana':
      return { ...window, rail, network: RAIL_NETWORKS.solana.network, state: readSolanaState(state) }
    case 'bitcoin':
      return { ...window, rail, network: RAIL_NETWORKS.bitcoin.network, state: readBitcoinState(state) }
    default:
      return rail satisfies never
  }
}

function readEvmState(value: JsonValue): EvmState {
  const fields = evmStateShape.readKeys(value, disagree, 'state')
  const from = anyText.read(fields.from, refuse, 'state.from')
  const state = {
    chain_id: u64.read(fields.chain_id, refuse, 'state.chain_id'),
    nonce: u64.read(fields.nonce, refuse, 'state.nonce'),
    base_fee_per_gas: u64.read(fields.base_fee_per_gas, refuse, 'state.base_fee_per_gas'),
    max_priority_fee_per_gas: u64.read(fields.max_priority_fee_per_gas, refuse, 'state.max_priority_fee_per_gas'),
    gas_limit: u64.read(fields.gas_limit, refuse, 'state.gas_limit'),
  }
  if (!isEvmAddress(from)) return disagree('state.from: expected 0x and 40 lower-case digits')
  if (state.chain_id !== SEPOLIA_CHAIN_ID || state.gas_limit !== TRANSFER_GAS)
    return disagree(`state: expected chain ${SEPOLIA_CHAIN_ID} and ${TRANSFER_GAS} gas`)
  return { ...state, from }
}

function readSolanaState(value: JsonValue): SolanaState {
  const fields = solanaStateShape.readKeys(value, disagree, 'state')
  const payer = anyText.read(fields.fee_payer, refuse, 'state.fee_payer')
  const blockhash = anyText.read(fields.recent_blockhash, refuse, 'state.recent_blockhash')
  const height = u64.read(fields.last_valid_block_height, refuse, 'state.last_valid_block_height')
  const lamports = u64.read(fields.lamports_per_signature, refuse, 'state.lamports_per_signature')
  if (!isSolanaAddress(payer)) return disagree('state.fee_payer: expected base58 of 32 bytes')
  if (base58Bytes32(blockhash) === undefined) return disagree('state.recent_blockhash: expected base58 of 32 bytes')
  return {
    fee_payer: payer,
    recent_blockhash: blockhash,
    last_valid_block_height: height,
    lamports_per_signature: lamports,
  }
}

function readBitcoinState(value: JsonValue): BitcoinState {
  const fields = bitcoinStateShape.readKeys(value, disagree, 'state')
  const script = anyText.read(fields.wallet_script_pubkey, refuse, 'state.wallet_script_pubkey')
  const height = u64.read(fields.height, refuse, 'state.height')
  const rate = u64.read(fields.fee_rate_sat_vbyte, refuse, 'state.fee_rate_sat_vbyte')
  const rows = isArray(fields.utxos) ? fields.utxos : refuse('state.utxos: expected an array')
  if (!P2WPKH_SCRIPT.test(script)) return disagree('state.wallet_script_pubkey: expected 0014 and 40 digits')
  if (rows.length === 0 || BigInt(rows.length) > PRODUCTION_LIMITS.max_utxos)
    throw limitExceeded('utxos', PRODUCTION_LIMITS.max_utxos)
  const utxos = rows.map((row, index) => readUtxo(row, `state.utxos[${index}]`))
  for (const [index, utxo] of utxos.entries()) checkUtxo(utxo, utxos[index - 1], script)
  return { wallet_script_pubkey: script, height, fee_rate_sat_vbyte: rate, utxos }
}

function readUtxo(value: JsonValue, at: string): Utxo {
  const utxo = utxoShape.read(value, refuse, at)
  if (!HEX_32.test(utxo.txid)) return disagree(`${at}.txid: expected 64 lower-case digits`)
  if (!P2WPKH_SCRIPT.test(utxo.script_pubkey)) return disagree(`${at}.script_pubkey: expected 0014 and 40 digits`)
  return utxo
}

function checkUtxo(utxo: Utxo, before: Utxo | undefined, walletScript: string): void {
  if (before !== undefined) {
    const order = compareUtf8(before.txid, utxo.txid)
    if (order > 0 || (order === 0 && before.vout >= utxo.vout)) disagree('state.utxos: not strictly increasing')
  }
  if (utxo.confirmations === 0n) disagree('state.utxos: an output is not confirmed')
  if (utxo.script_pubkey !== walletScript) disagree("state.utxos: an output is not the wallet's")
}

function snapshotTexts(snapshot: ChainSnapshot): readonly string[] {
  const head = [snapshot.rail, snapshot.network]
  switch (snapshot.rail) {
    case 'evm':
      return [...head, snapshot.state.from]
    case 'solana':
      return [...head, snapshot.state.fee_payer, snapshot.state.recent_blockhash]
    case 'bitcoin':
      return [
        ...head,
        snapshot.state.wallet_script_pubkey,
        ...snapshot.state.utxos.flatMap((utxo) => [utxo.txid, utxo.script_pubkey]),
      ]
    default:
      return snapshot satisfies never
  }
}
