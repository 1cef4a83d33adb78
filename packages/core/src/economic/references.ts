import type { DocumentKind, DocumentSchema } from './catalog.ts'
import { AGENT_EVIDENCE_SCHEMA, documentSchema } from './catalog.ts'
import type {
  AgentEvidenceDigest,
  AgentRunId,
  DocumentDigest,
  DomainDigest,
  RunId,
  SignedDigest,
  UnsignedDigest,
} from './digest.ts'
import { isDomainDigest } from './digest.ts'
import type { Identifier } from './identifier.ts'
import { isIdentifier } from './identifier.ts'
import type { RecordShape, Shape } from './shape.ts'
import { anyText, oneOf, record, textOf, u64 } from './shape.ts'

/** A document by schema, digest and length in bytes. */
export type DocumentRef<Kind extends DocumentKind> = {
  readonly schema: DocumentSchema<Kind>
  readonly digest: DocumentDigest<Kind>
  readonly bytes: bigint
}

/** A reference that carries the whole text of the document, its LF included. */
export type Capsule<Kind extends DocumentKind> = DocumentRef<Kind> & { readonly document: string }

/** The evidence of the source run. `bytes` is its length, `run_id` the source run's own id. */
export type AgentEvidenceRef = {
  readonly schema: typeof AGENT_EVIDENCE_SCHEMA
  readonly digest: AgentEvidenceDigest
  readonly bytes: bigint
  readonly run_id: AgentRunId
}

/** Form of unsigned bytes, one per rail. */
export type UnsignedFormat = 'eip1559-unsigned-v1' | 'solana-message-v0' | 'psbt-v2'

/** Bytes that are to be signed, by digest, length and form. */
export type UnsignedRef = { readonly digest: UnsignedDigest; readonly bytes: bigint; readonly format: UnsignedFormat }

/** A signed transaction by digest and length. The bytes themselves are never recorded. */
export type SignedRef = { readonly digest: SignedDigest; readonly bytes: bigint }

/** A digest of one family. */
export function digestShape<D extends DomainDigest>(): Shape<D> {
  return textOf((text): text is D => isDomainDigest(text), 'sha256: and 64 lower-case digits')
}

/** An {@link Identifier}. */
export const identifierShape: Shape<Identifier> = textOf(isIdentifier, '1 to 128 characters of a-z 0-9 . _ : -')

/** A run id. */
export const runIdShape = digestShape<RunId>()

/** Shape of a reference to a document of a kind. */
export function refShape<Kind extends DocumentKind>(kind: Kind): RecordShape<DocumentRef<Kind>> {
  return record<DocumentRef<Kind>>({
    schema: oneOf(documentSchema(kind)),
    digest: digestShape<DocumentDigest<Kind>>(),
    bytes: u64,
  })
}

/** Shape of a capsule of a kind. */
export function capsuleShape<Kind extends DocumentKind>(kind: Kind): RecordShape<Capsule<Kind>> {
  return record<Capsule<Kind>>({
    schema: oneOf(documentSchema(kind)),
    digest: digestShape<DocumentDigest<Kind>>(),
    bytes: u64,
    document: anyText,
  })
}

/** Shape of the reference to the source run's evidence. */
export const agentEvidenceRefShape = record<AgentEvidenceRef>({
  schema: oneOf(AGENT_EVIDENCE_SCHEMA),
  digest: digestShape<AgentEvidenceDigest>(),
  bytes: u64,
  run_id: digestShape<AgentRunId>(),
})

/** Shape of a reference to unsigned bytes. */
export const unsignedRefShape = record<UnsignedRef>({
  digest: digestShape<UnsignedDigest>(),
  bytes: u64,
  format: oneOf('eip1559-unsigned-v1', 'solana-message-v0', 'psbt-v2'),
})

/** Shape of a reference to a signed transaction. */
export const signedRefShape = record<SignedRef>({ digest: digestShape<SignedDigest>(), bytes: u64 })

/** Whether two references are the same. */
export function sameRef(
  left: { readonly schema: string; readonly digest: string; readonly bytes: bigint },
  right: { readonly schema: string; readonly digest: string; readonly bytes: bigint },
): boolean {
  return left.schema === right.schema && left.digest === right.digest && left.bytes === right.bytes
}
