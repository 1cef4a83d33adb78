import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyEvidence } from '@oikos/core/economic'
import { checkJournal, type EconomicOutcome } from '@oikos/runtime'
import { createNarrator, type Narrator } from '../market/narrator.ts'
import { agentOf, openPurse, policy, proposal, stranger, supplier } from './purse.ts'

/** How the story went, for those who check it. */
export type PaymentsOutcome = {
  readonly statuses: readonly string[]
  /** Transactions that the chain accepted, in order; two of the same would be a payment made twice. */
  readonly broadcasts: readonly string[]
  readonly journal: { readonly keys: number; readonly versions: number; readonly ok: boolean }
}

/** Plays five proposals of a model against one policy, in a folder that outlives a killed process. */
export async function playPayments({ folder, say }: { folder: string; say: Narrator }): Promise<PaymentsOutcome> {
  const statuses: string[] = []
  const tell = (name: string, outcome: EconomicOutcome): void => {
    statuses.push(statusOf(outcome))
    say.fact('outcome', explain(outcome))
    if (outcome.kind === 'run') {
      const path = join(folder, `${name}.evidence.json`)
      writeFileSync(path, outcome.evidence.bytes)
      say.fact('evidence', `${outcome.evidence.digest} ${isAccepted(outcome) ? 'replays' : 'DOES NOT REPLAY'}`)
    }
  }

  say.chapter('Payments that a model proposes and a policy decides')
  say.note(`The policy: pay ${supplier}, at most 400 wei at once and 1000 wei in 24 hours.`)
  const purse = await openPurse(folder)
  const agent = agentOf(purse)

  say.step('Model', 'proposes to pay the supplier 400 wei')
  tell('first', await agent.execute(proposal('first', supplier, 400n)))

  say.step('Model', 'was talked into paying a stranger')
  tell('stranger', await agent.execute(proposal('stranger', stranger, 400n)))

  say.step('Model', 'proposes 300 wei; the process is killed while the broadcast is on its way')
  const createdAtMs = BigInt(Date.now())
  await dies(folder, 'killed', createdAtMs)
  say.fact('journal', `version ${(await purse.journal.listVersions('killed')).length} of 9 is stored`)
  say.step('Operator', 'starts again with the same proposal: it observes, and does not pay again')
  const restarted = await openPurse(folder)
  tell('killed', await agentOf(restarted).execute(proposal('killed', supplier, 300n, createdAtMs)))

  say.step('Model', 'proposes 350 wei, which would make 1050 in 24 hours')
  tell('window', await agentOf(restarted).execute(proposal('window', supplier, 350n)))

  say.step('Approver', 'rejects a payment of 100 wei that the policy would allow')
  const refusing = await openPurse(folder, { decide: () => 'rejected' })
  tell('rejected', await agentOf(refusing).execute(proposal('rejected', supplier, 100n)))

  const { ok, keys, versions } = await checkJournal(restarted.journal)
  say.step(
    'Auditor',
    `reads the journal back: ${versions} versions of ${keys} payments, ${ok ? 'all in order' : 'NOT in order'}`,
  )
  for (const { journal } of [purse, restarted, refusing]) await journal.close()
  return { statuses, broadcasts: restarted.broadcasts(), journal: { ok, keys, versions } }
}

function statusOf(outcome: EconomicOutcome): string {
  return outcome.kind === 'run' ? outcome.result.status : outcome.diagnostics[0].code
}

function explain(outcome: EconomicOutcome): string {
  if (outcome.kind === 'diagnostics') return `${outcome.diagnostics[0].code} ${outcome.diagnostics[0].message}`
  const { status, transaction_id: id, code, message } = outcome.result
  return id === null ? `${status}: ${code} ${message}` : `${status}: ${id}`
}

function isAccepted(outcome: Extract<EconomicOutcome, { kind: 'run' }>): boolean {
  return verifyEvidence(outcome.evidence.bytes, { policy: Buffer.from(policy, 'utf8'), trace: outcome.trace.bytes }).ok
}

async function dies(folder: string, idempotencyKey: string, createdAtMs: bigint): Promise<void> {
  const program = join(import.meta.dirname, 'dying-payer.ts')
  const args = ['--no-warnings', program, folder, idempotencyKey, String(createdAtMs)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)))
  if (signal !== 'SIGKILL') throw new Error(`dying payer: ended by ${signal}, expected SIGKILL`)
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'oikos-payments-'))
  try {
    await playPayments({ folder, say: createNarrator(process.stdout) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
