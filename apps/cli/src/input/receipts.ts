import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseSha256Digest, type Sha256Digest } from '@oikos/core'
import { type Hex, hexToBytes, isHex } from 'viem'
import { UsageError } from '../errors.ts'
import { readInputFile, readInputText } from './file.ts'

/** Bytes of a receipts file or tree file: a million receipts of 32 bytes with their addresses and branches. */
const MAX_FILE_BYTES = 1 << 30
/** Bytes of a file with one receipt or answer. Twin of the SDK's MAX_RECEIPT_BYTES, in hexadecimal with a line end. */
const MAX_SECRET_FILE_BYTES = 16_384

/** A receipt and whom it pays, as a receipts file lists it. */
export type ReceiptEntry = { readonly receipt: Uint8Array; readonly fulfiller: string }

/** A tree as `task receipt tree` writes it. */
export type TreeFile = {
  readonly root: Sha256Digest
  readonly receipts: readonly { readonly leaf: Sha256Digest; readonly proof: Hex }[]
}

/**
 * Reads a receipts file: `{"receipts":[{"receipt":"0x…","fulfiller":"0x…"}]}`.
 * @throws UsageError naming the entry
 */
export async function readReceipts(cwd: string, path: string): Promise<readonly ReceiptEntry[]> {
  return listMember(await readJson(cwd, path), path).map((entry, index) => {
    const { receipt, fulfiller } = entry
    if (typeof receipt !== 'string' || !isHex(receipt) || receipt.length % 2 !== 0 || typeof fulfiller !== 'string') {
      throw new UsageError(
        `${path}: entry ${index} is no receipt with its fulfiller.`,
        'Write {"receipt":"0x…","fulfiller":"0x…"}.',
      )
    }
    return { receipt: hexToBytes(receipt), fulfiller }
  })
}

/** Reads a tree file. Throws UsageError, DigestFormatError. */
export async function readTree(cwd: string, path: string): Promise<TreeFile> {
  const value = await readJson(cwd, path)
  const receipts = listMember(value, path).map(({ leaf, proof }, index) => {
    if (typeof leaf !== 'string' || typeof proof !== 'string' || !isHex(proof)) {
      throw new UsageError(`${path}: entry ${index} has no leaf and proof.`, 'Make the file with "task receipt tree".')
    }
    return { leaf: parseSha256Digest(leaf), proof }
  })
  return { root: parseSha256Digest(String(value['root'])), receipts }
}

/** One receipt: its bytes in hexadecimal with 0x, or as they are. Throws UsageError, NotFoundError. */
export async function readReceipt(cwd: string, path: string): Promise<Uint8Array> {
  const bytes = await readInputFile(cwd, path, { maxBytes: MAX_SECRET_FILE_BYTES })
  const text = new TextDecoder('utf-8').decode(bytes).trim()
  return /^0x(?:[0-9a-fA-F]{2})+$/.test(text) ? hexToBytes(text as Hex) : bytes
}

/** The answer of a hash lock: every byte of the file counts, a line end as well. Throws UsageError, NotFoundError. */
export function readAnswer(cwd: string, path: string): Promise<Uint8Array> {
  return readInputFile(cwd, path, { maxBytes: MAX_SECRET_FILE_BYTES })
}

/** Writes a new file that only its owner can read; nothing is overwritten. Throws UsageError. */
export async function writeSecretFile(cwd: string, path: string, text: string): Promise<void> {
  try {
    const handle = await open(resolve(cwd, path), 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new UsageError(
      `${JSON.stringify(path)} cannot be written (${code}).`,
      code === 'EEXIST' ? 'Name a file that does not exist; nothing is overwritten.' : 'Check the folder.',
      { cause },
    )
  }
}

/** A JSON object of a file. Throws UsageError, NotFoundError. */
export async function readJson(cwd: string, path: string): Promise<Record<string, unknown>> {
  const text = await readInputText(cwd, path, { maxBytes: MAX_FILE_BYTES })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new UsageError(`${path} is no JSON.`, 'Check the file.', { cause })
  }
  throw new UsageError(`${path} holds no JSON object.`, 'Check the file.')
}

/** The list of objects under a member of a JSON object. Throws UsageError. */
export function listMember(
  value: Record<string, unknown>,
  path: string,
  member = 'receipts',
): readonly Record<string, unknown>[] {
  const list = value[member]
  if (Array.isArray(list) && list.every((entry) => typeof entry === 'object' && entry !== null)) return list
  throw new UsageError(`${path} has no list "${member}".`, 'Check the file; see docs/cli.md.')
}
