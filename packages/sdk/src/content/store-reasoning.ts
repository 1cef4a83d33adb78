import { type Cid, keccak256, rawCidOf } from '@oikos/core'
import type { BuiltReasoning } from '@oikos/core/reasoning'
import { OikosError } from '../errors/oikos-error.ts'
import type { ContentStore } from './content-store.ts'
import type { StoredReasoning } from './stored-reasoning.ts'

/** A reasoning record is not in the store as it was built, so nothing may cite it. */
export class ReasoningNotStoredError extends OikosError {
  override readonly name = 'ReasoningNotStoredError'
  readonly cid: Cid
  /** `inconsistent`: the record itself; `other-address`, `missing`, `other-bytes`: what the store made of it. */
  readonly fault: 'inconsistent' | 'other-address' | 'missing' | 'other-bytes'

  constructor(cid: Cid, fault: ReasoningNotStoredError['fault'], problem: string) {
    super(`The reasoning record ${cid} ${problem}, so nothing was sent.`, {
      advice:
        fault === 'inconsistent'
          ? 'Build the record anew.'
          : 'Check the content store and its disk, then try again; nothing may cite a record that cannot be read.',
      retryable: fault === 'missing',
    })
    this.cid = cid
    this.fault = fault
  }
}

/**
 * Stores a record and reads it back before anything cites it. The store is believed in nothing: the bytes that it gives
 * back are compared with those that were built, and hash and CID are computed again.
 * @returns what an agent action cites
 * @throws {@link ReasoningNotStoredError}, and what the store throws
 */
export async function storeReasoning(store: ContentStore, built: BuiltReasoning): Promise<StoredReasoning> {
  const { record, bytes, reasoningHash, cid, reasoningURI } = built
  if (keccak256(bytes) !== reasoningHash || rawCidOf(bytes) !== cid || reasoningURI !== `ipfs://${cid}`) {
    throw new ReasoningNotStoredError(cid, 'inconsistent', 'is not what its hash and CID say')
  }
  const storedAs = await store.put(bytes)
  if (storedAs !== cid) {
    throw new ReasoningNotStoredError(cid, 'other-address', `was stored under another address, ${storedAs}`)
  }
  const back = await store.get(cid, { maxBytes: bytes.length })
  if (back === undefined) throw new ReasoningNotStoredError(cid, 'missing', 'was stored and cannot be read back')
  if (back.length !== bytes.length || back.some((byte, index) => byte !== bytes[index])) {
    throw new ReasoningNotStoredError(cid, 'other-bytes', 'was stored and comes back with other bytes')
  }
  return { record, reasoningHash, cid, reasoningURI } as StoredReasoning
}
