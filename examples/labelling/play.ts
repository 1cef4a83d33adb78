import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  buildReceiptTree,
  cancelTaskAndWait,
  commitBatchRootAndWait,
  freezeTaskAndWait,
  getEscrowBalance,
  getVault,
  mintTaskAndWait,
  reclaimEscrowAndWait,
  releaseExpiredAndWait,
  settleFulfillmentAndWait,
  simulateSettleFulfillment,
  submitFulfillmentAndWait,
  type TaskTarget,
  toOikosError,
} from '@oikos/sdk'
import { type Address, erc20Abi, sha256, stringToHex } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import {
  addressOf,
  amount,
  balanceOf,
  fundTender,
  type PublishedPackage,
  publishPackage,
  type Stage,
  tellTransaction,
  verifyAgainstChain,
} from '../market/stage.ts'
import { deliverAs } from '../treasury/act.ts'
import { checkBatch } from './check-batch.ts'

const folder = import.meta.dirname
// in the smallest units of the dollar
const reward = 250_000_000n
const contribution = 750_000_000n
const gift = 100_000_000n
const minAgeSec = 60n
const windowSec = 86_400n

/** Where the money of the labelling tender went, in smallest units of the dollar. */
export type LabellingOutcome = { target: TaskTarget; paid: bigint[]; refunded: bigint; vaultLeft: bigint }

/** One batch, from its labels to its payment. */
type Batch = { number: number; resultHash: `0x${string}`; proof: `0x${string}` }

/**
 * A tender that no person judges: three batches of labels, each paid against a receipt that the demander's checking
 * process gives for labels that pass. The Agent delivers; its tender pays it.
 */
export async function playLabelling(stage: Stage, agent: Address): Promise<LabellingOutcome> {
  const { client, say, deployment } = stage
  say.chapter('Labels for support messages: settled by a machine, batch by batch')

  say.step('The demander', 'packs the task and publishes its objects.')
  const published = await publishPackage(stage, join(folder, 'task'), {
    spec: 'spec/intents.yaml',
    specProfile: 'x-intent-labels-v1',
    acceptance: 'acceptance/batch-receipts.md',
    acceptanceProfile: 'x-batch-receipt-merkle-minage-v1',
    maxCompletions: 3n,
  })
  say.fact('taskHash', published.taskHash)
  say.fact('files', published.uri)

  say.step('The demander', 'mints the tender with the receipt verifier in the judgment slot, and freezes it.')
  const minted = await mintTaskAndWait(client.demander, {
    task: deployment.taskToken,
    to: addressOf(stage, 'demander'),
    updateAuthority: addressOf(stage, 'demander'),
    acceptanceAuthority: deployment.batchReceiptVerifier,
    tdHash: published.tdHash,
    taskHash: published.taskHash,
    taskURI: published.uri,
    terms: {
      asset: stage.dollar.address,
      rewardPerCompletionAtomic: reward,
      maxCompletions: 3n,
      submitBySec: 0n,
      settleBySec: 0n,
      epochLengthSec: 0n,
      maxCompletionsPerEpoch: 0n,
      judgmentWindowSec: windowSec,
    },
  })
  const target: TaskTarget = { task: deployment.taskToken, tokenId: minted.event.args.tokenId }
  tellTransaction(stage, minted)
  await freezeTaskAndWait(client.demander, target)
  say.check(`npm run oikos -- task verify ${target.tokenId}`)

  const batches = await commitReceipts(stage, target, agent)
  await fund(stage, target)

  say.step('The Agent', 'verifies package and money before any work.')
  await verifyAgainstChain(stage, target)
  say.fact('in the vault', amount(await getEscrowBalance(client.operator, target), stage.dollar))
  say.check(`npm run oikos -- task show ${target.tokenId}`)

  const paid: bigint[] = []
  const [first, second, third] = batches as [Batch, Batch, Batch]
  const work = { target, agent, published }
  paid.push(await deliver(stage, work, first, { showMinimumAge: true }))
  await refuseFirstTry(stage)
  paid.push(await deliver(stage, work, second))
  await releaseJunk(stage, target)
  paid.push(await deliver(stage, work, third))

  say.step('The demander', 'closes the tender, and the patron takes back what was not spent.')
  await cancelTaskAndWait(client.demander, target)
  const refund = await reclaimEscrowAndWait(client.patron, target)
  tellTransaction(stage, refund)
  say.fact('refund', `${amount(refund.event.args.amount, stage.dollar)}: rewards had spent the gift first`)
  const vaultLeft = await getEscrowBalance(client.stranger, target)
  say.fact('in the vault', amount(vaultLeft, stage.dollar))
  return { target, paid, refunded: refund.event.args.amount, vaultLeft }
}

