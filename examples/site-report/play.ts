import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskHash } from '@oikos/core'
import { DEFAULT_TENDER_LIMITS } from '@oikos/runtime/operator'
import { createWorkshop, reportWorker } from '@oikos/runtime/workers'
import {
  type Asset,
  cancelTaskAndWait,
  freezeTaskAndWait,
  getEscrowBalance,
  listSubmissions,
  mintTaskAndWait,
  nativeAsset,
  reclaimEscrowAndWait,
  rejectFulfillmentAndWait,
  setTaskURIAndWait,
  simulateRejectFulfillment,
  type TaskTarget,
  toOikosError,
  updateTaskAndWait,
} from '@oikos/sdk'
import { parseEther } from 'viem'
import { type PaidOrder, playPurchase } from '../economic/play.ts'
import type { HiredOperator } from '../market/operators.ts'
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

const folder = import.meta.dirname
const windowSec = 604_800n

/** Money of one tender, in smallest units of its asset. */
type Purse = { asset: Asset; reward: bigint; fromResearcher: bigint; fromPatron: bigint }

/** In the token that the Agent is paid in. */
function inDollars(asset: Asset): Purse {
  return { asset, reward: 1_200_000_000n, fromResearcher: 1_000_000_000n, fromPatron: 500_000_000n }
}

/** In native currency, which every account has. */
const inEther: Purse = {
  asset: nativeAsset,
  ...{ reward: parseEther('1.2'), fromResearcher: parseEther('1'), fromPatron: parseEther('0.5') },
}

/** Where the money of the report tender went, in smallest units of the dollar. */
export type ReportOutcome = {
  target: TaskTarget
  paid: bigint
  refundedToResearcher: bigint
  refundedToPatron: bigint
  vaultLeft: bigint
  /** What the Agent bought for the second delivery. */
  bought: PaidOrder
}

/** The log of a meter, and where its keeper sells it. */
const logOrder = {
  memo: 'The log of the meter in Wels: the report must explain the readings of September 2025.',
  ...{ origin: 'https://meters.example.org', resource: '/wels/log', priceAtomic: parseEther('0.0003') },
} as const
/** Name of the log for the worker that reads it. */
const logName = 'wels-meter-log'

/** A tender that a person judges: one revision before the freeze, one refusal, and one silence that pays. */
export async function playSiteReport(stage: Stage, operator: HiredOperator): Promise<ReportOutcome> {
  const { client, deployment, dollar, say } = stage
  const { agent, name } = operator
  const purse = inDollars(dollar)
  say.chapter('A report on energy readings: judged, revised, refused, and paid by default')
  const target = await openTender(stage, purse)
  await fund(stage, target, purse)

  const workshop = await createWorkshop({ workers: [reportWorker] })
  const tenders = {
    ...DEFAULT_TENDER_LIMITS,
    markets: [{ task: deployment.taskToken, fromBlock: deployment.deployedAtBlock }],
    rewards: [{ asset: dollar.address, minRewardAtomic: 500_000_000n }],
  }
  say.step(`${name}’s operator`, 'finds the tender, verifies package and money, works, and delivers a report.')
  await verifyAgainstChain(stage, target)
  operator.retrain({ workshop, settings: { tenders } })
  await operator.act()
  await tellDelivery(stage, target)

  say.step('The judge', 'refuses it by name: the outlier of September is named and not explained from a source.')
  tellTransaction(stage, await rejectFulfillmentAndWait(client.judge, { ...target, submissionId: 1n }))

  say.step('The operator', `tells ${name} where the log of that meter is sold, and gives it one more attempt.`)
  let bought: PaidOrder | undefined
  operator.retrain({
    buy: async ({ idempotencyKey }) => {
      const goods: unknown = JSON.parse(await readFile(join(folder, 'shop', `${logName}.json`), 'utf8'))
      bought = await playPurchase(stage, { ...logOrder, key: keyOf(idempotencyKey), goods })
      const { body, evidence } = bought
      return {
        ok: true,
        bytes: body,
        paidAtomic: logOrder.priceAtomic,
        evidence: { digest: evidence.digest, uri: evidence.uri },
      }
    },
    settings: {
      tenders: {
        ...tenders,
        maxAttemptsPerTender: 2n,
        resources: {
          [reportWorker.name]: [
            {
              name: logName,
              url: `${logOrder.origin}${logOrder.resource}`,
              ...{ asset: 'evm:native:eth', maxPriceAtomic: parseEther('0.0005') },
            },
          ],
        },
      },
      budget: {
        ...{ gasWei: parseEther('1'), spendAtomic: 0n },
        purchasesAtomic: { 'evm:native:eth': parseEther('0.001') },
      },
    },
  })
  await operator.act()
  if (bought === undefined) throw new Error('nothing was bought')
  say.fact('paid with', `${bought.evidence.digest}: the record of the delivery links the Evidence`)
  await tellDelivery(stage, target)

  say.step('The judge', 'says nothing for a week. Refusal is over, and the delivery can be claimed.')
  await stage.passTime(windowSec + 1n)
  await showLateRefusal(stage, target, 2n)

  say.step(`${name}’s operator`, 'claims the delivery that silence has accepted.')
  const before = await balanceOf(stage, agent)
  await operator.act()
  const paid = (await balanceOf(stage, agent)) - before
  say.fact('paid', `${amount(paid, dollar)} to ${name}, so to its holders`)
  say.check(`npm run oikos -- task show ${target.tokenId}`)

  say.step('The funders', 'take back what is left, each in proportion.')
  await cancelTaskAndWait(client.researcher, target)
  const toResearcher = await reclaimEscrowAndWait(client.researcher, target)
  const toPatron = await reclaimEscrowAndWait(client.patron, target)
  tellTransaction(stage, toResearcher)
  tellTransaction(stage, toPatron)
  const [refundedToResearcher, refundedToPatron] = [toResearcher.event.args.amount, toPatron.event.args.amount]
  say.fact('refunds', `${amount(refundedToResearcher, dollar)} and ${amount(refundedToPatron, dollar)}`)
  const vaultLeft = await getEscrowBalance(client.stranger, target)
  say.fact('in the vault', amount(vaultLeft, dollar))
  return { target, paid, refundedToResearcher, refundedToPatron, vaultLeft, bought }
}

