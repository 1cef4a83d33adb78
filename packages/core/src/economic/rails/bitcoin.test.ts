import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Address, p2wpkh, Transaction } from '@scure/btc-signer'
import { describe, expect, test } from 'vitest'
import { admissionOf, placeholderSigned, snapshotOf } from '../../../test/economic-fixture.ts'
import type { BitcoinSettlement } from '../admission.ts'
import { EconomicError } from '../diagnostics.ts'
import type { BitcoinState } from '../documents/snapshot.ts'
import { concatBytes } from '../text.ts'
import { bitcoinScript, isBitcoinAddress } from './address.ts'
import { bitcoinFeeAtomic, buildBitcoinTransfer } from './bitcoin.ts'
import { decodePsbt } from './bitcoin-decode.ts'
import { decodeDerSignature } from './secp256k1.ts'
import { verifySignatures } from './signature.ts'
import { readSigned } from './signed.ts'
import { assertUnsigned, buildUnsigned } from './unsigned.ts'

const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const admission = admissionOf('bitcoin')
const settlement = admission.settlement as BitcoinSettlement
const snapshot = snapshotOf('bitcoin').document
const state = snapshot.state as BitcoinState
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

function utxo(index: number, valueAtomic: bigint, script = state.wallet_script_pubkey) {
  const txid = index.toString(16).padStart(64, '0')
  return { txid, vout: BigInt(index), value_atomic: valueAtomic, script_pubkey: script, confirmations: 1n }
}

describe('known answers (notes, section 7)', () => {
  test('the fixture: 204 bytes of PSBT, 160 signed, transaction id', () => {
    const built = buildUnsigned(admission, snapshot)
    expect(built.bytes.length).toBe(204)
    expect(built.feeAtomic).toBe(140n)
    const bytes = placeholderSigned(built)
    expect(bytes.length).toBe(160)
    expect(readSigned(bytes, built, limits).transactionId).toBe(
      '5e4a41ca028e42d3d9b0bcf56623156b83fe8b0dd41f173e8d1e17dcca6d47af',
    )
  })
})

describe('against @scure/btc-signer', () => {
  test('the address has the script that the library gives', () => {
    const decoded = Address(REGTEST).decode(settlement.recipient)
    expect(decoded).toMatchObject({ type: 'wpkh' })
    expect(bytesToHex(bitcoinScript(settlement.recipient))).toBe(`0014${'09'.repeat(20)}`)
  })

  test.each([
    ['one input', [utxo(1, 100_000n)]],
    ['two inputs', [utxo(1, 6_000n), utxo(2, 6_000n)]],
    ['no change', [utxo(1, 10_140n)]],
    ['change of 546', [utxo(1, 10_686n)]],
    ['change of 545 goes to the fee', [utxo(1, 10_685n)]],
  ])('%s: read, written again and named the same', (_, utxos) => {
    const { bytes } = buildBitcoinTransfer(settlement, { ...state, utxos })
    const parsed = Transaction.fromPSBT(bytes)
    expect(bytesToHex(parsed.toPSBT(2))).toBe(bytesToHex(bytes))
    const decoded = decodePsbt(bytes)
    expect(parsed.inputsLength).toBe(decoded.inputs.length)
    for (const [index, output] of decoded.outputs.entries())
      expect(parsed.getOutput(index)).toMatchObject({
        amount: output.valueAtomic,
        script: hexToBytes(output.script),
      })
  })

  test('a transaction that the library signs verifies, and has the same id', () => {
    const secret = new Uint8Array(32).fill(5)
    const payment = p2wpkh(secp256k1.getPublicKey(secret), REGTEST)
    const script = bytesToHex(payment.script)
    const mineState = {
      ...state,
      wallet_script_pubkey: script,
      utxos: [utxo(1, 6_000n, script), utxo(2, 6_000n, script)],
    }
    const mine = { ...snapshot, state: mineState } as typeof snapshot
    const built = buildUnsigned(admission, mine)
    const transaction = Transaction.fromPSBT(built.bytes)
    transaction.sign(secret)
    transaction.finalize()
    const signed = readSigned(transaction.extract(), built, limits)
    expect(signed.transactionId).toBe(transaction.id)
    expect(verifySignatures(signed, built, mine)).toEqual({ ok: true })
    const otherValue = { ...mine, state: { ...mineState, utxos: [utxo(1, 6_001n, script), utxo(2, 6_000n, script)] } }
    expect(verifySignatures(signed, built, otherValue as typeof snapshot).ok).toBe(false)
    expect(verifySignatures(readSigned(placeholderSigned(built), built, limits), built, mine).ok).toBe(false)
  })

  test.each([
    'BCRT1QPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFRWG6XW',
    'bcrt1qpyysjzgfpyysjzgfpyysjzgfpyysjzgfrwg6xx',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
    // Bech32m checksum on witness version 0, and version 1.
    'bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqvg32hc',
    '',
  ])('%j is no address', (text) => {
    expect(isBitcoinAddress(text)).toBe(false)
  })
})

