import { type Asset, type Deployment, formatAmount, getAssetMetadata, listTenders, type Tender } from '@oikos/sdk'
import { type Address, getAddress } from 'viem'
import type { Connection } from '../../chain/connect.ts'
import { CHAIN_OPTIONS, type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { MAX_UINT256, parseWhole } from '../../input/number.ts'
import { tableLines } from '../../output/layout.ts'
import { roughDuration } from '../../output/speech.ts'

/** `oikos task list`: the market, one row a task. */
export const list: CommandSpec = {
  name: 'list',
  summary: 'list tasks, the newest first',
  options: [
    { flags: '--limit <count>', text: 'rows of a page, at most 100 (default 25)' },
    { flags: '--cursor <number>', text: 'first task of the page, as the page before named it' },
    { flags: '--oldest', text: 'the oldest first' },
    { flags: '--open', text: 'leave out tasks of this page that take no deliveries' },
    ...OUTPUT_OPTIONS,
    ...CHAIN_OPTIONS,
  ],
  examples: ['oikos task list', 'oikos task list --open --json', 'oikos task list --oldest --limit 10'],
  run: async (context, input) => {
    const { output } = context
    const cursor = input.text('cursor')
    const pageSize = Number(parseWhole(input.text('limit') ?? '25', '--limit', { min: 1n, max: 100n }))
    const from = cursor === undefined ? {} : { cursor: parseWhole(cursor, '--cursor', { min: 1n, max: MAX_UINT256 }) }
    const connection = await context.connection()
    const task = await connection.contract()
    const order = input.flag('oldest') ? 'oldest' : 'newest'
    const page = await listTenders(connection.client, { task, pageSize, order, ...from })
    const tenders = input.flag('open') ? page.tenders.filter(isOpen) : page.tenders
    const deployment = await connection.knownDeployment()
    const assets = await readAssets(connection, tenders)
    const unreadable = page.unreadable.map(({ tokenId, error }) => ({ tokenId, message: error.shortMessage }))
    output.result(
      {
        ok: true,
        chainId: connection.chainId,
        contract: task,
        blockNumber: page.blockNumber,
        tasks: tenders.map((tender) => ({ ...tender, asset: assets.get(tender.terms.asset), open: isOpen(tender) })),
        unreadable,
        nextCursor: page.nextCursor,
      },
      tenders.length === 0
        ? ['No tasks.']
        : tableLines(
            COLUMNS,
            tenders.map((tender) => row(tender, assets.get(tender.terms.asset), deployment)),
            output.paint,
          ),
    )
    for (const { tokenId, message } of unreadable) output.say(`Task ${tokenId} cannot be read: ${message}`)
    const [first] = tenders
    output.next(
      ...(first === undefined ? ['task init my-task'] : [`task show ${first.tokenId}`]),
      ...(page.nextCursor === undefined ? [] : [`task list --cursor ${page.nextCursor}`]),
    )
    return EXIT.done
  },
}

const COLUMNS = [
  { title: 'task', align: 'right' },
  { title: 'reward', align: 'right' },
  { title: 'left', align: 'right' },
  { title: 'in the vault', align: 'right' },
  { title: 'deliver until' },
  { title: 'pending', align: 'right' },
  { title: 'decided by' },
  { title: 'state' },
] as const

/** Whether a task takes a delivery now, as far as its own terms decide. */
export function isOpen({ cancelled, terms, completions, pending, blockTimestampSec: nowSec }: Tender): boolean {
  const isPast = (limit: bigint): boolean => limit !== 0n && nowSec > limit
  const isFull = terms.maxCompletions !== 0n && completions + pending >= terms.maxCompletions
  return !cancelled && !isFull && !isPast(terms.submitBySec) && !isPast(terms.settleBySec)
}

async function readAssets(connection: Connection, tenders: readonly Tender[]): Promise<ReadonlyMap<Address, Asset>> {
  const addresses = [...new Set(tenders.map(({ terms }) => terms.asset))]
  const entries = addresses.map(async (asset) => [asset, await getAssetMetadata(connection.client, { asset })] as const)
  return new Map(await Promise.all(entries))
}

function row(tender: Tender, asset: Asset | undefined, deployment: Deployment | undefined): string[] {
  const { terms, blockTimestampSec: nowSec } = tender
  const amount = (amountAtomic: bigint) => (asset === undefined ? `${amountAtomic}` : formatAmount(amountAtomic, asset))
  const left = terms.maxCompletions === 0n ? 'unlimited' : String(terms.maxCompletions - tender.completions)
  const until = terms.submitBySec === 0n ? terms.settleBySec : terms.submitBySec
  return [
    String(tender.tokenId),
    amount(terms.rewardPerCompletionAtomic),
    left,
    amount(tender.balanceAtomic),
    until === 0n ? 'no limit' : until < nowSec ? 'over' : `in ${roughDuration(until - nowSec)}`,
    String(tender.pending),
    judgeText(getAddress(tender.acceptanceAuthority), deployment),
    tender.cancelled ? 'cancelled' : isOpen(tender) ? (tender.frozen ? 'open' : 'open, unfrozen') : 'closed',
  ]
}

/** A short address is enough to tell rows apart; `task show` has it in full. */
function judgeText(judge: Address, deployment: Deployment | undefined): string {
  if (judge === deployment?.hashlockVerifier) return 'hash lock'
  if (judge === deployment?.batchReceiptVerifier) return 'receipts'
  return `${judge.slice(0, 8)}…${judge.slice(-6)}`
}
