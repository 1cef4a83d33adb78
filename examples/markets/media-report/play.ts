import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  acceptFulfillmentAndWait,
  cancelTaskAndWait,
  claimUnjudgedAndWait,
  getBlockMoment,
  getCompletionsInEpoch,
  getVault,
  reclaimEscrowAndWait,
  reclaimResidualAndWait,
  rejectFulfillmentAndWait,
  simulateAcceptFulfillment,
  simulateReclaimEscrow,
  simulateSubmitFulfillment,
  type TaskTarget,
} from '@oikos/sdk'
import { type Hex, sha256, stringToHex } from 'viem'
import { amount, publishPackage, type Stage, tellTransaction, verifyAgainstChain } from '../../market/stage.ts'
import { giveDollars } from '../../treasury/tokens.ts'
import { auditMarket } from '../stage/audit.ts'
import { daySec, moveToDay, nowSec } from '../stage/clock.ts'
import { accountForMoney } from '../stage/money.ts'
import { listDeliveries, type MarketOutcome } from '../stage/outcome.ts'
import { type Cast, castParties } from '../stage/parties.ts'
import { readPackage, readTask, textOf } from '../stage/read-package.ts'
import { showRefusal } from '../stage/refusal.ts'
import { deliverAs, freezeTender, fundAs, giveAs, mintTender } from '../stage/tender.ts'
import { findReportFaults, type Topic } from './check-report.ts'

const folder = import.meta.dirname
// in the smallest units of the dollar
const reward = 30_000_000n
const fromAgency = 200_000_000n
const fromChamber = 150_000_001n
const earlyGift = 10_000_000n
const lateGift = 5_000_000n
const perDay = 2n

const morningHour = 7n
const eveningHour = 19n

type Players = Cast<'agency' | 'editor' | 'quill' | 'lumen' | 'rota' | 'chamber' | 'reader'>
type Reporter = 'quill' | 'lumen' | 'rota'
/** A report that was delivered. */
type Report = { submissionId: bigint; edition: string; resultHash: Hex }
type Market = { stage: Stage; cast: Players; target: TaskTarget; topics: readonly Topic[] }

/**
 * A standing tender: two reports a day for as long as the vault lasts. Three reporters, one refusal, a day that is full, a
 * vault that runs dry and is filled up by somebody else, a closing during which a report is still in flight, refunds by
 * share, and a residual of a late gift and the last unit of rounding.
 */
export async function playMediaReport(stage: Stage): Promise<MarketOutcome> {
  const { client, dollar, say } = stage
  say.chapter('Media report: a tender that keeps paying, two reports a day')
  const cast = await castParties(stage, 30, ['agency', 'editor', 'quill', 'lumen', 'rota', 'chamber', 'reader'])
  await giveDollars(client.demander, dollar, cast.agency.account.address, 200n)
  await giveDollars(client.demander, dollar, cast.chamber.account.address, 151n)
  await giveDollars(client.demander, dollar, cast.reader.account.address, 15n)
  const { number: fromBlock } = await getBlockMoment(client.stranger)
  const target = await openTender(stage, cast)
  const vault = await getVault(client.stranger, target)
  const list = textOf(await readTask(stage, target), 'spec/topics.json')
  const { topics } = JSON.parse(list) as { topics: Topic[] }
  const market: Market = { stage, cast, target, topics }

  say.step('The agency', 'opens the tap, and a reader throws something in.')
  await fundAs(stage, cast.agency, target, { asset: dollar, amountAtomic: fromAgency })
  await giveAs(stage, cast.reader, vault, { asset: dollar, amountAtomic: earlyGift })
  await verifyAgainstChain(stage, target)

  await playFirstDays(market)
  const waiting = await playFullDay(market)
  const inFlight = await playDryVault(market, waiting)
  await closeTender(market, inFlight)

  say.step('A reader', 'has missed the end, and gives once more. Nothing is left to pay, so it is the owner’s.')
  await giveAs(stage, cast.reader, vault, { asset: dollar, amountAtomic: lateGift })
  await refund(market)

  const account = (who: keyof Players) => ({ who, account: cast[who].account.address })
  const money = await accountForMoney(stage, {
    asset: dollar,
    fromBlock,
    expected: [
      // 200 in, its share of the 90.000001 that were left, and the residual: the late gift and one unit of rounding
      { ...account('agency'), movedAtomic: -fromAgency + 51_428_571n + 5_000_001n },
      { ...account('chamber'), movedAtomic: -fromChamber + 38_571_429n },
      { ...account('reader'), movedAtomic: -15_000_000n },
      { ...account('editor'), movedAtomic: 0n },
      { ...account('quill'), movedAtomic: 150_000_000n },
      { ...account('lumen'), movedAtomic: 60_000_000n },
      { ...account('rota'), movedAtomic: 60_000_000n },
      { who: 'vault', account: vault, movedAtomic: 0n },
    ],
  })
  const audit = await auditMarket(stage, target)
  return { target, deliveries: await listDeliveries(stage, target), money, audit }
}

