import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSealedOpener, createSealer, type SealedKeyPair, sealedKeyPair } from '@oikos/core'
import {
  acceptFulfillmentAndWait,
  getBlockMoment,
  getVault,
  rejectFulfillmentAndWait,
  setTaskURIAndWait,
  simulateUpdateTask,
  type TaskTarget,
  updateTaskAndWait,
} from '@oikos/sdk'
import type { Hex } from 'viem'
import {
  amount,
  type PublishedPackage,
  publishPackage,
  type Stage,
  tellTransaction,
  verifyAgainstChain,
} from '../../market/stage.ts'
import { giveDollars } from '../../treasury/tokens.ts'
import { auditMarket } from '../stage/audit.ts'
import { daySec } from '../stage/clock.ts'
import { accountForMoney } from '../stage/money.ts'
import { listDeliveries, type MarketOutcome } from '../stage/outcome.ts'
import { type Cast, castParties } from '../stage/parties.ts'
import { readPackage, readTask } from '../stage/read-package.ts'
import { showRefusal } from '../stage/refusal.ts'
import { deliverAs, freezeTender, fundAs, mintTender } from '../stage/tender.ts'
import { type ConformanceResult, checkConformance } from './conformance.ts'

const folder = import.meta.dirname
// in the smallest units of the dollar
const reward = 900_000_000n
const sealedPaths = ['facts/lease.md', 'facts/situation.md', 'facts/questions.md']

type Counsel = 'alder' | 'birch'
type Players = Cast<'tenant' | 'assessor' | Counsel>
/** A key for sealed packages for each party, which has nothing to do with the key that signs. */
type Keys = Readonly<Record<keyof Players | 'outsider', SealedKeyPair>>
type Market = { stage: Stage; cast: Players; keys: Keys; target: TaskTarget; task: PublishedPackage }
/** An opinion that was delivered. */
type Opinion = { submissionId: bigint; resultHash: Hex }

/**
 * An opinion on sealed facts, priced in a token: one more question and one more recipient before the freeze, a delivery that
 * the public script of the package rejects, and one that passes. Whoever holds no key can verify all of it and read none.
 */
export async function playConfidentialOpinion(stage: Stage): Promise<MarketOutcome> {
  const { client, dollar, say } = stage
  say.chapter('Confidential opinion: sealed facts, sealed answers, a public script')
  const cast = await castParties(stage, 50, ['tenant', 'assessor', 'alder', 'birch'])
  await giveDollars(client.demander, dollar, cast.tenant.account.address, 900n)
  const { number: fromBlock } = await getBlockMoment(client.stranger)
  const market = await openTender(stage, cast, drawKeys())
  const { target } = market
  say.step('The tenant', 'funds the opinion.')
  await fundAs(stage, cast.tenant, target, { asset: dollar, amountAtomic: reward })
  await lookFromOutside(market)

  say.step('Alder', 'opens the facts of version 2, and delivers what was begun on version 1, without a check.')
  await openFacts(market, 'alder')
  const thin = await deliver(market, 'alder', 'thin')
  const degraded = await assess(market, thin)
  if (degraded.passed) throw new Error('the thin opinion was meant to fail')
  for (const failed of degraded.failed.slice(0, 4)) say.fact('script', failed)
  say.fact('script', `${degraded.failed.length} of ${degraded.checks} checks failed`)
  const refusal = { ...target, submissionId: thin.submissionId }
  tellTransaction(stage, await rejectFulfillmentAndWait(cast.assessor, refusal))

  say.step('Birch', 'opens the facts, answers all three questions, runs the script, and delivers.')
  await openFacts(market, 'birch')
  await checkBeforehand(market, 'sound')
  const sound = await deliver(market, 'birch', 'sound')
  const good = await assess(market, sound)
  if (!good.passed) throw new Error(`the sound opinion fails: ${good.failed.join('; ')}`)
  say.fact('script', `all ${good.checks} checks hold`)
  tellTransaction(stage, await acceptFulfillmentAndWait(cast.assessor, { ...target, submissionId: sound.submissionId }))
  say.fact('paid', `${amount(reward, dollar)} to birch`)

  const account = (who: keyof Players) => ({ who, account: cast[who].account.address })
  const money = await accountForMoney(stage, {
    asset: dollar,
    fromBlock,
    expected: [
      { ...account('tenant'), movedAtomic: -900_000_000n },
      { ...account('assessor'), movedAtomic: 0n },
      { ...account('alder'), movedAtomic: 0n },
      { ...account('birch'), movedAtomic: 900_000_000n },
      { who: 'vault', account: await getVault(client.stranger, target), movedAtomic: 0n },
    ],
  })
  const audit = await auditMarket(stage, target)
  return { target, deliveries: await listDeliveries(stage, target), money, audit }
}

function entropy(length: number): Uint8Array {
  return new Uint8Array(randomBytes(length))
}

function drawKeys(): Keys {
  const draw = () => sealedKeyPair(entropy)
  return { tenant: draw(), assessor: draw(), alder: draw(), birch: draw(), outsider: draw() }
}

