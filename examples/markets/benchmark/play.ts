import { join } from 'node:path'
import {
  cancelTaskAndWait,
  deployFundingRouter,
  deployJuryPanel,
  deploySplitter,
  finalizeJuryTimeoutAndWait,
  fundTaskThroughRouterAndWait,
  getBlockMoment,
  getJuryCase,
  getVault,
  nativeAsset,
  refundFromRouterAndWait,
  simulateFinalizeJuryTimeout,
  simulateVoteOnDelivery,
  submitForTeamAndWait,
  type TaskTarget,
  voteOnDeliveryAndWait,
  withdrawOwedAndWait,
} from '@oikos/sdk'
import { type Address, type Hex, parseEther } from 'viem'
import { amount, publishPackage, type Stage, tellTransaction, verifyAgainstChain } from '../../market/stage.ts'
import { auditMarket } from '../stage/audit.ts'
import { daySec } from '../stage/clock.ts'
import { accountForMoney, type Movement } from '../stage/money.ts'
import { listDeliveries, type MarketOutcome } from '../stage/outcome.ts'
import { type Cast, castParties } from '../stage/parties.ts'
import { readPackage, textOf } from '../stage/read-package.ts'
import { showRefusal } from '../stage/refusal.ts'
import { freezeTender, mintTender } from '../stage/tender.ts'
import { findReleaseFaults } from './check-release.ts'

const folder = import.meta.dirname
/** One ether and one wei, so that a share cannot come out even. */
const reward = parseEther('1') + 1n
const contributions = { clinic: parseEther('1.2'), bank: parseEther('0.75'), city: parseEther('0.61') } as const
const feeBps = 150n
const voteWindowSec = 2n * daySec
/** Longer than the panel's window and its time to finalise, or the panel would be decoration. */
const judgmentWindowSec = 7n * daySec

type Funder = keyof typeof contributions
type Juror = 'chair' | 'statistician'
type Member = 'mora' | 'nils' | 'oda'
type Players = Cast<'secretary' | 'platform' | Funder | Juror | Member>
type Companions = { jury: Address; router: Address; splitter: Address }
type Market = Companions & { stage: Stage; cast: Players; target: TaskTarget }
/** A release that was delivered. */
type Release = { submissionId: bigint; resultHash: Hex }

/**
 * A benchmark that three parties pay for together and none of them judges alone: funded through a router that takes its fee at
 * the entry, judged by two of two, delivered by a team as one fulfiller of record. One release is accepted and split, one is
 * refused by a vote, and one, which is right, by a case that ran out of its time.
 */
export async function playBenchmark(stage: Stage): Promise<MarketOutcome> {
  const { client, say } = stage
  say.chapter('Benchmark: a consortium pays, a panel judges, a team delivers')
  const cast = await castParties(stage, 60, [
    ...(['secretary', 'platform', 'clinic', 'bank', 'city'] as const),
    ...(['chair', 'statistician', 'mora', 'nils', 'oda'] as const),
  ])
  const { number: fromBlock } = await getBlockMoment(client.stranger)
  const companions = await deployCompanions(stage, cast)
  const market: Market = { stage, cast, ...companions, target: await openTender(stage, cast, companions.jury) }
  await fund(market)

  say.step('Mora', 'verifies package and money, and delivers release 1 for the team.')
  await verifyAgainstChain(stage, market.target)
  const first = await deliver(market, 'mora', 'release-1')
  await vote(market, 'chair', first)
  await vote(market, 'statistician', first)
  await shareReward(market)

  say.step('Nils', 'delivers release 2 in a hurry.')
  await vote(market, 'statistician', await deliver(market, 'nils', 'release-2-draft'))
  say.step('Nils', 'corrects it.')
  await runOutOfTime(market, await deliver(market, 'nils', 'release-2'))
  await close(market)

  const money = await accountForMoney(stage, { asset: nativeAsset, fromBlock, expected: await expectedMoney(market) })
  const audit = await auditMarket(stage, market.target)
  return { target: market.target, deliveries: await listDeliveries(stage, market.target), money, audit }
}

