import { BlockTooLargeError, PackageInputError, PackageRootError } from '@oikos/core'
import { taskTokenAbi } from '@oikos/core/abi'
import { getTender, judgeAgentCall, listSubmissions, OikosError, type Submission, type Tender } from '@oikos/sdk'
import { encodeFunctionData, getAddress, isAddressEqual } from 'viem'
import type { Worker } from '../../workers/worker.ts'
import type { Intent } from '../act/intent.ts'
import { type Decided, decide, keepDecline } from '../decide.ts'
import { errorFields, keepable } from '../log.ts'
import type { TenderLimits } from '../options.ts'
import type { Pass } from '../pass.ts'
import type { Option, Question } from '../question.ts'
import { provide } from '../work/buy.ts'
import { type OpenedPackage, openPackage } from '../work/order.ts'
import { type Delivery, workOn } from '../work/work.ts'
import { type FittingTender, judgeTender, type TenderRefusal } from './tender-limits.ts'

/** Tenders that one pass looks at; the next pass goes on behind the last one. */
const MAX_TENDERS = 50
/** Failures that hostile input can cause. */
const HARMLESS = [PackageInputError, PackageRootError, BlockTooLargeError, RangeError, TypeError, SyntaxError] as const
/** Deliveries of a tender that are looked through for those of the Agent, newest first. */
const MAX_SUBMISSIONS = 1_000n

/** What a tender looks like after everything but the work itself. */
type Prospect = {
  readonly tender: Tender
  readonly fitting: FittingTender
  readonly opened: Extract<OpenedPackage, { readonly ok: true }>
  readonly workers: readonly Worker[]
  /** Deliveries that the Agent has made to it. */
  readonly deliveries: number
}

/**
 * Looks at tenders that something has happened to, declines what the limits do not allow, verifies packages, asks the decider,
 * works, and delivers as fulfiller of record.
 * @returns where the next pass goes on
 */
export async function* takeTenders(
  pass: Pass,
  after: string,
  setLast: (last: string) => void,
): AsyncGenerator<Intent, void, void> {
  const { store, identity, settings, workshop, telemetry } = pass.context
  const limits = settings.tenders
  if (limits === undefined || workshop === undefined) return
  const subjects = await store.notes.listSubjects(identity.agent, 'tender', { limit: MAX_TENDERS, after })
  telemetry.setOpen('tender', subjects.length)
  for (const { id } of subjects) {
    const intent = await takeTender(pass, limits, id).catch((cause: unknown) => survive(pass, id, cause))
    if (intent !== undefined) yield intent
  }
  setLast(subjects.length < MAX_TENDERS ? '' : (subjects.at(-1)?.id ?? ''))
}

/** What a package or a product makes fail concerns this tender alone; everything else ends the pass. */
async function survive(pass: Pass, id: string, cause: unknown): Promise<undefined> {
  if (!HARMLESS.some((type) => cause instanceof type)) throw cause
  const { error, reason } = errorFields(cause)
  return declineTender(pass, id, { code: 'failed', reason: `${error}: ${reason}`, isSettled: true })
}

async function takeTender(pass: Pass, limits: TenderLimits, id: string): Promise<Intent | undefined> {
  const { clockMs, settings } = pass.context
  if (clockMs() < (pass.postponed.get(id) ?? 0n)) return undefined
  pass.postponed.delete(id)
  const found = await findProspect(pass, limits, id)
  if ('code' in found) return declineTender(pass, id, found)
  const decided = await decide(
    pass.context,
    pass.fence,
    { question: askAbout(pass, id, found), subject: id },
    pass.signal,
  )
  const worker = found.workers.find(({ name }) => `work:${name}` === decided.answer.optionId)
  if (worker === undefined) {
    pass.wait(`Task ${found.tender.tokenId} is left alone: ${decided.decision.reason}`)
    // the answer stands so long, and the package need not be verified again before
    pass.postponed.set(id, decided.decision.atMs + settings.askAgainMs)
    return undefined
  }
  if (pass.context.settings.dryRun) {
    const reason = `It would be worked on by ${worker.name} now.`
    return declineTender(pass, id, { code: 'dry-run', reason, isSettled: false })
  }
  const provisions = await provide(pass, found.tender, found.opened.order, limits.resources[worker.name] ?? [])
  if (!provisions.ok) return declineTender(pass, id, { ...provisions, isSettled: false })
  const order = { ...found.opened.order, resources: provisions.resources }
  const made = await workOn(pass, limits, { ...found, worker, order })
  if (!made.ok) return declineTender(pass, id, made)
  return deliverIntent(id, found, decided, { ...made.delivery, evidence: provisions.evidence })
}

/** Everything that can be said before anybody decides. */
async function findProspect(pass: Pass, limits: TenderLimits, id: string): Promise<Prospect | TenderRefusal> {
  const { context, head, signal } = pass
  const [task = '', tokenId = ''] = id.split('/')
  const target = { task: getAddress(task), tokenId: BigInt(tokenId), blockNumber: head.number }
  let tender: Tender
  try {
    tender = await getTender(context.client, target)
  } catch (cause) {
    if (!(cause instanceof OikosError) || cause.name !== 'ContractRevertedError') throw cause
    return { code: 'unreadable', reason: `The tender cannot be read: ${cause.shortMessage}`, isSettled: true }
  }
  const fitting = await judgeTender(context, limits, tender)
  if ('code' in fitting) return fitting
  const own = await listOwn(pass, tender)
  const alive = own.filter(({ status }) => status !== 'rejected').length
  if (BigInt(alive) >= limits.maxDeliveriesPerTender)
    return { code: 'delivered', reason: `${alive} deliveries of the Agent wait or were accepted.`, isSettled: true }
  if (BigInt(own.length) >= limits.maxAttemptsPerTender)
    return { code: 'attempts', reason: `${own.length} deliveries of the Agent were made.`, isSettled: true }
  const closed = await findClosedDoor(pass, tender)
  if (closed !== undefined) return closed
  const opened = await openPackage(context, limits, tender, signal)
  if (!opened.ok) return opened
  const { specProfile } = opened.order
  const workers = (context.workshop?.workers ?? []).filter(({ specProfiles }) => specProfiles.includes(specProfile))
  if (workers.length === 0)
    return { code: 'no-skill', reason: `No worker serves the profile ${JSON.stringify(specProfile)}.`, isSettled: true }
  return { tender, fitting, opened, workers, deliveries: own.length }
}

