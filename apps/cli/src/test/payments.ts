import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Evidence, type Sealed, utf8 } from '@oikos/core/economic'
import {
  createEconomicAgent,
  createRehearsalChain,
  createRehearsalHost,
  type JournalArchive,
  type PaymentJournal,
  rehearsalPolicy,
  rehearsalSource,
} from '@oikos/runtime'

/** When all payments of these tests are proposed, milliseconds since 1970. */
export const NOW_MS = 1_700_000_000_000n
const recipient = `0x${'11'.repeat(20)}`

/** The policy of all payments of these tests. */
export const POLICY = rehearsalPolicy({
  recipients: [recipient],
  maxAmountAtomic: 1000n,
  maxRolling24hAtomic: 1_000_000n,
})

/** What a payment of these tests proposes, and the source run that says so. */
export function proposalOf(idempotencyKey: string) {
  return rehearsalSource({ idempotencyKey, recipient, amountAtomic: 10n, createdAtMs: NOW_MS })
}

/** Pays through the engine, or is refused by the approver, and gives the Evidence. */
export async function pay(
  journal: PaymentJournal & JournalArchive,
  idempotencyKey: string,
  decision: 'approved' | 'rejected' = 'approved',
): Promise<Sealed<'evidence', Evidence>> {
  const chain = createRehearsalChain({ clockMs: () => NOW_MS + 1n })
  const host = createRehearsalHost({ journal, chain, elapsedMs: () => 0n, decide: () => decision })
  const outcome = await createEconomicAgent(POLICY, host, { aborted: false }).execute(proposalOf(idempotencyKey))
  if (outcome.kind !== 'run') throw new Error(`the payment was refused: ${outcome.diagnostics[0].message}`)
  return outcome.evidence
}

/** Writes what a payment left into a folder: Evidence, policy, intent, trace, journal, source run. */
export async function writeRun(
  folder: string,
  journal: JournalArchive,
  key: string,
  evidence: Sealed<'evidence', Evidence>,
): Promise<void> {
  await mkdir(folder)
  const { evidence: source, finalMessage } = proposalOf(key)
  const versions = await journal.listVersions(key)
  const files: readonly (readonly [string, Uint8Array | string])[] = [
    ['evidence.json', evidence.bytes],
    ['policy.json', POLICY],
    ['intent.json', finalMessage],
    ['trace.json', utf8(evidence.document.trace.document)],
    ['agent-runtime.evidence.json', source],
    ...versions.map(({ version, document }) => [`journal.v${version}.json`, document] as const),
  ]
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
}