async function deployCompanions(stage: Stage, cast: Players): Promise<Companions> {
  const { say } = stage
  const addressOf = (who: keyof Players) => cast[who].account.address
  say.step('The secretary', 'deploys a panel of two jurors, both of whom have to agree, and a router with a fee.')
  const jurors = [addressOf('chair'), addressOf('statistician')]
  const panel = { jurors, quorum: 2n, voteWindowSec }
  const jury = await deployJuryPanel(cast.secretary, cast.secretary, panel)
  const routing = { treasury: addressOf('platform'), feeBps }
  const router = await deployFundingRouter(cast.secretary, cast.secretary, routing)
  say.step('Mora', 'deploys a splitter for her team: half for her, three and two tenths for Nils and Oda.')
  const team = [
    { account: addressOf('mora'), bps: 5_000 },
    { account: addressOf('nils'), bps: 3_000 },
    { account: addressOf('oda'), bps: 2_000 },
  ]
  const splitter = await deploySplitter(cast.mora, cast.mora, { team })
  for (const deployed of [jury, router, splitter]) tellTransaction(stage, deployed)
  return { jury: jury.address, router: router.address, splitter: splitter.address }
}

async function openTender(stage: Stage, cast: Players, jury: Address): Promise<TaskTarget> {
  stage.say.step('The secretary', 'mints a tender for two releases that the panel judges, and freezes it.')
  const published = await publishPackage(stage, join(folder, 'task'), {
    spec: 'spec/release.md',
    specProfile: 'x-benchmark-release-v1',
    acceptance: 'acceptance/panel.md',
    acceptanceProfile: 'x-jury-2-of-2-v1',
    maxCompletions: 2n,
  })
  const terms = { rewardPerCompletionAtomic: reward, maxCompletions: 2n, judgmentWindowSec }
  const target = await mintTender(stage, cast.secretary, { published, judge: jury, asset: nativeAsset, terms })
  await freezeTender(stage, cast.secretary, target)
  return target
}

async function fund({ stage, cast, router, target }: Market): Promise<void> {
  stage.say.step('The consortium', 'funds it through the router, each member for itself.')
  for (const [who, amountAtomic] of Object.entries(contributions)) {
    const funding = { ...target, router, amountAtomic }
    const funded = await fundTaskThroughRouterAndWait(cast[who as Funder], funding)
    tellTransaction(stage, funded)
    const { net, fee } = funded.event.args
    stage.say.fact('paid in', `${who} ${amount(amountAtomic)}: ${amount(net)} to the tender, ${amount(fee)} fee`)
  }
}

/** Delivers a release in the name of the team: the splitter is the fulfiller of record. */
async function deliver(market: Market, who: Member, name: string): Promise<Release> {
  const { stage, cast, splitter, target } = market
  const { taskHash, uri } = await publishPackage(stage, join(folder, 'deliveries', name), { primary: 'RELEASE.md' })
  const delivery = { ...target, splitter, resultHash: taskHash, resultURI: uri }
  const delivered = await submitForTeamAndWait(cast[who], delivery)
  tellTransaction(stage, delivered)
  return { submissionId: delivered.event.args.submissionId, resultHash: taskHash }
}

/** A juror checks a release by program and votes as the program says. */
async function vote(market: Market, who: Juror, release: Release): Promise<void> {
  const { stage, cast, jury, target } = market
  const documents = await readPackage(stage, release.resultHash)
  const texts = { about: textOf(documents, 'RELEASE.md'), list: textOf(documents, 'items.csv') }
  const faults = findReleaseFaults(texts)
  const approve = faults.length === 0
  stage.say.step(`The ${who}`, `checks every item, and votes ${approve ? 'for' : 'against'} the release.`)
  for (const fault of faults) stage.say.fact('fault', fault)
  const { submissionId } = release
  tellTransaction(stage, await voteOnDeliveryAndWait(cast[who], { ...target, jury, submissionId, approve }))
  const found = await getJuryCase(stage.client.stranger, { ...target, jury, submissionId })
  stage.say.fact('verdict', found?.verdict === 'none' ? 'none yet' : `${found?.verdict}`)
}

