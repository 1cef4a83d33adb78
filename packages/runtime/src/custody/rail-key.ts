import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { keccak256 } from '@oikos/core'
import { bitcoinTxid, concatBytes, isRailAddress, type Rail, type RailAddress } from '@oikos/core/economic'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { getBase58Decoder } from '@solana/kit'
import { bytesToHex, hexToBytes, parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount, sign as signHash } from 'viem/accounts'
import { REGTEST_ADDRESSES } from '../x402/networks.ts'
import { bitcoinMessageTransactions, solanaMessageBytes } from '../x402/wallet-message.ts'
import { CustodyError } from './errors.ts'

/** An opened key of one rail. It lives in memory only, and shows nothing of the secret. */
export type RailKey = {
  readonly rail: Rail
  readonly address: RailAddress
  /** Signs unsigned bytes of Economic Agent v1. The same bytes always give the same signed bytes. */
  readonly signTransaction: (unsigned: Uint8Array) => Promise<Uint8Array>
  /** Signs a text as `verifyWalletMessage` reads it. */
  readonly signMessage: (text: string) => Promise<string>
}

/**
 * The key of a rail from its 32 secret bytes: a secp256k1 key (EVM, Bitcoin) or the seed of an ed25519 key (Solana). Throws
 * {@link CustodyError} `secret_malformed`, which does not quote it.
 */
export function openRailKey(rail: Rail, secret: Uint8Array): RailKey {
  try {
    return KEYS[rail](secret)
  } catch {
    // The cause could quote the secret, so it is not kept.
    throw new CustodyError('secret_malformed', `the secret is no key of ${rail}; give 32 bytes`)
  }
}

const KEYS: Readonly<Record<Rail, (secret: Uint8Array) => RailKey>> = {
  evm: openEvmKey,
  solana: openSolanaKey,
  bitcoin: openBitcoinKey,
}

function addressOf<R extends Rail>(rail: R, text: string | undefined): RailAddress<R> {
  if (text === undefined || !isRailAddress(rail, text)) throw new TypeError('no address')
  return text
}

function openEvmKey(secret: Uint8Array): RailKey {
  const privateKey = bytesToHex(secret)
  const account = privateKeyToAccount(privateKey)
  return {
    rail: 'evm',
    address: addressOf('evm', account.address.toLowerCase()),
    signTransaction: async (unsigned) => {
      const signature = await signHash({ hash: keccak256(unsigned), privateKey })
      return hexToBytes(serializeTransaction(parseTransaction(bytesToHex(unsigned)), signature))
    },
    signMessage: (text) => account.signMessage({ message: text }),
  }
}

/** DER of an ed25519 private key up to its 32 bytes. Source: RFC 8410. */
const ED25519_PRIVATE_PREFIX = hexToBytes('0x302e020100300506032b657004220420')

function openSolanaKey(secret: Uint8Array): RailKey {
  if (secret.length !== 32) throw new TypeError('no seed')
  const der = Buffer.from(concatBytes(ED25519_PRIVATE_PREFIX, secret))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  const address = addressOf('solana', getBase58Decoder().decode(publicKey))
  const signBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(sign(null, bytes, key))
  return {
    rail: 'solana',
    address,
    signTransaction: async (unsigned) => concatBytes(Uint8Array.of(1), signBytes(unsigned), unsigned),
    signMessage: async (text) => getBase58Decoder().decode(signBytes(solanaMessageBytes(address, text))),
  }
}

function openBitcoinKey(secret: Uint8Array): RailKey {
  const payment = p2wpkh(pubECDSA(secret), REGTEST_ADDRESSES)
  const address = addressOf('bitcoin', payment.address)
  return {
    rail: 'bitcoin',
    address,
    signTransaction: async (unsigned) => {
      const transaction = Transaction.fromPSBT(unsigned)
      transaction.sign(secret)
      transaction.finalize()
      return transaction.extract()
    },
    signMessage: async (text) => {
      const { spent } = bitcoinMessageTransactions(address, text)
      const transaction = new Transaction({ version: 0, allowUnknownOutputs: true, allowUnknownVersion: true })
      transaction.addInput({
        txid: bitcoinTxid(spent),
        index: 0,
        sequence: 0,
        witnessUtxo: { script: payment.script, amount: 0n },
      })
      transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
      transaction.sign(secret)
      transaction.finalize()
      const witness = transaction.getInput(0).finalScriptWitness ?? []
      const items = witness.flatMap((item) => [Uint8Array.of(item.length), item])
      return Buffer.from(concatBytes(Uint8Array.of(witness.length), ...items)).toString('base64')
    },
  }
}
