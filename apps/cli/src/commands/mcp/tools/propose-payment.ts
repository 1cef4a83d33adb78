import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  admitIntent,
  documentSchema,
  intentShape,
  isIdentifier,
  MAX_VALIDITY_MS,
  type Payment,
  parseIntent,
  RAIL_NETWORKS,
  RAILS,
  renderCanonical,
  U64_MAX,
  utf8,
} from '@oikos/core/economic'
import { z } from 'zod'
import { writeNewDocument } from '../../../economic/document-file.ts'
import { attempt, isRefused } from '../../../economic/refusal.ts'
import { UsageError } from '../../../errors.ts'
import { readInputText } from '../../../input/file.ts'
import type { Proposals, Reach } from '../reach.ts'
import { decimalInput } from '../schemas.ts'
import type { Tool } from '../tool.ts'

/** Proposals that a folder takes; somebody looks at each. */
const MAX_PROPOSALS = 1_000
/** Bytes of a proposal of ours. */
const MAX_INTENT_BYTES = 16_384

const input = z.strictObject({
  rail: z.enum(RAILS),
  recipient: z.string().min(1).max(128).describe('an address that the policy lists'),
  amountAtomic: decimalInput.describe('smallest unit: wei, lamport, satoshi'),
  maxFeeAtomic: decimalInput.describe('the most that the transfer may cost'),
  memo: z.string().max(1_024).optional().describe('what it is for; the approver sees it'),
  idempotencyKey: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/)
    .optional()
    .describe('the same key is never paid twice; give your own to be able to repeat this call (default: a random one)'),
  validForSec: z.int().min(1).max(600).optional().describe('how long it may be paid (default 600)'),
  confirmationTarget: z.int().min(1).max(144).optional().describe('bitcoin: blocks (default 6)'),
  maxComputeUnits: z.int().min(1).max(200_000).optional().describe('solana (default 20000)'),
  maxPriorityFeeAtomic: decimalInput.optional().describe('solana (default 0)'),
})

const output = z.strictObject({
  admitted: z.boolean().describe('whether the policy allows it; an approver and custody decide later'),
  refusal: z
    .strictObject({ code: z.string(), message: z.string(), detail: z.string(), meaning: z.string() })
    .optional(),
  intentDigest: z.string().optional(),
  policyDigest: z.string(),
  idempotencyKey: z.string(),
  file: z.string().optional().describe('the canonical Payment Intent; only an admitted one is written'),
  payWith: z.string().optional().describe('what a person runs to have it approved and paid'),
  notJudgedYet: z.array(z.string()),
})

/** `propose_payment`. */
export const proposePayment: Tool<typeof input, typeof output> = {
  name: 'propose_payment',
  title: 'Propose a payment',
  description:
    'Builds the canonical Payment Intent of a native transfer, asks the policy, and writes an admitted one into the folder of proposals. It pays nothing, signs nothing and approves nothing: a person or a rule of the operator does, with "oikos pay".',
  input,
  output,
  effects: 'writes-files',
  deadlineMs: 30_000,
  run: async (reach, wanted) => {
    const { proposals } = reach
    if (proposals === undefined) {
      throw new UsageError('This server takes no proposals.', 'Start it with --policy <file> and --proposals <folder>.')
    }
    const { policy, folder, policyFile } = proposals
    const key = wanted.idempotencyKey ?? `mcp.${Buffer.from(reach.entropy(16)).toString('hex')}`
    const known = await readProposal(proposals, key)
    const text = intentText(reach, proposals, key, wanted, known)
    const admitted = attempt('intent', () => admitIntent(policy, parseIntent(utf8(text))))
    const verdict = { policyDigest: policy.digest, idempotencyKey: key }
    if (isRefused(admitted)) {
      const { code, message, detail = '', meaning } = admitted.refusal
      return { admitted: false, refusal: { code, message, detail, meaning }, ...verdict, notJudgedYet: [] }
    }
    const file = fileOf(folder, key)
    if (known === undefined) await write(proposals, file, text)
    return {
      ...{ admitted: true, intentDigest: admitted.intent.digest, ...verdict, file },
      payWith: `oikos pay --policy ${JSON.stringify(policyFile)} --intent ${JSON.stringify(file)}`,
      notJudgedYet: ['the rolling 24 hours', 'the time', 'the approver', 'custody'],
    }
  },
}

