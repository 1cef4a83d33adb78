import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskHash } from '@oikos/core'
import {
  cancelTaskAndWait,
  claimUnjudgedAndWait,
  freezeTaskAndWait,
  fundTaskAndWait,
  getEscrowBalance,
  mintTaskAndWait,
  reclaimEscrowAndWait,
  rejectFulfillmentAndWait,
  setTaskURIAndWait,
  simulateRejectFulfillment,
  submitFulfillmentAndWait,
  type TaskTarget,
  toOikosError,
  updateTaskAndWait,
} from '@oikos/sdk'
import { parseEther, zeroAddress } from 'viem'
import {
  addressOf,
  amount,
  balanceOf,
  type PublishedPackage,
  publishPackage,
  type Stage,
  tellTransaction,
  verifyAgainstChain,
} from '../market/stage.ts'

const folder = import.meta.dirname
const reward = parseEther('1.2')
const fromDemander = parseEther('1')
const fromPatron = parseEther('0.5')
const windowSec = 604_800n

/** Where the money of the report tender went, in wei. */
export type ReportOutcome = {
  target: TaskTarget
  paid: bigint
  refundedToDemander: bigint
  refundedToPatron: bigint
  vaultLeft: bigint
}

/** A tender that a person judges: one revision before the freeze, one refusal, and one silence that pays. */
export async function playSiteReport(stage: Stage): Promise<ReportOutcome> {
  const { client, say } = stage
  say.chapter('A report on energy readings: judged, revised, refused, and paid by default')
  const target = await openTender(stage)
  await fund(stage, target)

  say.step('The author', 'verifies package and money, works, and delivers a report.')
  await verifyAgainstChain(stage, target)
  const first = await deliver(stage, target, 'first')

  say.step('The judge', 'refuses it by name: the table lacks the night column of version 2.')
  tellTransaction(stage, await rejectFulfillmentAndWait(client.judge, { ...target, submissionId: first }))

  say.step('The author', 'delivers again, with the column and a finding.')
  const second = await deliver(stage, target, 'second')

  say.step('The judge', 'says nothing for a week. Refusal is over, and the delivery can be claimed.')
  await stage.passTime(windowSec + 1n)
  await showLateRefusal(stage, target, second)

  say.step('Anyone', 'claims the delivery that silence has accepted.')
  const author = addressOf(stage, 'author')
  const before = await balanceOf(stage, author)
  tellTransaction(stage, await claimUnjudgedAndWait(client.stranger, { ...target, submissionId: second }))
  const paid = (await balanceOf(stage, author)) - before
  say.fact('paid', `${amount(paid)} to the author`)
  say.check(`npm run oikos -- task show ${target.tokenId}`)

  say.step('The funders', 'take back what is left, each in proportion.')
  await cancelTaskAndWait(client.demander, target)
  const toDemander = await reclaimEscrowAndWait(client.demander, target)
  const toPatron = await reclaimEscrowAndWait(client.patron, target)
  tellTransaction(stage, toDemander)
  tellTransaction(stage, toPatron)
  say.fact('refunds', `${amount(toDemander.event.args.amount)} and ${amount(toPatron.event.args.amount)}`)
  const vaultLeft = await getEscrowBalance(client.stranger, target)
  say.fact('in the vault', amount(vaultLeft))
  return {
    target,
    paid,
    refundedToDemander: toDemander.event.args.amount,
    refundedToPatron: toPatron.event.args.amount,
    vaultLeft,
  }
}

/** The same tender once more, left open for whoever reads along. */
export async function openSiteReport(stage: Stage): Promise<TaskTarget> {
  stage.say.chapter('The same tender again, open: deliver to it yourself')
  const target = await openTender(stage)
  await fund(stage, target)
  return target
}

async function openTender(stage: Stage): Promise<TaskTarget> {
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
      asset: zeroAddress,
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

  say.step('The demander', 'asks for one more column: version 2, chained to version 1. Then the task is frozen.')
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

async function fund(stage: Stage, target: TaskTarget): Promise<void> {
  const { client, say } = stage
  say.step('The demander', `puts in ${amount(fromDemander)}, a patron ${amount(fromPatron)}.`)
  tellTransaction(stage, await fundTaskAndWait(client.demander, { ...target, amountAtomic: fromDemander }))
  tellTransaction(stage, await fundTaskAndWait(client.patron, { ...target, amountAtomic: fromPatron }))
}

async function deliver(stage: Stage, target: TaskTarget, which: 'first' | 'second'): Promise<bigint> {
  const delivery = await publishPackage(stage, join(folder, 'deliveries', which), { primary: 'REPORT.md' })
  const submitted = await submitFulfillmentAndWait(stage.client.author, {
    ...target,
    resultHash: delivery.taskHash,
    resultURI: delivery.uri,
  })
  tellTransaction(stage, submitted)
  stage.say.fact('resultHash', `${delivery.taskHash}, the hash of the delivered package`)
  stage.say.fact('reserved', `${amount(reward)} and the only slot, until someone decides or the clock does`)
  return submitted.event.args.submissionId
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
