import { MAX_OBJECT_BYTES, parseSha256Digest, rawCidOf } from '@oikos/core'
import { batchReceiptLeaf, hashlockResultHash, secretResultHash } from '@oikos/sdk'
import { nodeSha256 } from '@oikos/sdk/node'
import type { Address, Hex } from 'viem'
import { type OptionSpec, STORE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { readAnswer, readReceipt } from '../../input/receipts.ts'
import { readSecret } from '../../input/secrets.ts'
import { plain } from '../../output/plain.ts'

/** What a delivery commits to, and where it says that it can be found. */
export type Delivery = { readonly resultHash: Hex; readonly resultURI: string }

/** Options of every command that delivers: what the hash is of, and the URI. */
export const DELIVERY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--file <file>', text: 'for a judge: the work; it is hashed and put into the content store' },
  { flags: '--answer <file>', text: 'for a hash lock: the answer' },
  { flags: '--receipt <file>', text: 'for a batch: the receipt that you were given' },
  { flags: '--secret <file>', text: 'for Merkle secrets: the secret that you were given' },
  { flags: '--result-hash <hash>', text: '32 bytes that you computed yourself' },
  { flags: '--uri <uri>', text: 'where the work can be found (default with --file: ipfs: and its CID)' },
  ...STORE_OPTIONS,
]

const WAYS = ['file', 'answer', 'receipt', 'secret', 'result-hash'] as const

/** Refuses a command line that delivers nothing, or several things. Throws UsageError. */
export function assertOneDelivery(input: Input): void {
  const given = WAYS.filter((way) => input.text(way) !== undefined)
  if (given.length === 1) return
  throw new UsageError(
    given.length === 0 ? 'Nothing is delivered.' : `Several things are delivered: --${given.join(', --')}.`,
    `Give one of --${WAYS.join(', --')}.`,
  )
}

/**
 * Computes what is delivered, and keeps the work in the content store where it is a file.
 * @param fulfiller fulfiller of record, to whom results for a verifier are bound
 * @throws UsageError, NotFoundError, DigestFormatError, VerifierProfileError
 */
export async function readDelivery(context: Context, input: Input, fulfiller: Address): Promise<Delivery> {
  const { cwd } = context.terminal
  const [file, answer, receipt, secret] = ['file', 'answer', 'receipt', 'secret'].map((way) => input.text(way))
  const uri = input.text('uri')
  if (file !== undefined) {
    const bytes = await readInputFile(cwd, file, { maxBytes: MAX_OBJECT_BYTES })
    if (!input.flag('dry-run')) await (await context.store()).put(bytes)
    return { resultHash: nodeSha256(bytes), resultURI: uri ?? `ipfs://${rawCidOf(bytes)}` }
  }
  const resultURI = uri ?? ''
  if (answer !== undefined) {
    return { resultHash: hashlockResultHash(await readAnswer(cwd, answer), fulfiller), resultURI }
  }
  if (receipt !== undefined) {
    return { resultHash: batchReceiptLeaf(await readReceipt(cwd, receipt), fulfiller), resultURI }
  }
  if (secret !== undefined) {
    return { resultHash: secretResultHash(await readSecret(cwd, secret), fulfiller), resultURI }
  }
  return { resultHash: parseSha256Digest(input.text('result-hash') ?? ''), resultURI }
}

/** The delivery as a sentence of what a command changes. */
export function deliveryText({ resultHash, resultURI }: Delivery): string {
  return `The delivery has hash ${resultHash}${resultURI === '' ? ' and no URI' : ` and is said to be at ${plain(resultURI)}`}.`
}