async function openTender(stage: Stage, cast: Players, keys: Keys): Promise<Market> {
  const { say } = stage
  say.step('The tenant', 'seals the facts for itself, the assessor and alder, and mints a tender in dollars.')
  const version1 = await packTask(stage, [keys.tenant, keys.assessor, keys.alder])
  const target = await mintTender(stage, cast.tenant, {
    published: version1,
    judge: cast.assessor.account.address,
    asset: stage.dollar,
    terms: { rewardPerCompletionAtomic: reward, maxCompletions: 1n, judgmentWindowSec: 5n * daySec },
  })

  say.step('The tenant', 'asks a third question and lets birch in: version 2, under fresh keys, chained to version 1.')
  const version2 = await packTask(stage, [keys.tenant, keys.assessor, keys.alder, keys.birch], version1)
  const { tdHash, taskHash, uri } = version2
  tellTransaction(stage, await updateTaskAndWait(cast.tenant, { ...target, tdHash, taskHash }))
  await setTaskURIAndWait(cast.tenant, { ...target, taskURI: uri })
  say.fact('taskHash', taskHash)
  say.fact('tdHash', `${tdHash}, as before: the document did not change`)
  await freezeTender(stage, cast.tenant, target)
  await showRefusal(
    stage,
    { what: 'Going back to version 1', because: 'TaskIsFrozen' },
    simulateUpdateTask(cast.tenant, { ...target, tdHash: version1.tdHash, taskHash: version1.taskHash }),
  )
  const early = await readPackage(stage, version1.taskHash)
  say.note(`Version 1 shows ${early.size} documents to everyone, and its facts to nobody but its three recipients.`)
  await expectClosed(stage, version1, keys.birch)
  return { stage, cast, keys, target, task: version2 }
}

/** Version 1 is the folder `task`; version 2 is the same folder with the files of `revision` laid over it. */
async function packTask(
  stage: Stage,
  recipients: readonly SealedKeyPair[],
  previous?: PublishedPackage,
): Promise<PublishedPackage> {
  const parent = await mkdtemp(join(tmpdir(), 'oikos-opinion-'))
  try {
    const source = join(parent, 'lease-opinion')
    await cp(join(folder, 'task'), source, { recursive: true })
    if (previous !== undefined) await cp(join(folder, 'revision'), source, { recursive: true })
    return await publishPackage(stage, source, {
      spec: 'spec/opinion.json',
      specProfile: 'x-opinion-form-v1',
      acceptance: 'acceptance/conformance.mjs',
      acceptanceProfile: 'x-conformance-script-v1',
      maxCompletions: 1n,
      encrypt: { paths: sealedPaths, cipher: sealFor(recipients) },
      ...(previous === undefined ? {} : { version: 2n, prev: previous.taskHash }),
    })
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

function sealFor(recipients: readonly SealedKeyPair[]) {
  return createSealer({ recipients: recipients.map(({ publicKey }) => publicKey), entropy })
}

/** A stranger verifies every byte of the package without being able to read what is sealed. */
async function lookFromOutside({ stage, keys, target, task }: Market): Promise<void> {
  stage.say.step('A stranger', 'verifies package and money without a key.')
  await verifyAgainstChain(stage, target)
  const documents = await readPackage(stage, task.taskHash)
  const readable = sealedPaths.filter((path) => documents.has(path))
  if (readable.length > 0) throw new Error(`a stranger reads ${readable.join(', ')}`)
  stage.say.fact('sealed', sealedPaths.join(', '))
  await expectClosed(stage, task, keys.outsider)
}

/** A key that a package was not sealed for opens nothing of it. */
async function expectClosed(stage: Stage, task: PublishedPackage, key: SealedKeyPair): Promise<void> {
  const reason = await readPackage(stage, task.taskHash, [createSealedOpener(key)]).then(
    () => 'it opens',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (!reason.includes('sealed.no-recipient')) throw new Error(`a key of nobody was not refused: ${reason}`)
  stage.say.note('A key that is not among the recipients opens nothing: sealed.no-recipient.')
}

/** What counsel does before working: opens the facts with its own key. */
async function openFacts({ stage, keys, task }: Market, who: Counsel): Promise<void> {
  const documents = await readPackage(stage, task.taskHash, [createSealedOpener(keys[who])])
  const closed = sealedPaths.filter((path) => !documents.has(path))
  if (closed.length > 0) throw new Error(`${who} cannot open ${closed.join(', ')}`)
  stage.say.fact('opened', `${sealedPaths.length} sealed documents, each the plaintext that the package commits to`)
}

/** Seals an opinion for the tenant, the assessor and its author, and delivers the sealed package. */
async function deliver({ stage, cast, keys, target }: Market, who: Counsel, name: string): Promise<Opinion> {
  const cipher = sealFor([keys.tenant, keys.assessor, keys[who]])
  const packing = { primary: 'OPINION.md', encrypt: { paths: ['OPINION.md'], cipher } }
  const { taskHash, uri } = await publishPackage(stage, join(folder, 'deliveries', name), packing)
  const submissionId = await deliverAs(stage, cast[who], target, { resultHash: taskHash, resultURI: uri })
  stage.say.fact('resultHash', `${taskHash}, of the sealed package`)
  return { submissionId, resultHash: taskHash }
}

/** The assessor opens an opinion and runs the script of the task package on it, apart from everything else. */
async function assess({ stage, keys, target, task }: Market, { resultHash }: Opinion): Promise<ConformanceResult> {
  stage.say.step('The assessor', 'opens the opinion and runs the public script of the package on it.')
  const opinion = await readPackage(stage, resultHash, [createSealedOpener(keys.assessor)])
  return checkConformance({ taskHash: task.taskHash, documents: await readTask(stage, target) }, opinion)
}

/** Counsel runs the same script on the same bytes before delivering. */
async function checkBeforehand({ stage, target, task }: Market, name: string): Promise<void> {
  const opinion = new Map([['OPINION.md', await readFile(join(folder, 'deliveries', name, 'OPINION.md'))]])
  const own = await checkConformance({ taskHash: task.taskHash, documents: await readTask(stage, target) }, opinion)
  if (!own.passed) throw new Error(`${name} fails before it is delivered: ${own.failed.join('; ')}`)
  stage.say.fact('script', `all ${own.checks} checks hold, before anything is delivered`)
}
