import type { BuiltReasoning } from '@oikos/core/reasoning'

declare const stored: unique symbol

/**
 * A reasoning record that a content store holds and gave back byte for byte. Only storeReasoning makes one, so that no
 * transaction cites a record that nobody can read.
 */
export type StoredReasoning = Omit<BuiltReasoning, 'bytes'> & { readonly [stored]: true }
