/** A block in which a transaction was seen. */
export type SeenIn = { readonly height: bigint; readonly blockId: string }

/** What a rail notes of a transaction that it was given to send. Never its bytes. */
export type SentTransaction = {
  /** What the rail needs to tell later that it can no longer be included, in the rail's own form: nonce, blockhash, inputs. */
  readonly facts: string
  /** The last block in which it was seen; null before. */
  readonly seenIn: SeenIn | null
}

/**
 * The memory of a rail: an observation gets nothing but a transaction id, also after a restart, and a chain does not tell
 * what became of a transaction that it does not hold. Each method throws when the store fails, and then the call of the
 * rail fails.
 */
export type SentTransactions = {
  /**
   * Whether everything that is ever sent from these wallets, by any process, is noted here durably before it leaves. Only
   * then may a rail conclude from a missing note that a transaction was never sent.
   */
  readonly isComplete: boolean
  /** Notes a transaction before anything of it leaves. The first note of an id stays; answers whether this is the first. */
  readonly note: (transactionId: string, facts: string) => Promise<boolean>
  /** Notes the block in which it was seen. Without a note of the id, nothing happens. */
  readonly noteSeen: (transactionId: string, seenIn: SeenIn) => Promise<void>
  /** Takes a note back: it is certain that nothing left, now or when it was noted. */
  readonly withdraw: (transactionId: string) => Promise<void>
  readonly find: (transactionId: string) => Promise<SentTransaction | undefined>
}

/** The longest facts of a transaction, characters: 100 outputs of Bitcoin and their frame. */
export const MAX_FACTS_LENGTH = 16_384

/** Facts that do not fit. A fault of the rail, not of its input. */
export function assertFacts(facts: string): void {
  if (facts.length > MAX_FACTS_LENGTH)
    throw new RangeError(`sent transactions: got facts of ${facts.length} characters, expected ${MAX_FACTS_LENGTH}`)
}

/** A memory that lives with the process, and says so: after a restart a replaced transaction stays pending forever. */
export function createMemorySentTransactions(): SentTransactions {
  const notes = new Map<string, SentTransaction>()
  return {
    isComplete: false,
    note: async (transactionId, facts) => {
      assertFacts(facts)
      if (notes.has(transactionId)) return false
      notes.set(transactionId, { facts, seenIn: null })
      return true
    },
    noteSeen: async (transactionId, seenIn) => {
      const note = notes.get(transactionId)
      if (note !== undefined) notes.set(transactionId, { ...note, seenIn })
    },
    withdraw: async (transactionId) => {
      notes.delete(transactionId)
    },
    find: async (transactionId) => notes.get(transactionId),
  }
}
