import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { BitcoinState, ChainSnapshot, EvmState, SolanaState } from '../documents/snapshot.ts'
import { concatBytes } from '../text.ts'
import { solanaAddressBytes } from './address.ts'
import type { DecodedBitcoinTransaction } from './bitcoin-decode.ts'
import { decodeBitcoinTransaction } from './bitcoin-decode.ts'
import type { BuiltTransaction } from './built.ts'
import { littleEndian } from './bytes.ts'
import { decodeEvmSigned } from './evm-decode.ts'
import type { SignedTransaction } from './signed.ts'
import { readWitness } from './signed.ts'
import { decodeSolanaSigned } from './solana-decode.ts'

/** Whether signatures hold, or what does not. */
export type SignatureVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/**
 * Verifies the signatures of a transaction against the wallet that the snapshot names: the recovered sender (EVM), the fee
 * payer's ed25519 key (Solana), every input's BIP 143 signature and key hash (Bitcoin). Stricter than the standard, whose
 * frozen fixtures carry placeholder signatures; a custody adapter should demand it. `signed` comes from `readSigned`.
 */
export function verifySignatures(
  signed: SignedTransaction,
  built: BuiltTransaction,
  snapshot: ChainSnapshot,
): SignatureVerdict {
  if (signed.rail !== snapshot.rail || built.rail !== snapshot.rail)
    return { ok: false, reason: 'transaction and snapshot are of different rails' }
  switch (snapshot.rail) {
    case 'evm':
      return verifyEvm(signed.bytes, built.bytes, snapshot.state)
    case 'solana':
      return verifySolana(signed.bytes, snapshot.state)
    case 'bitcoin':
      return verifyBitcoin(signed.bytes, snapshot.state)
    default:
      return snapshot satisfies never
  }
}

function verdict(ok: boolean, reason: string): SignatureVerdict {
  return ok ? { ok } : { ok, reason }
}

function verifyEvm(signed: Uint8Array, unsigned: Uint8Array, state: EvmState): SignatureVerdict {
  const { yParity, r, s } = decodeEvmSigned(signed).signature
  let sender: string
  try {
    const signature = new secp256k1.Signature(r, s, yParity)
    const publicKey = signature.recoverPublicKey(keccak_256(unsigned)).toBytes(false)
    sender = `0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`
  } catch {
    return { ok: false, reason: 'no key can have made this signature' }
  }
  return verdict(sender === state.from, `signed by ${sender}, expected ${state.from}`)
}

function verifySolana(signed: Uint8Array, state: SolanaState): SignatureVerdict {
  const { signature, message } = decodeSolanaSigned(signed)
  const key = solanaAddressBytes(state.fee_payer)
  return verdict(ed25519.verify(signature, message, key), `not a signature of ${state.fee_payer}`)
}

function verifyBitcoin(signed: Uint8Array, state: BitcoinState): SignatureVerdict {
  const transaction = decodeBitcoinTransaction(signed)
  const program = state.wallet_script_pubkey.slice(4)
  for (const [index, input] of transaction.inputs.entries()) {
    const { r, s, publicKey } = readWitness(input.witness)
    if (bytesToHex(ripemd160(sha256(publicKey))) !== program)
      return { ok: false, reason: `input ${index}: the key is not the wallet's` }
    const spent = state.utxos.find((utxo) => utxo.txid === input.txid && utxo.vout === input.vout)
    if (spent === undefined) return { ok: false, reason: `input ${index}: not an output of the snapshot` }
    const hash = bip143Hash(transaction, index, program, spent.value_atomic)
    const signature = new secp256k1.Signature(r, s).toBytes('compact')
    if (!secp256k1.verify(signature, hash, publicKey, { prehash: false, lowS: true }))
      return { ok: false, reason: `input ${index}: the signature does not hold` }
  }
  return { ok: true }
}

/** The hash that an input signs with SIGHASH_ALL. Source: BIP 143. */
function bip143Hash(
  transaction: DecodedBitcoinTransaction,
  index: number,
  program: string,
  valueAtomic: bigint,
): Uint8Array {
  const { inputs, outputs } = transaction
  const outpoints = inputs.map((input) => concatBytes(hexToBytes(input.txid).reverse(), littleEndian(input.vout, 4)))
  const sequences = inputs.map((input) => littleEndian(input.sequence, 4))
  const outputBytes = outputs.map(({ valueAtomic: value, script }) =>
    concatBytes(littleEndian(value, 8), Uint8Array.of(script.length / 2), hexToBytes(script)),
  )
  const preimage = concatBytes(
    littleEndian(transaction.version, 4),
    doubleSha256(concatBytes(...outpoints)),
    doubleSha256(concatBytes(...sequences)),
    outpoints[index] ?? new Uint8Array(0),
    hexToBytes(`1976a914${program}88ac`),
    littleEndian(valueAtomic, 8),
    sequences[index] ?? new Uint8Array(0),
    doubleSha256(concatBytes(...outputBytes)),
    littleEndian(transaction.lockTime, 4),
    littleEndian(1n, 4),
  )
  return doubleSha256(preimage)
}

function doubleSha256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}
