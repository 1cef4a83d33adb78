import {
  type DecompileOptions,
  decompilePolicy,
  describePolicy,
  KEEP_DELAY,
  type Member,
  type Policy,
  type PolicyChange,
  type PolicyDocument,
  PolicyDocumentError,
} from '@oikos/core/scope-policy'
import { type Boundary, getBoundary, type PendingChange } from '@oikos/sdk'
import type { AgentView } from '../../../chain/open-agent.ts'
import { plain } from '../../../output/plain.ts'
import { exactDuration, momentText } from '../../../output/speech.ts'
import { KNOWN_SIGNATURES } from '../call.ts'

/** The boundary of an Agent at the block of its view. */
export function readBoundary({ agent, connection, snapshot, fromBlock }: AgentView): Promise<Boundary> {
  const at = { agent, scope: snapshot.scope, blockNumber: snapshot.blockNumber, fromBlock }
  return getBoundary(connection.client, at)
}

/** Names by which a policy is written: those of a document, and the Accept Token. */
export function namesFor({ asset }: AgentView, document?: PolicyDocument): DecompileOptions {
  const assets = Object.entries(document?.assets ?? {})
    .filter(([, { address }]) => address !== 'native')
    .map(([symbol, { address, decimals }]) => ({ symbol, decimals, address: address as `0x${string}` }))
  const sets = Object.entries(document?.sets ?? {}).map(([name, { id }]) => [name, BigInt(id)] as const)
  const own = assets.find(({ address }) => address.toLowerCase() === asset.address.toLowerCase())
  const isSignature = (call: string): boolean => /^[A-Za-z_$][\w$]*\(.*\)$/.test(call)
  return {
    acceptToken: own ?? { symbol: asset.symbol, decimals: asset.decimals, address: asset.address },
    assets,
    contracts: (document?.contracts ?? {}) as Readonly<Record<string, `0x${string}`>>,
    sets: Object.fromEntries(sets),
    signatures: [...(document?.rules ?? []).map(({ call }) => call).filter(isSignature), ...KNOWN_SIGNATURES],
  }
}

/** A policy as sentences; what no document can say is told as such. */
export function policySentences(policy: Policy, names: DecompileOptions): readonly string[] {
  try {
    return describePolicy(decompilePolicy(policy, names)).map(({ text }) => plain(text))
  } catch (cause) {
    if (!(cause instanceof PolicyDocumentError)) throw cause
    return [`It has ${policy.rules.length} rules that cannot be written as a document; --json has them as they are.`]
  }
}

/** One change of a diff in words, with what it was and when it can take effect. */
export function changeText(change: PolicyChange, names: DecompileOptions): string {
  const fields = change.fields.length === 0 ? '' : ` (${change.fields.join(', ')})`
  return `${change.kind}${fields}: ${subjectText(change, names)}`
}

const nothing = { rules: [], caps: [], members: [], delaySec: KEEP_DELAY } as const

function subjectText(change: PolicyChange, names: DecompileOptions): string {
  switch (change.of) {
    case 'rule': {
      const rule = change.after ?? change.before
      return rule === undefined ? 'a rule' : firstSentence({ ...nothing, rules: [rule] }, names)
    }
    case 'cap': {
      if (change.after === undefined) return 'a cap goes, which means that it is raised until it bounds nothing'
      return firstSentence({ ...nothing, caps: [change.after] }, names)
    }
    case 'member':
      return memberText(change.member, names)
    case 'delay':
      return `the delay of changes becomes ${exactDuration(BigInt(change.after))}; it is ${exactDuration(BigInt(change.before))}`
    default:
      return change satisfies never
  }
}

function firstSentence(policy: Policy, names: DecompileOptions): string {
  return policySentences(policy, names)[0] ?? 'nothing'
}

function memberText(entry: Member, names: DecompileOptions): string {
  const document = decompilePolicy({ ...nothing, members: [entry] }, names)
  const [name, set] = Object.entries(document.sets ?? {})[0] ?? [String(entry.set), undefined]
  return plain(`${String(set?.members[0] ?? entry.member)} in the set ${name}`)
}

/** Where a proposed change stands. */
export function pendingText({ changeId, state, readyAtSec, lapsesAtSec }: PendingChange, nowSec: bigint): string {
  switch (state) {
    case 'waiting':
      return `${changeId}: can be enacted from ${momentText(readyAtSec, nowSec)} on`
    case 'ready':
      return `${changeId}: can be enacted until ${momentText(lapsesAtSec, nowSec)}`
    case 'lapsed':
      return `${changeId}: lapsed ${momentText(lapsesAtSec, nowSec)}`
    default:
      return state satisfies never
  }
}
