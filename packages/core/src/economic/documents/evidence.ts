import { parseCanonical, refuseAs, requireRerender } from '../canonical.ts'
import { documentSchema } from '../catalog.ts'
import type { RunId } from '../digest.ts'
import type { Budget, Limits } from '../limits.ts'
import { BUDGET_NAMES } from '../limits.ts'
import { NONCLAIMS } from '../nonclaims.ts'
import type { AgentEvidenceRef, Capsule, DocumentRef } from '../references.ts'
import { agentEvidenceRefShape, capsuleShape, refShape, runIdShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import { exactly, integers, nullable, oneOf, record } from '../shape.ts'
import { limitsShape } from './policy.ts'
import type { RunResult } from './trace.ts'
import { resultShape } from './trace.ts'

/** Everything a stranger needs to replay a run: references, the whole trace, limits and counters. Source: notes, section 3. */
export type Evidence = {
  readonly schema: 'semaprax.economic-agent-evidence.v1'
  readonly run_id: RunId
  readonly source_agent: AgentEvidenceRef
  readonly policy: DocumentRef<'policy'>
  readonly intent: DocumentRef<'intent'>
  readonly x402_invoice: DocumentRef<'invoice'> | null
  readonly plan: DocumentRef<'plan'> | null
  readonly simulation: DocumentRef<'simulation'> | null
  readonly approval: DocumentRef<'approval'> | null
  readonly journal: DocumentRef<'journal'>
  readonly broadcast: DocumentRef<'broadcast'> | null
  readonly reconciliation: DocumentRef<'reconciliation'> | null
  readonly trace: Capsule<'trace'>
  readonly result: RunResult
  readonly limits: Limits
  readonly budget: Budget
  readonly nonclaims: typeof NONCLAIMS
}

const budgetShape = integers(BUDGET_NAMES)

/** Canonical form of Evidence. */
export const evidenceShape = record<Evidence>({
  schema: oneOf(documentSchema('evidence')),
  run_id: runIdShape,
  source_agent: agentEvidenceRefShape,
  policy: refShape('policy'),
  intent: refShape('intent'),
  x402_invoice: nullable(refShape('invoice')),
  plan: nullable(refShape('plan')),
  simulation: nullable(refShape('simulation')),
  approval: nullable(refShape('approval')),
  journal: refShape('journal'),
  broadcast: nullable(refShape('broadcast')),
  reconciliation: nullable(refShape('reconciliation')),
  trace: capsuleShape('trace'),
  result: resultShape,
  limits: limitsShape,
  budget: budgetShape,
  nonclaims: exactly(NONCLAIMS),
})

/** Evidence with its exact bytes and without its digest, which a replay does not need. */
export type ReadEvidence = Pick<Sealed<'evidence', Evidence>, 'document' | 'text' | 'bytes'>

/** Reads Evidence: form only; replay judges it. Throws SPX-G210 or SPX-G216. */
export function readEvidence(bytes: Uint8Array): ReadEvidence {
  const { object, text } = parseCanonical('evidence', bytes)
  const document = evidenceShape.read(object, refuseAs('evidence'), 'evidence')
  requireRerender('evidence', evidenceShape, document, text)
  return { document, text, bytes }
}

/** As {@link readEvidence}, with the digest. */
export function parseEvidence(bytes: Uint8Array): Sealed<'evidence', Evidence> {
  const { document, text } = readEvidence(bytes)
  return sealText('evidence', document, text, bytes)
}
