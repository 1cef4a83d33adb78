import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  buildReceiptTree,
  commitBatchRootAndWait,
  getBlockMoment,
  getVault,
  reclaimEscrowAndWait,
  releaseExpiredAndWait,
  settleFulfillmentAndWait,
  simulateReclaimEscrow,
  simulateSettleFulfillment,
  simulateSubmitFulfillment,
  type TaskTarget,
} from '@oikos/sdk'
import { type Hex, sha256, stringToHex } from 'viem'
import { amount, publishPackage, type Stage, tellTransaction, verifyAgainstChain } from '../../market/stage.ts'
import { giveDollars } from '../../treasury/tokens.ts'
import { auditMarket } from '../stage/audit.ts'
import { daySec, minuteSec, nowSec } from '../stage/clock.ts'
import { accountForMoney } from '../stage/money.ts'
import { listDeliveries, type MarketOutcome } from '../stage/outcome.ts'
import { type Cast, castParties } from '../stage/parties.ts'
import { showRefusal } from '../stage/refusal.ts'
import { deliverAs, freezeTender, fundAs, mintTender } from '../stage/tender.ts'
import { checkPairs } from './check-pairs.ts'

const folder = import.meta.dirname
// in the smallest units of the dollar
const reward = 40_000_000n
const batches = 4n

type Players = Cast<'shop' | 'ines' | 'jonas' | 'squatter'>
/** A batch, whoever labels it, and what a receipt turns into. */
type Batch = { number: number; labeller: 'ines' | 'jonas'; resultHash: Hex; proof: Hex }

/**
 * Four batches of labels, each paid by a contract against a receipt. Two labellers, one squatter on two places; a batch
 * done badly is paid when it is corrected, another never is, and its reward goes back when the time is over.
 */
export async function playLabelling(stage: Stage): Promise<MarketOutcome> {
  const { client, dollar, say } = stage
  say.chapter('Labelling: batches that a contract settles against receipts')
  const cast = await castParties(stage, 20, ['shop', 'ines', 'jonas', 'squatter'])
  await giveDollars(client.demander, dollar, cast.shop.account.address, 160n)
  const { number: fromBlock } = await getBlockMoment(client.stranger)

  const target = await openTender(stage, cast)
  const [first, second, third, fourth] = (await commitReceipts(stage, cast, target)) as [Batch, Batch, Batch, Batch]
  say.step('The shop', 'funds all four batches.')
  await fundAs(stage, cast.shop, target, { asset: dollar, amountAtomic: batches * reward })

  say.step('A squatter', 'takes two of the four places with junk that no receipt will ever open.')
  const junk = [await squat(stage, cast, target, 'one'), await squat(stage, cast, target, 'two')]

  say.step('Ines', 'verifies package and money, labels batches 1 and 2, and shows batch 1.')
  await verifyAgainstChain(stage, target)
  await earnReceipt(stage, first)
  await deliverAndSettle(stage, cast, target, first)
  const stolen = { ...target, submissionId: junk[0] ?? 0n, proof: first.proof }
  await showRefusal(
    stage,
    { what: "Settling the squatter's delivery with the proof of batch 1", because: 'ProofNotAccepted' },
    simulateSettleFulfillment(cast.squatter, stolen),
  )
  say.step('Ines', 'shows batch 2.')
  await earnReceipt(stage, second)
  await deliverAndSettle(stage, cast, target, second)

  say.step('Jonas', 'labels batch 3 by counting words in common, and shows it.')
  await missReceipt(stage, 3, 'batch-3-first-try')
  say.step('Jonas', 'does it again, this time by the rules.')
  await earnReceipt(stage, third)
  const delivery = { ...target, resultHash: third.resultHash, resultURI: '' }
  await showRefusal(
    stage,
    { what: 'Delivering while junk holds the places', because: 'CompletionsExhausted' },
    simulateSubmitFulfillment(cast.jonas, delivery),
  )

  say.step('Anyone', 'releases both places when the day of the junk is over.')
  await stage.passTime(daySec + 1n)
  for (const submissionId of junk) {
    tellTransaction(stage, await releaseExpiredAndWait(client.stranger, { ...target, submissionId }))
  }
  await deliverAndSettle(stage, cast, target, third)

  say.step('Jonas', `follows an instruction that stands in a title of batch ${fourth.number}.`)
  await missReceipt(stage, fourth.number, 'batch-4')

  await closeTender(stage, cast, target)
  const money = await accountForMoney(stage, {
    asset: dollar,
    fromBlock,
    expected: [
      { who: 'shop', account: cast.shop.account.address, movedAtomic: -120_000_000n },
      { who: 'ines', account: cast.ines.account.address, movedAtomic: 80_000_000n },
      { who: 'jonas', account: cast.jonas.account.address, movedAtomic: 40_000_000n },
      { who: 'squatter', account: cast.squatter.account.address, movedAtomic: 0n },
      { who: 'vault', account: await getVault(client.stranger, target), movedAtomic: 0n },
    ],
  })
  const audit = await auditMarket(stage, target)
  return { target, deliveries: await listDeliveries(stage, target), money, audit }
}

