import type { Tender } from '@oikos/sdk'
import type { Hash } from 'viem'
import type { Worker, WorkOrder, WorkOutcome } from '../../workers/worker.ts'
import type { TenderRefusal } from '../duties/tender-limits.ts'
import { errorFields } from '../log.ts'
import type { TenderLimits } from '../options.ts'
import type { Pass } from '../pass.ts'
import { packProduct } from './product.ts'

/** Something to deliver. */
export type Delivery = {
  readonly worker: string
  /** What is committed to: the hash of the package, or what the verifier wants in its place. */
  readonly resultHash: Hash
  readonly packedHash: string
  readonly resultURI: string
  readonly summary: string
  readonly evidence: readonly { readonly digest: string; readonly uri?: string }[]
}

/** A delivery, or why there is none. */
export type Made = { readonly ok: true; readonly delivery: Delivery } | ({ readonly ok: false } & TenderRefusal)

/** Runs after which a worker that crashes or takes too long is given up for a package. */
const MAX_RUNS = 2
/** Failures after which another run may go better. */
const PASSING: ReadonlySet<string> = new Set(['worker.crashed', 'worker.timeout', 'worker.memory'])

/**
 * Lets a worker work on a package and packs what it made. The product is kept, so that work that was done is not done again after
 * a restart, and work that failed is not tried for ever.
 */
export async function workOn(
  pass: Pass,
  limits: TenderLimits,
  {
    tender,
    worker,
    order,
    deliveries,
    fitting,
  }: {
    readonly tender: Tender
    readonly worker: Worker
    readonly order: WorkOrder
    readonly deliveries: number
    readonly fitting: { readonly isMachine: boolean }
  },
): Promise<Made> {
  const { context, fence } = pass
  const { store, identity, clockMs, content, log } = context
  const { task, tokenId, acceptanceAuthority: verifier } = tender
  const id = `${task.toLowerCase()}/${tokenId}/${order.taskHash}/${worker.name}/${deliveries}`
  const kept = await store.notes.findWork(identity.agent, id)
  const done = readDelivery(kept)
  if (done !== undefined) return { ok: true, delivery: done }
  const runs = typeof kept?.['runs'] === 'number' ? kept['runs'] : 0
  if (runs >= MAX_RUNS) return refuse(String(kept?.['code']), String(kept?.['message']))
  const fail = async (code: string, message: string): Promise<Made> => {
    const isOver = !PASSING.has(code) || runs + 1 >= MAX_RUNS
    await store.notes.putWork(fence, id, { code, message, runs: isOver ? MAX_RUNS : runs + 1 }, clockMs())
    log.warn({ worker: worker.name, task, tokenId: tokenId.toString(), code, reason: message }, 'no product')
    return refuse(code, message, isOver)
  }
  log.info({ worker: worker.name, task, tokenId: tokenId.toString() }, 'working')
  const outcome = await run(pass, limits, worker, order)
  if (!outcome.ok && outcome.code === 'worker.cancelled') return refuse(outcome.code, outcome.message, false)
  if (!outcome.ok) return fail(outcome.code, outcome.message)
  const { product } = outcome
  const packed = await packProduct(content, product, `${task}/${tokenId}`)
  if (typeof packed === 'string') return fail('worker.output-malformed', packed)
  let resultHash: Hash = packed.resultHash
  if (fitting.isMachine) {
    const { agent, prover } = context
    const draft = { task, tokenId, verifier, agent, resultHash, files: product.files }
    const committed = await prover?.commit(draft, pass.signal).catch((cause: unknown) => {
      log.warn({ prover: prover.name, ...errorFields(cause) }, 'the prover failed')
      return 'failed' as const
    })
    if (committed === 'failed') return refuse('prover-failed', 'The prover failed.', false)
    if (committed === 'refused') return fail('prover-refused', 'There is no proof for what the worker made.')
    resultHash = committed ?? resultHash
  }
  const delivery = {
    ...{ worker: worker.name, resultHash, packedHash: packed.resultHash, resultURI: packed.resultURI },
    summary: product.summary,
  }
  await store.notes.putWork(fence, id, { ...delivery, runs: runs + 1 }, clockMs())
  return { ok: true, delivery: { ...delivery, evidence: [] } }
}

function refuse(code: string, reason: string, isSettled = true): Made {
  return { ok: false, code, reason: reason.slice(0, 1_000), isSettled }
}

async function run(pass: Pass, limits: TenderLimits, worker: Worker, order: WorkOrder): Promise<WorkOutcome> {
  const { workshop, telemetry } = pass.context
  if (workshop === undefined) return { ok: false, code: 'worker.refused', message: 'there is no workshop' }
  return telemetry.span('work', { worker: worker.name }, () => workshop.run(worker, order, limits.work, pass.signal))
}

function readDelivery(kept: Readonly<Record<string, unknown>> | undefined): Delivery | undefined {
  const [worker, resultHash, packedHash] = [kept?.['worker'], kept?.['resultHash'], kept?.['packedHash']]
  const [resultURI, summary] = [kept?.['resultURI'], kept?.['summary']]
  if (typeof worker !== 'string' || typeof resultHash !== 'string' || typeof packedHash !== 'string') return undefined
  if (typeof resultURI !== 'string' || typeof summary !== 'string') return undefined
  return { worker, resultHash: resultHash as Hash, packedHash, resultURI, summary, evidence: [] }
}
