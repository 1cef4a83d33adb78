import { parseTaskHash } from '@oikos/core'
import { getAssetMetadata, listTenders, MAX_TENDERS_PER_PAGE, type Tender } from '@oikos/sdk'
import { type ContentResolver, fetchTaskPackage } from '@oikos/sdk/content'
import { nodeSha256 } from '@oikos/sdk/node'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { z } from 'zod'
import { readJudgment } from '../../../chain/authority.ts'
import type { Connection } from '../../../chain/connect.ts'
import { isOpen } from '../../task/list.ts'
import type { Reach } from '../reach.ts'
import { addressInput, amount, amountOf, asset, assetOf, decimal, decimalInput, hex } from '../schemas.ts'
import type { Call, Loose, Tool } from '../tool.ts'
import { untrusted, untrustedText } from '../untrusted.ts'

/** Tenders that one call looks at. */
const MAX_SCANNED = 300
/** Rows of one result. */
const MAX_ROWS = 50

const input = z.strictObject({
  asset: z
    .union([z.literal('native'), addressInput])
    .optional()
    .describe('only this reward asset'),
  minRewardAtomic: decimalInput.optional().describe('least reward of a completion, smallest units'),
  open: z.boolean().optional().describe('only those that take deliveries now (default true)'),
  minTimeLeftSec: z.int().min(0).max(1_000_000_000).optional().describe('deliveries are taken at least so long'),
  funded: z.boolean().optional().describe('only those whose vault can reserve one more reward'),
  frozen: z.boolean().optional().describe('only those whose content is final'),
  judge: z
    .string()
    .regex(/^[a-z][a-z-]{0,39}$/)
    .optional()
    .describe(
      'only those decided this way: person, hashlock, batch, unknown-verifier, or another kind that show_tender names',
    ),
  profile: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'only those whose package names this profile, of its specification or of its acceptance; roots are fetched',
    ),
  limit: z.int().min(1).max(MAX_ROWS).optional().describe('rows (default 20)'),
  cursor: decimalInput.optional().describe('nextCursor of the result before'),
})

const row = z.strictObject({
  taskRef: z.string(),
  asset,
  reward: amount,
  completionsLeft: z.union([decimal, z.literal('unlimited')]),
  freeInVault: amount,
  isFunded: z.boolean(),
  isOpen: z.boolean(),
  isFrozen: z.boolean(),
  submitBySec: decimal.describe('0 for no limit'),
  judge: z.strictObject({ kind: z.string(), address: hex }),
  taskURI: untrustedText,
  profiles: z.strictObject({ spec: untrustedText, acceptance: untrustedText.optional() }).optional(),
})

const output = z.strictObject({
  chainId: z.number(),
  contract: hex,
  blockNumber: decimal,
  scanned: z.number(),
  tenders: z.array(row),
  unreadable: z.number().describe('tenders whose asset does not answer'),
  nextCursor: decimal.optional().describe('give it as cursor to look further'),
})

/** `search_tenders`. */
export const searchTenders: Tool<typeof input, typeof output> = {
  name: 'search_tenders',
  title: 'Search tenders',
  description:
    'Finds tenders of the task contract, the newest first, by asset, reward, deadline, money, finality, judge and profile. Facts are from the chain; texts of publishers are marked as untrusted.',
  input,
  output,
  effects: 'reads',
  deadlineMs: 60_000,
  run: async (reach, wanted, call) => {
    const connection = await reach.connection()
    const { client, chainId } = connection
    const contract = await connection.contract()
    const limit = wanted.limit ?? 20
    const rows: Loose<z.output<typeof row>>[] = []
    let cursor = wanted.cursor === undefined ? undefined : BigInt(wanted.cursor)
    let blockNumber: bigint | undefined
    let scanned = 0
    let unreadable = 0
    do {
      const page = await listTenders(client, {
        ...{ task: contract, order: 'newest', pageSize: Math.min(MAX_TENDERS_PER_PAGE, 25) },
        ...(cursor === undefined ? {} : { cursor }),
        ...(blockNumber === undefined ? {} : { blockNumber }),
      })
      blockNumber = page.blockNumber
      unreadable += page.unreadable.length
      cursor = page.nextCursor
      for (const tender of page.tenders) {
        call.signal.throwIfAborted()
        scanned += 1
        if (rows.length === limit) {
          cursor = tender.tokenId
          break
        }
        const found = matches(tender, wanted) ? await rowOf(reach, connection, tender, wanted, call) : undefined
        if (found !== undefined) rows.push(found)
      }
      call.progress(scanned, `${scanned} tenders looked at`)
    } while (cursor !== undefined && rows.length < limit && scanned < MAX_SCANNED)
    return {
      ...{ chainId, contract, blockNumber, scanned, tenders: rows, unreadable },
      ...(cursor === undefined ? {} : { nextCursor: cursor }),
    }
  },
}

