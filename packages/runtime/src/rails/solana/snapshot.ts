import { type ChainSnapshot, documentSchema, seal, snapshotShape } from '@oikos/core/economic'
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
import { furthestFirst, rememberBlockhash, type SolanaContext } from './context.ts'
import type { LatestBlockhash, SolanaNode } from './node.ts'

/** Observes the cluster for an intent: a recent blockhash and what a signature costs. */
export async function snapshotSolana(context: SolanaContext, intentText: string, sink: PushSink): Promise<void> {
  const { account, clockMs, validityMs } = context
  readIntent('solana', intentText)
  const observedAtMs = clockMs()
  const { latest, lamportsPerSignature } = await readFromAny(await furthestFirst(context), (node) =>
    observe(node, account),
  )
  rememberBlockhash(context, latest.blockhash, latest)
  const snapshot: ChainSnapshot = {
    schema: documentSchema('snapshot'),
    rail: 'solana',
    network: 'devnet',
    observed_at_ms: observedAtMs,
    expires_at_ms: observedAtMs + validityMs,
    state: {
      fee_payer: account,
      recent_blockhash: latest.blockhash,
      last_valid_block_height: latest.lastValidBlockHeight,
      lamports_per_signature: lamportsPerSignature,
    },
  }
  sink.push(seal('snapshot', snapshotShape, snapshot).bytes)
}

async function observe(
  node: SolanaNode,
  account: string,
): Promise<{ readonly latest: LatestBlockhash; readonly lamportsPerSignature: bigint }> {
  await node.checkNetwork()
  const latest = await node.getLatestBlockhash('confirmed')
  const fee = await node.getFee(emptyMessage(account, latest), 'confirmed')
  if (fee === undefined) throw node.malformed('getFeeForMessage', 'does not know the blockhash that it has just given')
  return { latest, lamportsPerSignature: fee }
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
