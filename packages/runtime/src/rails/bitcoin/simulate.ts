import {
  bitcoinTxid,
  type DecodedPsbt,
  decodePsbt,
  documentSchema,
  type PaymentPlan,
  refOf,
  seal,
  simulationShape,
} from '@oikos/core/economic'
import { Transaction } from '@scure/btc-signer'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { claimFor } from '../adapter/claim.ts'
import { readPlan, refuseUnreadable } from '../adapter/requests.ts'
import { readFromAny } from '../endpoint/index.ts'
import { listSpendable } from './coins.ts'
import { type BitcoinContext, furthestFirst, rememberTarget } from './context.ts'
import { isFeeEnough } from './fee-rate.ts'
import { type BitcoinNode, outpointName } from './node.ts'

/**
 * Tries the planned transfer on the newest state. No node tries what is not signed, so each of its conditions is looked at:
 * every input is unspent and worth what the plan says, no output is dust, the fee is still relayed, and no other payment has
 * the same transaction. Throws RailRefusalError where one does not hold.
 */
export async function simulateBitcoin(
  context: BitcoinContext,
  planText: string,
  unsigned: Uint8Array,
  sink: PushSink,
): Promise<void> {
  const { document, ...sealed } = readPlan('bitcoin', planText, unsigned)
  const psbt = refuseUnreadable('unsigned transaction', () => decodePsbt(unsigned))
  requireOutputs(psbt, document)
  const feeAtomic = sum(psbt.inputs.map(({ spends }) => spends)) - sum(psbt.outputs)
  const vbytes = vbytesOf(psbt)
  if (!(await claimFor(context.sent, `unsigned ${document.unsigned_transaction.digest}`, document.intent.digest)))
    throw new RailRefusalError(
      'plan: an equal payment is about to spend the same outputs; try again after the next block',
    )
  const nodes = await furthestFirst(context)
  const beforeAtomic = await readFromAny(nodes, (node) => tryTransfer(context, node, psbt, { feeAtomic, vbytes }))
  const afterAtomic = beforeAtomic - document.amount_atomic - feeAtomic
  if (afterAtomic < 0n)
    throw new RailRefusalError(`wallet: has ${beforeAtomic} satoshi, expected ${document.amount_atomic + feeAtomic}`)
  const target = context.targets.get(document.intent.digest)
  if (target !== undefined) rememberTarget(context, unsignedId(unsigned), target)
  const simulation = seal('simulation', simulationShape, {
    schema: documentSchema('simulation'),
    plan: refOf({ document, ...sealed }),
    success: true,
    fee_atomic: feeAtomic,
    balance_before_atomic: beforeAtomic,
    balance_after_atomic: afterAtomic,
    allowance_atomic: null,
    units: vbytes,
    expires_at_ms: document.expires_at_ms,
  })
  sink.push(simulation.bytes)
}

/** Below this, nodes do not relay an output of this kind, satoshi: 98 bytes at 3 satoshi. Source: Bitcoin Core, GetDustThreshold. */
const DUST_ATOMIC = 294n

function requireOutputs({ outputs }: DecodedPsbt, { amount_atomic: amount }: PaymentPlan): void {
  if (!outputs.some(({ valueAtomic }) => valueAtomic === amount))
    throw new RailRefusalError('unsigned transaction: no output pays the amount of the plan')
  const dust = outputs.find(({ valueAtomic }) => valueAtomic < DUST_ATOMIC)
  if (dust !== undefined)
    throw new RailRefusalError(
      `output: pays ${dust.valueAtomic} satoshi, which nodes do not relay below ${DUST_ATOMIC}`,
    )
}

/** Looks at every condition on one node. Gives what the wallet can spend. */
async function tryTransfer(
  { account, script, feeTargetBlocks }: BitcoinContext,
  node: BitcoinNode,
  psbt: DecodedPsbt,
  { feeAtomic, vbytes }: { readonly feeAtomic: bigint; readonly vbytes: bigint },
): Promise<bigint> {
  await node.checkNetwork()
  const [{ coins }, fees] = await Promise.all([listSpendable(node, account), node.getFees(feeTargetBlocks)])
  const known = new Map(coins.map((coin) => [outpointName(coin), coin.valueAtomic]))
  for (const { txid, vout, spends } of psbt.inputs) {
    if (spends.script !== script) throw new RailRefusalError(`input ${txid}:${vout}: not the wallet's`)
    const listed = known.get(outpointName({ txid, vout }))
    const worth = listed ?? (await node.getUnspent({ txid, vout }))?.valueAtomic
    if (worth === undefined) throw new RailRefusalError(`input ${txid}:${vout}: spent by something else, or not there`)
    if (worth !== spends.valueAtomic)
      throw new RailRefusalError(`input ${txid}:${vout}: worth ${worth} satoshi, the plan has ${spends.valueAtomic}`)
  }
  if (!isFeeEnough(feeAtomic, vbytes, fees))
    throw new RailRefusalError(`fee: ${feeAtomic} satoshi for ${vbytes} virtual bytes are not enough by now`)
  return sum(coins)
}

function sum(worth: readonly { readonly valueAtomic: bigint }[]): bigint {
  return worth.reduce((total, { valueAtomic }) => total + valueAtomic, 0n)
}

/** Weight of what every transaction with witnesses has, of an input with the longest signature, and of an output. Source: BIP 141. */
const [FRAME_WEIGHT, INPUT_WEIGHT, OUTPUT_WEIGHT] = [42, 272, 124] as const

/** The most virtual bytes that the signed transaction can have, with less than 253 inputs and outputs. */
function vbytesOf({ inputs, outputs }: DecodedPsbt): bigint {
  const weight = FRAME_WEIGHT + INPUT_WEIGHT * inputs.length + OUTPUT_WEIGHT * outputs.length
  return BigInt(Math.ceil(weight / 4))
}

/** The transaction id: with these inputs it does not depend on the signatures. Source: BIP 141. */
function unsignedId(psbt: Uint8Array): string {
  return bitcoinTxid(Transaction.fromPSBT(psbt).unsignedTx)
}
