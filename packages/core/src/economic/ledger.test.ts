import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { SOURCE_PROFILE, SOURCE_TASK, sourceRunOf } from '../../test/economic-fixture.ts'
import { playRun } from '../../test/economic-run.ts'
import type { DocumentKind } from './catalog.ts'
import { DOCUMENT_KINDS } from './catalog.ts'
import { documentDigest } from './digest.ts'
import { parseEvidence } from './documents/evidence.ts'
import { readJournal } from './documents/journal.ts'
import { replayEvidence } from './evidence/replay.ts'
import { verifyEvidence } from './evidence/verify.ts'
import { verifySourceRun } from './source-run/read.ts'

/**
 * Raw SHA-256, domain digest and length of the 13 documents. Source: Economic Agent v1, "Frozen 13-document fixture
 * ledger". The documents themselves are built here, from values.
 */
const LEDGER: Readonly<Record<DocumentKind, readonly [raw: string, digest: string, bytes: number]>> = {
  policy: [
    '57ce4d3844f49c9102eb1a2c17f1946305c623e587d4f52a31744ba96ff6114a',
    'ee623062817928e0088f24b8215705f9aad8e19a52861db6d6051679889c0b53',
    2987,
  ],
  intent: [
    'bfe0695c7e2a5bdfd545b264fb79777cfdadaa449d9089c59753ae3739e36d86',
    '2a13c2a14cfafba6b4087e647de9e5609c8bb65ddad25c305aa8f5bc28091e2c',
    670,
  ],
  invoice: [
    '38b5b00511f2e461f8df0fe1a830e89109376c893e3c52cea5d23a8d36d8733b',
    '24cb1025c6beb2a081a05ab504f7d7f6cbb37b27e003da35cbbea003a52ac095',
    417,
  ],
  snapshot: [
    'd005d0f573f337d804d80b8489b63a9f6b03099837b230af69e18a4692b4b9eb',
    '4123e22e7449e4bbcef812af71337f2e3e5390b4cce20e59f7080b74eeb727d0',
    309,
  ],
  plan: [
    '75418fad0967fa4791d9f146f6997af67b3e76f51dcb2320bfbe2211814bde45',
    '81dad7aa8e82bdf8ef7b02e2b5a94b899715c86e7d82895c7cdb18c5e7ed28d8',
    1391,
  ],
  simulation: [
    'b3508d24fd29028a9fad89703ba72ade9f4e620eec30f0dd2017b711b96db483',
    '3a1ac9d741be20bf0d5e35a78e475369a5ccad5c3662bbc5f5365f123df81f1d',
    369,
  ],
  approval_request: [
    'fc932dcef1eb518ba05f463df9e3dd7193ce96df408edb60f3aaa9214a3f19b9',
    '0833d896f4be4e4feb08d0558e43e7512d589a6c96c368c6ce73ef3a8435adf1',
    1056,
  ],
  approval: [
    '48f716162ae5ec67b28303c5e5c09b641a16a1711b7b83bd4d16a1be6094a56c',
    '63f3e81facdc9e0ece43b28cbd47310b1a7898662cd4afe3abaae24d06eab8db',
    1022,
  ],
  journal: [
    'f65a8f115c405b086d9a6edb1366a594c87b9f295be8739ea2a56724297f69c9',
    '9f3d1f568a090c280cfe645536e912d4eb0c18c740bb7309d434ebfd1d1cb169',
    2394,
  ],
  broadcast: [
    '51479da80d60c4e4c363302963010a6675278e53958ce563dafb2892da3c537f',
    '64882648d5bac5fb58a7408d38e5fa737ba314d27decba34e2106c2310c651a6',
    335,
  ],
  reconciliation: [
    'b1b449375018c27465332384d67205438bea8a2660d3144c417e5de5d5198ba1',
    'e26e7655d758b53867228950de241c3265675f18687110550fc89ecdc46f2b4a',
    301,
  ],
  trace: [
    'a388543ab6c1a57a0b7798fbd0c5d721bb33c0ab7f7123f3bb8f24c4c965db58',
    'f28c44894b93948068381bb9047fedade3b855cdd1831a992466a08fa97f6f11',
    11023,
  ],
  evidence: [
    '2d4d4164476bd4fdd037f138b264d0a72728b125d6819baae87da165242788b0',
    '9dd80e5a13aaaa02b5b854cee0f68870ac22dfdabca14e79d32857ae35980cc6',
    17399,
  ],
}

