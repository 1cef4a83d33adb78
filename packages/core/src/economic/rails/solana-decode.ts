import { base58 } from '@scure/base'
import type { ByteReader } from './bytes.ts'
import { readerOf, requireEnd, requireThat } from './bytes.ts'

/** An instruction of a message: accounts as indexes into the account list. */
export type DecodedInstruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

/** A version 0 message without lookup tables, as decoded. Keys in base58. */
export type DecodedSolanaMessage = {
  readonly requiredSignatures: number
  readonly readonlySigned: number
  readonly readonlyUnsigned: number
  readonly accounts: readonly string[]
  readonly recentBlockhash: string
  readonly instructions: readonly DecodedInstruction[]
}

const VERSION_0 = 0x80

/** Decodes a message. Throws SPX-G213. Source: Solana documentation, "Transactions", versioned message format. */
export function decodeSolanaMessage(bytes: Uint8Array): DecodedSolanaMessage {
  const reader = readerOf(bytes)
  requireThat(reader.byte() === VERSION_0, 'expected a message of version 0')
  const [requiredSignatures = 0, readonlySigned = 0, readonlyUnsigned = 0] = reader.take(3)
  const accounts = readList(reader, () => base58.encode(reader.take(32)))
  const recentBlockhash = base58.encode(reader.take(32))
  const instructions = readList(reader, () => readInstruction(reader, accounts))
  requireThat(readShortVec(reader) === 0, 'expected no address lookup table')
  requireEnd(reader)
  return { requiredSignatures, readonlySigned, readonlyUnsigned, accounts, recentBlockhash, instructions }
}

/** Decodes a transaction of one signature. Throws SPX-G213. */
export function decodeSolanaSigned(bytes: Uint8Array): {
  readonly signature: Uint8Array
  readonly message: Uint8Array
} {
  const reader = readerOf(bytes)
  requireThat(readShortVec(reader) === 1, 'expected one signature')
  const signature = reader.take(64)
  return { signature, message: reader.take(reader.left()) }
}

function readInstruction(reader: ByteReader, accounts: readonly string[]): DecodedInstruction {
  const accountAt = (): string => {
    const account = accounts[reader.byte()]
    requireThat(account !== undefined, 'an instruction names an account that is not listed')
    return account
  }
  const program = accountAt()
  const used = readList(reader, accountAt)
  return { program, accounts: used, data: reader.take(readShortVec(reader)) }
}

function readList<T>(reader: ByteReader, readItem: () => T): readonly T[] {
  return Array.from({ length: readShortVec(reader) }, readItem)
}

/** A length of 1 to 3 bytes, 7 bits each, least significant first, in its shortest form. */
function readShortVec(reader: ByteReader): number {
  let value = 0
  for (let index = 0; index < 3; index += 1) {
    const byte = reader.byte()
    value |= (byte & 0x7f) << (7 * index)
    if (byte >= 0x80) continue
    requireThat((byte !== 0 || index === 0) && value <= 0xffff, 'a length is not in its shortest form')
    return value
  }
  requireThat(false, 'a length takes more than 3 bytes')
  return value
}
