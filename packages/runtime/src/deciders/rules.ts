import type { Answer, Decider, Option, Question } from '../operator/question.ts'
import { factsReader, type OptionAct } from './facts.ts'
import { type Rules, readRules } from './rules-document.ts'

/**
 * The decider without a model: rules over the facts of a question. It reads no text of strangers, uses no network, and gives
 * the same answer to the same question.
 * @param document rules as parsed from JSON; `{}` settles and does nothing else
 * @throws RulesError for a document that cannot be used
 */
export function createRulesDecider(document: unknown = {}): Decider {
  const rules = readRules(document)
  return { name: 'rules', decide: async (question) => decideByRules(rules, question) }
}

/** What rules say of a question. @throws FactError when the question lacks a fact of its kind */
function decideByRules(rules: Rules, question: Question): Answer {
  const { act, amountAtomic, reason } = chooseAct(rules, question)
  const option = question.options.find(({ id }) => id === act || id.startsWith(`${act}:`))
  if (option === undefined || act === 'wait') return answer(question.options[0], undefined, reason)
  if (option.amount === undefined) return answer(option, undefined, reason)
  const { minAtomic, maxAtomic } = option.amount
  const wanted = amountAtomic ?? minAtomic
  if (wanted < minAtomic) return answer(question.options[0], undefined, `${reason}; less than the option allows`)
  const isTooMuch = wanted > maxAtomic
  return answer(option, isTooMuch ? maxAtomic : wanted, reason)
}

function answer(option: Option, amountAtomic: bigint | undefined, reason: string): Answer {
  const claims = { decision: `${option.text} (${reason})`, decider: 'rules' }
  return { optionId: option.id, ...(amountAtomic !== undefined && { amountAtomic }), claims }
}

type Choice = { readonly act: OptionAct; readonly amountAtomic?: bigint; readonly reason: string }

function wait(reason: string): Choice {
  return { act: 'wait', reason }
}

function chooseAct(rules: Rules, question: Question): Choice {
  switch (question.kind) {
    case 'mint-requests':
      return judgeMint(rules, question)
    case 'redeem-requests':
      return judgeRedeem(rules, question)
    case 'tender':
      return judgeTender(rules, question)
    case 'paid-resource':
      return judgeResource(rules, question)
    case 'idle-capital':
      return judgeCapital(rules, question)
    default:
      return question.kind satisfies never
  }
}

type RequestFigures = { readonly smallest: bigint; readonly largest: bigint; readonly oldestSec: bigint }

function judgeRequests(rule: Rules['mint'], { smallest, largest, oldestSec }: RequestFigures): Choice {
  if (smallest < rule.declineBelowAtomic)
    return { act: 'decline', reason: `a request of ${smallest} is below ${rule.declineBelowAtomic}` }
  if (rule.declineAboveAtomic !== undefined && largest > rule.declineAboveAtomic)
    return { act: 'decline', reason: `a request of ${largest} is above ${rule.declineAboveAtomic}` }
  if (!rule.settle) return wait('the rules leave settlement to somebody else')
  if (oldestSec < BigInt(rule.settleAfterSec))
    return wait(`the oldest request is ${oldestSec} seconds old, and the rules wait for ${rule.settleAfterSec}`)
  return { act: 'settle', reason: 'within the rules, at the rate of the books' }
}

function requestFigures(facts: {
  amount(name: 'smallestAtomic' | 'largestAtomic' | 'oldestSec'): bigint
}): RequestFigures {
  return {
    smallest: facts.amount('smallestAtomic'),
    largest: facts.amount('largestAtomic'),
    oldestSec: facts.amount('oldestSec'),
  }
}

function judgeMint({ mint }: Rules, { facts }: Question): Choice {
  return judgeRequests(mint, requestFigures(factsReader('mint-requests', facts)))
}

function judgeRedeem({ redeem }: Rules, question: Question): Choice {
  const facts = factsReader('redeem-requests', question.facts)
  const choice = judgeRequests(redeem, requestFigures(facts))
  const total = facts.amount('totalAtomic')
  const liquid = facts.amount('liquidAtomic')
  return choice.act === 'settle' && total > liquid ? wait(`${total} would be owed and ${liquid} are liquid`) : choice
}

function judgeTender({ tender }: Rules, question: Question): Choice {
  const facts = factsReader('tender', question.facts)
  const rule = tender.profiles.get(facts.text('specProfile'))
  if (rule === undefined) return wait('the rules name no terms for this profile of work')
  const asset = facts.text('rewardAsset')
  if (asset !== facts.text('acceptToken') && !tender.assets.includes(asset))
    return wait('the reward is in an asset that the rules do not take')
  const secondsLeft = facts.amount('secondsLeft')
  if (secondsLeft < BigInt(tender.minSecondsLeft))
    return wait(`${secondsLeft} seconds are left, and the rules want ${tender.minSecondsLeft}`)
  const bytes = facts.amount('packageBytes')
  if (bytes > BigInt(tender.maxPackageBytes))
    return wait(`the package has ${bytes} bytes, and the rules take ${tender.maxPackageBytes} at most`)
  const reward = facts.amount('rewardAtomic')
  if (reward < rule.minRewardAtomic) return wait(`it pays ${reward}, and the rules want ${rule.minRewardAtomic}`)
  // reward / (bytes / 1024) >= minimum, without a division that would round
  if (reward * 1024n < rule.minRewardPerKiBAtomic * bytes)
    return wait(`it pays ${reward} for ${bytes} bytes, and the rules want ${rule.minRewardPerKiBAtomic} for 1024`)
  return { act: 'work', reason: `it pays ${reward} for ${bytes} bytes, within the rules` }
}

function judgeResource({ resource }: Rules, question: Question): Choice {
  const facts = factsReader('paid-resource', question.facts)
  const most = resource.maxPriceAtomic.get(facts.text('asset'))
  if (most === undefined) return wait('the rules name no price for this asset')
  if (resource.origins !== undefined && !resource.origins.includes(facts.text('origin')))
    return wait('the rules do not name this origin')
  const price = facts.amount('priceAtomic')
  if (price > most) return wait(`it costs ${price}, and the rules pay ${most} at most`)
  return { act: 'buy', amountAtomic: price, reason: `it costs ${price}, and the rules pay ${most} at most` }
}

function judgeCapital({ capital }: Rules, question: Question): Choice {
  const facts = factsReader('idle-capital', question.facts)
  const liquid = facts.amount('liquidAtomic')
  const kept = ceilShare(facts.amount('assetsAtomic'), BigInt(capital.liquidBps))
  const move = liquid > kept ? liquid - kept : kept - liquid
  const state = `${liquid} are liquid, and the rules keep ${kept}`
  if (move === 0n || move < capital.minMoveAtomic) return wait(state)
  return { act: liquid > kept ? 'invest' : 'withdraw', amountAtomic: move, reason: state }
}

/** The share that stays liquid, rounded up: the Agent keeps the remainder. */
function ceilShare(assets: bigint, bps: bigint): bigint {
  return (assets * bps + 9_999n) / 10_000n
}
