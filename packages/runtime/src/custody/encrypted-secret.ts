import { createCipheriv, createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { keccak256 } from '@oikos/core'

/** Work of scrypt for a key that is written here: what geth calls its standard. Source: go-ethereum, StandardScryptN. */
const SCRYPT_COST = 1 << 18

/** Most memory that the scrypt of a file may take (128 · n · r bytes): a hostile file must not exhaust the machine. */
const MAX_SCRYPT_BYTES = 1 << 30
/** Most parallel scrypt passes of a file. */
const MAX_SCRYPT_PASSES = 16
/** Most rounds of PBKDF2 of a file; ten times what common wallets write. */
const MAX_PBKDF2_ROUNDS = 10_000_000

/** The `crypto` member of a Web3 Secret Storage file, version 3. Source: Ethereum wiki, Web3 Secret Storage Definition. */
export type EncryptedSecret = {
  readonly cipher: 'aes-128-ctr'
  readonly cipherparams: { readonly iv: string }
  readonly ciphertext: string
  readonly kdf: 'scrypt' | 'pbkdf2'
  readonly kdfparams: Readonly<Record<string, unknown>>
  readonly mac: string
}

/**
 * A secret cannot be opened. `malformed`: what stands there is no encrypted secret, or takes too much work. `passphrase`:
 * the MAC does not fit. The message quotes no secret.
 */
export class EncryptedSecretError extends Error {
  override readonly name = 'EncryptedSecretError'
  readonly retryable = false
  readonly fault: 'malformed' | 'passphrase'

  constructor(fault: 'malformed' | 'passphrase', problem: string) {
    super(problem)
    this.fault = fault
  }
}

const scryptKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const pbkdf2Key = promisify(pbkdf2)

/**
 * Encrypts 32 secret bytes under a passphrase: scrypt, AES-128-CTR, and a MAC of Keccak-256 over key half and ciphertext.
 * @param entropy gives the salt and the initial vector
 */
export async function encryptSecret(
  secret: Uint8Array,
  passphrase: string,
  entropy: (length: number) => Uint8Array,
  scryptCost = SCRYPT_COST,
): Promise<EncryptedSecret> {
  const salt = entropy(32)
  const iv = entropy(16)
  const derived = await scryptKey(passphrase, salt, 32, { N: scryptCost, r: 8, p: 1, maxmem: MAX_SCRYPT_BYTES * 2 })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
  return {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: hex(iv) },
    ciphertext: hex(ciphertext),
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n: scryptCost, r: 8, p: 1, salt: hex(salt) },
    mac: hex(macOf(derived, ciphertext)),
  }
}

/**
 * Decrypts a secret of 32 bytes.
 * @param value the `crypto` member of a file, not trusted
 * @throws EncryptedSecretError
 */
export async function decryptSecret(value: unknown, passphrase: string): Promise<Uint8Array> {
  const secret = readEncrypted(value)
  const ciphertext = hexMember(secret.ciphertext, 'ciphertext', 32)
  const mac = hexMember(secret.mac, 'mac', 32)
  const iv = hexMember(secret.cipherparams.iv, 'iv', 16)
  const derived = await deriveKey(secret, passphrase)
  if (!timingSafeEqual(macOf(derived, ciphertext), mac))
    throw new EncryptedSecretError('passphrase', 'the passphrase does not open this key')
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  return new Uint8Array(Buffer.concat([decipher.update(ciphertext), decipher.final()]))
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return Buffer.from(keccak256(new Uint8Array([...derived.subarray(16, 32), ...ciphertext])).slice(2), 'hex')
}

function deriveKey({ kdf, kdfparams }: EncryptedSecret, passphrase: string): Promise<Uint8Array> {
  const salt = hexMember(kdfparams['salt'], 'salt')
  if (kdfparams['dklen'] !== 32) throw malformed('dklen is not 32')
  switch (kdf) {
    case 'scrypt': {
      const [n, r, p] = [numberMember(kdfparams, 'n'), numberMember(kdfparams, 'r'), numberMember(kdfparams, 'p')]
      const isPower = n > 1 && 2 ** Math.round(Math.log2(n)) === n
      if (!isPower || 128 * n * r > MAX_SCRYPT_BYTES || p > MAX_SCRYPT_PASSES)
        throw malformed(`scrypt with n ${n}, r ${r}, p ${p} is not supported`)
      // OpenSSL refuses n from 2^(16r) on, which published files have with r = 1. Source: EVP_PBE_scrypt(3).
      if (n >= 2 ** (16 * r)) return scryptAsync(new TextEncoder().encode(passphrase), salt, { N: n, r, p, dkLen: 32 })
      return scryptKey(passphrase, salt, 32, { N: n, r, p, maxmem: MAX_SCRYPT_BYTES * 2 })
    }
    case 'pbkdf2': {
      const c = numberMember(kdfparams, 'c')
      if (kdfparams['prf'] !== 'hmac-sha256' || c > MAX_PBKDF2_ROUNDS) throw malformed('this pbkdf2 is not supported')
      return pbkdf2Key(passphrase, salt, c, 32, 'sha256')
    }
    default:
      kdf satisfies never
      throw malformed('unknown kdf')
  }
}

function readEncrypted(value: unknown): EncryptedSecret {
  const secret = asObject(value, 'crypto')
  if (secret['cipher'] !== 'aes-128-ctr') throw malformed('the cipher is not aes-128-ctr')
  const kdf = secret['kdf']
  if (kdf !== 'scrypt' && kdf !== 'pbkdf2') throw malformed('the kdf is neither scrypt nor pbkdf2')
  const { ciphertext, mac } = secret
  const { iv } = asObject(secret['cipherparams'], 'cipherparams')
  if (typeof iv !== 'string' || typeof ciphertext !== 'string' || typeof mac !== 'string')
    throw malformed('iv, ciphertext or mac is missing')
  const kdfparams = asObject(secret['kdfparams'], 'kdfparams')
  return { cipher: 'aes-128-ctr', cipherparams: { iv }, ciphertext, kdf, kdfparams, mac }
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw malformed(`${name} is no object`)
}

function numberMember(value: Readonly<Record<string, unknown>>, name: string): number {
  const member = value[name]
  if (typeof member === 'number' && Number.isSafeInteger(member) && member > 0) return member
  throw malformed(`${name} is no positive whole number`)
}

/** Salts are 32 bytes everywhere we looked; 1,024 leaves room. */
const MAX_HEX_BYTES = 1_024

function hexMember(value: unknown, name: string, length?: number): Uint8Array {
  if (typeof value === 'string' && value.length <= 2 * MAX_HEX_BYTES && /^(?:[0-9a-f]{2})+$/i.test(value)) {
    const bytes = Buffer.from(value, 'hex')
    if (length === undefined || bytes.length === length) return bytes
  }
  throw malformed(`${name} is not ${length === undefined ? 'hexadecimal' : `${length} bytes in hexadecimal`}`)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function malformed(problem: string): EncryptedSecretError {
  return new EncryptedSecretError('malformed', problem)
}
