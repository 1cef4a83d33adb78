import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeholderSigned, ROUTES, sourceRunOf } from '../../test/economic-fixture.ts'
import { playRun } from '../../test/economic-run.ts'
import type { BitcoinSettlement, EvmSettlement, SolanaSettlement } from './admission.ts'
import { admitIntent } from './admission.ts'
import type { DocumentKind } from './catalog.ts'
import { EconomicError } from './diagnostics.ts'
import { parseApproval } from './documents/approval.ts'
import { parseApprovalRequest } from './documents/approval-request.ts'
import { parseEvidence } from './documents/evidence.ts'
import { intentShape, parseIntent } from './documents/intent.ts'
import { parseInvoice } from './documents/invoice.ts'
import { parsePlan } from './documents/plan.ts'
import { parsePolicy } from './documents/policy.ts'
import { parseReceipt } from './documents/receipt.ts'
import { parseReconciliation } from './documents/reconciliation.ts'
import { parseSimulation } from './documents/simulation.ts'
import { parseSnapshot } from './documents/snapshot.ts'
import { parseTrace } from './documents/trace.ts'
import { verifyEvidence } from './evidence/verify.ts'
import { parseJournal } from './journal/state.ts'
import { parseJson, quote } from './json.ts'
import { readSigned } from './rails/signed.ts'
import { assertUnsigned, buildUnsigned } from './rails/unsigned.ts'
import { seal } from './sealed.ts'
import { verifySourceRun } from './source-run/read.ts'
import { bytesEqual } from './text.ts'

const RUNS = 300
const run = playRun({ route: 'x402_evm' })
const { admission, documents, built, signed } = run
if (built === undefined || signed === undefined) throw new Error('the run did not finish')
const snapshot = parseSnapshot(documents.snapshot ?? new Uint8Array(), admission)
const plan = parsePlan(documents.plan ?? new Uint8Array())
const simulation = parseSimulation(documents.simulation ?? new Uint8Array(), { admission, snapshot, plan, built })
const request = parseApprovalRequest(documents.approval_request ?? new Uint8Array())
const { limits } = admission.policy.document
const identity = { rail: signed.rail, signedDigest: signed.digest, transactionId: signed.transactionId }

/** How each document is read where it is used. */
const READERS: { readonly [Kind in DocumentKind]: (bytes: Uint8Array) => { readonly bytes: Uint8Array } } = {
  policy: parsePolicy,
  intent: (bytes) => admitIntent(admission.policy, parseIntent(bytes)).intent,
  invoice: (bytes) => parseInvoice(bytes, admission),
  snapshot: (bytes) => parseSnapshot(bytes, admission),
  plan: parsePlan,
  simulation: (bytes) => parseSimulation(bytes, { admission, snapshot, plan, built }),
  approval_request: parseApprovalRequest,
  approval: (bytes) => parseApproval(bytes, { admission, snapshot, plan, simulation, request }),
  journal: (bytes) => parseJournal(bytes, admission),
  broadcast: (bytes) => parseReceipt(bytes, identity, limits),
  reconciliation: (bytes) => parseReconciliation(bytes, { identity, limits, confirmationTarget: 0n }),
  trace: parseTrace,
  evidence: parseEvidence,
}
const originals: { readonly [Kind in DocumentKind]?: Uint8Array } = { ...documents, evidence: run.evidence.bytes }

