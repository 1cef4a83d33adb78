import { createEconomicAgent, type EconomicOutcome } from '../src/economic/index.ts'
import { type GoldenRow, type HappyRow, happyRow, sourceOf } from './fixture.ts'
import { type Script, type ScriptedHost, scriptedHost } from './scripted-host.ts'

/** How a recorded outcome came about. */
export type Play = {
  readonly fixture: string
  readonly operation?: 'execute' | 'reconcile'
  readonly script?: Script
  /** Changes the fixture before it is played. */
  readonly change?: (row: HappyRow) => HappyRow
  /** The journal that is stored at the start. */
  readonly stored?: (row: HappyRow) => string | undefined | Promise<string | undefined>
  /** Cancels when `cancel` of the script's hooks is called. */
  readonly control?: PlayControl
}

/** What the hooks of a script may move. */
export type PlayControl = { aborted: boolean; elapsedMs: bigint }

/** What was seen of a played outcome, in the words of the recorded ones. */
export type Played = { readonly row: HappyRow; readonly outcome: EconomicOutcome; readonly scripted: ScriptedHost }

/** Plays an outcome. */
export async function play(what: Play): Promise<Played> {
  const original = happyRow(what.fixture)
  const row = what.change?.(original) ?? original
  const stored = new Map<string, string>()
  const key = keyOf(row)
  const journal = await what.stored?.(row)
  if (journal !== undefined) stored.set(key, journal)
  const control = what.control ?? { aborted: false, elapsedMs: 0n }
  const scripted = scriptedHost(row, { elapsedMs: () => control.elapsedMs, ...what.script }, stored)
  const agent = createEconomicAgent(row.policy, scripted.host, control)
  const source = sourceOf(row.intent)
  const outcome = what.operation === 'reconcile' ? await agent.reconcile(key, source) : await agent.execute(source)
  return { row, outcome, scripted }
}

/** A played outcome as a recorded one, with exactly the fields that the recorded one has. */
export function describePlayed({ outcome, scripted }: Played, like: GoldenRow): Record<string, unknown> {
  const { calls, rolling, journals, pushes } = scripted.seen
  const full: Record<string, unknown> = { name: like.name, outcome: outcome.kind, calls, rolling, journals, pushes }
  if (outcome.kind === 'diagnostics') {
    const [{ code, message }] = outcome.diagnostics
    Object.assign(full, { code, message })
  } else {
    const { result, trace, evidence } = outcome
    const { budget } = evidence.document
    Object.assign(full, {
      ...result,
      events: trace.document.events.map(({ kind, status }) => `${kind}:${status}`),
      trace_digest: trace.digest,
      evidence_digest: evidence.digest,
      used_builder_bytes: Number(budget.used_builder_bytes),
      used_elapsed_ms: Number(budget.used_elapsed_ms),
      used_journal_bytes: Number(budget.used_journal_bytes),
      used_reconciliations: Number(budget.used_reconciliations),
    })
  }
  return Object.fromEntries(Object.entries(full).filter(([name]) => name in like))
}

/** Replaces text in what an adapter pushes. */
export const replaceIn = (from: string, to: string) => (usual: Uint8Array) =>
  Buffer.from(Buffer.from(usual).toString('utf8').replaceAll(from, to), 'utf8')

/** The usual observation with another status; only a confirmation has height, confirmations and block. */
export const observationOf = (status: string) => (usual: Uint8Array) => {
  if (status === 'confirmed') return usual
  const document = JSON.parse(Buffer.from(usual).toString('utf8')) as Record<string, unknown>
  const nothing = { observed_height: null, confirmations: null, canonical_block_id: null }
  return Buffer.from(`${JSON.stringify({ ...document, status, ...nothing })}\n`, 'utf8')
}

/** The key under which a fixture pays. */
export const keyOf = (row: HappyRow): string => (JSON.parse(row.intent) as { idempotency_key: string }).idempotency_key
