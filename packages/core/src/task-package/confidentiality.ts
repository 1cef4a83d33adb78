import type { Cid, Sha256Digest } from '../digest/index.ts'
import type { FindingCode } from './codes.ts'
import type { ConfidentialityDescriptor } from './documents.ts'
import { type Findings, report, shown } from './findings.ts'
import type { JsonObject } from './json.ts'
import { RESERVED_PATHS } from './paths.ts'

/** What the packer needs of a confidentiality profile. One instance serves one package version. */
export type ObjectCipher = {
  readonly profile: string
  readonly mode: string
  /** The ciphertext of one object; the path may be bound into it. */
  readonly seal: (path: string, plaintext: Uint8Array) => Uint8Array
  /** Profile fields of the descriptor beside schemaVersion, mode, profile and objects. */
  readonly describe: () => JsonObject
}

/** The plaintext, or the code of what is wrong with the ciphertext or key. */
export type OpenedObject =
  | { readonly ok: true; readonly plaintext: Uint8Array }
  | { readonly ok: false; readonly code: Extract<FindingCode, `sealed.${string}`>; readonly message: string }

/** What a reader with a key needs of a confidentiality profile. Other profiles are never tried. */
export type ObjectOpener = {
  readonly profile: string
  /** Reads the descriptor once and gives the function that opens its objects by path. */
  readonly open: (descriptor: ConfidentialityDescriptor) => (path: string, ciphertext: Uint8Array) => OpenedObject
}

/** The relations between descriptor and root. Source: ERC-8414, Confidentiality descriptor. */
export function checkConfidentiality(
  descriptor: ConfidentialityDescriptor,
  linkAt: (path: string) => Cid | undefined,
  publicLinks: readonly Cid[],
  findings: Findings,
): void {
  const names: ReadonlySet<string> = new Set(Object.values(RESERVED_PATHS))
  for (const [path, { ciphertext }] of descriptor.objects) {
    const where = objectWhere(path)
    const link = linkAt(path)
    if (names.has(path) || publicLinks.includes(ciphertext))
      report(findings, 'confidentiality.covers-public', where, 'the manifest and the descriptors stay public')
    else if (link === undefined)
      report(findings, 'confidentiality.unknown-path', where, 'the package has no document or file with this path')
    else if (link !== ciphertext)
      report(findings, 'confidentiality.ciphertext-mismatch', where, `ciphertext ${ciphertext}, expected ${link}`)
  }
}

/** An encrypted primary document commits to the hash in the binding. Source: ERC-8414, Confidentiality descriptor. */
export function checkPrimaryHash(
  descriptor: ConfidentialityDescriptor,
  primaryPath: string,
  expected: Sha256Digest,
  findings: Findings,
): void {
  const object = descriptor.objects.get(primaryPath)
  if (object !== undefined && object.plaintextHash !== expected)
    report(
      findings,
      'confidentiality.primary-hash',
      objectWhere(primaryPath),
      `plaintextHash ${object.plaintextHash}, expected ${expected} as on chain`,
    )
}

/** The place of a descriptor's object in findings. */
export function objectWhere(path: string): string {
  return `confidentiality.objects[${shown(path)}]`
}