describe('selection and fee', () => {
  test('outputs are taken in the order of the list until they suffice', () => {
    const utxos = [utxo(1, 5_000n), utxo(2, 5_000n), utxo(3, 5_000n), utxo(4, 5_000n)]
    const { bytes, feeAtomic } = buildBitcoinTransfer(settlement, { ...state, utxos })
    expect(decodePsbt(bytes).inputs.map(({ vout }) => vout)).toEqual([1n, 2n, 3n])
    expect(feeAtomic).toBe(bitcoinFeeAtomic(3, 1n))
  })

  test.each([
    ['one satoshi short', { utxos: [utxo(1, 10_139n)] }, 'SPX-G213'],
    ['a fee over the cap', { fee_rate_sat_vbyte: 72n }, 'SPX-G213'],
    ['no outputs', { utxos: [] }, 'SPX-G216'],
    ['more than 100 outputs', { utxos: Array.from({ length: 101 }, (_, index) => utxo(index, 1n)) }, 'SPX-G216'],
    ['a height of more than 32 bits (D22)', { height: 1n << 32n }, 'SPX-G213'],
    ['an output index of more than 32 bits (D22)', { utxos: [{ ...utxo(1, 100_000n), vout: 1n << 32n }] }, 'SPX-G213'],
    ['a sum of more than 64 bits', { utxos: [utxo(1, 1n), utxo(2, (1n << 64n) - 1n)] }, 'SPX-G213'],
  ])('%s', (_, changes, expected) => {
    expect(codeOf(() => buildBitcoinTransfer(settlement, { ...state, ...changes }))).toBe(expected)
  })

  test('outputs are sorted by value, then by script', () => {
    const low = decodePsbt(buildBitcoinTransfer(settlement, { ...state, utxos: [utxo(1, 20_140n)] }).bytes)
    expect(low.outputs.map(({ script }) => script.slice(4, 6))).toEqual(['09', '11'])
  })
})

describe('the independent decoder', () => {
  const built = buildUnsigned(admission, snapshot)

  test('every changed byte is SPX-G213', () => {
    for (const index of built.bytes.keys()) {
      const changed = Uint8Array.from(built.bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(
        codeOf(() => assertUnsigned(changed, settlement, snapshot)),
        `byte ${index}`,
      ).toBe('SPX-G213')
    }
  })

  test('a third output, which the wallet would pay from its change, is SPX-G213', () => {
    // The count of outputs is the value of global key 05; 546 satoshi move from the change to a new output.
    const three = bytesToHex(built.bytes)
      .replace('01050102', '01050103')
      .replace('045f010000000000', 'e25c010000000000')
    const more = `${three}0103082202000000000000010416${state.wallet_script_pubkey}00`
    const bytes = hexToBytes(more)
    expect(decodePsbt(bytes).outputs).toHaveLength(3)
    expect(codeOf(() => assertUnsigned(bytes, { ...settlement, maxFeeAtomic: 1n << 60n }, snapshot))).toBe('SPX-G213')
  })

  test('a cut and an extended PSBT are SPX-G213', () => {
    for (const bytes of [built.bytes.subarray(0, -1), concatBytes(built.bytes, Uint8Array.of(0)), new Uint8Array(0)])
      expect(codeOf(() => assertUnsigned(bytes, settlement, snapshot))).toBe('SPX-G213')
  })
})

describe('signed transactions (notes, section 8)', () => {
  const built = buildUnsigned(admission, snapshot)
  const signed = placeholderSigned(built)

  test('every changed byte outside signature and key is SPX-G213', () => {
    const free = { from: signed.length - 4 - 33, to: signed.length - 4 }
    for (const index of signed.keys()) {
      if (index >= free.from && index < free.to) continue
      const changed = Uint8Array.from(signed)
      changed[index] = (changed[index] ?? 0) ^ 0x10
      const outcome = codeOf(() => readSigned(changed, built, limits))
      // The values of r and s are free as long as they are in range.
      const isNumber = [5, 8].some((offset) => index === signed.length - 4 - 33 - 1 - 10 + offset)
      if (!isNumber) expect(outcome, `byte ${index}`).toBe('SPX-G213')
    }
  })

  test.each([
    ['3006020101020101', 'passed'],
    // Zero is no number of a signature.
    ['3006020100020101', 'SPX-G213'],
    ['30060201810201 01'.replace(' ', ''), 'SPX-G213'],
    ['300702020001020101', 'SPX-G213'],
    ['300702020081020101', 'passed'],
    ['3006020101020101ff', 'SPX-G213'],
    ['3005020101020101', 'SPX-G213'],
    ['3106020101020101', 'SPX-G213'],
    ['3006030101020101', 'SPX-G213'],
    ['300602000201010101', 'SPX-G213'],
    ['', 'SPX-G213'],
  ])('DER %s (BIP 66)', (text, expected) => {
    expect(codeOf(() => decodeDerSignature(hexToBytes(text)))).toBe(expected)
  })
})
