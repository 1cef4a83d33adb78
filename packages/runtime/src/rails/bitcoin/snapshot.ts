import {
  type ChainSnapshot,
  documentSchema,
  type PaymentIntent,
  seal,
  snapshotShape,
  type Utxo,
} from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { readIntent } from '../adapter/requests.ts'
import { readFromAny } from '../endpoint/index.ts'
import { chooseCoins, distinctRate, listSpendable, type SpendableCoin } from './coins.ts'
import { type BitcoinContext, furthestFirst, rememberTarget } from './context.ts'
import { feeRateOf } from './fee-rate.ts'
import type { BitcoinNode } from './node.ts'

/** Observes the chain for an intent: its height, what a byte costs, and what the wallet can spend. */
export async function snapshotBitcoin(context: BitcoinContext, intentText: string, sink: PushSink): Promise<void> {
  const { account, script, clockMs, validityMs } = context
  const { digest, document } = readIntent('bitcoin', intentText)
  const observedAtMs = clockMs()
  const { height, coins, rate } = await readFromAny(await furthestFirst(context), (node) => observe(context, node))
  if (coins.length === 0) throw new RailRefusalError(`wallet: ${account} has nothing that can be spent now`)
  const { amount_atomic: amount, max_fee_atomic: maxFee } = document.payment
  const chosen = await chooseCoins(context, coins, amount + maxFee, digest)
  const utxos = chosen.coins.map((coin) => utxoOf(coin, script)).sort(compareUtxos)
  const distinct = chosen.isExclusive
    ? rate
    : await distinctRate(context, equalTo(document, height, utxos), rate, digest)
  rememberTarget(context, digest, targetOf(document))
  const snapshot: ChainSnapshot = {
    schema: documentSchema('snapshot'),
    rail: 'bitcoin',
    network: 'regtest',
    observed_at_ms: observedAtMs,
    expires_at_ms: observedAtMs + validityMs,
    state: {
      wallet_script_pubkey: script,
      height,
      fee_rate_sat_vbyte: distinct,
      utxos,
    },
  }
  sink.push(seal('snapshot', snapshotShape, snapshot).bytes)
}

async function observe({ account, feeTargetBlocks, feeRateSatVbyte }: BitcoinContext, node: BitcoinNode) {
  await node.checkNetwork()
  const [{ height, coins }, rate] = await Promise.all([
    listSpendable(node, account),
    feeRateSatVbyte ?? node.getFees(feeTargetBlocks).then(feeRateOf),
  ])
  return { height, coins, rate }
}

/** What makes two payments one transaction, but for the fee rate. */
function equalTo({ payment }: PaymentIntent, height: bigint, utxos: readonly Utxo[]): string {
  const recipient = payment.kind === 'x402' ? payment.payee : payment.recipient
  const [first] = utxos
  return `transfer ${height} ${recipient} ${payment.amount_atomic} ${first?.txid}:${first?.vout}`
}

/** Blocks that an intent wants on its payment; an invoice wants one. Source: notes, section 6, settlement mapping. */
function targetOf({ payment }: PaymentIntent): bigint {
  return payment.kind === 'bitcoin' ? payment.confirmation_target : 1n
}

function utxoOf({ txid, vout, valueAtomic, confirmations }: SpendableCoin, script: string): Utxo {
  return { txid, vout, value_atomic: valueAtomic, script_pubkey: script, confirmations }
}

/** The order of the standard: by transaction id as text, then by index. */
function compareUtxos(left: Utxo, right: Utxo): number {
  if (left.txid !== right.txid) return left.txid < right.txid ? -1 : 1
  return left.vout < right.vout ? -1 : 1
}