async function shareReward({ stage, cast, splitter }: Market): Promise<void> {
  stage.say.step('The team', 'fetches its shares, each member alone.')
  for (const who of ['oda', 'nils', 'mora'] as const) {
    const owner = cast[who].account.address
    const claim = { companion: splitter, owedAsset: nativeAsset.address, owner }
    const paid = await withdrawOwedAndWait(cast[who], claim)
    tellTransaction(stage, paid)
    stage.say.fact('share', `${who} ${amount(paid.event.args.amount)}`)
  }
}

/** The second juror is away: one vote for a release that is right, then nothing, then a refusal that anyone may send. */
async function runOutOfTime(market: Market, release: Release): Promise<void> {
  const { stage, cast, jury, target } = market
  const { client, say } = stage
  await vote(market, 'chair', release)
  const atCase = { ...target, jury, submissionId: release.submissionId }
  await showRefusal(
    stage,
    { what: 'Finalising while votes are taken', because: 'VotingOpen' },
    simulateFinalizeJuryTimeout(client.stranger, atCase),
  )
  say.step('The statistician', 'is on a mountain without a network, and votes too late.')
  await stage.passTime(voteWindowSec + 1n)
  await showRefusal(
    stage,
    { what: 'A vote after two days', because: 'VotingClosed' },
    simulateVoteOnDelivery(cast.statistician, { ...atCase, approve: true }),
  )
  say.step('Anyone', 'finalises the case that ran out: nobody vouched for the release in time, so it is refused.')
  tellTransaction(stage, await finalizeJuryTimeoutAndWait(client.stranger, atCase))
}

async function close({ stage, cast, router, target }: Market): Promise<void> {
  const { client, say } = stage
  say.step('The secretary', 'closes the tender. What is left goes back through the router, to each funder its part.')
  tellTransaction(stage, await cancelTaskAndWait(cast.secretary, target))
  for (const who of ['clinic', 'bank', 'city'] as const) {
    const funder = cast[who].account.address
    // anyone may send it; the money goes to the funder
    const refunded = await refundFromRouterAndWait(client.stranger, { ...target, router, funder })
    tellTransaction(stage, refunded)
    say.fact('refund', `${who} ${amount(refunded.event.args.amount)}`)
  }
  say.step('The platform', 'fetches its fee.')
  const owner = cast.platform.account.address
  const claim = { companion: router, owedAsset: nativeAsset.address, owner }
  tellTransaction(stage, await withdrawOwedAndWait(cast.platform, claim))
}

/** Where all the money is at the end, in wei. */
async function expectedMoney({ stage, cast, jury, router, splitter, target }: Market): Promise<Movement[]> {
  const account = (who: keyof Players) => ({ who, account: cast[who].account.address })
  return [
    // of 2.5216 ether that reached the tender, one reward was paid; the rest comes back by share, rounded down
    { ...account('clinic'), movedAtomic: -contributions.clinic + 713_249_999_999_999_999n },
    { ...account('bank'), movedAtomic: -contributions.bank + 445_781_249_999_999_999n },
    // who is refunded last gets what rounding left
    { ...account('city'), movedAtomic: -contributions.city + 362_568_750_000_000_001n },
    // 1.5 percent of 2.56 ether
    { ...account('platform'), movedAtomic: 38_400_000_000_000_000n },
    // half, and the wei that no share had
    { ...account('mora'), movedAtomic: 500_000_000_000_000_001n },
    { ...account('nils'), movedAtomic: 300_000_000_000_000_000n },
    { ...account('oda'), movedAtomic: 200_000_000_000_000_000n },
    { ...account('chair'), movedAtomic: 0n },
    { ...account('statistician'), movedAtomic: 0n },
    { ...account('secretary'), movedAtomic: 0n },
    { who: 'panel', account: jury, movedAtomic: 0n },
    { who: 'router', account: router, movedAtomic: 0n },
    { who: 'splitter', account: splitter, movedAtomic: 0n },
    { who: 'vault', account: await getVault(stage.client.stranger, target), movedAtomic: 0n },
  ]
}
