import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskHash } from '@oikos/core'
import {
  type Asset,
  cancelTaskAndWait,
  claimUnjudgedAndWait,
  freezeTaskAndWait,
  getEscrowBalance,
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
import { type Address, parseEther } from 'viem'
import { type PaidOrder, playPurchase } from '../economic/play.ts'
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
import { explainOutliers, findOutliers, readReadings } from './outliers.ts'

const folder = import.meta.dirname
const windowSec = 604_800n

/** Money of one tender, in smallest units of its asset. */
type Purse = { asset: Asset; reward: bigint; fromDemander: bigint; fromPatron: bigint }

/** In the token that the Agent is paid in. */
function inDollars(asset: Asset): Purse {
  return { asset, reward: 1_200_000_000n, fromDemander: 1_000_000_000n, fromPatron: 500_000_000n }
}

/** In native currency, which every account has. */
const inEther: Purse = {
  asset: nativeAsset,
  ...{ reward: parseEther('1.2'), fromDemander: parseEther('1'), fromPatron: parseEther('0.5') },
}

/** Where the money of the report tender went, in smallest units of the dollar. */
export type ReportOutcome = {
  target: TaskTarget
  paid: bigint
  refundedToDemander: bigint
  refundedToPatron: bigint
  vaultLeft: bigint
  /** What the Agent bought for the second delivery. */
  bought: PaidOrder
}

/** The log of a meter that the Agent buys, and where its keeper sells it. */
const logOrder = {
  key: 'atlas.wels-meter-log',
  memo: 'The log of the meter in Wels: the report must explain the readings of September 2025.',
  ...{ origin: 'https://meters.example.org', resource: '/wels/log', priceAtomic: parseEther('0.0003') },
} as const
/** Where the log stands in the delivery. */
const sourceFile = 'sources/wels-meter-log.json'

/** A tender that a person judges: one revision before the freeze, one refusal, and one silence that pays. */
export async function playSiteReport(stage: Stage, agent: Address): Promise<ReportOutcome> {
  const { client, dollar, say } = stage
  const purse = inDollars(dollar)
  say.chapter('A report on energy readings: judged, revised, refused, and paid by default')
  const target = await openTender(stage, purse)
  await fund(stage, target, purse)

  say.step('The Agent', 'verifies package and money, works, and delivers a report.')
  await verifyAgainstChain(stage, target)
  const work = { target, agent, purse }
  const first = await deliverFolder(stage, work, 'first', join(folder, 'deliveries', 'first'))

  say.step('The judge', 'refuses it by name: no night column, and no word on the outlier, both of version 2.')
  tellTransaction(stage, await rejectFulfillmentAndWait(client.judge, { ...target, submissionId: first }))

  const bought = await buyLog(stage)
  say.step('The Agent', 'delivers again, with the column, and the outlier explained from the log that it bought.')
  const second = await deliverWithSource(stage, work, bought)

  say.step('The judge', 'says nothing for a week. Refusal is over, and the delivery can be claimed.')
  await stage.passTime(windowSec + 1n)
  await showLateRefusal(stage, target, second)

  say.step('Anyone', 'claims the delivery that silence has accepted.')
  const before = await balanceOf(stage, agent)
  tellTransaction(stage, await claimUnjudgedAndWait(client.stranger, { ...target, submissionId: second }))
  const paid = (await balanceOf(stage, agent)) - before
  say.fact('paid', `${amount(paid, dollar)} to the Agent, so to its holders`)
  say.check(`npm run oikos -- task show ${target.tokenId}`)

  say.step('The funders', 'take back what is left, each in proportion.')
  await cancelTaskAndWait(client.demander, target)
  const toDemander = await reclaimEscrowAndWait(client.demander, target)
  const toPatron = await reclaimEscrowAndWait(client.patron, target)
  tellTransaction(stage, toDemander)
  tellTransaction(stage, toPatron)
  say.fact(
    'refunds',
    `${amount(toDemander.event.args.amount, dollar)} and ${amount(toPatron.event.args.amount, dollar)}`,
  )
  const vaultLeft = await getEscrowBalance(client.stranger, target)
  say.fact('in the vault', amount(vaultLeft, dollar))
  return {
    target,
    paid,
    refundedToDemander: toDemander.event.args.amount,
    refundedToPatron: toPatron.event.args.amount,
    vaultLeft,
    bought,
  }
}

/** Finds what the readings cannot explain, and buys what does. */
async function buyLog(stage: Stage): Promise<PaidOrder> {
  stage.say.step('The Agent', 'looks for what the readings do not explain, and for who could.')
  for (const { site, month, share, usualShare } of findOutliers(await readings()))
    stage.say.note(
      `${site} used ${Math.round(share * 100)} % of its energy at night in ${month}, and ${Math.round(usualShare * 100)} % in its other months. The readings cannot say why; the keeper of the meter sells its log.`,
    )
  const goods: unknown = JSON.parse(await readFile(join(folder, 'shop', 'wels-meter-log.json'), 'utf8'))
  return playPurchase(stage, { ...logOrder, goods })
}

async function readings() {
  return readReadings(await readFile(join(folder, 'task', 'data', 'readings.csv'), 'utf8'))
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
  say.step('The demander', 'packs the task and mints a tender that one judge decides.')
  const version1 = await packTask(stage)
  const minted = await mintTaskAndWait(client.demander, {
    task: deployment.taskToken,
    to: addressOf(stage, 'demander'),
    updateAuthority: addressOf(stage, 'demander'),
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
    'The demander',
    'asks for one more column, and for outliers explained from a source: version 2, chained to version 1. Then the task is frozen.',
  )
  const version2 = await packTask(stage, version1.taskHash)
  const { tdHash, taskHash, uri } = version2
  tellTransaction(stage, await updateTaskAndWait(client.demander, { ...target, tdHash, taskHash }))
  await setTaskURIAndWait(client.demander, { ...target, taskURI: uri })
  tellTransaction(stage, await freezeTaskAndWait(client.demander, target))
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

async function fund(stage: Stage, target: TaskTarget, { asset, fromDemander, fromPatron }: Purse): Promise<void> {
  stage.say.step('The demander', `puts in ${amount(fromDemander, asset)}, a patron ${amount(fromPatron, asset)}.`)
  await fundTender(stage, 'demander', target, { asset, amountAtomic: fromDemander })
  await fundTender(stage, 'patron', target, { asset, amountAtomic: fromPatron })
}

/** What the Agent works on. */
type Work = { target: TaskTarget; agent: Address; purse: Purse }

async function deliverFolder(
  stage: Stage,
  { target, agent, purse }: Work,
  which: 'first' | 'second',
  source: string,
  evidence: readonly PaidOrder['evidence'][] = [],
): Promise<bigint> {
  const { taskHash, uri } = await publishPackage(stage, source, { primary: 'REPORT.md' })
  const claims = {
    decision: `Deliver the ${which} report to task ${target.tokenId}.`,
    rationale:
      which === 'first'
        ? 'It answers the question of version 1.'
        : 'It has the column of version 2, and explains the outlier from a log that was bought for it.',
  }
  const packages = [{ taskHash, uri }]
  const payments = evidence.map(({ digest, uri: evidenceUri }) => ({ digest, uri: evidenceUri }))
  const links = payments.length === 0 ? { packages } : { packages, evidence: payments }
  const delivery = { ...target, resultHash: taskHash, resultURI: uri }
  const submissionId = await deliverAs(stage, agent, delivery, { claims, links })
  for (const { digest } of payments) stage.say.fact('paid with', `${digest}: the record links the Evidence`)
  stage.say.fact('resultHash', `${taskHash}, the hash of the delivered package`)
  stage.say.fact(
    'reserved',
    `${amount(purse.reward, purse.asset)} and the only slot, until someone decides or the clock does`,
  )
  return submissionId
}

/** The second report: the folder, the log that was bought, and the section that follows from it. */
async function deliverWithSource(stage: Stage, work: Work, bought: PaidOrder): Promise<bigint> {
  const parent = await mkdtemp(join(tmpdir(), 'oikos-report-'))
  try {
    const source = join(parent, 'second')
    await cp(join(folder, 'deliveries', 'second'), source, { recursive: true })
    await mkdir(join(source, 'sources'))
    await writeFile(join(source, sourceFile), bought.body)
    const section = explainOutliers(await readings(), bought.body, sourceFile)
    await appendFile(join(source, 'REPORT.md'), `\n${section}`)
    return await deliverFolder(stage, work, 'second', source, [bought.evidence])
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
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
