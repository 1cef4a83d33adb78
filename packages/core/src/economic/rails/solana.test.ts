import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { admissionOf, placeholderSigned, snapshotOf } from '../../../test/economic-fixture.ts'
import type { SolanaSettlement } from '../admission.ts'
import { EconomicError } from '../diagnostics.ts'
import type { SolanaState } from '../documents/snapshot.ts'
import { concatBytes } from '../text.ts'
import { isSolanaAddress } from './address.ts'
import { littleEndian } from './bytes.ts'
import { verifySignatures } from './signature.ts'
import { readSigned } from './signed.ts'
import { buildSolanaTransfer, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, solanaPriorityFee } from './solana.ts'
import { decodeSolanaMessage } from './solana-decode.ts'
import { assertUnsigned, buildUnsigned } from './unsigned.ts'

const admission = admissionOf('solana')
const settlement = admission.settlement as SolanaSettlement
const snapshot = snapshotOf('solana').document
const state = snapshot.state as SolanaState
const { limits } = admission.policy.document

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'passed'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return cause.code
  }
}

/** The message that @solana/kit compiles for the same transfer. */
function kitMessage(units: bigint, price: bigint, amount: bigint): Uint8Array {
  const data = (head: number, headLength: number, value: bigint, length: number) =>
    concatBytes(littleEndian(BigInt(head), headLength), littleEndian(value, length))
  const budget = address(COMPUTE_BUDGET_PROGRAM)
  const accounts = [
    { address: address(state.fee_payer), role: 3 as const },
    { address: address(settlement.recipient), role: 1 as const },
  ]
  const message = appendTransactionMessageInstructions(
    [
      { programAddress: budget, data: data(2, 1, units, 4) },
      { programAddress: budget, data: data(3, 1, price, 8) },
      { programAddress: address(SYSTEM_PROGRAM), accounts, data: data(2, 4, amount, 8) },
    ],
    setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: blockhash(state.recent_blockhash), lastValidBlockHeight: state.last_valid_block_height },
      setTransactionMessageFeePayer(address(state.fee_payer), createTransactionMessage({ version: 0 })),
    ),
  )
  return Uint8Array.from(compileTransaction(message).messageBytes)
}

function decodeByKit(bytes: Uint8Array) {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version !== 0) throw new Error(`version ${message.version}`)
  return message
}

describe('known answers (notes, section 7)', () => {
  test('the fixture: 204 bytes, price 5000, transaction id', () => {
    const built = buildUnsigned(admission, snapshot)
    expect(built.bytes.length).toBe(204)
    expect(built.digest).toBe('sha256:c8482972de3b34465593b20d502a4e0967b57304c8d7a099b3346ed78f0dfcc0')
    expect(built.feeAtomic).toBe(6_000n)
    const signed = readSigned(placeholderSigned(built), built, limits)
    expect(signed.transactionId).toBe(
      '99eUso3aSbE9tqGSTXzo3TLfKb9RkMTURrHKQ1K7Zh3BbeqPevr5E1iCbpTjqHuTFLtfxTTD5ekfVuZFzQyEQf8',
    )
  })
})

describe('against @solana/kit', () => {
  test.each([
    [200_000n, 1_000n, 10n],
    [3n, 1n, 1n],
    [199_999n, 999n, 18_446_744_073_709_551_615n],
    [200_000n, 0n, 5n],
  ])('%s units, priority fee %s, amount %s: the same message', (units, priority, amount) => {
    const wide = {
      ...settlement,
      maxComputeUnits: units,
      maxPriorityFeeAtomic: priority,
      amountAtomic: amount,
      maxFeeAtomic: 100_000n,
    }
    const { bytes } = buildSolanaTransfer(wide, state)
    const { price } = solanaPriorityFee(priority, units)
    const compiled = kitMessage(units, price, amount)
    const ours = decodeByKit(bytes)
    const theirs = decodeByKit(compiled)
    // The order of read-only accounts is free: kit sorts them, the standard fixes them. All else must be the same.
    expect(new Set(ours.staticAccounts)).toEqual(new Set(theirs.staticAccounts))
    expect(ours.header).toEqual(theirs.header)
    expect(ours.lifetimeToken).toBe(theirs.lifetimeToken)
    const resolved = (message: typeof ours) =>
      message.instructions.map((instruction) => ({
        program: message.staticAccounts[instruction.programAddressIndex],
        accounts: (instruction.accountIndices ?? []).map((index) => message.staticAccounts[index]),
        data: bytesToHex(Uint8Array.from(instruction.data ?? [])),
      }))
    expect(resolved(ours)).toEqual(resolved(theirs))
    expect(decodeSolanaMessage(bytes).instructions.map(({ program }) => program)).toEqual(
      resolved(theirs).map(({ program }) => program),
    )
  })
})

