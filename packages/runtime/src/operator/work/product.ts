import { DEFAULT_SPEC_PROFILE, PackageInputError, PackageRootError, packTaskPackage, type TaskHash } from '@oikos/core'
import type { ContentStore } from '@oikos/sdk/content'
import type { WorkProduct } from '../../workers/worker.ts'

/** A delivery that lies in the content store. */
export type PackedDelivery = { readonly resultHash: TaskHash; readonly resultURI: string }

/** Name of the document that says what a delivery is, where the worker wrote none. */
const PRIMARY = 'DELIVERY.md'

/**
 * Packs what a worker made in the form of a task package, so that one verifier serves both sides, and stores every object. The
 * same files give the same hash.
 * @returns a sentence where the files make no package
 */
export async function packProduct(
  content: ContentStore,
  { files, summary }: WorkProduct,
  task: string,
): Promise<PackedDelivery | string> {
  const own = [...files.keys()].sort().map((path) => `- ${path}`)
  const text = [`# Delivery to task ${task}`, '', summary, '', ...own, ''].join('\n')
  const all = files.has(PRIMARY) ? files : new Map([...files, [PRIMARY, new TextEncoder().encode(text)]])
  try {
    const packed = packTaskPackage({
      files: all,
      primary: PRIMARY,
      specProfile: DEFAULT_SPEC_PROFILE,
      name: 'delivery',
    })
    for (const [cid, bytes] of packed.blocks) await content.put(bytes, cid === packed.rootCid ? 'dag-cbor' : 'raw')
    return { resultHash: packed.taskHash, resultURI: `ipfs://${packed.rootCid}` }
  } catch (cause) {
    if (cause instanceof PackageInputError || cause instanceof PackageRootError) return cause.message
    throw cause
  }
}
