import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { limitExceeded, transactionMismatch } from '../diagnostics.ts'
import type { SignedDigest } from '../digest.ts'
import { signedDigest } from '../digest.ts'
import type { Limits } from '../limits.ts'
import { U32_MAX } from '../limits.ts'
import type { SignedRef } from '../references.ts'
import { bytesEqual } from '../text.ts'
import { bitcoinTxid, decodeBitcoinTransaction, decodePsbt } from './bitcoin-decode.ts'
import type { BuiltTransaction, TransactionId } from './built.ts'
import { requireThat } from './bytes.ts'
import type { DecodedEvmTransfer } from './evm-decode.ts'
import { decodeEvmSigned, decodeEvmUnsigned } from './evm-decode.ts'
import { decodeDerSignature, requireCanonicalSignature } from './secp256k1.ts'
import { decodeSolanaSigned } from './solana-decode.ts'

/** A signed transaction whose form was checked. Its bytes are never recorded. */
export type SignedTransaction = {
  readonly rail: BuiltTransaction['rail']
  readonly bytes: Uint8Array
  readonly digest: SignedDigest
  readonly transactionId: TransactionId
}

/**
 * Checks that signed bytes are the unsigned transaction with a well-formed signature, and names the transaction. No
 * signature is verified: `verifySignatures` does that. Throws SPX-G216 `signed_transaction_bytes` or SPX-G213.
 * Source: notes, section 8.
 */
export function readSigned(bytes: Uint8Array, built: BuiltTransaction, limits: Limits): SignedTransaction {
  const maximum = limits.max_signed_transaction_bytes
  if (BigInt(bytes.length) > maximum) throw limitExceeded('signed_transaction_bytes', maximum)
  const transactionId = identify(bytes, built) as TransactionId
  return { rail: built.rail, bytes, digest: signedDigest(bytes), transactionId }
}

/** The reference to a signed transaction. */
export function signedRefOf(signed: SignedTransaction): SignedRef {
  return { digest: signed.digest, bytes: BigInt(signed.bytes.length) }
}

function identify(bytes: Uint8Array, built: BuiltTransaction): string {
  switch (built.rail) {
    case 'evm':
      return identifyEvm(bytes, built)
    case 'solana':
      return identifySolana(bytes, built)
    case 'bitcoin':
      return identifyBitcoin(bytes, built)
    default:
      throw transactionMismatch(`unknown rail ${built.rail satisfies never}`)
  }
}

function identifyEvm(bytes: Uint8Array, built: BuiltTransaction): string {
  const { transfer, signature } = decodeEvmSigned(bytes)
  const expected = decodeEvmUnsigned(built.bytes)
  const fields = Object.keys(expected) as (keyof DecodedEvmTransfer)[]
  const changed = fields.find((field) => transfer[field] !== expected[field])
  requireThat(changed === undefined, `${changed} was changed`)
  requireCanonicalSignature(signature)
  return `0x${bytesToHex(keccak_256(bytes))}`
}

function identifySolana(bytes: Uint8Array, built: BuiltTransaction): string {
  const { signature, message } = decodeSolanaSigned(bytes)
  requireThat(bytesEqual(message, built.bytes), 'the message was changed')
  requireThat(
    signature.some((byte) => byte !== 0),
    'the signature is empty',
  )
  return base58.encode(signature)
}

function identifyBitcoin(bytes: Uint8Array, built: BuiltTransaction): string {
  const psbt = decodePsbt(built.bytes)
  const transaction = decodeBitcoinTransaction(bytes)
  requireThat(transaction.version === psbt.transactionVersion, 'another version')
  requireThat(transaction.lockTime === psbt.lockTime, 'another lock time')
  requireThat(transaction.inputs.length === psbt.inputs.length, 'another number of inputs')
  for (const [index, input] of transaction.inputs.entries()) {
    const expected = psbt.inputs[index]
    requireThat(
      input.txid === expected?.txid && input.vout === expected.vout && input.sequence === U32_MAX,
      'another input',
    )
    readWitness(input.witness)
  }
  requireThat(transaction.outputs.length === psbt.outputs.length, 'another number of outputs')
  for (const [index, output] of transaction.outputs.entries()) {
    const expected = psbt.outputs[index]
    requireThat(
      output.valueAtomic === expected?.valueAtomic && output.script === expected.script,
      'another output value or script',
    )
  }
  return bitcoinTxid(transaction.base)
}

const SIGHASH_ALL = 0x01

/** The signature and public key of a P2WPKH witness. Throws SPX-G213. Source: BIP 141, BIP 66, BIP 146. */
export function readWitness(witness: readonly Uint8Array[]): {
  readonly r: bigint
  readonly s: bigint
  readonly publicKey: Uint8Array
} {
  const [signature, publicKey, ...more] = witness
  requireThat(
    signature !== undefined && publicKey !== undefined && more.length === 0,
    'a witness of other than 2 items',
  )
  requireThat(signature.at(-1) === SIGHASH_ALL, 'the signature does not cover all')
  const decoded = decodeDerSignature(signature.subarray(0, -1))
  requireCanonicalSignature(decoded)
  requireThat(publicKey.length === 33 && (publicKey[0] === 2 || publicKey[0] === 3), 'not a compressed public key')
  return { ...decoded, publicKey }
}
