import { createPackageReader, type ObjectOpener, parseTaskHash } from '@oikos/core'
import { createContentResolver, fetchTaskPackage, nodeSha256 } from '@oikos/sdk/node'
import type { Hex } from 'viem'
import type { Stage } from '../../market/stage.ts'

/** Largest document of a delivery that a judge of these examples reads, in bytes. */
const maxBytes = 1 << 20

/**
 * What a judge reads: the delivered package by its hash, every object compared with its CID; documents by their path. Those
 * that no opener opens are left out. Throws when the package does not verify or is not there.
 */
export async function readDelivery(
  stage: Stage,
  resultHash: Hex,
  openers: readonly ObjectOpener[] = [],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { verdict, source } = await fetchTaskPackage({
    taskHash: parseTaskHash(resultHash),
    resolver: createContentResolver({ store: stage.store, hash: nodeSha256 }),
    openers,
    limits: { objectBytes: maxBytes },
  })
  if (!verdict.ok || verdict.root === undefined) {
    throw new Error(
      `the delivery ${resultHash} does not verify: ${verdict.findings.map(({ code }) => code).join(', ')}`,
    )
  }
  const reader = await createPackageReader({ root: verdict.root, source, openers })
  const documents = new Map<string, Uint8Array>()
  for (const document of reader.documents) {
    if (document.state !== 'ciphertext') documents.set(document.path, await reader.read(document))
  }
  return documents
}

/** The text of one document of a delivery; empty where it has none of that name, which no check takes for a right one. */
export function textOf(documents: ReadonlyMap<string, Uint8Array>, path: string): string {
  return new TextDecoder().decode(documents.get(path))
}
