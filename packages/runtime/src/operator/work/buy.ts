import { type Cid, isCid, rawCidOf } from '@oikos/core'
import type { Tender } from '@oikos/sdk'
import type { WorkOrder } from '../../workers/worker.ts'
import { decide, keepDecline } from '../decide.ts'
import { errorFields } from '../log.ts'
import type { PaidResource, ResourceNeed } from '../options.ts'
import type { Pass } from '../pass.ts'
import type { Question } from '../question.ts'

/** What an order needs, with the Evidence of its payments, or why it cannot be had. */
export type Provisions =
  | {
      readonly ok: true
      readonly resources: ReadonlyMap<string, Uint8Array>
      readonly evidence: readonly { readonly digest: string; readonly uri?: string }[]
    }
  | { readonly ok: false; readonly code: string; readonly reason: string }

type Evidence = { readonly digest: string; readonly uri?: string }
type Purchase = { readonly bytes: Uint8Array; readonly evidence: Evidence | undefined }

const DAY_MS = 86_400_000n
/** Bytes of one resource that was paid for. */
const MAX_RESOURCE_BYTES = 64 * 1024 * 1024

/**
 * Buys what a skill needs for one package. The decider is asked about each; what was paid is kept before the work begins, and is
 * not paid again: the payer is given the same key for the same thing.
 */
export async function provide(
  pass: Pass,
  tender: Tender,
  order: WorkOrder,
  needs: readonly ResourceNeed[],
): Promise<Provisions> {
  const resources = new Map<string, Uint8Array>()
  const evidence: Evidence[] = []
  for (const need of needs) {
    const key = `${pass.context.identity.agent}/${tender.task.toLowerCase()}/${tender.tokenId}/${order.taskHash}/${need.name}`
    const resource: PaidResource = { ...need, idempotencyKey: key, taskHash: order.taskHash }
    const bought = (await findBought(pass, key)) ?? (await buyOne(pass, resource))
    if ('code' in bought) return { ok: false, ...bought }
    resources.set(need.name, bought.bytes)
    if (bought.evidence !== undefined) evidence.push(bought.evidence)
  }
  return { ok: true, resources, evidence }
}

async function findBought({ context }: Pass, key: string): Promise<Purchase | undefined> {
  const { store, identity, content } = context
  const detail = await store.notes.findPurchase(identity.agent, key)
  const cid = detail?.['cid']
  if (typeof cid !== 'string' || !isCid(cid)) return undefined
  const bytes = await content.get(cid as Cid, { maxBytes: MAX_RESOURCE_BYTES })
  if (bytes === undefined) return undefined
  const [digest, uri] = [detail?.['evidenceDigest'], detail?.['evidenceURI']]
  const evidence = typeof digest === 'string' ? { digest, ...(typeof uri === 'string' && { uri }) } : undefined
  return { bytes, evidence }
}

async function buyOne(
  pass: Pass,
  resource: PaidResource,
): Promise<Purchase | { readonly code: string; readonly reason: string }> {
  const { context, fence, signal } = pass
  const { buy, store, identity, settings, clockMs, content, log } = context
  if (buy === undefined) return { code: 'no-payer', reason: `${resource.name} costs money, and nothing here pays.` }
  const most = settings.budget.purchasesAtomic?.[resource.asset] ?? 0n
  const paid = await store.notes.getPurchased(identity.agent, resource.asset, clockMs() - DAY_MS)
  if (paid + resource.maxPriceAtomic > most) {
    const reason = `${resource.name} may cost ${resource.maxPriceAtomic} of ${resource.asset}; ${paid} of ${most} were paid within a day.`
    return { code: 'budget.purchases', reason }
  }
  const decided = await decide(context, fence, { question: ask(resource), subject: resource.name }, signal)
  if (decided.answer.optionId !== 'buy') return { code: 'resource-declined', reason: decided.decision.reason }
  if (settings.dryRun) return { code: 'dry-run', reason: `${resource.name} would be bought now.` }
  const stopped = await context.killSwitch.findReason()
  if (stopped !== undefined) return { code: 'halted', reason: stopped }
  let bought: Awaited<ReturnType<typeof buy>>
  try {
    bought = await buy(resource, signal)
  } catch (cause) {
    const { error, reason } = errorFields(cause)
    bought = { ok: false, code: error, message: reason, uncertain: true }
  }
  if (!bought.ok) {
    const reason = `${resource.name}: ${bought.message}${bought.uncertain ? ' It may have been paid; the same key is used again.' : ''}`
    await keepDecline(context, fence, {
      ...{
        id: `buy ${resource.idempotencyKey}`,
        kind: 'paid-resource',
        subject: resource.name,
        code: bought.code,
        reason,
      },
    })
    return { code: `resource.${bought.code}`, reason }
  }
  const { bytes, paidAtomic, evidence } = bought
  await content.put(bytes)
  const detail = {
    ...{ cid: rawCidOf(bytes), url: resource.url, asset: resource.asset, questionId: decided.decision.id },
    ...(evidence !== undefined && { evidenceDigest: evidence.digest }),
    ...(evidence?.uri !== undefined && { evidenceURI: evidence.uri }),
  }
  await store.notes.putPurchase(fence, resource.idempotencyKey, { paidAtomic, detail }, clockMs())
  log.info({ resource: resource.name, paidAtomic: paidAtomic.toString() }, 'bought')
  return { bytes, evidence }
}

function ask(resource: PaidResource): Question {
  const { name, url, asset, maxPriceAtomic, idempotencyKey } = resource
  return {
    id: `paid-resource ${idempotencyKey}`,
    kind: 'paid-resource',
    facts: { name, asset, priceAtomic: maxPriceAtomic.toString(), origin: new URL(url).origin },
    untrusted: [],
    options: [
      { id: 'wait', text: `Do without ${name}.` },
      {
        id: 'buy',
        text: `Buy ${name} for at most ${maxPriceAtomic} of ${asset}.`,
        amount: { minAtomic: 0n, maxAtomic: maxPriceAtomic },
      },
    ],
  }
}
