/**
 * Every clause that a verdict on a reasoning record can find broken. The codes are stable: a program may match on them.
 * The order is the order of the checks. `docs/reasoning.md` holds the same table, and a test compares both.
 */
export const REASONING_CODES = {
  'json.too-large': 'The record has more bytes than the limit; nothing else is judged then.',
  'hash.malformed': 'The reasoningHash is not 32 bytes in hexadecimal.',
  'hash.zero': 'The reasoningHash is zero (§6.2.1).',
  'hash.mismatch': 'keccak256 of the bytes is not the reasoningHash (§6.2.1).',
  'uri.empty': 'The reasoningURI is empty (§6.2.2).',
  'uri.too-long': 'The reasoningURI has more bytes than an Agent accepts.',
  'uri.cid-mismatch': 'SHA-256 of the bytes is not the digest in the CID of the reasoningURI.',
  'json.not-utf8': 'The record is not UTF-8 (or escapes half a surrogate pair).',
  'json.bom': 'The record starts with a byte order mark.',
  'json.syntax': 'The record is not JSON.',
  'json.too-deep': 'The record nests deeper than the limit.',
  'json.duplicate-key': 'The record has an object with a repeated key.',
  'schema.marker': 'The record has no "schema": "fat-reasoning/1" (§6.2.3).',
  'schema.mismatch': 'The record does not match the schema of our records: binding, claims, links.',
  'record.not-canonical': 'The record is not in canonical form: compact JSON, keys in code-unit order.',
  'binding.chain-id': 'The record is bound to another chain.',
  'binding.agent': 'The record is bound to another Agent.',
  'binding.action': 'The record is bound to another action.',
  'binding.call-hash': 'The record is bound to other call data.',
  'binding.nonce': 'The record has another nonce than expected.',
} as const satisfies Record<string, string>

/** A key of {@link REASONING_CODES}. */
export type ReasoningCode = keyof typeof REASONING_CODES
