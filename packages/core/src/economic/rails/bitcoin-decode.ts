import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { concatBytes } from '../text.ts'
import type { ByteReader } from './bytes.ts'
import { readerOf, requireEnd, requireThat } from './bytes.ts'

/** An output: value in satoshi, script in hexadecimal. */
export type DecodedOutput = { readonly valueAtomic: bigint; readonly script: string }

/** An input: `txid` in display order. */
export type DecodedOutpoint = { readonly txid: string; readonly vout: bigint; readonly sequence: bigint }

/** An input of a PSBT with the output that it spends. */
export type DecodedPsbtInput = DecodedOutpoint & { readonly spends: DecodedOutput; readonly sighashType: bigint }

/** A PSBT of version 2 as decoded. */
export type DecodedPsbt = {
  readonly transactionVersion: bigint
  readonly lockTime: bigint
  readonly modifiable: bigint
  readonly inputs: readonly DecodedPsbtInput[]
  readonly outputs: readonly DecodedOutput[]
}

/** A transaction with witnesses as decoded. `base` is its serialization without them, of which the txid is the hash. */
export type DecodedBitcoinTransaction = {
  readonly version: bigint
  readonly lockTime: bigint
  readonly inputs: readonly (DecodedOutpoint & { readonly witness: readonly Uint8Array[] })[]
  readonly outputs: readonly DecodedOutput[]
  readonly base: Uint8Array
}

/** Most inputs or outputs that are decoded; the documents allow 100. */
const MAX_COUNT = 1000n

/** Decodes a PSBT that holds exactly the fields of an unsigned transfer. Throws SPX-G213. Source: BIP 174 and BIP 370. */
export function decodePsbt(bytes: Uint8Array): DecodedPsbt {
  const reader = readerOf(bytes)
  requireThat(bytesToHex(reader.take(5)) === '70736274ff', 'expected the magic bytes of a PSBT')
  const globals = readMap(reader)
  requireKeys(globals, ['02', '03', '04', '05', '06', 'fb'])
  requireThat(little(globals, 'fb', 4) === 2n, 'expected PSBT version 2')
  const inputCount = readCount(globals, '04')
  const outputCount = readCount(globals, '05')
  const inputs = Array.from({ length: inputCount }, () => readPsbtInput(reader))
  const outputs = Array.from({ length: outputCount }, () => readPsbtOutput(reader))
  requireEnd(reader)
  return {
    transactionVersion: little(globals, '02', 4),
    lockTime: little(globals, '03', 4),
    modifiable: little(globals, '06', 1),
    inputs,
    outputs,
  }
}

/** Decodes a transaction with witnesses that takes all the bytes. Throws SPX-G213. Source: BIP 144. */
export function decodeBitcoinTransaction(bytes: Uint8Array): DecodedBitcoinTransaction {
  const reader = readerOf(bytes)
  const version = reader.take(4)
  requireThat(bytesToHex(reader.take(2)) === '0001', 'expected the marker and flag of witnesses')
  const bodyStart = bytes.length - reader.left()
  const outpoints = readMany(reader, readOutpoint)
  const outputs = readMany(reader, readOutput)
  const body = bytes.subarray(bodyStart, bytes.length - reader.left())
  const inputs = outpoints.map((outpoint) => ({
    ...outpoint,
    witness: readMany(reader, () => reader.take(readSize(reader))),
  }))
  const lockTime = reader.take(4)
  requireEnd(reader)
  const base = concatBytes(version, body, lockTime)
  return { version: littleValue(version), lockTime: littleValue(lockTime), inputs, outputs, base }
}

/** The transaction id of a serialization without witnesses: double SHA-256, reversed, in hexadecimal. */
export function bitcoinTxid(base: Uint8Array): string {
  return bytesToHex(sha256(sha256(base)).reverse())
}

