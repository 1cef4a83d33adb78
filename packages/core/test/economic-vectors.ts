import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import type {
  Admission,
  BuiltTransaction,
  ChainSnapshot,
  Payment,
  Policy,
  Rail,
  Sealed,
} from '../src/economic/index.ts'
import {
  admitSourceRun,
  buildUnsigned,
  concatBytes,
  EconomicError,
  intentShape,
  isRailAddress,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  parsePolicy,
  policyShape,
  RAIL_NETWORKS,
  readSigned,
  renderCanonical,
  seal,
  snapshotShape,
  utf8,
  verifySignatures,
} from '../src/economic/index.ts'
import { integerBytes } from '../src/economic/rails/rlp.ts'
import { id, sourceRunOf } from './economic-fixture.ts'
import { signEvm } from './economic-golden.ts'

/** Keys of the vectors. Everybody knows them: they hold nothing. */
const SECRETS = {
  evm: new Uint8Array(32).fill(0x21),
  solana: new Uint8Array(32).fill(0x22),
  bitcoin: new Uint8Array(32).fill(0x23),
} as const

const T0 = 1_800_000_000_000n
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

function address<R extends Rail>(rail: R, text: string) {
  if (!isRailAddress(rail, text)) throw new Error(`${text} is no address on ${rail}`)
  return text
}

