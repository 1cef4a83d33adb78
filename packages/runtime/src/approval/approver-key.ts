import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { dirname } from 'node:path'
import { type Identifier, isIdentifier } from '@oikos/core/economic'
import { decryptSecret, EncryptedSecretError, encryptSecret } from '../custody/encrypted-secret.ts'
import { CustodyError } from '../custody/errors.ts'
import { preparePrivateFolder, readPrivateFile, writePrivateFile } from '../custody/private-files.ts'
import { type Answer, answerBytes, type KnownApprover, type SignedAnswer } from './answer.ts'
import { ApprovalError } from './errors.ts'

/** The opened key of an approver. It lives in the approver's process only. */
export type ApproverKey = KnownApprover & { readonly signAnswer: (answer: Answer) => SignedAnswer }

/** DER of an ed25519 private key up to its 32 bytes. Source: RFC 8410. */
const ED25519_PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key of an approver from 32 secret bytes. Throws {@link ApprovalError} `setting_malformed`. */
export function approverKeyOf(approverId: string, secret: Uint8Array): ApproverKey {
  if (!isIdentifier(approverId) || secret.length !== 32)
    throw new ApprovalError('setting_malformed', 'an approver has an identifier and a secret of 32 bytes')
  const der = Buffer.concat([ED25519_PRIVATE_PREFIX, secret])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  return {
    approverId,
    publicKey,
    signAnswer: (answer) => ({ ...answer, signature: sign(null, answerBytes(answer), key).toString('base64') }),
  }
}

/** How a key file is written. */
export type ApproverKeyOptions = {
  readonly entropy?: (length: number) => Uint8Array
  /** Work of scrypt, a power of two. Default 262,144. */
  readonly scryptCost?: number
}

/**
 * Makes the key of an approver in a file that only its owner reads, encrypted as wallets are; a file that exists is refused.
 * Throws {@link ApprovalError}.
 */
export async function createApproverKey(
  path: string,
  approverId: string,
  passphrase: string,
  options: ApproverKeyOptions = {},
): Promise<ApproverKey> {
  const { entropy = (length: number) => new Uint8Array(randomBytes(length)), scryptCost } = options
  const secret = entropy(32)
  const key = approverKeyOf(approverId, secret)
  if (passphrase === '') throw new ApprovalError('setting_malformed', 'the passphrase is empty')
  const crypto = await encryptSecret(secret, passphrase, entropy, scryptCost)
  const oikos = { kind: 'approver', approver: approverId, publicKey: key.publicKey }
  await asSetting(async () => {
    await preparePrivateFolder(dirname(path))
    const token = Buffer.from(entropy(8)).toString('hex')
    await writePrivateFile(path, `${JSON.stringify({ version: 3, oikos, crypto }, null, 2)}\n`, { token, mode: 'new' })
  })
  return key
}

/** Opens the key of an approver. Throws {@link ApprovalError} `setting_malformed`. */
export async function openApproverKey(path: string, passphrase: string): Promise<ApproverKey> {
  const text = await asSetting(() => readPrivateFile(path))
  if (text === undefined) throw new ApprovalError('setting_malformed', `there is no key ${path}`)
  const { approverId, publicKey, crypto } = parseKeyFile(text, path)
  const key = approverKeyOf(approverId, await asSetting(() => decryptSecret(crypto, passphrase)))
  if (key.publicKey === publicKey) return key
  throw new ApprovalError('setting_malformed', `${path} holds another key than it says`)
}

function parseKeyFile(text: string, path: string): { approverId: Identifier; publicKey: string; crypto: unknown } {
  const malformed = new ApprovalError('setting_malformed', `${path} is no key of an approver`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed
  }
  if (!isRecord(value) || value['version'] !== 3 || !isRecord(value['oikos'])) throw malformed
  const { kind, approver, publicKey } = value['oikos']
  if (kind !== 'approver' || typeof approver !== 'string' || typeof publicKey !== 'string') throw malformed
  if (!isIdentifier(approver)) throw malformed
  return { approverId: approver, publicKey, crypto: value['crypto'] }
}

/** Failures of files and passphrases, as approval tells them. */
async function asSetting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof CustodyError) && !(cause instanceof EncryptedSecretError)) throw cause
    throw new ApprovalError('setting_malformed', cause.message)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