/** One to three bytes of a document overwritten, cut out or inserted. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('set' as const, 'cut' as const, 'insert' as const),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 3 }),
})

function mutate(original: Uint8Array, changes: readonly { at: number; kind: string; bytes: Uint8Array }[]): Uint8Array {
  return changes.reduce((bytes, { at, kind, bytes: patch }) => {
    const index = Math.min(Math.floor(at * bytes.length), bytes.length)
    const tail = bytes.subarray(index + (kind === 'insert' ? 0 : patch.length))
    return Uint8Array.from([...bytes.subarray(0, index), ...(kind === 'cut' ? [] : patch), ...tail])
  }, original)
}

function outcome(act: () => unknown): EconomicError | undefined {
  try {
    act()
    return undefined
  } catch (cause) {
    expect(cause).toBeInstanceOf(EconomicError)
    return cause as EconomicError
  }
}

describe('hostile bytes', () => {
  test.each(Object.keys(READERS) as DocumentKind[])(
    'a changed %s is refused with a code, or is another canonical document: never an untyped error',
    (kind) => {
      const original = originals[kind] ?? new Uint8Array(0)
      expect(READERS[kind](original).bytes).toEqual(original)
      fc.assert(
        fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (changes) => {
          const bytes = mutate(original, changes)
          let read: Uint8Array | undefined
          const error = outcome(() => {
            read = READERS[kind](bytes).bytes
          })
          // What is read has its own digest; it is never taken for the original.
          if (error === undefined) expect(read).toEqual(bytes)
          else expect(error.code).toMatch(/^SPX-G21[0-7]$/)
        }),
        { numRuns: RUNS },
      )
    },
  )

  test('any bytes at all: SPX-G210, but SPX-G217 where brackets or quotes of an adapter do not balance', () => {
    const punctuation = fc.constantFrom(...Buffer.from('{}[]",:\\a1 \n'))
    const bytesOf = (byte: fc.Arbitrary<number>) => fc.array(byte, { maxLength: 30 }).map((all) => Uint8Array.from(all))
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 200 }), bytesOf(punctuation)),
        fc.constantFrom(...(Object.keys(READERS) as DocumentKind[])),
        (bytes, kind) => {
          // Nesting is another rule, which the table of recorded outcomes holds.
          fc.pre(bytes.filter((byte) => byte === 0x7b || byte === 0x5b).length < 16)
          const isAnswer = !['policy', 'intent', 'plan', 'approval_request', 'trace', 'evidence'].includes(kind)
          const code = isAnswer && isUtf8(Buffer.from(bytes)) && !isBalanced(bytes) ? 'SPX-G217' : 'SPX-G210'
          expect(outcome(() => READERS[kind](bytes))?.code).toBe(code)
        },
      ),
      { numRuns: 3 * RUNS },
    )
  })

  /** Whether each bracket outside strings has its end and each string, too; of which kind an end is does not matter. */
  function isBalanced(bytes: Uint8Array): boolean {
    let rest = Buffer.from(bytes)
      .toString('latin1')
      .replace(/"(?:\\[\s\S]|[^"\\])*"/g, '')
      .replace(/[^"{}[\]]/g, '')
    for (let before = ''; before !== rest; rest = rest.replace(/[{[][}\]]/g, '')) before = rest
    return rest === ''
  }

  test('changed Evidence, or a changed document beside it, never verifies, but for what no document can show', () => {
    const kinds = Object.keys(documents) as (keyof typeof documents)[]
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 2 }), fc.constantFrom(...kinds), (changes, kind) => {
        const original = documents[kind] ?? new Uint8Array(0)
        const bytes = mutate(original, changes)
        const evidence = mutate(run.evidence.bytes, changes)
        const beside = { ...documents, [kind]: bytes }
        if (!bytesEqual(bytes, original))
          expect(verifyEvidence(run.evidence.bytes, beside).findings[0]?.document).toBe(kind)
        const verdict = verifyEvidence(evidence, documents)
        if (verdict.ok) expect(withoutClaims(evidence)).toEqual(withoutClaims(run.evidence.bytes))
        else expect(verdict.findings[0]?.document).toMatch(/^(evidence|plan|approval_request|journal)$/)
      }),
      { numRuns: RUNS },
    )
  })

  /** Elapsed time, memory and the number of attempts beyond the first are the engine's word alone. */
  function withoutClaims(bytes: Uint8Array) {
    const { document } = parseEvidence(bytes)
    const { used_elapsed_ms: _, used_builder_bytes: __, used_reconciliations: ___, ...budget } = document.budget
    return { ...document, budget }
  }

  test('a changed source run never verifies', () => {
    const source = sourceRunOf(run.admission.intent.text)
    const message = source.finalMessage ?? new Uint8Array(0)
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 2 }), (changes) => {
        const evidence = mutate(source.evidenceDocument.bytes, changes)
        const verdict = verifySourceRun({
          evidence,
          finalMessage: message,
          profile: source.profile.bytes,
          task: source.task.bytes,
        })
        // Provider, model and status texts of the middle events are claims that only the digest of the evidence fixes.
        if (verdict.ok && !bytesEqual(evidence, source.evidenceDocument.bytes))
          expect(verdict.run.evidence.digest).not.toBe(source.evidence.digest)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('transactions', () => {
  test.each(ROUTES)('%s: changed unsigned bytes are never the admitted payment', (route) => {
    const played = playRun({ route })
    if (played.built === undefined || played.documents.snapshot === undefined) throw new Error(route)
    const { bytes: original } = played.built
    const there = parseSnapshot(played.documents.snapshot, played.admission).document
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = mutate(original, changes)
        if (bytesEqual(bytes, original)) return
        expect(outcome(() => assertUnsigned(bytes, played.admission.settlement, there))?.code).toBe('SPX-G213')
      }),
      { numRuns: RUNS },
    )
  })

  test.each(['evm', 'solana', 'bitcoin'] as const)('%s: changed signed bytes have a code or another id', (route) => {
    const played = playRun({ route })
    if (played.built === undefined || played.signed === undefined) throw new Error(route)
    const { built: unsigned } = played
    const original = placeholderSigned(unsigned)
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = mutate(original, changes)
        if (bytesEqual(bytes, original)) return
        let digest: string | undefined
        const error = outcome(() => {
          digest = readSigned(bytes, unsigned, limits).digest
        })
        if (error === undefined) expect(digest).not.toBe(played.signed?.digest)
        else expect(error.code).toBe('SPX-G213')
      }),
      { numRuns: RUNS },
    )
  })

  const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })

  test('EVM: what is built decodes to the payment, or is refused', () => {
    const evm = playRun({ route: 'evm' })
    fc.assert(
      fc.property(u64, u64, u64, u64, u64, (amount, fee, nonce, base, tip) => {
        const settlement: EvmSettlement = {
          ...(evm.admission.settlement as EvmSettlement),
          amountAtomic: amount,
          maxFeeAtomic: fee,
        }
        const there = evmSnapshot(evm, { nonce, base_fee_per_gas: base >> 40n, max_priority_fee_per_gas: tip >> 40n })
        const error = outcome(() => buildUnsigned({ ...evm.admission, settlement }, there))
        if (error === undefined) expect((2n * (base >> 40n) + (tip >> 40n)) * 21_000n).toBeLessThanOrEqual(fee)
        else expect(error.code).toBe('SPX-G213')
      }),
      { numRuns: RUNS },
    )
  })

  test('Solana: the fee never exceeds the intent', () => {
    const solana = playRun({ route: 'solana' })
    const small = fc.bigInt({ min: 0n, max: 2_000_000n })
    fc.assert(
      fc.property(u64, small, small, fc.bigInt({ min: 1n, max: 200_000n }), (amount, fee, priority, units) => {
        const settlement: SolanaSettlement = {
          ...(solana.admission.settlement as SolanaSettlement),
          amountAtomic: amount,
          maxFeeAtomic: fee,
          maxPriorityFeeAtomic: priority,
          maxComputeUnits: units,
        }
        const there = parseSnapshot(solana.documents.snapshot ?? new Uint8Array(), solana.admission).document
        let cost: bigint | undefined
        const error = outcome(() => {
          cost = buildUnsigned({ ...solana.admission, settlement }, there).feeAtomic
        })
        if (error === undefined) expect(cost).toBeLessThanOrEqual(fee)
        else expect(error.code).toBe('SPX-G213')
      }),
      { numRuns: RUNS },
    )
  })

  test('Bitcoin: inputs pay outputs and fee, and the fee never exceeds the intent', () => {
    const bitcoin = playRun({ route: 'bitcoin' })
    const { document } = parseSnapshot(bitcoin.documents.snapshot ?? new Uint8Array(), bitcoin.admission)
    if (document.rail !== 'bitcoin') throw new Error('another rail')
    const [first] = document.state.utxos
    if (first === undefined) throw new Error('no outputs')
    const values = fc.array(fc.bigInt({ min: 0n, max: 100_000n }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        values,
        fc.bigInt({ min: 1n, max: 200_000n }),
        fc.bigInt({ min: 0n, max: 50n }),
        (list, amount, rate) => {
          const settlement: BitcoinSettlement = {
            ...(bitcoin.admission.settlement as BitcoinSettlement),
            amountAtomic: amount,
          }
          const utxos = list.map((value, index) => ({ ...first, vout: BigInt(index), value_atomic: value }))
          const there = { ...document, state: { ...document.state, utxos, fee_rate_sat_vbyte: rate } }
          let cost: bigint | undefined
          const error = outcome(() => {
            cost = buildUnsigned({ ...bitcoin.admission, settlement }, there).feeAtomic
          })
          if (error === undefined) expect(cost).toBeLessThanOrEqual(settlement.maxFeeAtomic)
          else expect(error.code).toBe('SPX-G213')
        },
      ),
      { numRuns: RUNS },
    )
  })
})

