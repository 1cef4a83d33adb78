import {
  type DecodedSolanaMessage,
  decodeSolanaMessage,
  documentSchema,
  refOf,
  seal,
  simulationShape,
} from '@oikos/core/economic'
import { getBase64Decoder } from '@solana/kit'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { readPlan, refuseUnreadable } from '../adapter/requests.ts'
import { readFromAny } from '../endpoint/index.ts'
import { furthestFirst, type SolanaContext } from './context.ts'
import type { SolanaNode } from './node.ts'

/** Tries the unsigned message of a plan on a node, which runs it against its accounts without keeping the outcome. */
export async function simulateSolana(
  context: SolanaContext,
  planText: string,
  unsigned: Uint8Array,
  sink: PushSink,
): Promise<void> {
  const plan = readPlan('solana', planText, unsigned)
  const message = refuseUnreadable('message', () => decodeSolanaMessage(unsigned))
  const payer = message.accounts[0]
  if (payer !== context.account)
    throw new RailRefusalError(`message: paid by ${payer}, expected the wallet ${context.account}`)
  const trial = await readFromAny(await furthestFirst(context), (node) => tryMessage(node, unsigned, context.account))
  const simulation = seal('simulation', simulationShape, {
    schema: documentSchema('simulation'),
    plan: refOf(plan),
    success: true,
    fee_atomic: trial.feeAtomic,
    balance_before_atomic: trial.beforeAtomic,
    balance_after_atomic: trial.afterAtomic,
    allowance_atomic: null,
    units: unitsOf(message),
    expires_at_ms: plan.document.expires_at_ms,
  })
  sink.push(simulation.bytes)
}

type Trial = { readonly feeAtomic: bigint; readonly beforeAtomic: bigint; readonly afterAtomic: bigint }

async function tryMessage(node: SolanaNode, unsigned: Uint8Array, account: string): Promise<Trial> {
  await node.checkNetwork()
  const [feeAtomic, beforeAtomic, { error, payerLamports }] = await Promise.all([
    node.getFee(getBase64Decoder().decode(unsigned), 'confirmed'),
    node.getBalance(account, 'confirmed'),
    node.simulate(unsignedWire(unsigned), account, 'confirmed'),
  ])
  if (feeAtomic === undefined)
    throw new RailRefusalError('message: its blockhash is no longer good, or of another fork')
  if (error !== null || payerLamports === null) throw new RailRefusalError(`transfer: would fail: ${error}`)
  return { feeAtomic, beforeAtomic, afterAtomic: payerLamports }
}

/** A transaction of one signature that is still missing. Source: Solana documentation, "Transactions", wire format. */
function unsignedWire(message: Uint8Array): string {
  return getBase64Decoder().decode(Uint8Array.of(1, ...new Uint8Array(64), ...message))
}

const SET_COMPUTE_UNIT_LIMIT = 2

/** The compute limit that the first instruction sets: a byte, then 32 bits, least significant first. */
function unitsOf(message: DecodedSolanaMessage): bigint {
  const data = message.instructions[0]?.data ?? new Uint8Array(0)
  if (data.length !== 5 || data[0] !== SET_COMPUTE_UNIT_LIMIT)
    throw new RailRefusalError('message: the first instruction is not the compute limit')
  return BigInt(new DataView(data.buffer, data.byteOffset).getUint32(1, true))
}
