/**
 * What can be wrong with a policy document. The codes are stable: a program may match on them. `docs/scope-policies.md`
 * holds the same table, and a test compares both.
 */
export const POLICY_CODES = {
  'json.too-large': 'The document has more bytes than the limit.',
  'json.not-utf8': 'The document is not UTF-8 (or escapes half a surrogate pair).',
  'json.bom': 'The document starts with a byte order mark.',
  'json.syntax': 'The document is not JSON.',
  'json.too-deep': 'The document nests deeper than the limit.',
  'json.duplicate-key': 'The document has an object with a repeated key.',
  'document.schema': 'A field is missing, unknown, or of the wrong form.',
  'address.format': 'A text is neither a name of `contracts` nor an address, or the checksum of the address is wrong.',
  'name.ambiguous': 'One name stands for a contract and for an asset with another address.',
  'asset.unknown': 'An asset is named that `assets` does not have.',
  'asset.duplicate': 'Two assets have one address.',
  'amount.format': 'A text is no exact amount of the asset.',
  'amount.range': 'An amount is larger than the contract can hold.',
  'duration.format': 'A text is no length of time.',
  'duration.range': 'A length of time is longer than the contract can hold.',
  'moment.format': 'A text is no moment in UTC.',
  'moment.range': 'A moment is beyond what the contract can hold.',
  'rule.call': 'A rule has no readable function signature or selector.',
  'rule.plain': 'A rule for a plain payment has conditions, a charge, or Accept Token.',
  'rule.duplicate': 'Two rules are for the same target and function; the contract keeps one.',
  'condition.parameter':
    'A condition names a parameter that the function does not have, or one that is no word of its own.',
  'condition.operation': 'A condition has no operation, several, or one that the parameter does not allow.',
  'condition.value': 'The value of a condition does not fit its parameter.',
  'condition.too-many': 'A rule has more conditions than the contract holds.',
  'set.unknown': 'A condition names a set that `sets` does not have.',
  'set.id': 'Two sets have one id, or an id does not fit.',
  'set.member': 'A member of a set is no word, or is listed twice.',
  'cap.duplicate': 'Two caps are for the same asset.',
  'delay.too-long': 'The delay is longer than the contract allows.',
  'policy.too-many': 'The policy has more rules, or more items in one change, than the contract takes.',
} as const satisfies Record<string, string>

/** A key of {@link POLICY_CODES}. */
export type PolicyCode = keyof typeof POLICY_CODES

/** What a compiled policy allows although a careful Owner would hardly want it. Stable codes as {@link POLICY_CODES}. */
export const POLICY_WARNINGS = {
  'uncapped.accept-token': 'Rules let Accept Token leave, and no cap bounds it over time.',
  'uncapped.native': 'Rules let native currency leave, and no cap bounds it over time.',
  'uncapped.charge': 'A rule charges an asset that has no cap, so nothing is charged.',
  'open.recipient': 'A parameter that names who receives or may spend has no condition: the Executor chooses anyone.',
  'open.amount': 'An approval bounds neither amount nor charge.',
} as const satisfies Record<string, string>

/** A key of {@link POLICY_WARNINGS}. */
export type PolicyWarning = keyof typeof POLICY_WARNINGS