type Wanted = z.output<typeof input>

/** The canonical text; of a proposal that is repeated, the one that was written. Throws UsageError where the terms differ. */
function intentText(
  { clockMs }: Reach,
  { policy }: Proposals,
  key: string,
  wanted: Wanted,
  known: string | undefined,
): string {
  const createdAtMs = known === undefined ? BigInt(clockMs()) : parseIntent(utf8(known)).document.created_at_ms
  const lifeMs = BigInt(wanted.validForSec ?? 600) * 1_000n
  const intentId = `intent.${key}`
  if (!isIdentifier(key) || !isIdentifier(intentId)) throw new UsageError('The key is no identifier.', 'Shorten it.')
  const text = renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    ...{ intent_id: intentId, wallet_id: policy.document.wallet_id, rail: wanted.rail, idempotency_key: key },
    created_at_ms: createdAtMs,
    expires_at_ms: createdAtMs + (lifeMs < MAX_VALIDITY_MS ? lifeMs : MAX_VALIDITY_MS),
    memo: wanted.memo ?? null,
    payment: paymentOf(wanted),
  })
  if (known === undefined || known === text) return text
  throw new UsageError(
    `The key ${key} was proposed with other terms.`,
    'Give another key, or the same terms; a key is never used for two payments.',
  )
}

function paymentOf(wanted: Wanted): Payment {
  const { rail, recipient } = wanted
  const amounts = {
    amount_atomic: bounded(wanted.amountAtomic, 'amountAtomic'),
    max_fee_atomic: bounded(wanted.maxFeeAtomic, 'maxFeeAtomic'),
  }
  switch (rail) {
    case 'evm':
      return { kind: rail, ...RAIL_NETWORKS.evm, recipient, ...amounts }
    case 'solana':
      return {
        ...{ kind: rail, ...RAIL_NETWORKS.solana, recipient, ...amounts },
        max_compute_units: BigInt(wanted.maxComputeUnits ?? 20_000),
        max_priority_fee_atomic: bounded(wanted.maxPriorityFeeAtomic ?? '0', 'maxPriorityFeeAtomic'),
      }
    case 'bitcoin': {
      const target = BigInt(wanted.confirmationTarget ?? 6)
      return { kind: rail, ...RAIL_NETWORKS.bitcoin, recipient, ...amounts, confirmation_target: target }
    }
    default:
      return rail satisfies never
  }
}

function bounded(text: string, name: string): bigint {
  const value = BigInt(text)
  if (value <= U64_MAX) return value
  throw new UsageError(`${name} is larger than an intent can say.`, `Give at most ${U64_MAX}.`)
}

function fileOf(folder: string, key: string): string {
  return join(folder, `${key}.intent.json`)
}

async function readProposal({ folder }: Proposals, key: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  if (!names.includes(`${key}.intent.json`)) {
    if (names.length < MAX_PROPOSALS) return undefined
    throw new UsageError(
      `The folder of proposals holds ${names.length} files; it takes ${MAX_PROPOSALS}.`,
      'Somebody has to look at them, and move away what is done.',
    )
  }
  return readInputText(folder, `${key}.intent.json`, { maxBytes: MAX_INTENT_BYTES })
}

async function write({ folder }: Proposals, file: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > MAX_INTENT_BYTES) throw new UsageError('The proposal is too long.', 'Shorten the memo.')
  await writeNewDocument(folder, file, text)
}
