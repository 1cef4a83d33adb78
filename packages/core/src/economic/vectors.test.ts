import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import type { SourceRun } from './admission.ts'
import { admitIntent, admitSourceRun } from './admission.ts'
import { EconomicError } from './diagnostics.ts'
import { parseIntent } from './documents/intent.ts'
import { parsePolicy } from './documents/policy.ts'
import { parseSnapshot } from './documents/snapshot.ts'
import { parseJson, quote } from './json.ts'
import { verifySignatures } from './rails/signature.ts'
import { readSigned } from './rails/signed.ts'
import { buildUnsigned } from './rails/unsigned.ts'
import { utf8, utf8Text } from './text.ts'

const folder = join(import.meta.dirname, '../../../../vectors/economic')
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T

type PaymentCase = { readonly [field: string]: string } & {
  readonly name: string
  readonly sourceEvidence: unknown
}
const payments = read<{ policy: string; policyDigest: string; payments: readonly PaymentCase[] }>('payments.json')
const policy = parsePolicy(utf8(payments.policy))

describe('vectors/economic', () => {
  test('the policy has its digest', () => {
    expect(policy.digest).toBe(payments.policyDigest)
  })

  test.each(payments.payments)('$name', (vector) => {
    const reference = vector.sourceEvidence as unknown as { digest: string; bytes: string }
    const evidence = { ...reference, bytes: BigInt(reference.bytes) } as unknown as SourceRun['evidence']
    const admission = admitSourceRun(policy, { evidence, finalMessage: utf8(vector['intent'] ?? '') })
    expect(admission.intent.digest).toBe(vector['intentDigest'])
    expect(admission.runId).toBe(vector['runId'])
    const snapshot = parseSnapshot(utf8(vector['snapshot'] ?? ''), admission)
    expect(snapshot.digest).toBe(vector['snapshotDigest'])
    const built = buildUnsigned(admission, snapshot.document)
    expect(bytesToHex(built.bytes)).toBe(vector['unsigned'])
    expect(built.digest).toBe(vector['unsignedDigest'])
    expect(`${built.feeAtomic}`).toBe(vector['feeAtomic'])
    const signed = readSigned(hexToBytes(vector['signed'] ?? ''), built, policy.document.limits)
    expect(signed.digest).toBe(vector['signedDigest'])
    expect(signed.transactionId).toBe(vector['transactionId'])
    expect(verifySignatures(signed, built, snapshot.document)).toEqual({ ok: true })
  })

  type Refusal = { document: 'policy' | 'intent'; from: string; to: string; code: string; message: string }
  const refusals = read<{ intent: string; cases: readonly Refusal[] }>('refusals.json')

  test.each(refusals.cases)('$document: $from -> $to is $code', ({ document, from, to, code, message }) => {
    const text = document === 'policy' ? payments.policy : refusals.intent
    expect(text).toContain(from)
    const changed = utf8(text.replace(from, () => to))
    const act = () => (document === 'policy' ? parsePolicy(changed) : admitIntent(policy, parseIntent(changed)))
    let error: unknown
    try {
      act()
    } catch (cause) {
      error = cause
    }
    expect(error).toBeInstanceOf(EconomicError)
    expect(error).toMatchObject({ code, message })
  })

  test.each(read<readonly { codePoints: number[]; json: string }[]>('strings.json'))(
    'the string of $codePoints',
    ({ codePoints, json }) => {
      const text = String.fromCodePoint(...codePoints)
      expect(bytesToHex(utf8(quote(text)))).toBe(json)
      expect(parseJson(utf8Text(hexToBytes(json)) ?? '')?.value).toBe(text)
    },
  )
})
