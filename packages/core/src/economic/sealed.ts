import { renderCanonical } from './canonical.ts'
import type { DocumentKind } from './catalog.ts'
import { documentSchema } from './catalog.ts'
import type { DocumentDigest } from './digest.ts'
import { documentDigest } from './digest.ts'
import type { Capsule, DocumentRef } from './references.ts'
import type { Shape } from './shape.ts'
import { utf8 } from './text.ts'

/** A document with its exact text, bytes (LF included) and digest. */
export type Sealed<Kind extends DocumentKind, T> = {
  readonly kind: Kind
  readonly document: T
  readonly text: string
  readonly bytes: Uint8Array
  readonly digest: DocumentDigest<Kind>
}

/** Renders a document and takes its digest. */
export function seal<Kind extends DocumentKind, T>(kind: Kind, shape: Shape<T>, document: T): Sealed<Kind, T> {
  const text = renderCanonical(shape, document)
  return sealText(kind, document, text, utf8(text))
}

/** Joins a document with the text that it was read from. The caller has checked that it renders to that text. */
export function sealText<Kind extends DocumentKind, T>(
  kind: Kind,
  document: T,
  text: string,
  bytes: Uint8Array,
): Sealed<Kind, T> {
  return { kind, document, text, bytes, digest: digestOf(kind, text, bytes) }
}

/** The last digest of each kind, by its exact text: who renders a document and who reads it often do so in one process. */
const lastDigests = new Map<DocumentKind, { readonly text: string; readonly digest: DocumentDigest }>()
/** Longer texts are not kept. */
const MAX_KEPT = 65_536

function digestOf<Kind extends DocumentKind>(kind: Kind, text: string, bytes: Uint8Array): DocumentDigest<Kind> {
  const last = lastDigests.get(kind)
  if (last?.text === text) return last.digest as DocumentDigest<Kind>
  const digest = documentDigest(kind, bytes)
  if (text.length <= MAX_KEPT) lastDigests.set(kind, { text, digest })
  return digest
}

/** The reference to a document. */
export function refOf<Kind extends DocumentKind>(sealed: Sealed<Kind, unknown>): DocumentRef<Kind> {
  return { schema: documentSchema(sealed.kind), digest: sealed.digest, bytes: BigInt(sealed.bytes.length) }
}

/** The capsule of a document. */
export function capsuleOf<Kind extends DocumentKind>(sealed: Sealed<Kind, unknown>): Capsule<Kind> {
  return { ...refOf(sealed), document: sealed.text }
}
