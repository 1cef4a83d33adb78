import { createHash } from 'node:crypto'
import type {
  AdapterDisposition,
  EconomicAgentHost,
  JournalLoadDisposition,
  PushSink,
  RailAdapter,
  RollingInstruction,
} from '../src/economic/host.ts'
import type { HappyRow } from './fixture.ts'

/** The calls of a host, by the words of the recorded outcomes. `cas3` is the third compare-and-swap of a run. */
type ScriptedCall =
  | 'load'
  | 'cas'
  | 'invoice'
  | 'snapshot'
  | 'simulate'
  | 'approve'
  | 'sign'
  | 'broadcast'
  | 'reconcile'

/** Deviations from the run that confirms. Keys are calls, or `cas1`, `cas2`, … */
export type Script = {
  /** Answers instead of succeeding; the usual bytes are pushed all the same. `casN` is stored only if `persists` has it. */
  readonly answers?: Readonly<Record<string, AdapterDisposition | JournalLoadDisposition>>
  readonly persists?: ReadonlySet<string>
  /** Changes what a call pushes. */
  readonly pushes?: Readonly<Record<string, (usual: Uint8Array) => Uint8Array>>
  readonly before?: Readonly<Record<string, () => void>>
  readonly beforePush?: Readonly<Record<string, () => void>>
  readonly afterPush?: Readonly<Record<string, () => void>>
  readonly after?: Readonly<Record<string, () => void>>
  readonly elapsedMs?: () => bigint
}

/** What a scripted host has seen. */
type Seen = {
  readonly calls: string[]
  readonly rolling: string[]
  /** `vN:state@updated_at`, as recorded. */
  readonly journals: string[]
  /** Answers of sinks to all pushes, in order. */
  readonly pushes: boolean[]
  /** Inputs of the last call of each kind. */
  readonly inputs: Map<string, readonly unknown[]>
}

