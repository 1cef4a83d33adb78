import { createPackageReader, type ObjectOpener, parseTaskHash } from '@oikos/core'
import { getTaskBinding, type TaskTarget } from '@oikos/sdk'
import { createContentResolver, fetchTaskPackage, nodeSha256 } from '@oikos/sdk/node'
import type { Hex } from 'viem'
import type { Stage } from '../../market/stage.ts'

/** Largest document that is read, in bytes; those of these examples have a few thousand. */
const maxBytes = 1 << 20

/**
 * What a judge or a worker reads: a package by its hash, every object compared with its CID; documents by their path. Those
 * that no opener opens are left out. Throws when the package does not verify or is not there.
 */
export async function readPackage(
  stage: Stage,
  taskHash: Hex,
  openers: readonly ObjectOpener[] = [],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { verdict, source } = await fetchTaskPackage({
    taskHash: parseTaskHash(taskHash),
    resolver: createContentResolver({ store: stage.store, hash: nodeSha256 }),
    openers,
    limits: { objectBytes: maxBytes },
  })
  if (!verdict.ok || verdict.root === undefined) {
    const codes = verdict.findings.map(({ code }) => code).join(', ')
    throw new Error(`the package ${taskHash} does not verify: ${codes}`)
  }
  const reader = await createPackageReader({ root: verdict.root, source, openers })
  const documents = new Map<string, Uint8Array>()
  for (const document of reader.documents) {
    if (document.state !== 'ciphertext') documents.set(document.path, await reader.read(document))
  }
  return documents
}

/** Reads the package that a tender is bound to now, so that nobody judges by another one. */
export async function readTask(
  stage: Stage,
  target: TaskTarget,
  openers: readonly ObjectOpener[] = [],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { taskHash } = await getTaskBinding(stage.client.stranger, target)
  return readPackage(stage, taskHash, openers)
}

/** The text of one document of a package; empty where it has none of that name, which no check takes for a right one. */
export function textOf(documents: ReadonlyMap<string, Uint8Array>, path: string): string {
  return new TextDecoder().decode(documents.get(path))
}