/** Whether the Agent could deliver at all, so that nobody works for nothing. What is delivered makes no difference here. */
async function findClosedDoor(pass: Pass, { task, tokenId }: Tender): Promise<TenderRefusal | undefined> {
  const { client, agent } = pass.context
  const args = [tokenId, `0x${'11'.repeat(32)}`, ''] as const
  const data = encodeFunctionData({ abi: taskTokenAbi, functionName: 'submitFulfillment', args })
  const at = { agent, target: task, valueWei: 0n, data, blockNumber: pass.head.number }
  const judgment = await judgeAgentCall(client, at)
  if (judgment.isAllowed) return undefined
  return { code: `${judgment.refusedBy}.${judgment.code}`, reason: judgment.reason, isSettled: false }
}

async function listOwn(pass: Pass, { task, tokenId, submissionCount }: Tender): Promise<readonly Submission[]> {
  const { client, agent } = pass.context
  const own: Submission[] = []
  let cursor = submissionCount
  while (cursor > 0n && submissionCount - cursor < MAX_SUBMISSIONS) {
    const page = await listSubmissions(client, { task, tokenId, blockNumber: pass.head.number, cursor, pageSize: 200 })
    own.push(...page.submissions.filter(({ fulfiller }) => isAddressEqual(fulfiller, agent)))
    if (page.nextCursor === undefined) return own
    cursor = page.nextCursor
  }
  return own
}

/** Keeps why; what only an event can change is forgotten until there is one. */
async function declineTender(pass: Pass, id: string, refusal: TenderRefusal): Promise<undefined> {
  const { context, fence } = pass
  const { code, reason, isSettled } = refusal
  await keepDecline(context, fence, { id: `tender ${id}`, kind: 'tender', subject: id, code, reason })
  if (isSettled) await context.store.notes.dropSubject(fence, 'tender', id)
  else pass.wait(`Task ${id.split('/')[1]} waits: ${reason}`)
  // gateways that have not got a package yet may take long to say so
  if (code.startsWith('package.')) pass.postponed.set(id, context.clockMs() + context.settings.askAgainMs)
}

/** Seconds that stand for no deadline: far beyond anything that a rule asks for. */
const NO_DEADLINE_SEC = 315_360_000n

function askAbout(pass: Pass, id: string, { tender, fitting, opened, workers, deliveries }: Prospect): Question {
  const { terms, binding, blockTimestampSec, acceptanceAuthority } = tender
  const { order, packageBytes, document } = opened
  const options: [Option, ...Option[]] = [
    { id: 'wait', text: 'Leave the tender alone.' },
    ...workers.map(({ name }) => ({
      id: `work:${name}`,
      text: `Let the worker ${name} work on it, and deliver what it makes as fulfiller of record.`,
    })),
  ]
  const secondsLeft = fitting.lastMomentSec === undefined ? NO_DEADLINE_SEC : fitting.lastMomentSec - blockTimestampSec
  return {
    id: `tender ${id}/${binding.taskHash}/${deliveries}/${workers.map(({ name }) => name).join('+')}`,
    kind: 'tender',
    facts: {
      ...{ task: id, taskHash: binding.taskHash, specProfile: order.specProfile },
      ...{ rewardAsset: terms.asset.toLowerCase(), acceptToken: pass.books.acceptToken.toLowerCase() },
      rewardAtomic: terms.rewardPerCompletionAtomic.toString(),
      ...{ secondsLeft: secondsLeft.toString(), packageBytes: packageBytes.toString() },
      ...{ settledBy: fitting.isMachine ? 'verifier' : 'judge', authority: acceptanceAuthority.toLowerCase() },
      judgmentWindowSec: terms.judgmentWindowSec.toString(),
    },
    untrusted: [{ source: `primary document of the package of task ${id}`, text: document }],
    options,
  }
}

function deliverIntent(id: string, prospect: Prospect, { answer, decision }: Decided, delivery: Delivery): Intent {
  const { tender, deliveries } = prospect
  const { task, tokenId, binding, taskURI } = tender
  const { resultHash, resultURI, packedHash, summary, evidence } = delivery
  const args = [tokenId, resultHash, resultURI] as const
  const data = encodeFunctionData({ abi: taskTokenAbi, functionName: 'submitFulfillment', args })
  return {
    kind: 'deliver',
    subject: id,
    title: `Deliver to task ${tokenId}.`,
    once: `deliver ${id}/${binding.taskHash}/${deliveries}`,
    decisionId: decision.id,
    spendAtomic: 0n,
    call: {
      form: 'reasoned',
      ...{ action: 'execute', args: [task, 0n, data], decidedAtMs: decision.atMs },
      claims: { ...answer.claims, work: keepable(summary), worker: delivery.worker },
      links: {
        packages: [
          { taskHash: binding.taskHash, ...(taskURI.length <= 2_048 && taskURI !== '' && { uri: taskURI }) },
          { taskHash: packedHash, uri: resultURI },
        ],
        ...(evidence.length > 0 && { evidence }),
      },
    },
  }
}
