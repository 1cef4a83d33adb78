import { resolve } from 'node:path'
import { MAX_OBJECT_BYTES, parseSha256Digest, rawCidOf } from '@oikos/core'
import { batchReceiptLeaf, hashlockResultHash, secretResultHash } from '@oikos/sdk'
import { nodeSha256, packSkillFolder } from '@oikos/sdk/node'
import type { Address, Hex } from 'viem'
import { type OptionSpec, STORE_OPTIONS } from '../../command.ts'
import { readSealing, SEAL_OPTIONS } from '../../content/package-options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { readAnswer, readReceipt } from '../../input/receipts.ts'
import { readSecret } from '../../input/secrets.ts'
import { plain } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

/** What a delivery commits to, and where it says that it can be found. */
export type Delivery = { readonly resultHash: Hex; readonly resultURI: string }

/** Options of every command that delivers: what the hash is of, and the URI. */
export const DELIVERY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--file <file>', text: 'for a judge: the work; it is hashed and put into the content store' },
  { flags: '--skill <folder>', text: 'for a judge: a skill package (ERC-8338); it is packed into the content store' },
  { flags: '--entry <path>', text: 'with --skill: what is run (default: SKILL.md)' },
  { flags: '--entry-profile <name>', text: 'with --entry: how it is run, such as python-v1' },
  { flags: '--license <path>', text: 'with --skill: its license (default LICENSE where there is one)' },
  { flags: '--answer <file>', text: 'for a hash lock: the answer' },
  { flags: '--receipt <file>', text: 'for a batch: the receipt that you were given' },
  { flags: '--secret <file>', text: 'for Merkle secrets: the secret that you were given' },
  { flags: '--result-hash <hash>', text: '32 bytes that you computed yourself' },
  { flags: '--uri <uri>', text: 'where the work can be found (default with --file and --skill: ipfs: and its CID)' },
  ...SEAL_OPTIONS,
  ...STORE_OPTIONS,
]

const WAYS = ['file', 'skill', 'answer', 'receipt', 'secret', 'result-hash'] as const

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
  const skill = input.text('skill')
  if (skill !== undefined) return packSkill(context, input, skill, uri)
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

/** Packs a folder as a skill; its `packageHash` is what is delivered. Throws what packSkillFolder throws. */
async function packSkill(context: Context, input: Input, folder: string, uri: string | undefined): Promise<Delivery> {
  const { terminal, output } = context
  const [entry, entryProfile, license] = ['entry', 'entry-profile', 'license'].map((name) => input.text(name))
  const encrypt = await readSealing(context, input)
  const store = input.flag('dry-run') ? undefined : await context.store()
  const { packageHash, rootCid, root } = await packSkillFolder(resolve(terminal.cwd, folder), {
    ...(entry !== undefined && { entry }),
    ...(entryProfile !== undefined && { entryProfile }),
    ...(license !== undefined && { license }),
    ...(encrypt !== undefined && { encrypt }),
    ...(store !== undefined && { store }),
    signal: terminal.signal,
  })
  output.say(
    `Skill package ${packageHash}: ${countOf(1 + (root.files?.size ?? 0), 'document')}, entry ${plain(root.entry.path)}`,
  )
  return { resultHash: packageHash, resultURI: uri ?? `ipfs://${rootCid}` }
}

/** The delivery as a sentence of what a command changes. */
export function deliveryText({ resultHash, resultURI }: Delivery): string {
  return `The delivery has hash ${resultHash}${resultURI === '' ? ' and no URI' : ` and is said to be at ${plain(resultURI)}`}.`
}
