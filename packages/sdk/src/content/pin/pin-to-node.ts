import { type BlockSource, type Cid, cidCodec, MAX_OBJECT_BYTES } from '@oikos/core'
import { planCar } from '../export-car.ts'
import { askService, memberOf, type PinEndpoint, quote } from './ask-service.ts'
import { PinError } from './pin-error.ts'

/** What a node pinned. */
export type NodePin = {
  readonly cid: Cid
  /** Blocks that were given to the node before it pinned. */
  readonly uploaded: number
}

/**
 * Gives an IPFS node the blocks of a root and has it pin the root with all below. The node's answers are compared with what was
 * asked. Doing it again does no harm. Source: Kubo RPC, `/api/v0/block/put` and `/api/v0/pin/add`.
 * @param options.source where the blocks are; absent: the node must have or find them itself
 * @throws {@link PinError}; CarError where the source lacks a block
 */
export async function pinToNode(
  endpoint: PinEndpoint,
  options: { readonly cid: Cid; readonly source?: BlockSource },
): Promise<NodePin> {
  const { cid, source } = options
  const uploaded = source === undefined ? 0 : await uploadBlocks(endpoint, cid, source)
  const answer = await askService(endpoint, `/api/v0/pin/add?arg=${cid}&recursive=true`, { method: 'POST' })
  const pins = memberOf(answer, 'Pins')
  if (!Array.isArray(pins) || !pins.includes(cid)) {
    throw new PinError('bad-answer', `the node does not say that it pinned it: ${quote(JSON.stringify(answer))}`, {
      cid,
    })
  }
  return { cid, uploaded }
}

async function uploadBlocks(endpoint: PinEndpoint, cid: Cid, source: BlockSource): Promise<number> {
  const { blocks } = await planCar({ source, roots: [cid], ...(endpoint.signal && { signal: endpoint.signal }) })
  // leaves first, so that the node never has a root that it cannot complete
  for (const block of blocks.toReversed()) {
    const bytes = await source.get(block, { maxBytes: MAX_OBJECT_BYTES })
    if (bytes === undefined) throw new PinError('failed', `${block} is not there to be given to the node`, { cid })
    const form = new FormData()
    form.append('data', new Blob([new Uint8Array(bytes)]), 'block')
    const path = `/api/v0/block/put?cid-codec=${cidCodec(block)}&mhtype=sha2-256&allow-big-block=true`
    const answer = await askService(endpoint, path, { method: 'POST', body: form })
    if (memberOf(answer, 'Key') !== block) {
      throw new PinError('bad-answer', `the node stored ${block} under ${quote(String(memberOf(answer, 'Key')))}`, {
        cid,
      })
    }
  }
  return blocks.length
}