/** A host that plays the fixtures of a recorded run. */
export type ScriptedHost = {
  readonly host: EconomicAgentHost
  readonly seen: Seen
  readonly stored: Map<string, string>
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const sha256 = (domain: string, bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(`semaprax.economic-agent.${domain}-digest.v1\0`).update(bytes).digest('hex')}`

/** Journals outlive hosts: pass the map of an earlier host to restart from what it stored. */
export function scriptedHost(row: HappyRow, script: Script = {}, stored = new Map<string, string>()): ScriptedHost {
  const seen: Seen = { calls: [], rolling: [], journals: [], pushes: [], inputs: new Map() }
  let swaps = 0

  const run = async <Disposition extends string>(
    call: ScriptedCall,
    sink: PushSink,
    usual: () => Uint8Array,
    ...inputs: readonly unknown[]
  ): Promise<Disposition> => {
    seen.calls.push(call)
    seen.inputs.set(call, inputs)
    script.before?.[call]?.()
    script.beforePush?.[call]?.()
    seen.pushes.push(sink.push(script.pushes?.[call]?.(usual()) ?? usual()))
    script.afterPush?.[call]?.()
    script.after?.[call]?.()
    return (script.answers?.[call] ?? 'succeeded') as Disposition
  }

  const rail: RailAdapter = {
    snapshot: (intent, sink) => run('snapshot', sink, () => utf8(row.documents['snapshot'] ?? ''), intent),
    simulate: (plan, unsigned, sink) => run('simulate', sink, () => utf8(simulationOf(row, plan)), plan, unsigned),
    broadcast: (signed, sink) => run('broadcast', sink, () => utf8(receiptOf(row, signed, stored)), signed),
    reconcile: (id, sink) => run('reconcile', sink, () => utf8(observationOf(row, id)), id),
  }
  const host: EconomicAgentHost = {
    journal: {
      load: async (key, sink) => {
        seen.calls.push('load')
        script.before?.['load']?.()
        const answer = script.answers?.['load']
        if (answer !== undefined) return answer as JournalLoadDisposition
        const document = stored.get(key)
        if (document !== undefined) sink.push(utf8(document))
        script.after?.['load']?.()
        return document === undefined ? 'missing' : 'present'
      },
      compareAndSwap: async (key, expected, journal, rolling) => {
        seen.calls.push('cas')
        swaps += 1
        const name = `cas${swaps}`
        script.before?.[name]?.()
        const answer = (script.answers?.[name] ?? 'succeeded') as AdapterDisposition
        seen.rolling.push(describeRolling(rolling))
        if (versionOf(stored.get(key)) !== expected) throw new Error(`scripted journal: expected version ${expected}`)
        if (answer === 'succeeded' || script.persists?.has(name) === true) {
          stored.set(key, journal)
          seen.journals.push(describeJournalDocument(journal))
        }
        script.after?.[name]?.()
        return answer
      },
    },
    invoice: {
      fetchInvoice: (...inputs) => {
        const [origin, method, resource, sink] = inputs
        return run('invoice', sink, () => utf8(row.invoice ?? ''), origin, method, resource)
      },
    },
    rails: { evm: rail, solana: rail, bitcoin: rail },
    approver: { approve: (request, sink) => run('approve', sink, () => utf8(approvalOf(request)), request) },
    custody: {
      sign: (request, sink) => run('sign', sink, () => signatureOf(row, request.unsignedTransaction), request),
    },
    boundaryProbe: () => ({ elapsedMs: () => script.elapsedMs?.() ?? 0n }),
  }
  return { host, seen, stored }
}

type Ref = { readonly schema: string; readonly digest: string; readonly bytes: number }

function refTo(schema: string, domain: string, text: string): Ref {
  const bytes = utf8(text)
  return { schema: `semaprax.economic-agent-${schema}.v1`, digest: sha256(domain, bytes), bytes: bytes.length }
}

/** The recorded simulation, for whatever plan it is asked about. */
function simulationOf(row: HappyRow, plan: string): string {
  const usual = JSON.parse(row.documents['simulate'] ?? '{}') as Record<string, unknown>
  return `${JSON.stringify({ ...usual, plan: refTo('payment-plan', 'payment-plan', plan) })}\n`
}

function approvalOf(requestText: string): string {
  const request = JSON.parse(requestText) as Record<string, unknown>
  const { policy, intent, plan, simulation } = request
  return `${JSON.stringify({
    schema: 'semaprax.economic-agent-approval.v1',
    approval_id: 'fixture.approval',
    approver_id: 'fixture.approver',
    ...{ policy, intent, plan, simulation },
    approval_request: refTo('approval-request', 'approval-request', requestText),
    decision: 'approved',
    approved_amount_atomic: request['amount_atomic'],
    approved_fee_atomic: request['max_fee_atomic'],
    expires_at_ms: request['expires_at_ms'],
  })}\n`
}

/** The recorded signature under whatever is to be signed; Bitcoin takes the change from the unsigned transaction. */
function signatureOf(row: HappyRow, unsigned: Uint8Array): Uint8Array {
  const usual = Buffer.from(row.unsigned_hex, 'hex').equals(unsigned)
  const hex = Buffer.from(unsigned).toString('hex')
  if (usual) return Buffer.from(row.signed_hex, 'hex')
  if (hex.startsWith('02')) return Buffer.from(`02${evmList(`${hex.slice(4)}010101`)}`, 'hex')
  const change = (text: string) => /010308(.{16})0104(?!.*010308)/.exec(text)?.[1] ?? ''
  return Buffer.from(row.signed_hex.replace(change(row.unsigned_hex), change(hex)), 'hex')
}

/** RLP of a list of at most 255 bytes, in hexadecimal. */
export function evmList(items: string): string {
  const length = items.length / 2
  return `${length <= 55 ? (0xc0 + length).toString(16) : `f8${length.toString(16)}`}${items}`
}

/** The recorded receipt, for whatever was signed; the journal names the transaction before it is broadcast. */
function receiptOf(row: HappyRow, signed: Uint8Array, stored: ReadonlyMap<string, string>): string {
  const usual = JSON.parse(row.documents['broadcast'] ?? '{}') as Record<string, unknown>
  const journal = JSON.parse([...stored.values()][0] ?? '{}') as { broadcast: { document: string } }
  const { transaction_id } = JSON.parse(journal.broadcast.document) as { transaction_id: string }
  const signed_transaction_digest = sha256('signed-transaction', signed)
  return `${JSON.stringify({ ...usual, signed_transaction_digest, transaction_id })}\n`
}

function observationOf(row: HappyRow, transactionId: string): string {
  const usual = JSON.parse(row.documents['reconcile'] ?? '{}') as Record<string, unknown>
  return `${JSON.stringify({ ...usual, transaction_id: transactionId })}\n`
}

function versionOf(journal: string | undefined): bigint {
  return journal === undefined ? 0n : BigInt((JSON.parse(journal) as { version: number }).version)
}

function describeJournalDocument(journal: string): string {
  const { version, state, updated_at_ms } = JSON.parse(journal) as Record<string, unknown>
  return `v${version}:${state}@${updated_at_ms}`
}

function describeRolling(rolling: RollingInstruction): string {
  if (rolling.kind !== 'reserve') return rolling.kind
  const { walletId, rail, network, asset, requestedAtMs, amountAtomic, maxRolling24hAtomic } = rolling.reservation
  return ['reserve', walletId, rail, network, asset, requestedAtMs, amountAtomic, maxRolling24hAtomic].join(':')
}
