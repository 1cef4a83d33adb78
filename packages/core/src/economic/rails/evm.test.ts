import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { keccak256, parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { admissionOf, snapshotOf } from '../../../test/economic-fixture.ts'
import { signEvm } from '../../../test/economic-golden.ts'
import type { EvmSettlement } from '../admission.ts'
import { EconomicError } from '../diagnostics.ts'
import type { EvmState } from '../documents/snapshot.ts'
import { isEvmAddress } from './address.ts'
import { buildEvmTransfer } from './evm.ts'
import { decodeEvmUnsigned } from './evm-decode.ts'
import { decodeRlpList } from './rlp.ts'
import { verifySignatures } from './signature.ts'
import { readSigned } from './signed.ts'
import { assertUnsigned, buildUnsigned } from './unsigned.ts'

const admission = admissionOf('evm')
const settlement = admission.settlement as EvmSettlement
const snapshot = snapshotOf('evm').document
const state = snapshot.state as EvmState
const { limits } = admission.policy.document
const one = Uint8Array.of(1)

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'passed'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return cause.code
  }
}

function hex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`
}

describe('known answers (notes, section 7)', () => {
  test('unsigned, signed, digests and transaction id of the fixture', () => {
    const built = buildUnsigned(admission, snapshot)
    expect(bytesToHex(built.bytes)).toBe('02e283aa36a70702048252089411111111111111111111111111111111111111110a80c0')
    expect(built.digest).toBe('sha256:ed1d574f32428747e722fcbc1a03d931a3bd5a154e3d8f25235284c43a6425e3')
    const bytes = signEvm(built.bytes, { parity: one, r: one, s: one })
    expect(bytesToHex(bytes)).toBe('02e583aa36a70702048252089411111111111111111111111111111111111111110a80c0010101')
    const signed = readSigned(bytes, built, limits)
    expect(signed.digest).toBe('sha256:e24656bb9eba9be1090ed8d58cfc742809fb45a4ed758a604f94f07592734f36')
    expect(signed.transactionId).toBe('0xf8900f52c48a3d596768397690abb4dcb92647a5999f57da2c4dd52b04174683')
  })

  test('keccak256 of nothing and of abc', () => {
    const text = new TextEncoder()
    expect(bytesToHex(keccak_256(text.encode('')))).toMatch(/^c5d24601.*5a470$/)
    expect(bytesToHex(keccak_256(text.encode('abc')))).toMatch(/^4e03657a.*d6c45$/)
  })
})

describe('against viem', () => {
  test.each([
    [10n, 7n, 1n, 2n],
    [127n, 0n, 0n, 0n],
    [128n, 1n, 5n, 1n],
    [1_000_000_000_000_000_000n, 1_000n, 30_000_000_000n, 1_000_000_000n],
    [255n, 18_446_744_073_709_551_615n, 1n, 1n],
  ])('amount %s, nonce %s, base %s, tip %s', async (amount, nonce, base, tip) => {
    const wide = { ...settlement, amountAtomic: amount, maxFeeAtomic: 1_000_000_000_000_000_000n }
    const there = { ...state, nonce, base_fee_per_gas: base, max_priority_fee_per_gas: tip }
    const { bytes } = buildEvmTransfer(wide, there)
    const request = {
      chainId: 11_155_111,
      type: 'eip1559',
      maxPriorityFeePerGas: tip,
      maxFeePerGas: 2n * base + tip,
      gas: 21_000n,
      to: settlement.recipient,
      value: amount,
    } as const
    if (nonce <= BigInt(Number.MAX_SAFE_INTEGER)) {
      expect(hex(bytes)).toBe(serializeTransaction({ ...request, nonce: Number(nonce) }))
      const parsed = parseTransaction(hex(bytes))
      expect(parsed).toMatchObject({ chainId: 11_155_111, value: amount, gas: 21_000n })
    }
    expect(decodeEvmUnsigned(bytes)).toEqual({
      chainId: 11_155_111n,
      nonce,
      maxPriorityFeePerGas: tip,
      maxFeePerGas: 2n * base + tip,
      gasLimit: 21_000n,
      to: settlement.recipient,
      value: amount,
    })
  })

  test('a signature of viem verifies for its sender and for nobody else', async () => {
    const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
    const from = account.address.toLowerCase()
    if (!isEvmAddress(from)) throw new Error(from)
    const mine = { ...snapshot, state: { ...state, from } } as typeof snapshot
    const built = buildUnsigned(admission, mine)
    const raw = await account.signTransaction({ ...parseTransaction(hex(built.bytes)), type: 'eip1559' } as never)
    const signed = readSigned(hexToBytes(raw.slice(2)), built, limits)
    expect(signed.transactionId).toBe(keccak256(raw))
    expect(verifySignatures(signed, built, mine)).toEqual({ ok: true })
    expect(verifySignatures(signed, built, snapshot)).toMatchObject({ ok: false })
    const placeholder = readSigned(signEvm(built.bytes, { parity: one, r: one, s: one }), built, limits)
    expect(verifySignatures(placeholder, built, mine).ok).toBe(false)
  })
})

describe('fees', () => {
  test('the exact fee passes, one less does not', () => {
    const most = (2n * state.base_fee_per_gas + state.max_priority_fee_per_gas) * 21_000n
    expect(codeOf(() => buildEvmTransfer({ ...settlement, maxFeeAtomic: most }, state))).toBe('passed')
    expect(codeOf(() => buildEvmTransfer({ ...settlement, maxFeeAtomic: most - 1n }, state))).toBe('SPX-G213')
  })

  test('a base fee whose double leaves 64 bits is SPX-G213', () => {
    expect(codeOf(() => buildEvmTransfer(settlement, { ...state, base_fee_per_gas: 1n << 63n }))).toBe('SPX-G213')
  })
})

describe('the independent decoder', () => {
  const built = buildUnsigned(admission, snapshot)

  test.each([
    ['recipient', { ...settlement, recipient: `0x${'12'.repeat(20)}` as never }, state],
    ['amount', { ...settlement, amountAtomic: 11n }, state],
    ['fee', { ...settlement, maxFeeAtomic: 1n }, state],
    ['nonce', settlement, { ...state, nonce: 8n }],
    ['base fee', settlement, { ...state, base_fee_per_gas: 2n }],
    ['priority fee', settlement, { ...state, max_priority_fee_per_gas: 1n }],
  ] as const)('another %s is SPX-G213', (_, other, there) => {
    const run = () => assertUnsigned(built.bytes, other, { ...snapshot, state: there } as typeof snapshot)
    expect(codeOf(run)).toBe('SPX-G213')
  })

  test('every changed byte is SPX-G213', () => {
    for (const index of built.bytes.keys())
      for (const flip of [1, 0x80, 0xff]) {
        const changed = Uint8Array.from(built.bytes)
        changed[index] = (changed[index] ?? 0) ^ flip
        expect(codeOf(() => assertUnsigned(changed, settlement, snapshot))).toBe('SPX-G213')
      }
  })

  test.each(['c0', 'c181', 'c18100', 'c3820001', 'f800', 'f838', 'c1c1', 'b800', 'c102ff', '02', ''])(
    'RLP %s is refused unless it is a strict list',
    (text) => {
      const outcome = codeOf(() => decodeRlpList(hexToBytes(text)))
      expect(outcome).toBe(text === 'c0' ? 'passed' : text === 'c3820001' ? 'passed' : 'SPX-G213')
    },
  )
})

describe('signed transactions (notes, section 8)', () => {
  const built = buildUnsigned(admission, snapshot)
  const n = hexToBytes('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')
  const half = hexToBytes('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0')
  const plus = (bytes: Uint8Array, difference: number) => {
    const changed = Uint8Array.from(bytes)
    changed[31] = (changed[31] ?? 0) + difference
    return changed
  }

  test.each([
    ['parity 0', { parity: new Uint8Array(0), r: one, s: one }, 'passed'],
    ['parity 1', { parity: one, r: one, s: one }, 'passed'],
    ['parity 2', { parity: Uint8Array.of(2), r: one, s: one }, 'SPX-G213'],
    ['parity as 00', { parity: Uint8Array.of(0), r: one, s: one }, 'SPX-G213'],
    ['r = 0', { parity: one, r: new Uint8Array(0), s: one }, 'SPX-G213'],
    ['r with a leading zero', { parity: one, r: Uint8Array.of(0, 1), s: one }, 'SPX-G213'],
    ['r = n - 1', { parity: one, r: plus(n, -1), s: one }, 'passed'],
    ['r = n', { parity: one, r: n, s: one }, 'SPX-G213'],
    ['s = n / 2', { parity: one, r: one, s: half }, 'passed'],
    ['s = n / 2 + 1', { parity: one, r: one, s: plus(half, 1) }, 'SPX-G213'],
    ['r of 33 bytes', { parity: one, r: new Uint8Array(33).fill(1), s: one }, 'SPX-G213'],
    ['r a list', { parity: one, r: 'empty list', s: one }, 'SPX-G213'],
  ] as const)('%s', (_, signature, expected) => {
    expect(codeOf(() => readSigned(signEvm(built.bytes, signature), built, limits))).toBe(expected)
  })

  test('longer than max_signed_transaction_bytes is SPX-G216', () => {
    const signed = signEvm(built.bytes, { parity: one, r: one, s: one })
    expect(codeOf(() => readSigned(signed, built, { ...limits, max_signed_transaction_bytes: 38n }))).toBe('SPX-G216')
  })
})
