import {
  assertUnsigned,
  type BitcoinAddress,
  type BuiltTransaction,
  bitcoinScript,
  builtTransaction,
  type ChainSnapshot,
  type DecodedPsbt,
  decodeEvmUnsigned,
  decodePsbt,
  decodeSolanaMessage,
  documentSchema,
  EconomicError,
  isBitcoinAddress,
  isEvmAddress,
  isSolanaAddress,
  PRODUCTION_LIMITS,
  RAIL_NETWORKS,
  type Rail,
  type RailAddress,
  readSigned,
  SEPOLIA_CHAIN_ID,
  type Settlement,
  type SignedTransaction,
  verifySignatures,
} from '@oikos/core/economic'
import { Address } from '@scure/btc-signer'
import { REGTEST_ADDRESSES } from '../x402/networks.ts'
import { CustodyError } from './errors.ts'

/** A plain transfer, as custody read it from unsigned bytes and nothing else. */
export type CheckedTransfer = {
  readonly rail: Rail
  readonly from: RailAddress
  readonly destination: RailAddress
  /** In the smallest unit of the native asset. */
  readonly amountAtomic: bigint
  /** The most that the bytes themselves let it cost. On Solana without the fee for signatures, which no message names. */
  readonly maxFeeAtomic: bigint
  readonly built: BuiltTransaction
  /** A snapshot that the bytes could come from: what the checks of core compare with. */
  readonly snapshot: ChainSnapshot
}

/**
 * Reads unsigned bytes with the independent decoder of core and checks that they are, to the last bit, the transfer of
 * Economic Agent v1 from a wallet: the decoded values are put into the same checks that the engine makes. Throws
 * {@link CustodyError} `network_refused` or `transaction_refused`.
 */
export function checkTransfer(rail: Rail, from: RailAddress, unsigned: Uint8Array): CheckedTransfer {
  try {
    const { settlement, snapshot, maxFeeAtomic } = READERS[rail](from, unsigned)
    assertUnsigned(unsigned, settlement, snapshot)
    if (settlement.amountAtomic === 0n) throw refused('it transfers nothing')
    return {
      rail,
      from,
      destination: settlement.recipient,
      amountAtomic: settlement.amountAtomic,
      maxFeeAtomic,
      built: builtTransaction(rail, unsigned, maxFeeAtomic),
      snapshot,
    }
  } catch (cause) {
    if (cause instanceof EconomicError) throw refused(cause.detail ?? cause.message)
    throw cause
  }
}

/**
 * Checks that signed bytes are the transfer with a signature that holds, by the key of the wallet. Throws
 * {@link CustodyError} `signature_invalid`.
 */
export function checkSigned(transfer: CheckedTransfer, bytes: Uint8Array): SignedTransaction {
  try {
    const signed = readSigned(bytes, transfer.built, PRODUCTION_LIMITS)
    const verdict = verifySignatures(signed, transfer.built, transfer.snapshot)
    if (!verdict.ok) throw new CustodyError('signature_invalid', verdict.reason)
    return signed
  } catch (cause) {
    if (cause instanceof EconomicError) throw new CustodyError('signature_invalid', cause.detail ?? cause.message)
    throw cause
  }
}

type Read = { readonly settlement: Settlement; readonly snapshot: ChainSnapshot; readonly maxFeeAtomic: bigint }

const READERS: Readonly<Record<Rail, (from: RailAddress, unsigned: Uint8Array) => Read>> = {
  evm: readEvm,
  solana: readSolana,
  bitcoin: readBitcoin,
}

function refused(detail: string): CustodyError {
  return new CustodyError('transaction_refused', detail)
}

const HEAD = { schema: documentSchema('snapshot'), observed_at_ms: 0n, expires_at_ms: 1n } as const

function readEvm(from: RailAddress, unsigned: Uint8Array): Read {
  const transfer = decodeEvmUnsigned(unsigned)
  if (transfer.chainId !== SEPOLIA_CHAIN_ID)
    throw new CustodyError('network_refused', `chain ${transfer.chainId}, expected ${SEPOLIA_CHAIN_ID}`)
  const { to } = transfer
  if (!isEvmAddress(to) || !isEvmAddress(from)) throw refused('no recipient')
  const maxFeeAtomic = transfer.maxFeePerGas * transfer.gasLimit
  return {
    settlement: {
      rail: 'evm',
      ...RAIL_NETWORKS.evm,
      recipient: to,
      amountAtomic: transfer.value,
      maxFeeAtomic,
    },
    snapshot: {
      ...HEAD,
      rail: 'evm',
      network: RAIL_NETWORKS.evm.network,
      state: {
        chain_id: SEPOLIA_CHAIN_ID,
        from,
        nonce: transfer.nonce,
        // Twice the base fee and the priority fee are the most: an odd or negative rest is refused by the check.
        base_fee_per_gas: (transfer.maxFeePerGas - transfer.maxPriorityFeePerGas) / 2n,
        max_priority_fee_per_gas: transfer.maxPriorityFeePerGas,
        gas_limit: transfer.gasLimit,
      },
    },
    maxFeeAtomic,
  }
}