/** A policy with every rail and two origins, of values that no other data here has. */
export function vectorPolicy(): Policy {
  const row = (rail: Rail, recipients: readonly string[], max: bigint) => ({
    rail,
    ...RAIL_NETWORKS[rail],
    recipients: recipients.map((recipient) => address(rail, recipient)),
    max_amount_atomic: max,
    max_fee_atomic: max / 100n,
    max_rolling_24h_atomic: 2n * max,
  })
  return {
    schema: 'semaprax.economic-agent-policy.v1',
    economic_agent_id: id('vector.agent-1'),
    wallet_id: id('vector.wallet:0'),
    network_policies: [
      row('bitcoin', [p2wpkh(secp256k1.getPublicKey(SECRETS.evm), REGTEST).address ?? ''], 5_000_000n),
      row('evm', [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`], 40_000_000_000_000_000n),
      row('solana', [base58.encode(ed25519.getPublicKey(SECRETS.evm))], 3_000_000_000n),
    ],
    x402_origins: [
      {
        origin: 'https://api.seller.example',
        methods: ['GET', 'POST'],
        resources: ['/v2/reports', '/v2/reports/'],
        settlement_rails: ['bitcoin', 'evm', 'solana'],
        max_amount_atomic: 1_000_000n,
      },
      {
        origin: 'https://xn--bcher-kva.example',
        methods: ['GET'],
        resources: ['/%C3%A9t%C3%A9;v=1'],
        settlement_rails: ['evm'],
        max_amount_atomic: 7n,
      },
    ],
    limits: { ...PRODUCTION_LIMITS, max_memo_bytes: 200n, max_reconciliations: 5n },
    nonclaims: NONCLAIMS,
  }
}

type PaymentVector = {
  readonly name: string
  readonly memo: string | null
  readonly payment: Payment
  readonly state: object
}

function payments(policy: Policy): readonly PaymentVector[] {
  const [bitcoin, evm, solana] = policy.network_policies
  if (bitcoin === undefined || evm === undefined || solana === undefined) throw new Error('a rail is missing')
  const sender = `0x${bytesToHex(keccak_256(secp256k1.getPublicKey(SECRETS.evm, false).subarray(1)).subarray(12))}`
  const script = bytesToHex(p2wpkh(secp256k1.getPublicKey(SECRETS.bitcoin), REGTEST).script)
  const utxo = (index: number, value: bigint) => ({
    txid: `${index}`.repeat(64),
    vout: BigInt(index),
    value_atomic: value,
    script_pubkey: script,
    confirmations: BigInt(index),
  })
  const evmState = (nonce: bigint, base: bigint, tip: bigint) => ({
    chain_id: 11_155_111n,
    from: sender,
    nonce,
    base_fee_per_gas: base,
    max_priority_fee_per_gas: tip,
    gas_limit: 21_000n,
  })
  const solanaState = {
    fee_payer: base58.encode(ed25519.getPublicKey(SECRETS.solana)),
    recent_blockhash: base58.encode(new Uint8Array(32).fill(0xe7)),
    last_valid_block_height: 301_000_000n,
    lamports_per_signature: 5_000n,
  }
  const bitcoinState = (rate: bigint, utxos: readonly object[]) => ({
    wallet_script_pubkey: script,
    height: 812_345n,
    fee_rate_sat_vbyte: rate,
    utxos,
  })
  const plainEvm = { kind: 'evm', ...RAIL_NETWORKS.evm, recipient: `0x${'b2'.repeat(20)}` } as const
  const plainSolana = { kind: 'solana', ...RAIL_NETWORKS.solana, recipient: solana.recipients[0] ?? '' } as const
  const plainBitcoin = { kind: 'bitcoin', ...RAIL_NETWORKS.bitcoin, recipient: bitcoin.recipients[0] ?? '' } as const
  return [
    {
      name: 'evm: one wei without any fee',
      memo: null,
      payment: { ...plainEvm, amount_atomic: 1n, max_fee_atomic: 0n },
      state: evmState(0n, 0n, 0n),
    },
    {
      name: 'evm: 0.03 ether, the fee exactly at its bound',
      memo: 'rent "March" \\ 2027\u0007\n\u0085 — 家賃 😀',
      payment: { ...plainEvm, amount_atomic: 30_000_000_000_000_000n, max_fee_atomic: 45_150_000_000_000n },
      state: evmState(256n, 1_000_000_000n, 150_000_000n),
    },
    {
      name: 'solana: a price that is rounded down',
      memo: '',
      payment: {
        ...plainSolana,
        amount_atomic: 1_234_567_890n,
        max_fee_atomic: 5_777n,
        max_compute_units: 1_301n,
        max_priority_fee_atomic: 777n,
      },
      state: solanaState,
    },
    {
      name: 'bitcoin: three inputs with change',
      memo: null,
      payment: { ...plainBitcoin, amount_atomic: 250_000n, max_fee_atomic: 5_000n, confirmation_target: 6n },
      state: bitcoinState(7n, [utxo(1, 100_000n), utxo(2, 100_000n), utxo(3, 100_000n), utxo(4, 900_000n)]),
    },
    {
      name: 'bitcoin: change below dust goes to the fee',
      memo: null,
      payment: { ...plainBitcoin, amount_atomic: 99_000n, max_fee_atomic: 1_000n, confirmation_target: 1n },
      state: bitcoinState(4n, [utxo(5, 100_000n)]),
    },
  ]
}

function admissionFor(policy: Sealed<'policy', Policy>, vector: PaymentVector, index: number): Admission {
  const intent = renderCanonical(intentShape, {
    schema: 'semaprax.economic-agent-payment-intent.v1',
    intent_id: id(`vector.intent.${index}`),
    wallet_id: policy.document.wallet_id,
    rail: vector.payment.kind,
    idempotency_key: id(`vector:payment-${index}`),
    created_at_ms: T0,
    expires_at_ms: T0 + 600_000n,
    memo: vector.memo,
    payment: vector.payment,
  })
  return admitSourceRun(policy, sourceRunOf(intent))
}

function snapshotFor(vector: PaymentVector): Sealed<'snapshot', ChainSnapshot> {
  const rail = vector.payment.kind as Rail
  return seal('snapshot', snapshotShape, {
    schema: 'semaprax.economic-agent-chain-snapshot.v1',
    rail,
    network: RAIL_NETWORKS[rail].network,
    observed_at_ms: T0 + 1_500n,
    expires_at_ms: T0 + 61_500n,
    state: vector.state,
  } as ChainSnapshot)
}

/** Signs with the key of the vectors; the libraries do it, except for the two numbers of EVM. */
function sign(built: BuiltTransaction): Uint8Array {
  switch (built.rail) {
    case 'evm': {
      const signature = secp256k1.sign(keccak_256(built.bytes), SECRETS.evm, { prehash: false, format: 'recovered' })
      const parsed = secp256k1.Signature.fromBytes(signature, 'recovered')
      const parity = integerBytes(BigInt(parsed.recovery ?? 0))
      return signEvm(built.bytes, { parity, r: integerBytes(parsed.r), s: integerBytes(parsed.s) })
    }
    case 'solana':
      return concatBytes(Uint8Array.of(1), ed25519.sign(built.bytes, SECRETS.solana), built.bytes)
    case 'bitcoin': {
      const transaction = Transaction.fromPSBT(built.bytes)
      transaction.sign(SECRETS.bitcoin)
      transaction.finalize()
      return transaction.extract()
    }
    default:
      return built.rail satisfies never
  }
}

/** `payments.json`: from policy and intent to a transaction that the chain would take. */
export function makePaymentVectors(): unknown {
  const policy = parsePolicy(utf8(renderCanonical(policyShape, vectorPolicy())))
  const cases = payments(policy.document).map((vector, index) => {
    const admission = admissionFor(policy, vector, index)
    const snapshot = snapshotFor(vector)
    const built = buildUnsigned(admission, snapshot.document)
    const signed = readSigned(sign(built), built, policy.document.limits)
    const verdict = verifySignatures(signed, built, snapshot.document)
    if (!verdict.ok) throw new Error(`${vector.name}: ${verdict.reason}`)
    return {
      name: vector.name,
      intent: admission.intent.text,
      intentDigest: admission.intent.digest,
      sourceEvidence: admission.source,
      runId: admission.runId,
      snapshot: snapshot.text,
      snapshotDigest: snapshot.digest,
      unsigned: bytesToHex(built.bytes),
      unsignedDigest: built.digest,
      feeAtomic: built.feeAtomic,
      signed: bytesToHex(signed.bytes),
      signedDigest: signed.digest,
      transactionId: signed.transactionId,
    }
  })
  return { policy: policy.text, policyDigest: policy.digest, payments: cases }
}

/** `strings.json`: strings by their code points, and how documents write them. */
export function makeStringVectors(quote: (text: string) => string): unknown {
  const points = [
    [0x22, 0x5c, 0x2f],
    [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d],
    [0x00, 0x1f, 0x20],
    [0x7e, 0x7f, 0x80, 0x9f, 0xa0],
    [0x2028, 0x2029, 0xfeff],
    [0xd7ff, 0xe000, 0xfffd, 0x10_000, 0x10_ffff],
    [],
  ]
  return points.map((list) => ({
    codePoints: list,
    json: bytesToHex(utf8(quote(String.fromCodePoint(...list)))),
  }))
}

type Refusal = { readonly document: 'policy' | 'intent'; readonly from: string; readonly to: string }

/** `refusals.json`: one change of a text of `payments.json` each, and the diagnostic that it must give. */
export function makeRefusalVectors(read: (document: 'policy' | 'intent', text: string) => unknown): unknown {
  const policy = renderCanonical(policyShape, vectorPolicy())
  const [first] = payments(vectorPolicy())
  if (first === undefined) throw new Error('no payments')
  const intent = admissionFor(parsePolicy(utf8(policy)), first, 0).intent.text
  const changes: readonly Refusal[] = [
    { document: 'policy', from: '"vector.agent-1"', to: '"vector agent"' },
    { document: 'policy', from: '"network":"devnet"', to: '"network":"mainnet-beta"' },
    { document: 'policy', from: '"rail":"bitcoin"', to: '"rail":"evm"' },
    { document: 'policy', from: `0x${'a1'.repeat(20)}`, to: `0x${'c3'.repeat(20)}` },
    { document: 'policy', from: '"max_fee_atomic":50000', to: '"max_fee_atomic":-1' },
    { document: 'policy', from: 'https://api.seller.example', to: 'https://10.0.0.7' },
    { document: 'policy', from: '/v2/reports"', to: '/v2/%2e%2e/admin"' },
    { document: 'policy', from: '"max_reconciliations":5', to: '"max_reconciliations":65' },
    { document: 'policy', from: '"max_reconciliations":5', to: '"max_reconciliations":5.0' },
    { document: 'policy', from: '{"schema"', to: '{"schema":"","schema"' },
    { document: 'intent', from: '"memo":null', to: '"memo":"\\u0041"' },
    { document: 'intent', from: '"memo":null', to: `"memo":"${'x'.repeat(201)}"` },
    { document: 'intent', from: '"kind":"evm"', to: '"kind":"token"' },
    { document: 'intent', from: `0x${'b2'.repeat(20)}`, to: `0x${'B2'.repeat(20)}` },
    { document: 'intent', from: '"amount_atomic":1,', to: '"amount_atomic":40000000000000001,' },
    { document: 'intent', from: '"amount_atomic":1,', to: '"amount_atomic":1e0,' },
    { document: 'intent', from: '"wallet_id":"vector.wallet:0"', to: '"wallet_id":"vector.wallet:1"' },
    { document: 'intent', from: '"expires_at_ms":1800000600000', to: '"expires_at_ms":1800000600001' },
    { document: 'intent', from: '}\n', to: '}' },
    { document: 'intent', from: '}\n', to: '}\r\n' },
  ]
  const cases = changes.map(({ document, from, to }) => {
    const text = document === 'policy' ? policy : intent
    if (!text.includes(from)) throw new Error(`${document} has no ${from}`)
    try {
      read(
        document,
        text.replace(from, () => to),
      )
    } catch (cause) {
      if (!(cause instanceof EconomicError)) throw cause
      return { document, from, to, code: cause.code, message: cause.message }
    }
    throw new Error(`${document}: ${from} -> ${to} is not refused`)
  })
  return { intent, cases }
}