type Wanted = z.output<typeof input>

function matches(tender: Tender, wanted: Wanted): boolean {
  const { terms, blockTimestampSec: nowSec } = tender
  const addressOf = (name: string): Address => (name === 'native' ? zeroAddress : (name as Address))
  const endSec = terms.submitBySec === 0n ? terms.settleBySec : terms.submitBySec
  return (
    (wanted.open === false || isOpen(tender)) &&
    (wanted.asset === undefined || isAddressEqual(terms.asset, addressOf(wanted.asset))) &&
    (wanted.minRewardAtomic === undefined || terms.rewardPerCompletionAtomic >= BigInt(wanted.minRewardAtomic)) &&
    (wanted.minTimeLeftSec === undefined || endSec === 0n || endSec >= nowSec + BigInt(wanted.minTimeLeftSec)) &&
    (wanted.funded !== true || isFunded(tender)) &&
    (wanted.frozen !== true || tender.frozen)
  )
}

/** What is in the vault and promised to no delivery, smallest units. */
function freeOf({ shares, pending, terms }: Tender): bigint {
  const free = shares.fundersAtomic + shares.residualAtomic - pending * terms.rewardPerCompletionAtomic
  return free > 0n ? free : 0n
}

function isFunded(tender: Tender): boolean {
  return freeOf(tender) >= tender.terms.rewardPerCompletionAtomic
}

async function rowOf(
  reach: Reach,
  connection: Connection,
  tender: Tender,
  wanted: Wanted,
  call: Call,
): Promise<Loose<z.output<typeof row>> | undefined> {
  const { task, tokenId, terms, acceptanceAuthority, binding } = tender
  const { client, chainId } = connection
  const target = { chainId, task, tokenId }
  const judgment = await readJudgment(connection, target, acceptanceAuthority, await connection.knownDeployment())
  if (wanted.judge !== undefined && judgment.kind !== wanted.judge) return undefined
  const profiles =
    wanted.profile === undefined ? undefined : await profilesOf(await reach.resolver(), tender, call.signal)
  if (wanted.profile !== undefined && profiles?.spec !== wanted.profile && profiles?.acceptance !== wanted.profile) {
    return undefined
  }
  const reward = await getAssetMetadata(client, { asset: terms.asset })
  const left = terms.maxCompletions - tender.completions - tender.pending
  const root = `package ${binding.taskHash}`
  return {
    taskRef: `${chainId}:${task}:${tokenId}`,
    asset: assetOf(reward),
    reward: amountOf(terms.rewardPerCompletionAtomic, reward),
    completionsLeft: terms.maxCompletions === 0n ? 'unlimited' : left,
    freeInVault: amountOf(freeOf(tender), reward),
    isFunded: isFunded(tender),
    isOpen: isOpen(tender),
    isFrozen: tender.frozen,
    submitBySec: terms.submitBySec,
    judge: { kind: judgment.kind, address: judgment.address },
    taskURI: untrusted('publisher of the tender', tender.taskURI),
    ...(profiles && {
      profiles: {
        spec: untrusted(root, profiles.spec),
        ...(profiles.acceptance === undefined ? {} : { acceptance: untrusted(root, profiles.acceptance) }),
      },
    }),
  }
}

/** Profiles that the root of a package names; the root is believed because of its hash. */
async function profilesOf(
  resolver: ContentResolver,
  { binding, taskURI }: Tender,
  signal: AbortSignal,
): Promise<{ readonly spec: string; readonly acceptance: string | undefined } | undefined> {
  const taskHash = parseTaskHash(binding.taskHash)
  const { verdict } = await fetchTaskPackage({
    ...{ taskHash, level: 'root', uri: taskURI, resolver, hash: nodeSha256, signal },
  })
  const { root } = verdict
  return root === undefined ? undefined : { spec: root.spec.profile, acceptance: root.acceptance?.profile }
}
