import { MAX_RECORD_BYTES } from '@oikos/core/reasoning'
import type { Context } from '../../context.ts'
import { NotFoundError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import { plain } from '../../output/plain.ts'

/** `<record>` as commands take it. */
export const RECORD = ['<record>', 'URI (ipfs://…), CID, or file'] as const

/** The bytes of a record, where they came from, and its URI when it was named by one. */
export type RecordSource = { readonly bytes: Uint8Array; readonly from: string; readonly uri?: string }

const CID_TEXT = /^b[a-z2-7]{58}$/

/**
 * Reads a record that a text names. What has a scheme is fetched, a CID as `ipfs://`; anything else is a file.
 * @throws NotFoundError, UsageError
 */
export async function readRecordSource(context: Context, text: string): Promise<RecordSource> {
  const uri = CID_TEXT.test(text) ? `ipfs://${text}` : text
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) {
    const bytes = await readInputFile(context.terminal.cwd, text, { maxBytes: MAX_RECORD_BYTES })
    return { bytes, from: 'file' }
  }
  const resolver = await context.resolver()
  const resolved = await resolver.resolve(uri, { maxBytes: MAX_RECORD_BYTES, signal: context.terminal.signal })
  if (resolved.ok) return { bytes: resolved.bytes, from: resolved.from, uri }
  throw new NotFoundError(
    `The record ${plain(uri)} cannot be had: ${plain(resolved.message)}.`,
    'Add --gateway <url>, or --content <folder> with another store.',
  )
}
