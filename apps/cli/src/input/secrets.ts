import { type Keccak256Digest, parseKeccak256Digest, parseSha256Digest, type Sha256Digest } from '@oikos/core'
import { secretResultHash } from '@oikos/sdk'
import { type Address, type Hex, hexToBytes, isHex } from 'viem'
import { UsageError } from '../errors.ts'
import { listMember, readJson, readReceipt } from './receipts.ts'

/** Characters of a secret of 32 bytes with its 0x. Source: MerkleSecretVerifier.sol. */
const SECRET_DIGITS = 66

/** A tree as `task secret tree` writes it. */
export type SecretTreeFile = {
  readonly root: Sha256Digest
  readonly secrets: readonly { readonly secret: Uint8Array; readonly proof: Hex }[]
}

/** Reads a secrets file: `{"secrets":[{"secret":"0x…"}]}`. Throws UsageError naming the entry. */
export async function readSecrets(cwd: string, path: string): Promise<readonly Uint8Array[]> {
  return listMember(await readJson(cwd, path), path, 'secrets').map(({ secret }, index) =>
    secretOf(secret, path, index),
  )
}

/** Reads a tree file. Throws UsageError, DigestFormatError. */
export async function readSecretTree(cwd: string, path: string): Promise<SecretTreeFile> {
  const value = await readJson(cwd, path)
  const secrets = listMember(value, path, 'secrets').map(({ secret, proof }, index) => {
    if (typeof proof !== 'string' || !isHex(proof)) {
      throw new UsageError(`${path}: entry ${index} has no proof.`, 'Make the file with "task secret tree".')
    }
    return { secret: secretOf(secret, path, index), proof }
  })
  return { root: parseSha256Digest(String(value['root'])), secrets }
}

/** Whether a file is a tree of secrets rather than one of receipts. Throws UsageError, NotFoundError. */
export async function isSecretTree(cwd: string, path: string): Promise<boolean> {
  return 'secrets' in (await readJson(cwd, path))
}

/** The proof of the secret that a delivery of a fulfiller is made with; undefined where the tree has none. */
export function findSecretProof(tree: SecretTreeFile, fulfiller: Address, resultHash: Hex): Hex | undefined {
  return tree.secrets.find(({ secret }) => secretResultHash(secret, fulfiller) === resultHash)?.proof
}

/** One secret: its 32 bytes in hexadecimal with 0x, or as they are. Throws UsageError, NotFoundError. */
export async function readSecret(cwd: string, path: string): Promise<Uint8Array> {
  const bytes = await readReceipt(cwd, path)
  if (bytes.length === 32) return bytes
  throw new UsageError(`${path}: got ${bytes.length} bytes, expected a secret of 32.`, 'Check the file.')
}

function secretOf(value: unknown, path: string, index: number): Uint8Array {
  if (typeof value === 'string' && isHex(value) && value.length === SECRET_DIGITS) return hexToBytes(value)
  throw new UsageError(`${path}: entry ${index} is no secret.`, 'Write {"secret":"0x…"} with 32 bytes.')
}

/** A signature as `outcome sign` writes it. */
export type SignatureFile = { readonly digest: Keccak256Digest; readonly signature: Hex }

/** Reads a signature file; whose signature it is, nobody has checked. Throws UsageError, NotFoundError, DigestFormatError. */
export async function readSignature(cwd: string, path: string): Promise<SignatureFile> {
  const { digest, signature } = await readJson(cwd, path)
  if (typeof digest === 'string' && typeof signature === 'string' && isHex(signature)) {
    return { digest: parseKeccak256Digest(digest), signature }
  }
  throw new UsageError(`${path} holds no signature of an attestor.`, 'Make the file with "outcome sign".')
}
