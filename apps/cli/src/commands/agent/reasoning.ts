import { keccak256, rawCidOf } from '@oikos/core'
import {
  type BuiltReasoning,
  MAX_RECORD_BYTES,
  REASONING_SCHEMA,
  type ReasoningInput,
  ReasoningRecordError,
  verifyReasoning,
} from '@oikos/core/reasoning'
import { type BuildActionReasoningParameters, buildActionReasoning, type ReasonedAction } from '@oikos/sdk'
import { type ContentStore, type StoredReasoning, storeReasoning } from '@oikos/sdk/node'
import { bytesToHex } from 'viem'
import type { AgentView } from '../../chain/open-agent.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import type { Fact } from '../../output/layout.ts'

/** An action that is to be reasoned, with its own arguments in the order of the contract. */
type Action<action extends ReasonedAction> = Pick<BuildActionReasoningParameters<action>, 'action' | 'args'> & {
  /** The decision in one sentence. */
  readonly decision: string
}

/**
 * Builds the record of an action from --why or --record, stores it and reads it back. In a dry run it goes to a store that
 * is thrown away.
 * @throws UsageError when there is no reason or it is no record of this call; ReasoningNotStoredError
 */
export async function storeReason<action extends ReasonedAction>(
  context: Context,
  input: Input,
  { agent, connection }: AgentView,
  action: Action<action>,
): Promise<StoredReasoning> {
  const nonce = bytesToHex(context.terminal.entropy(32))
  const parameters = { chainId: connection.chainId, agent, nonce, action: action.action, args: action.args }
  const built = await buildReason(
    context,
    input,
    (claims) => buildActionReasoning({ ...parameters, ...claims }),
    action,
  )
  return storeReasoning(input.flag('dry-run') ? throwAwayStore() : await context.store(), built)
}

/** What a report says about a record. */
export function reasonFacts({ reasoningHash, reasoningURI }: StoredReasoning): readonly Fact[] {
  return [
    ['reasoning', reasoningURI],
    ['reasoning hash', reasoningHash],
  ]
}

type Claims = Pick<ReasoningInput, 'claims' | 'links'>

async function buildReason(
  context: Context,
  input: Input,
  build: (claims: Claims) => BuiltReasoning,
  { decision }: { readonly decision: string },
): Promise<BuiltReasoning> {
  const [why, file, model] = [input.text('why'), input.text('record'), input.text('model')]
  if ((why === undefined) === (file === undefined)) {
    throw new UsageError(
      why === undefined ? 'An action of an Agent says why.' : 'Both --why and --record are given.',
      'Give one: --why "<text>", or --record <file>.',
    )
  }
  if (file === undefined) {
    const claims = { decision, rationale: why ?? '', ...(model === undefined ? {} : { model }) }
    return orUsageError(() => build({ claims }), '--why')
  }
  if (model !== undefined)
    throw new UsageError('--model goes with --why.', 'Put the model into the claims of the file.')
  const bytes = await readInputFile(context.terminal.cwd, file, { maxBytes: MAX_RECORD_BYTES })
  const value = parseObject(bytes, file)
  if (value['schema'] === REASONING_SCHEMA) return wholeRecord(bytes, build, decision, file)
  const claims = value['claims']
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw new UsageError(`${file} has no "claims".`, 'Write {"claims":{"decision":"…","rationale":"…"},"links":{}}.')
  }
  return orUsageError(() => build({ claims: { decision, ...claims }, ...linksOf(value) }), file)
}

/** A record that was built elsewhere: its own bytes are cited, so it must be bound to this very call. */
function wholeRecord(
  bytes: Uint8Array,
  build: (claims: Claims) => BuiltReasoning,
  decision: string,
  file: string,
): BuiltReasoning {
  const { chainId, agent, action, callHash } = build({ claims: { decision } }).record.binding
  const verdict = verifyReasoning(bytes, { binding: { chainId, agent, action, callHash } })
  const { record } = verdict
  if (!verdict.ok || record === undefined) {
    const [first] = verdict.findings
    throw new UsageError(
      `${file} is no record for this call: ${first?.code ?? 'unreadable'}, ${first?.message ?? 'it cannot be read'}.`,
      'Give the claims only: the record is then bound to this call.',
    )
  }
  const cid = rawCidOf(bytes)
  return { record, bytes, reasoningHash: keccak256(bytes), cid, reasoningURI: `ipfs://${cid}` }
}

function linksOf(value: Readonly<Record<string, unknown>>): Pick<Claims, 'links'> | object {
  // what is not of the form of links is refused by the schema of records
  return value['links'] === undefined ? {} : { links: value['links'] }
}

function parseObject(bytes: Uint8Array, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new UsageError(`${file} is no JSON.`, 'Check the file.', { cause })
  }
  throw new UsageError(`${file} holds no JSON object.`, 'Check the file.')
}

function orUsageError<value>(make: () => value, what: string): value {
  try {
    return make()
  } catch (cause) {
    if (cause instanceof ReasoningRecordError) {
      const [first] = cause.findings
      throw new UsageError(
        `${what}: ${first?.where ?? 'the record'} ${first?.message ?? 'cannot be used'}.`,
        'Correct it.',
        {
          cause,
        },
      )
    }
    if (cause instanceof RangeError || cause instanceof TypeError) {
      throw new UsageError(`${what} makes no record: ${cause.message}.`, 'Correct it.', { cause })
    }
    throw cause
  }
}

function throwAwayStore(): ContentStore {
  const blocks = new Map<string, Uint8Array>()
  return {
    get: async (cid) => blocks.get(cid),
    has: async (cid) => blocks.has(cid),
    put: async (bytes) => {
      const cid = rawCidOf(bytes)
      blocks.set(cid, bytes)
      return cid
    },
  }
}