async function openTender(stage: Stage, cast: Players): Promise<TaskTarget> {
  stage.say.step('The agency', 'mints a tender without an end: two completions a day, judged by an editor of its own.')
  const published = await publishPackage(stage, join(folder, 'task'), {
    spec: 'spec/report.md',
    specProfile: 'x-media-report-v1',
    acceptance: 'acceptance/rules.md',
    acceptanceProfile: 'x-media-report-rules-v1',
    maxCompletions: 0n,
  })
  const target = await mintTender(stage, cast.agency, {
    published,
    judge: cast.editor.account.address,
    asset: stage.dollar,
    terms: {
      rewardPerCompletionAtomic: reward,
      maxCompletions: 0n,
      judgmentWindowSec: 2n * daySec,
      epochLengthSec: daySec,
      maxCompletionsPerEpoch: perDay,
    },
  })
  await freezeTender(stage, cast.agency, target)
  return target
}

/** Days 1 and 2: two reports are paid on the first, one on the second, whose evening report is wrong. */
async function playFirstDays(market: Market): Promise<void> {
  const { stage } = market
  await moveToDay(stage, 1n, morningHour)
  await accept(market, await report(market, 'quill', 'day-1-morning'))
  await moveToDay(stage, 0n, eveningHour)
  await accept(market, await report(market, 'lumen', 'day-1-evening'))
  await tellDay(market)

  await moveToDay(stage, 1n, morningHour)
  await accept(market, await report(market, 'quill', 'day-2-morning'))
  await moveToDay(stage, 0n, eveningHour)
  const wrong = await report(market, 'rota', 'day-2-evening', 'day-2-evening-first-try')
  await refuse(market, wrong)
}

/** Day 3: the corrected report of the day before takes one of the two places, so that the evening report has to wait. */
async function playFullDay(market: Market): Promise<Report> {
  const { stage, cast, target } = market
  await moveToDay(stage, 0n, 23n)
  const corrected = await report(market, 'rota', 'day-2-evening')
  await moveToDay(stage, 1n, morningHour)
  await accept(market, corrected)
  await accept(market, await report(market, 'quill', 'day-3-morning'))
  await moveToDay(stage, 0n, eveningHour)
  const waiting = await report(market, 'lumen', 'day-3-evening')
  await showRefusal(
    stage,
    { what: 'Paying a third report on one day', because: 'EpochExhausted' },
    simulateAcceptFulfillment(cast.editor, { ...target, submissionId: waiting.submissionId }),
  )
  await tellDay(market)
  return waiting
}

/** Day 4: the vault is empty until the chamber of commerce fills it up. Returns the report that the editor leaves lying. */
async function playDryVault(market: Market, waiting: Report): Promise<Report> {
  const { stage, cast, target } = market
  await moveToDay(stage, 1n, morningHour)
  await accept(market, waiting)
  await accept(market, await report(market, 'quill', 'day-4-morning'))
  await showRefusal(
    stage,
    { what: 'Delivering to an empty vault', because: 'EscrowTooLow' },
    simulateSubmitFulfillment(cast.rota, { ...target, resultHash: sha256(stringToHex('later')), resultURI: '' }),
  )
  stage.say.step('The chamber', 'of commerce fills the vault up, because its members read the reports too.')
  await fundAs(stage, cast.chamber, target, { asset: stage.dollar, amountAtomic: fromChamber })
  await moveToDay(stage, 0n, eveningHour)
  const late = await report(market, 'rota', 'day-4-evening')
  await moveToDay(stage, 1n, morningHour)
  await accept(market, late)
  return report(market, 'quill', 'day-5-morning')
}

