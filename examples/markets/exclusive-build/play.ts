import { join } from 'node:path'
import {
  claimUnjudgedAndWait,
  getBlockMoment,
  getVault,
  nativeAsset,
  reclaimEscrowAndWait,
  reclaimResidualAndWait,
  rejectFulfillmentAndWait,
  simulateAcceptFulfillment,
  simulateClaimUnjudged,
  simulateReclaimEscrow,
  simulateRejectFulfillment,
  simulateSubmitFulfillment,
  type TaskTarget,
} from '@oikos/sdk'
import { type Hex, parseEther } from 'viem'
import { amount, publishPackage, type Stage, tellTransaction, verifyAgainstChain } from '../../market/stage.ts'
import { auditMarket } from '../stage/audit.ts'
import { describeApartness } from '../stage/call-apart.ts'
import { daySec, nowSec } from '../stage/clock.ts'
import { accountForMoney } from '../stage/money.ts'
import { listDeliveries, type MarketOutcome } from '../stage/outcome.ts'
import { type Cast, castParties } from '../stage/parties.ts'
import { readPackage, readTask, textOf } from '../stage/read-package.ts'
import { showRefusal } from '../stage/refusal.ts'
import { deliverAs, freezeTender, fundAs, mintTender } from '../stage/tender.ts'
import { type BuildCheck, checkBuild } from './check-build.ts'

const folder = import.meta.dirname
const reward = parseEther('0.8')
const fromCooperative = parseEther('0.5')
const fromGuild = parseEther('0.4')

type Players = Cast<'cooperative' | 'guild' | 'reviewer' | 'builder'>

/**
 * One build, bought once: the first revision is refused by the cases of the package, the second is right, and the reviewer
 * is silent until the time for rulings is over. The builder claims by default all the same. Paid in native currency, so the
 * gas of every party is in the account.
 */
export async function playExclusiveBuild(stage: Stage): Promise<MarketOutcome> {
  const { client, say } = stage
  say.chapter('Exclusive build: refused once, then paid by silence')
  const cast = await castParties(stage, 40, ['cooperative', 'guild', 'reviewer', 'builder'])
  const { number: fromBlock } = await getBlockMoment(client.stranger)
  const target = await openTender(stage, cast)
  say.step('The cooperative', 'funds more than half, and the guild of caretakers the rest and a little more.')
  await fundAs(stage, cast.cooperative, target, { asset: nativeAsset, amountAtomic: fromCooperative })
  await fundAs(stage, cast.guild, target, { asset: nativeAsset, amountAtomic: fromGuild })

  await stage.passTime(3n * daySec)
  say.step('The builder', 'verifies package and money, and delivers a first revision.')
  await verifyAgainstChain(stage, target)
  const first = await deliver(stage, cast, target, 'revision-1')
  await refuse(stage, cast, target, first)

  await stage.passTime(9n * daySec)
  say.step('The builder', 'reads which answers were wrong, and delivers a second revision.')
  const second = await deliver(stage, cast, target, 'revision-2')
  const check = await review(stage, target, second)
  if (!check.passed) throw new Error(`revision 2 is wrong: ${check.faults[0]}`)
  say.fact('check', `${check.right} of ${check.asked} answers are right`)
  await waitForSilence(stage, cast, target, second)

  say.step('Anyone', 'claims the delivery that silence has accepted, though the time for rulings is over.')
  const claim = { ...target, submissionId: second.submissionId }
  tellTransaction(stage, await claimUnjudgedAndWait(client.stranger, claim))
  await refund(stage, cast, target)

  const account = (who: keyof Players) => ({ who, account: cast[who].account.address })
  const money = await accountForMoney(stage, {
    asset: nativeAsset,
    fromBlock,
    expected: [
      // shares of the 0.1 that were left: five and four ninths, rounded down, and the wei that neither had
      { ...account('cooperative'), movedAtomic: -fromCooperative + 55_555_555_555_555_555n + 1n },
      { ...account('guild'), movedAtomic: -fromGuild + 44_444_444_444_444_444n },
      { ...account('reviewer'), movedAtomic: 0n },
      { ...account('builder'), movedAtomic: 800_000_000_000_000_000n },
      { who: 'vault', account: await getVault(client.stranger, target), movedAtomic: 0n },
    ],
  })
  const audit = await auditMarket(stage, target)
  return { target, deliveries: await listDeliveries(stage, target), money, audit }
}

