import type { Address, Hash, Hex } from 'viem'
import { textColumn } from '../../durable/database.ts'
import type { Action, ActionKind, ActionOutcome, ActionState, Decision, SignedAttempt } from '../action.ts'
import { integer, optionalInteger, type SqlRow } from './steps.ts'

/** A row of `operator_action`. */
export function readAction(row: SqlRow): Action {
  const text = (name: string): string => textColumn(row[name])
  const optional = (name: string): string | undefined => {
    const value = row[name]
    return value === null || value === undefined ? undefined : textColumn(value)
  }
  const [once, decisionId] = [optional('once'), optional('decision_id')]
  const [hash, uri, outcome] = [optional('reasoning_hash'), optional('reasoning_uri'), optional('outcome')]
  const succeeded = optionalInteger(row['succeeded'])
  return {
    ...{
      id: text('id'),
      number: integer(row['number']),
      account: text('account'),
      state: text('state') as ActionState,
    },
    ...{ kind: text('kind') as ActionKind, subject: text('subject'), title: text('title') },
    ...(once !== undefined && { once }),
    ...(decisionId !== undefined && { decisionId }),
    ...{ to: text('target') as Address, data: text('data') as Hex, spendAtomic: BigInt(text('spend_atomic')) },
    ...(hash !== undefined && uri !== undefined && { reasoning: { reasoningHash: hash as Hash, reasoningURI: uri } }),
    ...{ createdAtMs: integer(row['created_at_ms']), updatedAtMs: integer(row['updated_at_ms']) },
    ...{ signedAtMs: optionalInteger(row['signed_at_ms']), nonce: optionalInteger(row['nonce']) },
    ...{ hash: optional('hash') as Hash | undefined, blockNumber: optionalInteger(row['block_number']) },
    blockHash: optional('block_hash') as Hash | undefined,
    succeeded: succeeded === undefined ? undefined : succeeded === 1n,
    gasCostWei: BigInt(text('gas_cost_wei')),
    outcome: outcome === undefined ? undefined : (JSON.parse(outcome) as ActionOutcome),
  }
}

/** A row of `operator_attempt`. */
export function readAttempt(row: SqlRow): SignedAttempt {
  const text = (name: string): string => textColumn(row[name])
  return {
    ...{ hash: text('hash') as Hash, attempt: Number(integer(row['attempt'])), raw: text('raw') as Hex },
    ...{ gasLimit: BigInt(text('gas_limit')), maxFeePerGasWei: BigInt(text('max_fee_wei')) },
    maxPriorityFeePerGasWei: BigInt(text('max_priority_fee_wei')),
    ...{ signedAtMs: integer(row['signed_at_ms']), sentAtMs: optionalInteger(row['sent_at_ms']) },
  }
}

/** A row of `operator_decision`. */
export function readDecision(row: SqlRow): Decision {
  const text = (name: string): string => textColumn(row[name])
  return {
    ...{ id: text('id'), kind: text('kind'), subject: text('subject'), optionId: text('option_id') },
    ...{ code: text('code'), reason: text('reason'), decidedBy: text('decided_by') },
    ...{ detail: JSON.parse(text('detail')) as Decision['detail'], atMs: integer(row['at_ms']) },
  }
}