/** Day 5: the agency closes the tender, the editor is gone, and the report that was under way is paid all the same. */
async function closeTender({ stage, cast, target }: Market, inFlight: Report): Promise<void> {
  const { client, say } = stage
  say.step('The agency', 'closes the tap. One report is under way, and it keeps its place and its reward.')
  tellTransaction(stage, await cancelTaskAndWait(cast.agency, target))
  await showRefusal(
    stage,
    { what: 'Taking money back before that report is decided', because: 'DeliveriesPending' },
    simulateReclaimEscrow(cast.chamber, target),
  )
  say.step('Anyone', 'claims it for quill when the editor has been silent for two days.')
  await stage.passTime(2n * daySec + 1n)
  const claim = { ...target, submissionId: inFlight.submissionId }
  tellTransaction(stage, await claimUnjudgedAndWait(client.stranger, claim))
}

async function refund({ stage, cast, target }: Market): Promise<void> {
  const { dollar, say } = stage
  say.step('Both funders', 'take back their shares of what is left, and the agency what belongs to nobody else.')
  const chamber = await reclaimEscrowAndWait(cast.chamber, target)
  const agency = await reclaimEscrowAndWait(cast.agency, target)
  const residual = await reclaimResidualAndWait(cast.agency, target)
  for (const sent of [chamber, agency, residual]) tellTransaction(stage, sent)
  say.fact('refunds', `${amount(agency.event.args.amount, dollar)} and ${amount(chamber.event.args.amount, dollar)}`)
  say.fact('residual', `${amount(residual.event.args.amount, dollar)}: the late gift, and one unit that no share had`)
}

/** Works on one edition and delivers; `folderName` is another one than that of the edition for a first try. */
async function report(market: Market, who: Reporter, edition: string, folderName = edition): Promise<Report> {
  const { stage, cast, target } = market
  stage.say.step(`${who[0]?.toUpperCase()}${who.slice(1)}`, `reports on ${edition}.`)
  const { taskHash, uri } = await publishPackage(stage, join(folder, 'deliveries', folderName), {
    primary: 'REPORT.md',
  })
  const submissionId = await deliverAs(stage, cast[who], target, { resultHash: taskHash, resultURI: uri })
  return { submissionId, edition, resultHash: taskHash }
}

/** What the editor's program finds in a delivered report. */
async function judge({ stage, topics }: Market, { edition, resultHash }: Report): Promise<string[]> {
  const feed = await readFile(join(folder, 'feed', `${edition}.csv`), 'utf8')
  const text = textOf(await readPackage(stage, resultHash), 'REPORT.md')
  return findReportFaults({ name: edition, feed, topics, report: text })
}

async function accept(market: Market, delivered: Report): Promise<void> {
  const { stage, cast, target } = market
  const faults = await judge(market, delivered)
  if (faults.length > 0) throw new Error(`the report on ${delivered.edition} is wrong: ${faults.join('; ')}`)
  stage.say.step('The editor', `checks ${delivered.edition} against the feed, finds nothing, and accepts it.`)
  const { submissionId } = delivered
  tellTransaction(stage, await acceptFulfillmentAndWait(cast.editor, { ...target, submissionId }))
}

async function refuse(market: Market, delivered: Report): Promise<void> {
  const { stage, cast, target } = market
  const faults = await judge(market, delivered)
  if (faults.length === 0) throw new Error(`the report on ${delivered.edition} was meant to be wrong`)
  stage.say.step('The editor', `checks ${delivered.edition} against the feed, and refuses it.`)
  for (const fault of faults) stage.say.fact('fault', fault)
  const { submissionId } = delivered
  tellTransaction(stage, await rejectFulfillmentAndWait(cast.editor, { ...target, submissionId }))
}

/** Tells how many reports were paid today. */
async function tellDay({ stage, target }: Market): Promise<void> {
  const epoch = (await nowSec(stage)) / daySec
  const paid = await getCompletionsInEpoch(stage.client.stranger, { ...target, epoch })
  stage.say.fact('today', `${paid} of ${perDay} reports are paid`)
}
