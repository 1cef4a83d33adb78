import { graphMismatch } from './diagnostics.ts'
import type { DocumentDigest, DomainDigest } from './digest.ts'
import { domainDigest } from './digest.ts'
import { parseJson, quote } from './json.ts'
import { digestShape } from './references.ts'
import type { Shape } from './shape.ts'
import { exactly, oneOf, record } from './shape.ts'
import { bytesEqual, utf8, utf8Text } from './text.ts'

/** Digest of a compiled agent definition, agent graph, or payment graph. */
export type HarnessDigest<Kind extends 'agent-definition' | 'agent-graph' | 'payment-graph'> = DomainDigest<Kind>

/** The steps from a model's run to a reconciled payment, in order. Source: notes, section 15, Agent Payment Harness v1. */
export const PAYMENT_FLOW = [
  'agent_runtime_run',
  'completed_final_message',
  'payment_intent_admission',
  'policy_reservation',
  'chain_snapshot',
  'simulation',
  'separate_approval',
  'custody_sign',
  'broadcast_once',
  'reconciliation',
] as const

/** What the harness does not promise, in order. */
export const PAYMENT_GRAPH_NONCLAIMS = [
  'no_model_output_payment_authority',
  'no_model_self_approval_or_policy_expansion',
  'no_builtin_provider_network_journal_approval_custody_or_broadcast_authority',
  'no_seed_private_key_credential_or_signing_material_input',
  'no_mainnet_authority',
  'no_exactly_once_signing_broadcast_or_payment',
  'no_language_level_transition_execution',
  'runtime_v1_and_economic_agent_v1_remain_the_execution_kernels',
] as const

/** The document that binds an agent definition to an economic policy. It adds no authority. */
export type PaymentGraph = {
  readonly schema: 'semaprax.agent-payment-graph.v1'
  readonly agent_definition_digest: HarnessDigest<'agent-definition'>
  readonly agent_graph_digest: HarnessDigest<'agent-graph'>
  readonly economic_policy_digest: DocumentDigest<'policy'>
  readonly proposal_schema: 'semaprax.economic-agent-payment-intent.v1'
  readonly flow: typeof PAYMENT_FLOW
  readonly authority_boundary: typeof BOUNDARY
  readonly evidence_chain: {
    readonly economic_evidence_binds_agent_evidence: true
    readonly independent_replay_required: true
  }
  readonly nonclaims: typeof PAYMENT_GRAPH_NONCLAIMS
}

const BOUNDARY = {
  model_output: 'untrusted_data',
  payment_policy: 'source_bound',
  approval: 'injected',
  custody: 'injected_opaque',
  chain_and_broadcast: 'injected_test_network_only',
} as const

/** Most bytes of a payment graph. */
const MAX_GRAPH_BYTES = 65_536

const always: Shape<true> = {
  read: (value, refuse, at) => (value === true ? true : refuse(`${at}: expected true`)),
  write: () => 'true',
}

const graphShape = record<PaymentGraph>({
  schema: oneOf('semaprax.agent-payment-graph.v1'),
  agent_definition_digest: digestShape<HarnessDigest<'agent-definition'>>(),
  agent_graph_digest: digestShape<HarnessDigest<'agent-graph'>>(),
  economic_policy_digest: digestShape<DocumentDigest<'policy'>>(),
  proposal_schema: oneOf('semaprax.economic-agent-payment-intent.v1'),
  flow: exactly(PAYMENT_FLOW),
  authority_boundary: record<typeof BOUNDARY>({
    model_output: oneOf(BOUNDARY.model_output),
    payment_policy: oneOf(BOUNDARY.payment_policy),
    approval: oneOf(BOUNDARY.approval),
    custody: oneOf(BOUNDARY.custody),
    chain_and_broadcast: oneOf(BOUNDARY.chain_and_broadcast),
  }),
  evidence_chain: record<PaymentGraph['evidence_chain']>({
    economic_evidence_binds_agent_evidence: always,
    independent_replay_required: always,
  }),
  nonclaims: exactly(PAYMENT_GRAPH_NONCLAIMS),
})

/** What a payment graph is compiled from. */
export type PaymentGraphInput = {
  readonly agentDefinitionDigest: HarnessDigest<'agent-definition'>
  readonly agentGraphDigest: HarnessDigest<'agent-graph'>
  readonly policyDigest: DocumentDigest<'policy'>
}

/** A payment graph with its bytes and digest. */
export type SealedPaymentGraph = {
  readonly document: PaymentGraph
  readonly bytes: Uint8Array
  readonly digest: HarnessDigest<'payment-graph'>
}

/** Compiles the payment graph of an agent and a policy: the same inputs give the same bytes. */
export function compilePaymentGraph(input: PaymentGraphInput): SealedPaymentGraph {
  const document: PaymentGraph = {
    schema: 'semaprax.agent-payment-graph.v1',
    agent_definition_digest: input.agentDefinitionDigest,
    agent_graph_digest: input.agentGraphDigest,
    economic_policy_digest: input.policyDigest,
    proposal_schema: 'semaprax.economic-agent-payment-intent.v1',
    flow: PAYMENT_FLOW,
    authority_boundary: BOUNDARY,
    evidence_chain: { economic_evidence_binds_agent_evidence: true, independent_replay_required: true },
    nonclaims: PAYMENT_GRAPH_NONCLAIMS,
  }
  const bytes = utf8(`${graphShape.write(document, quote)}\n`)
  return { document, bytes, digest: domainDigest('semaprax.agent-payment-graph.digest.v1\0', bytes) }
}

/** Throws SPX-G505 unless the bytes are exactly the graph that the inputs compile to. */
export function assertPaymentGraph(bytes: Uint8Array, input: PaymentGraphInput): void {
  if (bytes.length > MAX_GRAPH_BYTES)
    throw graphMismatch(`got ${bytes.length} bytes, expected ${MAX_GRAPH_BYTES} at most`)
  if (!bytesEqual(bytes, compilePaymentGraph(input).bytes)) throw graphMismatch('the bytes differ')
}

/** Reads a payment graph on its own: every fixed part, and its canonical form. Throws SPX-G505. */
export function readPaymentGraph(bytes: Uint8Array): SealedPaymentGraph {
  const refuse = (detail: string): never => {
    throw graphMismatch(detail)
  }
  if (bytes.length > MAX_GRAPH_BYTES) refuse(`got ${bytes.length} bytes, expected ${MAX_GRAPH_BYTES} at most`)
  const text = utf8Text(bytes)
  const parsed = text?.endsWith('\n') ? parseJson(text.slice(0, -1)) : undefined
  const document = graphShape.read(parsed?.value, refuse, 'graph')
  const compiled = compilePaymentGraph({
    agentDefinitionDigest: document.agent_definition_digest,
    agentGraphDigest: document.agent_graph_digest,
    policyDigest: document.economic_policy_digest,
  })
  return bytesEqual(compiled.bytes, bytes) ? compiled : refuse('rendered again, the bytes differ')
}
