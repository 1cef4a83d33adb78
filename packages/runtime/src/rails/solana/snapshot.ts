import {
  type ChainSnapshot,
  documentSchema,
  type PaymentIntent,
  type Sealed,
  seal,
  snapshotShape,
} from '@oikos/core/economic'
import {
  address,
  blockhash as asBlockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64Decoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { PushSink } from '../../economic/host.ts'
import { readIntent } from '../adapter/requests.ts'
import { readFromAny } from '../endpoint/index.ts'
import { type ClaimedBlockhash, claimBlockhash } from './claim.ts'
import { BLOCKHASH_LIFE, furthestFirst, rememberBlockhash, type SolanaContext } from './context.ts'
import type { LatestBlockhash, SolanaNode } from './node.ts'

type Intent = Sealed<'intent', PaymentIntent>

/** Blocks are 400 ms apart; a sixth of a blockhash's life is left for the broadcast. Milliseconds. */
const PLANNED_BLOCK_MS = 333n

/** Observes the cluster for an intent: a recent blockhash and what a signature costs. */
export async function snapshotSolana(context: SolanaContext, intentText: string, sink: PushSink): Promise<void> {
  const { account, clockMs, validityMs } = context
  const intent = readIntent('solana', intentText)
  const observedAtMs = clockMs()
  const { taken, lamportsPerSignature } = await readFromAny(await furthestFirst(context), (node) =>
    observe(context, node, intent),
  )
  const left = (BLOCKHASH_LIFE - taken.age) * PLANNED_BLOCK_MS
  rememberBlockhash(context, taken.blockhash, taken)
  const snapshot: ChainSnapshot = {
    schema: documentSchema('snapshot'),
    rail: 'solana',
    network: 'devnet',
    observed_at_ms: observedAtMs,
    expires_at_ms: observedAtMs + (left < validityMs ? left : validityMs),
    state: {
      fee_payer: account,
      recent_blockhash: taken.blockhash,
      last_valid_block_height: taken.lastValidBlockHeight,
      lamports_per_signature: lamportsPerSignature,
    },
  }
  sink.push(seal('snapshot', snapshotShape, snapshot).bytes)
}

async function observe(
  context: SolanaContext,
  node: SolanaNode,
  intent: Intent,
): Promise<{ readonly taken: ClaimedBlockhash; readonly lamportsPerSignature: bigint }> {
  await node.checkNetwork()
  const taken = await claimBlockhash(context, node, intent)
  const fee = await node.getFee(emptyMessage(context.account, taken), 'confirmed')
  if (fee === undefined) throw node.malformed('getFeeForMessage', 'does not know the blockhash that it has just given')
  return { taken, lamportsPerSignature: fee }
}

/** A message of one signature and no instruction, in base64: what it costs is the price of a signature. */
function emptyMessage(account: string, { blockhash, lastValidBlockHeight }: LatestBlockhash): string {
  const lifetime = { blockhash: asBlockhash(blockhash), lastValidBlockHeight }
  const message = setTransactionMessageLifetimeUsingBlockhash(
    lifetime,
    setTransactionMessageFeePayer(address(account), createTransactionMessage({ version: 0 })),
  )
  return getBase64Decoder().decode(compileTransaction(message).messageBytes)
}
