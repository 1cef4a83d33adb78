import type { Admission } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { parseCanonical, precheck, quotedBytes, refuseAs, requireRerender } from '../canonical.ts'
import { documentSchema } from '../catalog.ts'
import { transactionMismatch } from '../diagnostics.ts'
import type { BuiltTransaction } from '../rails/built.ts'
import type { DocumentRef } from '../references.ts'
import { refShape, sameRef } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { refOf, sealText } from '../sealed.ts'
import { flag, nullable, oneOf, record, u64 } from '../shape.ts'
import type { PaymentPlan } from './plan.ts'
import type { ChainSnapshot } from './snapshot.ts'
import { TRANSFER_GAS } from './snapshot.ts'

/** What an adapter says the planned transaction would do. Amounts in the smallest unit. Source: notes, section 3. */
export type Simulation = {
  readonly schema: 'semaprax.economic-agent-simulation.v1'
  readonly plan: DocumentRef<'plan'>
  readonly success: boolean
  readonly fee_atomic: bigint
  readonly balance_before_atomic: bigint
  readonly balance_after_atomic: bigint
  /** Zero on EVM, null elsewhere. */
  readonly allowance_atomic: bigint | null
  /** Gas on EVM, compute units on Solana, any positive number on Bitcoin. */
  readonly units: bigint
  readonly expires_at_ms: bigint
}

/** Canonical form of a simulation. */
export const simulationShape = record<Simulation>({
  schema: oneOf(documentSchema('simulation')),
  plan: refShape('plan'),
  success: flag,
  fee_atomic: u64,
  balance_before_atomic: u64,
  balance_after_atomic: u64,
  allowance_atomic: nullable(u64),
  units: u64,
  expires_at_ms: u64,
})

/** What a simulation is compared with. */
export type SimulationContext = {
  readonly admission: Admission
  readonly snapshot: Sealed<'snapshot', ChainSnapshot>
  readonly plan: Sealed<'plan', PaymentPlan>
  readonly built: BuiltTransaction
}

const refuse = refuseAs('simulation')
const disagree = (detail: string): never => {
  throw transactionMismatch(detail)
}

/**
 * Reads a simulation of a plan. Throws SPX-G216, SPX-G217, SPX-G210 and SPX-G213 in the order of the notes, section 14;
 * fee and units are also tied to the built transaction (D22).
 */
export function parseSimulation(
  bytes: Uint8Array,
  context: SimulationContext,
  meter?: Meter,
): Sealed<'simulation', Simulation> {
  precheck('simulation', bytes, context.admission.policy.document.limits, meter)
  const { object, text } = parseCanonical('simulation', bytes)
  const fields = simulationShape.readKeys(object, refuse, 'simulation')
  const success = flag.read(fields.success, refuse, 'success')
  const plan = refShape('plan').read(fields.plan, disagree, 'plan')
  if (!sameRef(plan, refOf(context.plan)) || !success) return disagree('another plan, or no success')
  const simulation = simulationShape.read(object, refuse, 'simulation')
  checkSimulation(simulation, context)
  meter?.charge(quotedBytes(plan.schema, plan.digest))
  requireRerender('simulation', simulationShape, simulation, text)
  return sealText('simulation', simulation, text, bytes)
}

function checkSimulation(simulation: Simulation, context: SimulationContext): void {
  const { settlement } = context.admission
  const { fee_atomic: fee, balance_before_atomic: before, balance_after_atomic: after } = simulation
  if (fee > settlement.maxFeeAtomic) disagree(`fee_atomic: got ${fee}, expected at most ${settlement.maxFeeAtomic}`)
  const spent = after + settlement.amountAtomic + fee
  if (before !== spent) disagree('balances: before is not after, amount and fee')
  const allowance = settlement.rail === 'evm' ? 0n : null
  if (simulation.allowance_atomic !== allowance) disagree(`allowance_atomic: expected ${allowance}`)
  checkUnits(simulation.units, context)
  const observed = context.snapshot.document.observed_at_ms
  const planEnd = context.plan.document.expires_at_ms
  if (simulation.expires_at_ms <= observed || simulation.expires_at_ms > planEnd)
    disagree(`expires_at_ms: expected more than ${observed} and at most ${planEnd}`)
  checkFee(fee, context.built)
}

function checkUnits(units: bigint, context: SimulationContext): void {
  const { settlement } = context.admission
  switch (settlement.rail) {
    case 'evm':
      if (units !== TRANSFER_GAS) disagree(`units: got ${units}, expected ${TRANSFER_GAS}`)
      return
    case 'solana':
      if (units !== settlement.maxComputeUnits) disagree(`units: got ${units}, expected ${settlement.maxComputeUnits}`)
      return
    case 'bitcoin':
      if (units === 0n) disagree('units: expected more than zero')
      return
    default:
      settlement satisfies never
  }
}

/** The fee of a built transaction is exact, except on EVM, where the base fee of the block decides below the cap. */
function checkFee(fee: bigint, built: BuiltTransaction): void {
  const possible = built.rail === 'evm' ? fee <= built.feeAtomic : fee === built.feeAtomic
  if (!possible) disagree(`fee_atomic: got ${fee}, the transaction pays ${built.feeAtomic}`)
}