async function openTender(stage: Stage, cast: Players): Promise<TaskTarget> {
  stage.say.step('The cooperative', 'mints a tender for one completion, with two deadlines and a reviewer of its own.')
  const published = await publishPackage(stage, join(folder, 'task'), {
    spec: 'spec/interface.md',
    specProfile: 'x-module-interface-v1',
    acceptance: 'acceptance/rubric.md',
    acceptanceProfile: 'x-cases-v1',
    maxCompletions: 1n,
  })
  const now = await nowSec(stage)
  const target = await mintTender(stage, cast.cooperative, {
    published,
    judge: cast.reviewer.account.address,
    asset: nativeAsset,
    terms: {
      rewardPerCompletionAtomic: reward,
      maxCompletions: 1n,
      judgmentWindowSec: 10n * daySec,
      submitBySec: now + 14n * daySec,
      settleBySec: now + 21n * daySec,
    },
  })
  await freezeTender(stage, cast.cooperative, target)
  return target
}

/** A revision that was delivered. */
type Revision = { submissionId: bigint; resultHash: Hex }

async function deliver(stage: Stage, cast: Players, target: TaskTarget, name: string): Promise<Revision> {
  const { taskHash, uri } = await publishPackage(stage, join(folder, 'deliveries', name), { primary: 'README.md' })
  const submissionId = await deliverAs(stage, cast.builder, target, { resultHash: taskHash, resultURI: uri })
  stage.say.fact('resultHash', `${taskHash}, the hash of the delivered package`)
  return { submissionId, resultHash: taskHash }
}

/** Runs the delivered module apart from everything, with the cases of the package and others that are drawn now. */
async function review(stage: Stage, target: TaskTarget, revision: Revision): Promise<BuildCheck> {
  const { submissionId, resultHash } = revision
  const module = (await readPackage(stage, resultHash)).get('src/fair-split.mjs')
  if (module === undefined) throw new Error('the delivery has no module')
  const cases = textOf(await readTask(stage, target), 'acceptance/cases.txt')
  return checkBuild({ taskHash: resultHash, module, cases, seed: Number(submissionId) })
}

async function refuse(stage: Stage, cast: Players, target: TaskTarget, revision: Revision): Promise<void> {
  const { say } = stage
  say.step('The reviewer', 'runs the module of a stranger, apart from everything that is worth something.')
  say.fact('apart from', await describeApartness())
  const check = await review(stage, target, revision)
  if (check.passed) throw new Error('the first revision was meant to be wrong')
  say.fact('check', `${check.right} of ${check.asked} answers are right`)
  for (const fault of check.faults.slice(0, 4)) say.fact('fault', fault)
  say.step('The reviewer', 'refuses it by name.')
  const rejection = { ...target, submissionId: revision.submissionId }
  tellTransaction(stage, await rejectFulfillmentAndWait(cast.reviewer, rejection))
}

async function waitForSilence(stage: Stage, cast: Players, target: TaskTarget, revision: Revision): Promise<void> {
  const { client, say } = stage
  const at = { ...target, submissionId: revision.submissionId }
  await showRefusal(
    stage,
    { what: 'Another delivery, while this one has the only place', because: 'CompletionsExhausted' },
    simulateSubmitFulfillment(client.stranger, { ...target, resultHash: revision.resultHash, resultURI: '' }),
  )
  await showRefusal(
    stage,
    { what: 'Claiming while the reviewer may still rule', because: 'JudgmentWindowOpen' },
    simulateClaimUnjudged(client.stranger, at),
  )
  say.step('The reviewer', 'says nothing. First the time for rulings ends, then the window of the delivery.')
  await stage.passTime(9n * daySec + daySec / 2n)
  await showRefusal(
    stage,
    { what: 'Accepting after the last day for rulings', because: 'SettlementClosed' },
    simulateAcceptFulfillment(cast.reviewer, at),
  )
  await showRefusal(
    stage,
    { what: 'Taking the money back before the delivery is decided', because: 'DeliveriesPending' },
    simulateReclaimEscrow(cast.cooperative, target),
  )
  await stage.passTime(daySec)
  await showRefusal(
    stage,
    { what: 'A refusal after the window', because: 'JudgmentWindowClosed' },
    simulateRejectFulfillment(cast.reviewer, at),
  )
}

async function refund(stage: Stage, cast: Players, target: TaskTarget): Promise<void> {
  const { say } = stage
  say.step('Both funders', 'take back their shares of what is left, and the owner the wei that neither had.')
  const toGuild = await reclaimEscrowAndWait(cast.guild, target)
  const toCooperative = await reclaimEscrowAndWait(cast.cooperative, target)
  const residual = await reclaimResidualAndWait(cast.cooperative, target)
  for (const sent of [toGuild, toCooperative, residual]) tellTransaction(stage, sent)
  say.fact('refunds', `${amount(toCooperative.event.args.amount)} and ${amount(toGuild.event.args.amount)}`)
  say.fact('residual', amount(residual.event.args.amount))
}