function readOutpoint(reader: ByteReader): DecodedOutpoint {
  const txid = displayOrder(reader.take(32))
  const vout = reader.little(4)
  requireThat(readSize(reader) === 0, 'expected an empty script signature')
  return { txid, vout, sequence: reader.little(4) }
}

function readOutput(reader: ByteReader): DecodedOutput {
  const valueAtomic = reader.little(8)
  return { valueAtomic, script: bytesToHex(reader.take(readSize(reader))) }
}

function readPsbtInput(reader: ByteReader): DecodedPsbtInput {
  const map = readMap(reader)
  requireKeys(map, ['01', '03', '0e', '0f', '10'])
  const spent = readerOf(pairValue(map, '01'))
  const spends = readOutput(spent)
  requireEnd(spent)
  return {
    txid: displayOrder(exactLength(pairValue(map, '0e'), 32)),
    vout: little(map, '0f', 4),
    sequence: little(map, '10', 4),
    sighashType: little(map, '03', 4),
    spends,
  }
}

function readPsbtOutput(reader: ByteReader): DecodedOutput {
  const map = readMap(reader)
  requireKeys(map, ['03', '04'])
  return { valueAtomic: little(map, '03', 8), script: bytesToHex(pairValue(map, '04')) }
}

/** A key-value map up to its separator, by key in hexadecimal. */
function readMap(reader: ByteReader): ReadonlyMap<string, Uint8Array> {
  const map = new Map<string, Uint8Array>()
  for (;;) {
    const keyLength = readSize(reader)
    if (keyLength === 0) return map
    const key = bytesToHex(reader.take(keyLength))
    requireThat(!map.has(key), `PSBT: key ${key} is repeated`)
    map.set(key, reader.take(readSize(reader)))
  }
}

function requireKeys(map: ReadonlyMap<string, Uint8Array>, keys: readonly string[]): void {
  const got = [...map.keys()].join()
  requireThat(got === keys.join(), `PSBT: got keys ${got}, expected ${keys.join()}`)
}

function pairValue(map: ReadonlyMap<string, Uint8Array>, key: string): Uint8Array {
  const value = map.get(key)
  requireThat(value !== undefined, `PSBT: key ${key} is missing`)
  return value
}

function exactLength(bytes: Uint8Array, length: number): Uint8Array {
  requireThat(bytes.length === length, `PSBT: expected a value of ${length} bytes`)
  return bytes
}

function little(map: ReadonlyMap<string, Uint8Array>, key: string, length: number): bigint {
  return littleValue(exactLength(pairValue(map, key), length))
}

function littleValue(bytes: Uint8Array): bigint {
  return readerOf(bytes).little(bytes.length)
}

function displayOrder(hash: Uint8Array): string {
  return bytesToHex(hash.slice().reverse())
}

function readCount(map: ReadonlyMap<string, Uint8Array>, key: string): number {
  const reader = readerOf(pairValue(map, key))
  const count = readSize(reader)
  requireEnd(reader)
  requireThat(BigInt(count) <= MAX_COUNT, `PSBT: got a count of ${count}`)
  return count
}

function readMany<T>(reader: ByteReader, readItem: (reader: ByteReader) => T): readonly T[] {
  const count = readSize(reader)
  requireThat(BigInt(count) <= MAX_COUNT, `got a count of ${count}, expected at most ${MAX_COUNT}`)
  return Array.from({ length: count }, () => readItem(reader))
}

/** A compact size in its shortest form. */
function readSize(reader: ByteReader): number {
  const first = reader.byte()
  if (first < 0xfd) return first
  const length = first === 0xfd ? 2 : first === 0xfe ? 4 : 8
  const value = reader.little(length)
  const minimum = first === 0xfd ? 0xfdn : first === 0xfe ? 0x1_0000n : 0x1_0000_0000n
  requireThat(value >= minimum && value <= 0xffff_ffffn, 'a compact size is not in its shortest form')
  return Number(value)
}