/** Micro-lamports in a lamport. */
const MICRO_LAMPORTS = 1_000_000n

function readSolana(from: RailAddress, unsigned: Uint8Array): Read {
  const { accounts, instructions, recentBlockhash } = decodeSolanaMessage(unsigned)
  const recipient = accounts[1] ?? ''
  const [limit, price, transfer] = instructions
  if (!isSolanaAddress(from) || !isSolanaAddress(recipient)) throw refused('no recipient')
  if (accounts[0] !== from) throw refused('another payer')
  const units = numberAt(limit?.data, 1, 4)
  const priority = numberAt(price?.data, 1, 8) * units
  // Rounded up, as the chain does.
  const priorityFeeAtomic = (priority + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
  return {
    settlement: {
      rail: 'solana',
      ...RAIL_NETWORKS.solana,
      recipient,
      amountAtomic: numberAt(transfer?.data, 4, 8),
      maxFeeAtomic: priorityFeeAtomic,
      maxComputeUnits: units,
      maxPriorityFeeAtomic: priorityFeeAtomic,
    },
    snapshot: {
      ...HEAD,
      rail: 'solana',
      network: RAIL_NETWORKS.solana.network,
      state: {
        fee_payer: from,
        recent_blockhash: recentBlockhash,
        last_valid_block_height: 0n,
        lamports_per_signature: 0n,
      },
    },
    maxFeeAtomic: priorityFeeAtomic,
  }
}

/** A little-endian number; zero when the data is too short, which the check then refuses. */
function numberAt(data: Uint8Array | undefined, offset: number, length: number): bigint {
  const bytes = data?.subarray(offset, offset + length) ?? new Uint8Array()
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

/** Virtual bytes that a transfer is planned with: its frame with two outputs, and each input. Source: notes, section 7. */
const BASE_VBYTES = 72n
const INPUT_VBYTES = 68n

function readBitcoin(from: RailAddress, unsigned: Uint8Array): Read {
  if (!isBitcoinAddress(from)) throw refused('no payer')
  const psbt = decodePsbt(unsigned)
  const walletScript = Buffer.from(bitcoinScript(from)).toString('hex')
  const paid = psbt.outputs.filter(({ script }) => script !== walletScript)
  const [output] = paid
  if (output === undefined || paid.length > 1) throw refused('not one output that pays somebody else')
  const valueIn = psbt.inputs.reduce((sum, { spends }) => sum + spends.valueAtomic, 0n)
  const valueOut = psbt.outputs.reduce((sum, { valueAtomic }) => sum + valueAtomic, 0n)
  const maxFeeAtomic = valueIn - valueOut
  return {
    settlement: {
      rail: 'bitcoin',
      ...RAIL_NETWORKS.bitcoin,
      recipient: addressOf(output.script),
      amountAtomic: output.valueAtomic,
      maxFeeAtomic,
      confirmationTarget: 1n,
    },
    snapshot: {
      ...HEAD,
      rail: 'bitcoin',
      network: RAIL_NETWORKS.bitcoin.network,
      state: {
        wallet_script_pubkey: walletScript,
        height: psbt.lockTime,
        // The only rate of whole satoshi that this fee can come from.
        fee_rate_sat_vbyte: maxFeeAtomic / (BASE_VBYTES + INPUT_VBYTES * BigInt(psbt.inputs.length)),
        utxos: psbt.inputs.map((input) => ownOutput(input, walletScript)),
      },
    },
    maxFeeAtomic,
  }
}

function ownOutput(input: DecodedPsbt['inputs'][number], walletScript: string) {
  if (input.spends.script !== walletScript) throw refused('an input is not of the wallet')
  const { txid, vout, spends } = input
  return { txid, vout, value_atomic: spends.valueAtomic, script_pubkey: spends.script, confirmations: 1n }
}

function addressOf(script: string): BitcoinAddress {
  const bytes = Uint8Array.from(Buffer.from(script, 'hex'))
  const isP2wpkh = bytes.length === 22 && bytes[0] === 0 && bytes[1] === 20
  const address = isP2wpkh ? Address(REGTEST_ADDRESSES).encode({ type: 'wpkh', hash: bytes.subarray(2) }) : ''
  if (!isBitcoinAddress(address)) throw refused('an output that is not P2WPKH')
  return address
}
