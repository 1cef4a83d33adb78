/** Bytes of one record (256 KiB): a prompt of 50,000 words. Larger inputs are linked, not pasted; every IPFS node serves a block of this size. */
export const MAX_RECORD_BYTES = 256 * 1024

/** Nesting of a record; a model's trace is data of a few levels. */
export const MAX_RECORD_DEPTH = 16

/** Bytes of a reasoning URI in UTF-8. Source: AgentState.sol, MAX_REASONING_URI_BYTES. */
export const MAX_REASONING_URI_BYTES = 2_048

/** Links of one kind in one record; a batch of settlements has 128 members and seldom as many documents. */
export const MAX_LINKS = 64