describe('fees', () => {
  test('the price is rounded down, what it costs is rounded up and never exceeds the priority fee', () => {
    expect(solanaPriorityFee(1_000n, 200_000n)).toEqual({ price: 5_000n, feeAtomic: 1_000n })
    expect(solanaPriorityFee(1n, 3n)).toEqual({ price: 333_333n, feeAtomic: 1n })
    expect(solanaPriorityFee(0n, 200_000n)).toEqual({ price: 0n, feeAtomic: 0n })
  })

  test('the exact fee passes, one lamport less does not', () => {
    expect(codeOf(() => buildSolanaTransfer({ ...settlement, maxFeeAtomic: 6_000n }, state))).toBe('passed')
    expect(codeOf(() => buildSolanaTransfer({ ...settlement, maxFeeAtomic: 5_999n }, state))).toBe('SPX-G213')
  })

  test.each([0n, 200_001n])('%s compute units are SPX-G216', (maxComputeUnits) => {
    expect(codeOf(() => buildSolanaTransfer({ ...settlement, maxComputeUnits }, state))).toBe('SPX-G216')
  })

  test('a payer that pays itself is SPX-G213 (D22)', () => {
    const there = { ...state, fee_payer: settlement.recipient }
    expect(codeOf(() => buildSolanaTransfer(settlement, there))).toBe('SPX-G213')
  })
})

describe('the independent decoder', () => {
  const built = buildUnsigned(admission, snapshot)

  test('every changed byte is SPX-G213', () => {
    for (const index of built.bytes.keys()) {
      const changed = Uint8Array.from(built.bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(codeOf(() => assertUnsigned(changed, settlement, snapshot))).toBe('SPX-G213')
    }
  })

  test('a cut and an extended message are SPX-G213', () => {
    for (const bytes of [built.bytes.subarray(0, -1), concatBytes(built.bytes, Uint8Array.of(0)), new Uint8Array(0)])
      expect(codeOf(() => assertUnsigned(bytes, settlement, snapshot))).toBe('SPX-G213')
  })
})

describe('signatures', () => {
  test('a signature of the payer verifies, a placeholder does not', () => {
    const secret = new Uint8Array(32).fill(9)
    const payer = base58.encode(ed25519.getPublicKey(secret))
    if (!isSolanaAddress(payer)) throw new Error(payer)
    const mine = { ...snapshot, state: { ...state, fee_payer: payer } } as typeof snapshot
    const built = buildUnsigned(admission, mine)
    const bytes = concatBytes(Uint8Array.of(1), ed25519.sign(built.bytes, secret), built.bytes)
    const signed = readSigned(bytes, built, limits)
    expect(verifySignatures(signed, built, mine)).toEqual({ ok: true })
    expect(verifySignatures(readSigned(placeholderSigned(built), built, limits), built, mine).ok).toBe(false)
  })

  test.each([
    ['an empty signature', (bytes: Uint8Array) => bytes.fill(0, 1, 65)],
    ['two signatures', (bytes: Uint8Array) => bytes.fill(2, 0, 1)],
    ['another message', (bytes: Uint8Array) => bytes.fill(1, 268, 269)],
    ['a trailing byte', (bytes: Uint8Array) => concatBytes(bytes, Uint8Array.of(0))],
    ['a cut transaction', (bytes: Uint8Array) => bytes.subarray(0, 64)],
  ])('%s is SPX-G213', (_, change) => {
    const built = buildUnsigned(admission, snapshot)
    expect(codeOf(() => readSigned(change(placeholderSigned(built)), built, limits))).toBe('SPX-G213')
  })
})
