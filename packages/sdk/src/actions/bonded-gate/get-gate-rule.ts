import { bondedGateAbi } from '@oikos/core/abi'
import { type Address, type Client, zeroAddress } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { GateTarget } from './target.ts'

/** What a bond is and what becomes of it. */
export type GateRule = {
  /** The task contract that the gate serves. */
  readonly task: Address
  /** Token contract of the bond; the zero address is the native currency. */
  readonly bondAsset: Address
  /** Smallest units. */
  readonly bondAtomic: bigint
  /** Part that is lost with a delivery that was judged and refused, in basis points. */
  readonly rejectedBps: number
  /** Part that is lost with a machine-settled delivery whose proof did not come in time, in basis points. */
  readonly expiredBps: number
  /** Who gets what is lost; undefined where nothing is ever lost. */
  readonly beneficiary: Address | undefined
  /** Who rules through the gate while it holds the judgment slot; undefined where it is not to hold one. */
  readonly judge: Address | undefined
}

/** Parameters of {@link getGateRule}. */
export type GetGateRuleParameters = GateTarget & AtBlock

/** What a bond at a gate is, and what becomes of it. It never changes. */
export async function getGateRule(client: Client, parameters: GetGateRuleParameters): Promise<GateRule> {
  const view = { abi: bondedGateAbi, address: parameters.gate, args: [] } as const
  const [task, bondAsset, bondAtomic, rejectedBps, expiredBps, beneficiary, judge] = await Promise.all([
    read(client, parameters, { ...view, functionName: 'TASK' }),
    read(client, parameters, { ...view, functionName: 'ASSET' }),
    read(client, parameters, { ...view, functionName: 'BOND' }),
    read(client, parameters, { ...view, functionName: 'REJECTED_BPS' }),
    read(client, parameters, { ...view, functionName: 'EXPIRED_BPS' }),
    read(client, parameters, { ...view, functionName: 'BENEFICIARY' }),
    read(client, parameters, { ...view, functionName: 'JUDGE' }),
  ])
  const named = (account: Address): Address | undefined => (account === zeroAddress ? undefined : account)
  return {
    ...{ task, bondAsset, bondAtomic, rejectedBps, expiredBps },
    ...{ beneficiary: named(beneficiary), judge: named(judge) },
  }
}
