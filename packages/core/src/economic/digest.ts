import { sha256Hex } from '#sha256'
import type { DocumentKind } from './catalog.ts'
import { documentDigestDomain } from './catalog.ts'
import { utf8 } from './text.ts'

declare const family: unique symbol

/** A SHA-256 digest over a domain and bytes, as `sha256:` and 64 lower-case hexadecimal digits (71 characters). */
export type DomainDigest<Family extends string = string> = `sha256:${string}` & { readonly [family]: Family }

/** Digest of a document of one kind. */
export type DocumentDigest<Kind extends DocumentKind = DocumentKind> = DomainDigest<`document:${Kind}`>
/** Digest of the bytes that are to be signed. */
export type UnsignedDigest = DomainDigest<'unsigned-transaction'>
/** Digest of a signed transaction. */
export type SignedDigest = DomainDigest<'signed-transaction'>
/** Identifier of an economic run: binds source evidence, policy, intent and idempotency key. */
export type RunId = DomainDigest<'run-id'>
/** Digest of the evidence of a source run. */
export type AgentEvidenceDigest = DomainDigest<'agent-evidence'>
/** Identifier of a source run. */
export type AgentRunId = DomainDigest<'agent-run-id'>

const DIGEST_TEXT = /^sha256:[0-9a-f]{64}$/

/** Whether a text has the form of a digest: the full prefix and 64 lower-case digits. */
export function isDomainDigest<Family extends string>(text: string): text is DomainDigest<Family> {
  return DIGEST_TEXT.test(text)
}

/** Domains are constants of the standards, a few dozen. */
const DOMAIN_BYTES = new Map<string, Uint8Array>()

function domainBytes(domain: string): Uint8Array {
  const known = DOMAIN_BYTES.get(domain)
  if (known !== undefined) return known
  const bytes = utf8(domain)
  DOMAIN_BYTES.set(domain, bytes)
  return bytes
}

/** SHA-256 of a domain (ASCII, with its final zero byte) followed by the parts. */
export function domainDigest<Family extends string>(
  domain: string,
  ...parts: readonly Uint8Array[]
): DomainDigest<Family> {
  return `sha256:${sha256Hex(domainBytes(domain), ...parts)}` as DomainDigest<Family>
}

/** Digest of a document's exact bytes, the final LF included. Source: Economic Agent v1, "Exact canonical wire ledger". */
export function documentDigest<Kind extends DocumentKind>(kind: Kind, bytes: Uint8Array): DocumentDigest<Kind> {
  return domainDigest(documentDigestDomain(kind), bytes)
}

/** Digest of the bytes that are to be signed. */
export function unsignedDigest(bytes: Uint8Array): UnsignedDigest {
  return domainDigest('semaprax.economic-agent.unsigned-transaction-digest.v1\0', bytes)
}

/** Digest of a signed transaction. */
export function signedDigest(bytes: Uint8Array): SignedDigest {
  return domainDigest('semaprax.economic-agent.signed-transaction-digest.v1\0', bytes)
}

/** What a run id binds. */
export type RunBinding = {
  readonly sourceEvidence: AgentEvidenceDigest
  readonly policy: DocumentDigest<'policy'>
  readonly intent: DocumentDigest<'intent'>
  readonly idempotencyKey: string
}

/** The run id: the three digests as text and the key, joined without separators. Source: notes, section 2. */
export function runIdOf(binding: RunBinding): RunId {
  const { sourceEvidence, policy, intent, idempotencyKey } = binding
  return domainDigest('semaprax.economic-agent.run-id.v1\0', utf8(sourceEvidence + policy + intent + idempotencyKey))
}
