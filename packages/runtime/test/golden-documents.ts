import {
  admitIntent,
  buildUnsigned,
  EconomicError,
  intentShape,
  parseIntent,
  parsePolicy,
  parseSnapshot,
  renderCanonical,
  utf8,
} from '@oikos/core/economic'
import { type GoldenRow, type HappyRow, happyRow } from './fixture.ts'
import type { Play } from './golden-play.ts'

/** A row of `policy_intent.json`. */
export type DocumentRow = GoldenRow & {
  readonly doc: 'policy' | 'intent' | 'origin' | 'resource' | 'recipient'
  readonly case: string
  readonly rail?: 'evm' | 'solana' | 'bitcoin'
  readonly diagnostic?: string | null
  readonly admitted?: boolean
  readonly digest?: string
  readonly document?: string
}

/** A row of `transactions.json`. */
export type TransactionRow = GoldenRow & {
  readonly payment: string
  readonly snapshot: string
  readonly diagnostic?: string
  readonly unsigned_hex?: string
  readonly unsigned_digest?: string
  readonly signed_digest?: string
}

/** `A -> B` on the first A; `bx129` stands for 129 times b. */
function changed(text: string, change: string): string {
  const [from = '', to = ''] = change.split(' -> ')
  if (!text.includes(from)) throw new Error(`golden change: ${from} is not there`)
  return text.replace(from, () => to.replace(/^b ?x(\d+)$/, (_, count: string) => 'b'.repeat(Number(count))))
}

/** The policy of a row, as the engine is given it. */
export function policyOf(row: DocumentRow): string {
  const x402 = happyRow('x402_evm').policy
  const quoted = JSON.stringify(row.case)
  switch (row.doc) {
    case 'policy':
      return row.case === 'valid' ? x402 : changed(x402, row.case)
    case 'origin':
      return x402.replace('"https://pay.example.com"', () => quoted)
    case 'resource':
      return x402.replace('["/v1/payments"]', () => `[${quoted}]`)
    case 'recipient':
      return happyRow(row.rail ?? 'evm').policy.replace(/"recipients":\["[^"]*"\]/, () => `"recipients":[${quoted}]`)
    default:
      throw new Error(`golden policy: got a row about an ${row.doc}`)
  }
}

/** The play of a changed intent: what the engine does with it as the final message of a completed run. */
export function intentPlay(row: DocumentRow): Play {
  const [, prefix, rest = ''] = /^(solana|bitcoin|evm): (.*)$/s.exec(row.case) ?? []
  const fixture = prefix ?? 'x402_evm'
  const change = (intent: string): string => {
    if (row.document !== undefined) return memoIntent(intent, row)
    if (row.case === 'valid') return intent
    if (row.case === 'memo 1025 bytes') return changed(intent, `"memo":null -> "memo":"${'m'.repeat(1025)}"`)
    return changed(intent, prefix === undefined ? row.case : rest)
  }
  return { fixture, change: (happy) => ({ ...happy, intent: change(happy.intent) }) }
}

/** The intent with the memo of the recorded one, rendered anew. */
function memoIntent(intent: string, row: DocumentRow): string {
  const { memo } = JSON.parse(row.document ?? '') as { memo: string }
  return renderCanonical(intentShape, { ...parseIntent(utf8(intent)).document, memo })
}

/** Limits of the standard for one row of networks. */
const WIDEST =
  '"max_amount_atomic":1000000000000000000,"max_fee_atomic":1000000000000000,"max_rolling_24h_atomic":1000000000000000000'

/** The play of a recorded transaction: its intent under the widest policy, on its snapshot, signed as recorded. */
export function transactionPlay(row: TransactionRow): Play {
  const rail = row.name.split(' ')[0] ?? ''
  const recipient = /"recipient":"([^"]+)"/.exec(row.payment)?.[1] ?? ''
  let plan = ''
  const change = (happy: HappyRow): HappyRow => ({
    ...happy,
    intent: row.payment,
    policy: happy.policy.replace(
      /"recipients":\[[^\]]*\],"max_amount_atomic":\d+,"max_fee_atomic":\d+,"max_rolling_24h_atomic":\d+/,
      `"recipients":["${recipient}"],${WIDEST}`,
    ),
  })
  return {
    fixture: rail,
    change,
    script: {
      pushes: {
        snapshot: () => utf8(row.snapshot),
        simulate: (usual) => {
          plan = Buffer.from(usual).toString('utf8')
          return utf8(simulationOf(plan, row, change(happyRow(rail))))
        },
        approve: (usual) => utf8(exactAmounts(Buffer.from(usual).toString('utf8'), row)),
        sign: () => Buffer.from(row.signed_hex ?? '', 'hex'),
      },
    },
  }
}

/** The usual simulation with the amounts of the transaction that the row stands for. */
function simulationOf(usual: string, row: TransactionRow, { policy, intent }: HappyRow): string {
  const admitted = admitIntent(parsePolicy(utf8(policy)), parseIntent(utf8(intent)))
  const { feeAtomic } = buildUnsigned(admitted, parseSnapshot(utf8(row.snapshot), admitted).document)
  const left = 5n
  const before = left + admitted.settlement.amountAtomic + feeAtomic
  const units = /"max_compute_units":(\d+)/.exec(intent)?.[1]
  return usual
    .replace(/"fee_atomic":\d+/, `"fee_atomic":${feeAtomic}`)
    .replace(/"balance_before_atomic":\d+/, `"balance_before_atomic":${before}`)
    .replace(/"balance_after_atomic":\d+/, `"balance_after_atomic":${left}`)
    .replace(/"units":\d+/, (text) => (units === undefined ? text : `"units":${units}`))
}

/** The scripted approver counts with floating point, which the largest amounts do not survive. */
function exactAmounts(approval: string, { payment }: TransactionRow): string {
  const amount = /"amount_atomic":(\d+)/.exec(payment)?.[1] ?? ''
  const fee = /"max_fee_atomic":(\d+)/.exec(payment)?.[1] ?? ''
  return approval
    .replace(/"approved_amount_atomic":\d+/, `"approved_amount_atomic":${amount}`)
    .replace(/"approved_fee_atomic":\d+/, `"approved_fee_atomic":${fee}`)
}

/** `CODE: message` of what is thrown, or null. */
export function diagnosticOf(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return `${cause.code}: ${cause.message}`
  }
}