function evmSnapshot(played: ReturnType<typeof playRun>, changes: { [field: string]: bigint }) {
  const { document } = parseSnapshot(played.documents.snapshot ?? new Uint8Array(), played.admission)
  if (document.rail !== 'evm') throw new Error('another rail')
  return { ...document, state: { ...document.state, ...changes } }
}

describe('round trips', () => {
  const wellFormed = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => text.isWellFormed())

  test('a string is read back from its JSON form, and JSON.parse agrees', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(parseJson(quote(text))?.value).toBe(text)
        expect(JSON.parse(quote(text))).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  test('an intent with any memo and amounts is read back as it was rendered', () => {
    const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
    const { document } = run.admission.intent
    fc.assert(
      fc.property(wellFormed, u64, u64, (memo, amount, fee) => {
        const payment = { ...document.payment, amount_atomic: amount, max_fee_atomic: fee }
        const sealed = seal('intent', intentShape, { ...document, memo, payment })
        expect(parseIntent(sealed.bytes)).toEqual(sealed)
      }),
      { numRuns: RUNS },
    )
  })

  test('JSON that the platform accepts is accepted, unless a number is out of range or a string is not well formed', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const wanted = JSON.parse(text) as unknown
        if (!JSON.stringify(wanted).isWellFormed() || text.includes('\\u')) return
        const plain = JSON.stringify(parseJson(text)?.value, (_, value: unknown) =>
          typeof value === 'bigint' ? Number(value) : value,
        )
        expect(JSON.parse(plain)).toEqual(JSON.parse(JSON.stringify(wanted)))
      }),
      { numRuns: RUNS },
    )
  })

  test('what the platform refuses is refused', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        let accepted = true
        try {
          JSON.parse(text)
        } catch {
          accepted = false
        }
        if (!accepted) expect(parseJson(text)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })
})