async function commitReceipts(stage: Stage, target: TaskTarget, fulfiller: Address): Promise<Batch[]> {
  stage.say.step('The demander', 'draws a secret receipt for each batch and commits to all of them by one root.')
  const receipts = [1, 2, 3].map(() => ({ receipt: new Uint8Array(randomBytes(32)), fulfiller }))
  const tree = buildReceiptTree(receipts)
  const committed = await commitBatchRootAndWait(stage.client.demander, {
    ...target,
    verifier: stage.deployment.batchReceiptVerifier,
    root: tree.root,
    minAgeSec,
  })
  tellTransaction(stage, committed)
  stage.say.fact('root', tree.root)
  return receipts.map((_, index) => {
    const [resultHash, proof] = [tree.leaves[index], tree.proofs[index]]
    if (resultHash === undefined || proof === undefined) throw new Error(`the tree has no leaf ${index}`)
    return { number: index + 1, resultHash, proof }
  })
}

async function fund(stage: Stage, target: TaskTarget): Promise<void> {
  const { client, dollar, say } = stage
  say.step(
    'A patron',
    `funds the tender with ${amount(contribution, dollar)}, and a stranger gives ${amount(gift, dollar)} by plain transfer.`,
  )
  await fundTender(stage, 'patron', target, { asset: dollar, amountAtomic: contribution })
  const vault = await getVault(client.stranger, target)
  const transfer = { abi: erc20Abi, address: dollar.address, functionName: 'transfer', args: [vault, gift] } as const
  const hash = await writeContract(client.stranger, transfer)
  tellTransaction(stage, { hash, receipt: await waitForTransactionReceipt(client.stranger, { hash }) })
  say.fact('vault', vault)
}

/** What the Agent works on. */
type Work = { target: TaskTarget; agent: Address; published: PublishedPackage }

async function deliver(
  stage: Stage,
  { target, agent, published }: Work,
  batch: Batch,
  options: { showMinimumAge?: boolean } = {},
): Promise<bigint> {
  const { client, say } = stage
  say.step('The Agent', `delivers batch ${batch.number}, as fulfiller of record.`)
  const check = await checkBatch({
    batch: join(folder, 'task', 'data', `batch-${batch.number}.jsonl`),
    gold: join(folder, 'qa', `gold-${batch.number}.jsonl`),
    delivery: join(folder, 'deliveries', `batch-${batch.number}.jsonl`),
  })
  if (!check.passed) throw new Error(`batch ${batch.number} does not pass: ${check.agreed} of ${check.checked}`)
  say.fact('check', `${check.agreed} of ${check.checked} secret labels agree: the receipt is handed over`)
  const claims = {
    decision: `Deliver batch ${batch.number} to task ${target.tokenId}.`,
    rationale: `The check agrees with ${check.agreed} of ${check.checked} labels, and the reward lies in the vault.`,
  }
  const links = { packages: [{ taskHash: published.taskHash, uri: published.uri }] }
  const delivery = { ...target, resultHash: batch.resultHash, resultURI: '' }
  const submissionId = await deliverAs(stage, agent, delivery, { claims, links })
  const settlement = { ...target, submissionId, proof: batch.proof }
  if (options.showMinimumAge === true) await showRefusal(stage, settlement)
  await stage.passTime(minAgeSec)

  say.step('Anyone', `settles batch ${batch.number} with the proof.`)
  const before = await balanceOf(stage, agent)
  tellTransaction(stage, await settleFulfillmentAndWait(client.stranger, settlement))
  const paid = (await balanceOf(stage, agent)) - before
  say.fact('paid', `${amount(paid, stage.dollar)} to the Agent, so to its holders`)
  return paid
}

/** A proof that is shown too early settles nothing; the simulation says so before a transaction is paid for. */
async function showRefusal(
  stage: Stage,
  settlement: TaskTarget & { submissionId: bigint; proof: `0x${string}` },
): Promise<void> {
  try {
    await simulateSettleFulfillment(stage.client.stranger, settlement)
  } catch (error) {
    stage.say.note(`Settling at once is refused: ${toOikosError(error).shortMessage}`)
    return
  }
  throw new Error('a proof settled before its minimum age')
}

async function refuseFirstTry(stage: Stage): Promise<void> {
  stage.say.step('The Agent', 'labels batch 2 in a hurry.')
  const check = await checkBatch({
    batch: join(folder, 'task', 'data', 'batch-2.jsonl'),
    gold: join(folder, 'qa', 'gold-2.jsonl'),
    delivery: join(folder, 'deliveries', 'batch-2-first-try.jsonl'),
  })
  if (check.passed) throw new Error('the first try was meant to fail')
  stage.say.fact('check', `${check.agreed} of ${check.checked} secret labels agree: no receipt, nothing to submit`)
}

async function releaseJunk(stage: Stage, target: TaskTarget): Promise<void> {
  const { client, say } = stage
  say.step('A stranger', 'squats the last slot with junk that no proof will ever open.')
  const junk = { ...target, resultHash: sha256(stringToHex('junk')), resultURI: '' }
  const submitted = await submitFulfillmentAndWait(client.stranger, junk)
  tellTransaction(stage, submitted)
  await stage.passTime(windowSec + 1n)
  say.step('Anyone', 'releases the slot when the window has passed.')
  const { submissionId } = submitted.event.args
  tellTransaction(stage, await releaseExpiredAndWait(client.operator, { ...target, submissionId }))
}
