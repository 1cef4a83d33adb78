import { cidCodec, MAX_OBJECT_BYTES } from '@oikos/core'
import { type FolderStore, openContentStore } from '@oikos/sdk/node'

/** Puts every object of a folder of objects into a store. Throws the reason of an aborted signal. */
export async function copyObjects(folder: string, store: FolderStore, signal: AbortSignal): Promise<void> {
  const objects = await openContentStore(folder)
  for await (const cid of objects.list()) {
    signal.throwIfAborted()
    if (await store.renew(cid)) continue
    const bytes = await objects.get(cid, { maxBytes: MAX_OBJECT_BYTES })
    if (bytes !== undefined) await store.put(bytes, cidCodec(cid))
  }
}