/** Bytes that the frozen fixture's host charged to the budget itself. Source: notes, section 13, frozen evidence quirk. */
const HOST_CHARGE = 1013n

const run = playRun({ route: 'x402_evm', hostCharge: HOST_CHARGE })
const documents: { readonly [Kind in DocumentKind]?: Uint8Array } = { ...run.documents, evidence: run.evidence.bytes }

describe('the frozen ledger', () => {
  test.each(DOCUMENT_KINDS)('%s is built from values, byte for byte', (kind) => {
    const bytes = documents[kind] ?? new Uint8Array(0)
    const [raw, digest, length] = LEDGER[kind]
    expect(bytes.length).toBe(length)
    expect(bytesToHex(sha256(bytes))).toBe(raw)
    expect(documentDigest(kind, bytes)).toBe(`sha256:${digest}`)
  })

  test.each(DOCUMENT_KINDS)('a changed byte of %s changes both hashes', (kind) => {
    const bytes = Uint8Array.from(documents[kind] ?? [])
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    expect(bytesToHex(sha256(bytes))).not.toBe(LEDGER[kind][0])
    expect(documentDigest(kind, bytes)).not.toBe(`sha256:${LEDGER[kind][1]}`)
  })

  test('its Evidence replays, and every document is derived again', () => {
    const { evidence: _, ...beside } = documents
    const source = sourceRunOf(run.admission.intent.text)
    const sourceRun = {
      evidence: source.evidenceDocument.bytes,
      profile: source.profile.bytes,
      task: source.task.bytes,
    }
    const verdict = verifyEvidence(run.evidence.bytes, { ...beside, source_run: sourceRun })
    expect(verdict.findings).toEqual([])
    expect(verdict.checked).toEqual([
      'evidence',
      'trace',
      'broadcast',
      'reconciliation',
      'source_run',
      'policy',
      'intent',
      'journal',
      'invoice',
      'snapshot',
      'plan',
      'simulation',
      'approval_request',
      'approval',
    ])
    expect(replayEvidence(parseEvidence(run.evidence.bytes)).trace.digest).toBe(run.trace.digest)
  })

  test('every journal version reads back to itself', () => {
    expect(run.journals.map(({ document }) => document.version)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n])
    for (const journal of run.journals) expect(readJournal(journal.bytes)).toEqual(journal)
  })

  test('its source run has the published id, digest and length', () => {
    const source = sourceRunOf(run.admission.intent.text)
    expect(source.runId).toBe('sha256:965974247f3525125f3749cff4911f98cbe92ecde30228abf616bd972bb2ecbe')
    expect(source.evidence.digest).toBe('sha256:0a657cf1c43e1bde35810dda42cc1595c1a457f55e8a727428ecd539c81735a0')
    expect(source.evidence.bytes).toBe(8316n)
    expect(source.evidenceDocument.document.budget.used_builder_bytes).toBe(25_481_649n)
    const bytes = {
      evidence: source.evidenceDocument.bytes,
      finalMessage: source.finalMessage ?? new Uint8Array(0),
      profile: source.profile.bytes,
      task: source.task.bytes,
    }
    expect(verifySourceRun(bytes)).toMatchObject({ ok: true, run: { evidence: source.evidence } })
    expect(source.profile.document).toEqual(SOURCE_PROFILE)
    expect(source.task.document).toEqual(SOURCE_TASK)
  })

  test('the plain EVM run has the published trace digest', () => {
    const digest = 'sha256:ce7bec5f627a6d48990573353370dc0953203153f0db2ab60a6101cc9a5146d0'
    expect(playRun({ route: 'evm_kat' }).trace.digest).toBe(digest)
  })
})
