import schema from 'ponder:schema'
import { taskTokenAbi } from '@oikos/core/abi'
import type { Hex } from 'viem'
import { boundText, MAX_URI_LENGTH } from '../../src/ledger/index.ts'
import { unlessForgotten } from './agent-rows.ts'
import { birthOf, chainPlanOf, type Indexing, type Logged, low, placeOf, readerOf } from './kept.ts'
import { rememberJudge, rememberToken } from './known.ts'

/** A row of the table of tenders. */
export type TenderRow = typeof schema.tender.$inferSelect

const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`

/** Key of the tender that an event is of. */
export function tenderKey({ chain }: Indexing, event: Logged, tokenId: bigint) {
  return { chainId: chain.id, contract: low(event.log.address), tokenId }
}

/**
 * The tender that an event is of. The first event of a tender asks for what no event tells: terms, vault, URI. What a
 * foreign contract does not answer stays unknown.
 */
export async function tenderOf(context: Indexing, event: Logged, tokenId: bigint): Promise<TenderRow> {
  const { db, chain } = context
  const key = tenderKey(context, event, tokenId)
  const known = await db.find(schema.tender, key)
  if (known !== null) return known
  const { read } = readerOf(chain.id)
  const about = { address: key.contract, abi: taskTokenAbi, args: [tokenId] } as const
  const at = Number(event.block.number)
  const [terms, vault, uri, binding, owner, updateAuthority, acceptanceAuthority] = await Promise.all([
    read({ ...about, functionName: 'tenderTermsOf', at: 'latest' }),
    read({ ...about, functionName: 'vaultOf', at: 'latest' }),
    unlessForgotten(read({ ...about, functionName: 'taskURI', at })),
    unlessForgotten(read({ ...about, functionName: 'taskOf', at })),
    unlessForgotten(read({ ...about, functionName: 'ownerOf', at })),
    unlessForgotten(read({ ...about, functionName: 'updateAuthorityOf', at })),
    unlessForgotten(read({ ...about, functionName: 'acceptanceAuthorityOf', at })),
  ])
  const told = await db.find(schema.taskOwner, key)
  const row = await db.insert(schema.tender).values({
    ...{ ...key, ...placeOf(event), ...birthOf(event) },
    origin: chainPlanOf(chain.id).taskContracts.includes(key.contract) ? 'oikos' : 'foreign',
    owner: told?.owner ?? orNull(owner),
    ...{ updateAuthority: orNull(updateAuthority), acceptanceAuthority: orNull(acceptanceAuthority) },
    taskUri: boundText(uri ?? '', MAX_URI_LENGTH),
    ...{
      tdHash: binding?.tdHash ?? ZERO_HASH,
      taskHash: binding?.taskHash ?? ZERO_HASH,
      version: binding?.version ?? 0n,
    },
    ...{ isFrozen: false, isCancelled: false, hasOnchainDocument: false },
    ...{ contributed: 0n, escrow: 0n, credited: 0n, completions: 0n, pending: 0n, submissions: 0n },
    ...{ hasTerms: terms !== undefined, vault: orNull(vault) },
    ...(terms === undefined ? {} : { ...terms, asset: low(terms.asset) }),
  })
  if (terms !== undefined) await rememberToken(context, terms.asset)
  if (acceptanceAuthority !== undefined) await rememberJudge(context, acceptanceAuthority)
  return row
}

function orNull(address: Hex | undefined): Hex | null {
  return address === undefined ? null : low(address)
}

/** Changes a tender and notes where. */
export async function changeTender(
  context: Indexing,
  event: Logged,
  tokenId: bigint,
  change: (row: TenderRow) => Partial<Omit<TenderRow, 'chainId' | 'contract' | 'tokenId'>>,
): Promise<void> {
  const key = tenderKey(context, event, tokenId)
  await context.db.update(schema.tender, key).set((row) => ({ ...change(row), ...placeOf(event) }))
}

/** Keeps a step in the history of a tender's settings. */
export async function keepTenderChange(
  context: Indexing,
  event: Logged,
  tokenId: bigint,
  change: { readonly kind: string; readonly from?: string; readonly to?: string },
): Promise<void> {
  await context.db.insert(schema.tenderChange).values({
    ...{ id: event.id, ...tenderKey(context, event, tokenId), ...placeOf(event) },
    ...{ kind: change.kind, from: change.from ?? null, to: change.to ?? null },
  })
}

/** Keeps a movement of a vault. */
export async function keepMovement(
  context: Indexing,
  event: Logged,
  tokenId: bigint,
  movement: { kind: string; account: Hex; amount: bigint; submissionId?: bigint; asset?: Hex },
): Promise<void> {
  const { kind, account, amount, submissionId, asset } = movement
  await context.db.insert(schema.movement).values({
    ...{ id: event.id, ...tenderKey(context, event, tokenId), ...placeOf(event) },
    ...{ kind, account: low(account), amount, submissionId: submissionId ?? null },
    asset: asset === undefined ? null : low(asset),
  })
}
