import { interfaceIds, OikosError, supportsInterface, type Tender } from '@oikos/sdk'
import { isAddressEqual } from 'viem'
import { getCode } from 'viem/actions'
import type { OperatorContext } from '../context.ts'
import type { TenderLimits } from '../options.ts'

/** Why a tender is not taken. `isSettled`: nothing but an event can change that. */
export type TenderRefusal = { readonly code: string; readonly reason: string; readonly isSettled: boolean }

/** A tender that passes the limits. */
export type FittingTender = { readonly isMachine: boolean; readonly lastMomentSec: bigint | undefined }

/** Judges what the chain says about a tender, in a fixed order: end, money, content, time, judge. */
export async function judgeTender(
  context: OperatorContext,
  limits: TenderLimits,
  tender: Tender,
): Promise<TenderRefusal | FittingTender> {
  const refuse = (code: string, reason: string, isSettled = true): TenderRefusal => ({ code, reason, isSettled })
  const { terms, pending, completions, blockTimestampSec: nowSec } = tender
  const { asset, rewardPerCompletionAtomic: reward, maxCompletions } = terms
  if (tender.cancelled) return refuse('cancelled', 'The tender was cancelled.')
  const accepted = limits.rewards.find((wanted) => isAddressEqual(wanted.asset, asset))
  if (accepted === undefined) return refuse('reward-asset', `The reward is in ${asset}, which is not taken.`)
  if (reward < accepted.minRewardAtomic)
    return refuse('reward-too-low', `It pays ${reward}, and at least ${accepted.minRewardAtomic} is wanted.`)
  if (maxCompletions !== 0n && completions + pending >= maxCompletions)
    return refuse('no-slot', `All ${maxCompletions} completions are taken.`)
  const available = tender.balanceAtomic - tender.shares.creditsAtomic
  if (available / reward <= pending)
    return refuse(
      'unfunded',
      `The vault has ${available}, of which ${pending * reward} are reserved, for ${reward}.`,
      false,
    )
  if (limits.requireFrozen && !tender.frozen) return refuse('not-frozen', 'The publisher can still change the content.')
  const lastMomentSec = earlier(terms.submitBySec, terms.settleBySec)
  if (lastMomentSec !== undefined && lastMomentSec < nowSec + limits.minSecondsLeft)
    return refuse('too-late', `Work must be delivered by ${lastMomentSec}, and it is ${nowSec}.`)
  return judgeAuthority(context, limits, tender, lastMomentSec)
}

async function judgeAuthority(
  { client, prover }: OperatorContext,
  limits: TenderLimits,
  { acceptanceAuthority: authority, terms, blockNumber }: Tender,
  lastMomentSec: bigint | undefined,
): Promise<TenderRefusal | FittingTender> {
  if (limits.verifiers.some((verifier) => isAddressEqual(verifier, authority))) {
    if (prover !== undefined) return { isMachine: true, lastMomentSec }
    return { code: 'no-prover', reason: 'A verifier settles it, and nothing here gives proofs.', isSettled: true }
  }
  const code = await getCode(client, { address: authority, blockNumber })
  if (code !== undefined && code !== '0x' && (await isVerifier({ client }, authority, blockNumber)))
    return { code: 'unknown-verifier', reason: `The verifier ${authority} is not one that is known.`, isSettled: true }
  if (!limits.judged) return { code: 'judged', reason: 'Somebody judges it, and that is not taken.', isSettled: true }
  const { judgmentWindowSec } = terms
  if (judgmentWindowSec > limits.maxJudgmentWindowSec) {
    const reason = `The judge has ${judgmentWindowSec} seconds, and ${limits.maxJudgmentWindowSec} are taken at most.`
    return { code: 'window-too-long', reason, isSettled: true }
  }
  return { isMachine: false, lastMomentSec }
}

async function isVerifier(
  { client }: Pick<OperatorContext, 'client'>,
  contract: Tender['acceptanceAuthority'],
  blockNumber: bigint,
): Promise<boolean> {
  try {
    return await supportsInterface(client, { contract, interfaceId: interfaceIds.ITaskVerifier, blockNumber })
  } catch (cause) {
    // a judge contract need not answer; a node must
    if (cause instanceof OikosError && cause.name !== 'RpcError') return false
    throw cause
  }
}

/** The earlier of two moments of which 0 is none. */
function earlier(left: bigint, right: bigint): bigint | undefined {
  if (left === 0n && right === 0n) return undefined
  if (left === 0n) return right
  if (right === 0n) return left
  return left < right ? left : right
}
