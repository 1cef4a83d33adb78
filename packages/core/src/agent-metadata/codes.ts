/**
 * Every clause that a verdict on an Agent's metadata can find broken. The codes are stable: a program may match on them.
 * The order is the order of the checks. `docs/agent-metadata.md` holds the same table, and a test compares both.
 */
export const METADATA_CODES = {
  'json.too-large': 'The document has more bytes than the limit.',
  'json.not-utf8': 'The document is not UTF-8 (or escapes half a surrogate pair).',
  'json.bom': 'The document starts with a byte order mark.',
  'json.syntax': 'The document is not JSON.',
  'json.too-deep': 'The document nests deeper than the limit.',
  'json.duplicate-key': 'The document has an object with a repeated key.',
  'schema.mismatch': 'The document does not match the schema: a field of §6.5.3 is missing or of another form.',
  'uri.cid-mismatch': 'SHA-256 of the bytes is not the digest in the CID of the agentURI.',
  'reclaim.undisclosed': 'There is no reclaim field, so nobody can know how to get a pending request back (§6.4.6).',
  'reclaim.method': 'The reclaim method is no function signature.',
  'reclaim.method-absent': 'The code has no function with the selector of the reclaim method.',
  'reclaim.contradicted': 'The document says "none", and the code has a reclaim function.',
  'reclaim.horizon': 'The horizon is not the one of the Agent.',
  'code.empty': 'There is no code at the address.',
  'code.not-ours': 'The code is no clone of a known implementation.',
  'property.accept-token': 'properties.oikos.acceptToken is not the Accept Token of the Agent.',
  'property.initial-rate': 'properties.oikos.initialRate is not the rate at birth.',
  'property.fixed-price': 'properties.oikos.fixedPrice is not how the Agent prices.',
  'property.chain-id': 'properties.oikos.chainId is not the chain.',
} as const satisfies Record<string, string>

/** A key of {@link METADATA_CODES}. */
export type MetadataCode = keyof typeof METADATA_CODES
