import { equalBytes } from '../cbor.ts'
import { type OpenedObject, objectWhere } from '../confidentiality.ts'
import type { ConfidentialityDescriptor } from '../documents.ts'
import { type Findings, report } from '../findings.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { matchesSchema } from '../schemas.ts'
import {
  contextOf,
  contextTag,
  HEADER_BYTES,
  readHeader,
  SEALED_MODE,
  SEALED_PROFILE,
  type SealedHeader,
  sealedBytes,
} from './format.ts'
import { fromHex, type WrappedKey } from './keys.ts'

/** The part of a descriptor that this profile adds. */
export type SealedKeyManagement = { readonly packageId: Uint8Array; readonly recipients: readonly WrappedKey[] }

/** Reads `keyManagement`, or undefined with a finding when the descriptor is not well-formed for the profile. */
export function readKeyManagement(
  descriptor: ConfidentialityDescriptor,
  findings: Findings,
): SealedKeyManagement | undefined {
  const where = 'confidentiality.keyManagement'
  const value: JsonValue | undefined = descriptor.fields['keyManagement']
  if (descriptor.mode !== SEALED_MODE || value === undefined) {
    const message = `mode ${SEALED_MODE} and keyManagement are required by ${SEALED_PROFILE}`
    report(findings, 'sealed.descriptor', where, message)
    return undefined
  }
  if (!matchesSchema('sealedKeyManagement', value, 'sealed.descriptor', where, findings)) return undefined
  const recipients = value['recipients'] as readonly JsonObject[] as readonly WrappedKey[]
  if (new Set(recipients.map(({ keyId }) => keyId)).size < recipients.length) {
    report(findings, 'sealed.descriptor', where, 'a recipient is listed twice')
    return undefined
  }
  return { packageId: fromHex(String(value['packageId'])), recipients }
}

/** The header of a sealed object that belongs here and is complete, or what is wrong. Needs no key. */
export type InspectedObject =
  | { readonly ok: true; readonly header: SealedHeader }
  | Extract<OpenedObject, { readonly ok: false }>

/** Reads the header of an object and compares context and length. Never throws. */
export function inspectHeader(packageId: Uint8Array, path: string, object: Uint8Array): InspectedObject {
  const header = readHeader(object)
  if (header === undefined) {
    return object.length < HEADER_BYTES
      ? { ok: false, code: 'sealed.truncated', message: `${object.length} bytes, expected a header of ${HEADER_BYTES}` }
      : { ok: false, code: 'sealed.header', message: 'the object does not start with a header of this version' }
  }
  if (!equalBytes(header.contextTag, contextTag(contextOf(packageId, path))))
    return { ok: false, code: 'sealed.wrong-context', message: 'sealed for another path or another package version' }
  const expected = sealedBytes(header.plaintextBytes)
  if (object.length < expected)
    return { ok: false, code: 'sealed.truncated', message: `${object.length} bytes, expected ${expected}` }
  if (object.length > expected)
    return { ok: false, code: 'sealed.trailing-bytes', message: `${object.length} bytes, expected ${expected}` }
  return { ok: true, header }
}

/** Judges an object of a package by what anyone can see. */
export type ObjectInspector = (path: string, object: Uint8Array, findings: Findings) => void

/**
 * Judges the descriptor of our profile and gives the function that judges its objects without a key. Other profiles,
 * and descriptors that are broken, give none.
 */
export function inspectSealedDescriptor(
  descriptor: ConfidentialityDescriptor,
  findings: Findings,
): ObjectInspector | undefined {
  const keyManagement = descriptor.profile === SEALED_PROFILE ? readKeyManagement(descriptor, findings) : undefined
  if (keyManagement === undefined) return undefined
  return (path, object, objectFindings) => {
    const inspected = inspectHeader(keyManagement.packageId, path, object)
    if (!inspected.ok) report(objectFindings, inspected.code, objectWhere(path), inspected.message)
  }
}