async function openTender(stage: Stage, cast: Players): Promise<TaskTarget> {
  stage.say.step('The shop', 'packs the task, mints a tender that the receipt verifier settles, and freezes it.')
  const published = await publishPackage(stage, join(folder, 'task'), {
    spec: 'spec/pairs.yaml',
    specProfile: 'x-label-pairs-v1',
    acceptance: 'acceptance/receipts.md',
    acceptanceProfile: 'x-batch-receipt-merkle-minage-v1',
    maxCompletions: batches,
  })
  const now = await nowSec(stage)
  const target = await mintTender(stage, cast.shop, {
    published,
    judge: stage.deployment.batchReceiptVerifier,
    asset: stage.dollar,
    terms: {
      rewardPerCompletionAtomic: reward,
      maxCompletions: batches,
      judgmentWindowSec: daySec,
      submitBySec: now + 7n * daySec,
      settleBySec: now + 10n * daySec,
    },
  })
  await freezeTender(stage, cast.shop, target)
  return target
}

async function commitReceipts(stage: Stage, cast: Players, target: TaskTarget): Promise<Batch[]> {
  stage.say.step('The shop', 'draws a secret receipt for each batch and labeller, and commits to all by one root.')
  const labellers = ['ines', 'ines', 'jonas', 'jonas'] as const
  const receipts = labellers.map((labeller) => ({
    receipt: new Uint8Array(randomBytes(32)),
    fulfiller: cast[labeller].account.address,
  }))
  const tree = buildReceiptTree(receipts)
  const commitment = { ...target, verifier: stage.deployment.batchReceiptVerifier, root: tree.root }
  tellTransaction(stage, await commitBatchRootAndWait(cast.shop, { ...commitment, minAgeSec: minuteSec }))
  stage.say.fact('root', tree.root)
  return labellers.map((labeller, index) => {
    const [resultHash, proof] = [tree.leaves[index], tree.proofs[index]]
    if (resultHash === undefined || proof === undefined) throw new Error(`the tree has no leaf ${index}`)
    return { number: index + 1, labeller, resultHash, proof }
  })
}

function squat(stage: Stage, cast: Players, target: TaskTarget, word: string): Promise<bigint> {
  return deliverAs(stage, cast.squatter, target, { resultHash: sha256(stringToHex(word)), resultURI: '' })
}

function check(number: number, delivery: string) {
  return checkPairs({
    batch: join(folder, 'task', 'data', `batch-${number}.csv`),
    gold: join(folder, 'qa', `gold-${number}.csv`),
    delivery: join(folder, 'deliveries', `${delivery}.csv`),
  })
}

async function earnReceipt(stage: Stage, { number }: Batch): Promise<void> {
  const { passed, agreed, checked, problem } = await check(number, `batch-${number}`)
  if (!passed) throw new Error(`batch ${number} does not pass: ${agreed} of ${checked}, ${problem}`)
  stage.say.fact('check', `batch ${number}: ${agreed} of ${checked} secret labels agree, the receipt is handed over`)
}

async function missReceipt(stage: Stage, number: number, delivery: string): Promise<void> {
  const { passed, agreed, checked, problem } = await check(number, delivery)
  if (passed || problem !== undefined) throw new Error(`${delivery} was meant to fail by its labels alone`)
  stage.say.fact('check', `batch ${number}: ${agreed} of ${checked} secret labels agree, no receipt`)
}

async function deliverAndSettle(stage: Stage, cast: Players, target: TaskTarget, batch: Batch): Promise<void> {
  const { number, labeller, resultHash, proof } = batch
  const submissionId = await deliverAs(stage, cast[labeller], target, { resultHash, resultURI: '' })
  await stage.passTime(minuteSec)
  stage.say.step('Anyone', `settles batch ${number} with its proof.`)
  tellTransaction(stage, await settleFulfillmentAndWait(stage.client.stranger, { ...target, submissionId, proof }))
}

async function closeTender(stage: Stage, cast: Players, target: TaskTarget): Promise<void> {
  const { say } = stage
  await showRefusal(
    stage,
    { what: 'Taking the rest back while the tender is open', because: 'TenderStillOpen' },
    simulateReclaimEscrow(cast.shop, target),
  )
  say.step('The shop', 'takes back what nobody earned, when the time to settle is over.')
  await stage.passTime(9n * daySec)
  const refund = await reclaimEscrowAndWait(cast.shop, target)
  tellTransaction(stage, refund)
  say.fact('refund', amount(refund.event.args.amount, stage.dollar))
}
