import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  type BitcoinAddress,
  bitcoinScript,
  bitcoinTxid,
  builtTransaction,
  concatBytes,
  documentSchema,
  isBitcoinAddress,
  isEvmAddress,
  isSolanaAddress,
  isTransactionId,
  RAIL_NETWORKS,
  type Rail,
  type SolanaAddress,
  signedDigest,
  solanaAddressBytes,
  utf8,
  verifySignatures,
} from '@oikos/core/economic'
import { getBase58Encoder } from '@solana/kit'
import { recoverMessageAddress } from 'viem'

/**
 * Whether `signature` is that of the wallet `address` over a text, in the form that wallets of its rail sign texts: EIP-191
 * personal messages (`0x` and 65 bytes), Solana off-chain messages of version 0 (base58 of 64 bytes), BIP 322 simple
 * signatures (base64). None of these can be a transaction. Never throws.
 */
export async function verifyWalletMessage(
  rail: Rail,
  address: string,
  text: string,
  signature: string,
): Promise<boolean> {
  try {
    switch (rail) {
      case 'evm':
        return isEvmAddress(address) && (await verifyEvm(address, text, signature))
      case 'solana':
        return isSolanaAddress(address) && verifySolana(address, text, signature)
      case 'bitcoin':
        return isBitcoinAddress(address) && verifyBitcoin(address, text, signature)
      default:
        return rail satisfies never
    }
  } catch {
    // Signatures that cannot even be decoded.
    return false
  }
}

const EVM_SIGNATURE = /^0x[0-9a-f]{130}$/

async function verifyEvm(address: string, text: string, signature: string): Promise<boolean> {
  if (!EVM_SIGNATURE.test(signature)) return false
  const signer = await recoverMessageAddress({ message: text, signature: signature as `0x${string}` })
  return signer.toLowerCase() === address
}

/** What every off-chain message begins with; no transaction can. Source: Solana, "Off-chain message signing". */
const SOLANA_OFFCHAIN_DOMAIN = Uint8Array.from([0xff, ...utf8('solana offchain')])
/** Marks messages of x402: the SHA-256 of `x402`. */
const APPLICATION_DOMAIN = new Uint8Array(createHash('sha256').update('x402').digest())
/** UTF-8 of at most 1232 bytes. */
const UTF8_FORMAT = 1
/** Source: Solana, "Off-chain message signing", message format 1. */
const MAX_SOLANA_MESSAGE_BYTES = 1_232

/** The bytes that a Solana wallet signs for a text. Throws RangeError for a text that is empty or too long. */
export function solanaMessageBytes(signer: SolanaAddress, text: string): Uint8Array {
  const body = utf8(text)
  const bytes = concatBytes(
    SOLANA_OFFCHAIN_DOMAIN,
    Uint8Array.of(0),
    APPLICATION_DOMAIN,
    Uint8Array.of(UTF8_FORMAT, 1),
    solanaAddressBytes(signer),
    Uint8Array.of(body.length & 0xff, body.length >> 8),
    body,
  )
  if (body.length === 0 || bytes.length > MAX_SOLANA_MESSAGE_BYTES)
    throw new RangeError(`Solana message: got ${bytes.length} bytes, expected at most ${MAX_SOLANA_MESSAGE_BYTES}`)
  return bytes
}

/** DER of an ed25519 public key up to its 32 bytes. Source: RFC 8410. */
const ED25519_PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

function verifySolana(address: SolanaAddress, text: string, signature: string): boolean {
  const bytes = Uint8Array.from(getBase58Encoder().encode(signature))
  if (bytes.length !== 64) return false
  const der = Buffer.concat([ED25519_PUBLIC_PREFIX, solanaAddressBytes(address)])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, solanaMessageBytes(address, text), key, bytes)
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** The longest witness of a key and a signature, with its counts. */
const MAX_WITNESS_BYTES = 1 + 1 + 73 + 1 + 33

function verifyBitcoin(address: BitcoinAddress, text: string, signature: string): boolean {
  const witness = new Uint8Array(Buffer.from(signature, 'base64'))
  if (!BASE64.test(signature) || witness.length > MAX_WITNESS_BYTES) return false
  const script = bitcoinScript(address)
  const { spent, base } = bitcoinMessageTransactions(address, text)
  const [head, body, lockTime] = [base.subarray(0, 4), base.subarray(4, -4), base.subarray(-4)]
  const signed = concatBytes(head, Uint8Array.of(0, 1), body, witness, lockTime)
  const scriptHex = Buffer.from(script).toString('hex')
  const output = { txid: bitcoinTxid(spent), vout: 0n, value_atomic: 0n, script_pubkey: scriptHex, confirmations: 1n }
  const transactionId = bitcoinTxid(base)
  if (!isTransactionId('bitcoin', transactionId)) return false
  // The check of a transfer is the check of a message: only the output that is spent exists nowhere.
  return verifySignatures(
    { rail: 'bitcoin', bytes: signed, digest: signedDigest(signed), transactionId },
    builtTransaction('bitcoin', signed, 0n),
    {
      schema: documentSchema('snapshot'),
      rail: 'bitcoin',
      network: RAIL_NETWORKS.bitcoin.network,
      observed_at_ms: 0n,
      expires_at_ms: 1n,
      state: { wallet_script_pubkey: scriptHex, height: 0n, fee_rate_sat_vbyte: 0n, utxos: [output] },
    },
  ).ok
}

/**
 * The two transactions of BIP 322 for a text, serialized without witnesses: `spent`, which no chain can hold, and `base`,
 * which spends its only output and is what the wallet signs.
 */
export function bitcoinMessageTransactions(
  address: BitcoinAddress,
  text: string,
): { readonly spent: Uint8Array; readonly base: Uint8Array } {
  const zero4 = new Uint8Array(4)
  const zero8 = new Uint8Array(8)
  const script = bitcoinScript(address)
  const spent = concatBytes(
    zero4,
    Uint8Array.of(1),
    new Uint8Array(32),
    Uint8Array.of(0xff, 0xff, 0xff, 0xff, 34, 0x00, 0x20),
    messageHash(text),
    zero4,
    Uint8Array.of(1),
    zero8,
    Uint8Array.of(script.length),
    script,
    zero4,
  )
  const outpoint = concatBytes(Uint8Array.from(Buffer.from(bitcoinTxid(spent), 'hex')).reverse(), zero4)
  const base = concatBytes(
    zero4,
    Uint8Array.of(1),
    outpoint,
    Uint8Array.of(0),
    zero4,
    Uint8Array.of(1),
    zero8,
    // One output that nobody can spend: OP_RETURN.
    Uint8Array.of(1, 0x6a),
    zero4,
  )
  return { spent, base }
}

/** Source: BIP 322 with the tagged hashes of BIP 340. */
function messageHash(text: string): Uint8Array {
  const tag = createHash('sha256').update('BIP0322-signed-message').digest()
  return new Uint8Array(createHash('sha256').update(tag).update(tag).update(text, 'utf8').digest())
}
