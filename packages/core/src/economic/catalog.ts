/** The 13 documents, by the short names of the frozen ledger. Source: Economic Agent v1, "Frozen 13-document fixture ledger". */
export type DocumentKind =
  | 'policy'
  | 'intent'
  | 'invoice'
  | 'snapshot'
  | 'plan'
  | 'simulation'
  | 'approval_request'
  | 'approval'
  | 'journal'
  | 'broadcast'
  | 'reconciliation'
  | 'trace'
  | 'evidence'

/** Literals of one document. `field` is its name in limits (`max_<field>_bytes`) and diagnostics (`<field>_bytes`). */
type CatalogRow = { readonly name: string; readonly label: string; readonly field: string }

const CATALOG = {
  policy: { name: 'policy', label: 'policy', field: 'policy' },
  intent: { name: 'payment-intent', label: 'payment intent', field: 'intent' },
  invoice: { name: 'x402-invoice', label: 'x402 invoice', field: 'invoice' },
  snapshot: { name: 'chain-snapshot', label: 'chain snapshot', field: 'snapshot' },
  plan: { name: 'payment-plan', label: 'payment plan', field: 'plan' },
  simulation: { name: 'simulation', label: 'simulation', field: 'simulation' },
  approval_request: { name: 'approval-request', label: 'approval request', field: 'approval_request' },
  approval: { name: 'approval', label: 'approval', field: 'approval' },
  journal: { name: 'journal', label: 'journal', field: 'journal' },
  broadcast: { name: 'broadcast-receipt', label: 'broadcast receipt', field: 'broadcast_receipt' },
  reconciliation: { name: 'reconciliation', label: 'reconciliation', field: 'reconciliation' },
  trace: { name: 'trace', label: 'trace', field: 'trace' },
  evidence: { name: 'evidence', label: 'evidence', field: 'evidence' },
} as const satisfies Record<DocumentKind, CatalogRow>

/** All kinds in the order of the standard. */
export const DOCUMENT_KINDS = Object.keys(CATALOG) as readonly DocumentKind[]

/** The `schema` literal of a kind, for example `semaprax.economic-agent-policy.v1`. */
export type DocumentSchema<Kind extends DocumentKind> = `semaprax.economic-agent-${(typeof CATALOG)[Kind]['name']}.v1`

/** The `schema` literal of a kind. */
export function documentSchema<Kind extends DocumentKind>(kind: Kind): DocumentSchema<Kind> {
  return `semaprax.economic-agent-${CATALOG[kind].name}.v1`
}

/** What the digest of a kind is prefixed with, including the final zero byte. */
export function documentDigestDomain(kind: DocumentKind): string {
  return `semaprax.economic-agent.${CATALOG[kind].name}-digest.v1\0`
}

/** The words that diagnostics use for a kind. */
export function documentLabel(kind: DocumentKind): string {
  return CATALOG[kind].label
}

/** Name of a kind in diagnostics about its size, for example `broadcast_receipt_bytes`. */
export function documentBytesField<Kind extends DocumentKind>(kind: Kind): `${(typeof CATALOG)[Kind]['field']}_bytes` {
  return `${CATALOG[kind].field}_bytes`
}

/** Payment rails. */
export type Rail = 'evm' | 'solana' | 'bitcoin'
/** Rails in the order of their UTF-8 bytes. */
export const RAILS = ['bitcoin', 'evm', 'solana'] as const satisfies readonly Rail[]

/** The one network and the one native asset of each rail. Source: Economic Agent v1, "Authority boundary". */
export const RAIL_NETWORKS = {
  evm: { network: 'sepolia', asset: 'native:eth' },
  solana: { network: 'devnet', asset: 'native:sol' },
  bitcoin: { network: 'regtest', asset: 'native:btc' },
} as const satisfies Record<Rail, { network: string; asset: string }>

/** Networks by rail. */
export type Network<R extends Rail = Rail> = (typeof RAIL_NETWORKS)[R]['network']
/** Assets by rail. */
export type Asset<R extends Rail = Rail> = (typeof RAIL_NETWORKS)[R]['asset']

/** Whether a text names a rail. */
export function isRail(text: string): text is Rail {
  return Object.hasOwn(RAIL_NETWORKS, text)
}

/** Schema literal of the evidence of a source run. Source: notes, section 2. */
export const AGENT_EVIDENCE_SCHEMA = 'semaprax.agent-runtime-evidence.v1'
