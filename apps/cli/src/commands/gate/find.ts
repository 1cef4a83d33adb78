import { type Asset, type GateRule, type GateTenderTarget, getAssetMetadata } from '@oikos/sdk'
import type { Address } from 'viem'
import { openCompanion } from '../../chain/open-companion.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

/** A tender with a bonded gate that serves its task contract. */
export type GateView = TaskView & {
  readonly address: Address
  readonly rule: GateRule
  readonly bondAsset: Asset
  readonly at: GateTenderTarget & { readonly task: Address }
}

/** Finds a gate and a task that it serves. Throws UsageError where the gate serves another task contract. */
export async function openGate(context: Context, gateText: string, taskText: string): Promise<GateView> {
  const { address, terms: rule, connection } = await openCompanion(context, gateText, 'bonded-gate')
  const view = await openTask(context, taskText)
  if (rule.task.toLowerCase() !== view.target.task.toLowerCase()) {
    throw new UsageError(
      `The gate ${address} serves the task contract ${rule.task}, and the task is one of ${view.target.task}.`,
      'Check the gate and the task.',
    )
  }
  const bondAsset = await getAssetMetadata(connection.client, { asset: rule.bondAsset })
  const at = { gate: address, task: view.target.task, tokenId: view.target.tokenId }
  return { ...view, address, rule, bondAsset, at }
}

/** The two arguments of most commands about a gate. */
export const GATE_TASK = [
  ['<gate>', 'address of the bonded gate'],
  ['<task>', 'its number, or chain:contract:number'],
] as const

/** As {@link GATE_TASK}, and the number of a delivery. */
export const GATE_DELIVERY = [...GATE_TASK, ['<submission>', 'number of the delivery']] as const

/** An address for examples that run. */
export const EXAMPLE_GATE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