/** The key of the operator as the identifier of a payment: one key is one payment. */
function keyOf(idempotencyKey: string): string {
  return `buy.${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)}`
}

async function tellDelivery(stage: Stage, target: TaskTarget): Promise<void> {
  const { submissions } = await listSubmissions(stage.client.stranger, { ...target, order: 'newest' })
  const [last] = submissions
  if (last === undefined) throw new Error('nothing was delivered')
  stage.say.fact('resultHash', `${last.resultHash}, the hash of the delivered package`)
}

/** The same tender once more, left open for whoever reads along. */
export async function openSiteReport(stage: Stage): Promise<TaskTarget> {
  stage.say.chapter('The same tender again, open: deliver to it yourself')
  const target = await openTender(stage, inEther)
  await fund(stage, target, inEther)
  return target
}

async function openTender(stage: Stage, { asset, reward }: Purse): Promise<TaskTarget> {
  const { client, say, deployment } = stage
  say.step('The researcher', 'packs the task and mints a tender that one judge decides.')
  const version1 = await packTask(stage)
  const minted = await mintTaskAndWait(client.researcher, {
    task: deployment.taskToken,
    to: addressOf(stage, 'researcher'),
    updateAuthority: addressOf(stage, 'researcher'),
    acceptanceAuthority: addressOf(stage, 'judge'),
    tdHash: version1.tdHash,
    taskHash: version1.taskHash,
    taskURI: version1.uri,
    terms: {
      asset: asset.address,
      rewardPerCompletionAtomic: reward,
      maxCompletions: 1n,
      submitBySec: 0n,
      settleBySec: 0n,
      epochLengthSec: 0n,
      maxCompletionsPerEpoch: 0n,
      judgmentWindowSec: windowSec,
    },
  })
  const target: TaskTarget = { task: deployment.taskToken, tokenId: minted.event.args.tokenId }
  tellTransaction(stage, minted)
  say.fact('taskHash', version1.taskHash)

  say.step(
    'The researcher',
    'asks for one more column, and for outliers explained from a source: version 2, chained to version 1. Then the task is frozen.',
  )
  const version2 = await packTask(stage, version1.taskHash)
  const { tdHash, taskHash, uri } = version2
  tellTransaction(stage, await updateTaskAndWait(client.researcher, { ...target, tdHash, taskHash }))
  await setTaskURIAndWait(client.researcher, { ...target, taskURI: uri })
  tellTransaction(stage, await freezeTaskAndWait(client.researcher, target))
  say.fact('taskHash', taskHash)
  say.check(`npm run oikos -- task verify ${target.tokenId}`)
  return target
}

/** Version 1 is the folder `task`; version 2 is the same folder with the files of `revision` laid over it. */
async function packTask(stage: Stage, previous?: TaskHash): Promise<PublishedPackage> {
  const parent = await mkdtemp(join(tmpdir(), 'oikos-report-'))
  try {
    const source = join(parent, 'energy-report')
    await cp(join(folder, 'task'), source, { recursive: true })
    if (previous !== undefined) await cp(join(folder, 'revision'), source, { recursive: true })
    return await publishPackage(stage, source, {
      spec: 'spec/report.yaml',
      specProfile: 'x-report-table-v1',
      acceptance: 'acceptance/rubric.md',
      acceptanceProfile: 'x-rubric-v1',
      maxCompletions: 1n,
      ...(previous === undefined ? {} : { version: 2n, prev: previous }),
    })
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

async function fund(stage: Stage, target: TaskTarget, { asset, fromResearcher, fromPatron }: Purse): Promise<void> {
  stage.say.step('The researcher', `puts in ${amount(fromResearcher, asset)}, a patron ${amount(fromPatron, asset)}.`)
  await fundTender(stage, 'researcher', target, { asset, amountAtomic: fromResearcher })
  await fundTender(stage, 'patron', target, { asset, amountAtomic: fromPatron })
}

async function showLateRefusal(stage: Stage, target: TaskTarget, submissionId: bigint): Promise<void> {
  try {
    await simulateRejectFulfillment(stage.client.judge, { ...target, submissionId })
  } catch (error) {
    stage.say.note(`A late refusal is refused: ${toOikosError(error).shortMessage}`)
    return
  }
  throw new Error('the judge could refuse after the window')
}
