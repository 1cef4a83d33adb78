import { taskTokenAbi } from '@oikos/core/abi'
import {
  type DecompileOptions,
  decompilePolicy,
  describePolicy,
  type Policy,
  PolicyDocumentError,
} from '@oikos/core/scope-policy'
import {
  type AgentSnapshot,
  type AnyScopeEvent,
  type Asset,
  getBoundary,
  listScopeEvents,
  replayRevision,
  type ScopeEventName,
} from '@oikos/sdk'
import { type Abi, type AbiFunction, type Client, erc4626Abi, type Hash, toFunctionSignature, zeroHash } from 'viem'
import { type AuditFindings, addFinding } from './findings.ts'
import { noteChange, type RoleHistory } from './roles.ts'

/** The boundary at the last block, and whether its history is whole. */
export type AuditedScope = {
  readonly revision: Hash
  /** Whether the events of all changes have the rolling hash of the contract. */
  readonly isReplayed: boolean
  /** What Executors may do, one rule or cap a sentence. */
  readonly sentences: readonly string[]
}

/** Characters of one change that are kept. */
const MAX_CHANGE_CHARACTERS = 4_000

/** Functions that boundaries are usually about, so that sentences have their names. */
const SIGNATURES = [...(taskTokenAbi as Abi), ...(erc4626Abi as Abi)]
  .filter((item): item is AbiFunction => item.type === 'function' && item.stateMutability !== 'view')
  .map((item) => toFunctionSignature(item))

const SCOPE_WORDS: Readonly<Record<ScopeEventName, string>> = {
  PolicyProposed: 'a change of the boundary is proposed',
  PolicyApplied: 'a change of the boundary takes effect',
  PolicyWithdrawn: 'a proposed change of the boundary is withdrawn',
  RuleRemoved: 'a rule of the boundary is removed',
  RulesRemoved: 'all rules of the boundary are removed',
  RuleExpirySet: 'a rule of the boundary gets an end',
  CapLowered: 'a cap of the boundary is lowered',
  MemberRemoved: 'a member of a set of the boundary is removed',
}

/**
 * Tells the history of the boundary in sentences, compares it with the revision that the contract names, and says what the
 * boundary is at the last block. Throws RpcError and the reason of an aborted signal.
 */
export async function auditScope(
  client: Client,
  snapshot: AgentSnapshot,
  context: {
    readonly fromBlock: bigint
    /** The Accept Token. */
    readonly asset: Asset
    readonly roles: RoleHistory
    readonly findings: AuditFindings
    readonly signal?: AbortSignal
  },
): Promise<AuditedScope> {
  const { agent, scope, blockNumber, scopeRevision } = snapshot
  const { symbol, decimals, address } = context.asset
  const names: DecompileOptions = { acceptToken: { symbol, decimals, address }, signatures: SIGNATURES }
  let revision: Hash = zeroHash
  for (let from: bigint | undefined = context.fromBlock; from !== undefined; ) {
    context.signal?.throwIfAborted()
    const page = await listScopeEvents(client, { scope, agent, fromBlock: from, toBlock: blockNumber })
    revision = replayRevision(page.events, revision)
    for (const event of page.events) noteChange(context.roles, event, changeText(event, names))
    from = page.nextFromBlock
  }
  const isReplayed = revision === scopeRevision
  if (!isReplayed) {
    const message = `events give the revision ${revision}, the contract ${scopeRevision}`
    addFinding(context.findings, 'scope.differs', agent, message)
  }
  const { state } = await getBoundary(client, { agent, scope, blockNumber, fromBlock: context.fromBlock })
  return { revision: scopeRevision, isReplayed, sentences: sentencesOf(state, names) }
}

function changeText({ eventName, args }: AnyScopeEvent, names: DecompileOptions): string {
  const by = 'by' in args && typeof args.by === 'string' ? ` by ${args.by}` : ''
  const key = 'key' in args && typeof args.key === 'string' ? ` ${args.key}` : ''
  const what = 'policy' in args ? `: ${sentencesOf(args.policy, names).join(' ')}` : ''
  return `${SCOPE_WORDS[eventName]}${key}${by}${what}`.slice(0, MAX_CHANGE_CHARACTERS)
}

function sentencesOf(policy: Policy, names: DecompileOptions): readonly string[] {
  try {
    return describePolicy(decompilePolicy(policy, names)).map(({ text }) => text)
  } catch (cause) {
    if (!(cause instanceof PolicyDocumentError)) throw cause
    return [`It has ${policy.rules.length} rules that cannot be written as a document.`]
  }
}
