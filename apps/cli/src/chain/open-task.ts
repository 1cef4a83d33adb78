import { type Asset, formatTaskRef, getAssetMetadata, getTender, parseTaskRef, type Tender } from '@oikos/sdk'
import type { Address } from 'viem'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { MAX_UINT256, parseWhole } from '../input/number.ts'
import { assertSameChain, type Connection } from './connect.ts'

/** A tender as the command line names it. */
export type TaskTargetOnChain = { readonly chainId: number; readonly task: Address; readonly tokenId: bigint }

/** A tender with everything that commands say about it. */
export type TaskView = {
  readonly connection: Connection
  readonly target: TaskTargetOnChain
  readonly tender: Tender
  readonly asset: Asset
  /** `chainId:contract:number`. */
  readonly ref: string
  /** As the user named it, for the next command. */
  readonly named: string
}

/** Whether a text names a task on the chain rather than a folder. */
export function isTaskName(text: string): boolean {
  return /^[0-9]+$/.test(text) || /^[0-9]+:0x[0-9a-fA-F]*:[0-9]+$/.test(text)
}

/** Finds the tender that a text names: `7` in the task contract of the deployment, or `chainId:contract:7`. */
async function findTask(context: Pick<Context, 'connection'>, text: string): Promise<[Connection, TaskTargetOnChain]> {
  if (!text.includes(':') && !/^[0-9]+$/.test(text)) {
    throw new UsageError(
      `${JSON.stringify(text.slice(0, 80))} names no task.`,
      'Give its number, such as 7, or chain:contract:number.',
    )
  }
  const ref = text.includes(':') ? parseTaskRef(text) : undefined
  const tokenId = ref?.tokenId ?? parseWhole(text, 'task', { min: 1n, max: MAX_UINT256 })
  const connection = await context.connection()
  if (ref !== undefined) assertSameChain(connection, ref.chainId)
  const task = ref?.task ?? (await connection.contract())
  return [connection, { chainId: connection.chainId, task, tokenId }]
}

/** Reads the tender that a text names. Throws what {@link findTask} and getTender throw. */
export async function openTask(context: Pick<Context, 'connection'>, text: string): Promise<TaskView> {
  const [connection, target] = await findTask(context, text)
  const tender = await getTender(connection.client, target)
  const asset = await getAssetMetadata(connection.client, { asset: tender.terms.asset })
  return { connection, target, tender, asset, ref: formatTaskRef(target), named: text }
}
