/** Largest document that fits on the chain, in bytes. Twin of TaskBindings.sol, MAX_DOCUMENT_BYTES. */
export const MAX_DOCUMENT_BYTES = 24_575
