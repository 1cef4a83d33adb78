import { formatAmount, getAssetMetadata } from '@oikos/sdk'
import type { Client } from 'viem'
import { bpsText } from '../output/equity.ts'
import type { Fact } from '../output/layout.ts'
import { type AddressBook, countOf, exactDuration } from '../output/speech.ts'
import { type Judgment, judgmentText } from './authority.ts'

/** What a reader has to know about the rules in the judgment slot, read from the contract in it. */
export async function judgmentFacts(client: Client, judgment: Judgment, book: AddressBook): Promise<readonly Fact[]> {
  switch (judgment.kind) {
    case 'person':
    case 'unknown-verifier':
      return []
    case 'hashlock':
      return [['commitment', judgment.answerHash ?? 'none yet']]
    case 'batch':
      return [['commitment', rootText(judgment.batch)]]
    case 'secrets':
      return [['commitment', rootText(judgment.secrets)]]
    case 'signed-outcome':
      return [['commitment', thresholdText(judgment.threshold)]]
    case 'streak': {
      const { threshold, streak, provider } = judgment
      const grace =
        streak === undefined ? '' : `; a delivery settles until ${exactDuration(streak.graceSec)} after its epoch`
      return [
        ['commitment', `${thresholdText(threshold)}${grace}`],
        ['seat', provider === undefined ? 'free: the first who is attested takes it' : book(provider)],
      ]
    }
    case 'jury': {
      const { jurors, quorum, voteWindowSec, leastJudgmentWindowSec } = judgment.jury
      return [
        ['jurors', jurors.map((juror) => book(juror))],
        [
          'verdict',
          [
            `${quorum} of ${countOf(jurors.length, 'juror')} have to vouch for a delivery, within ${exactDuration(voteWindowSec)} of the first vote;`,
            `otherwise it is refused. Without a vote until ${exactDuration(leastJudgmentWindowSec)} before the end of the window, silence pays.`,
          ],
        ],
      ]
    }
    case 'gate': {
      const { rule, judge } = judgment
      const asset = await getAssetMetadata(client, { asset: rule.bondAsset })
      const lost = rule.beneficiary === undefined ? 'nobody' : book(rule.beneficiary)
      return [
        ['bond', `${formatAmount(rule.bondAtomic, asset)} with every delivery, made through the gate`],
        [
          'lost bonds',
          `${bpsText(rule.rejectedBps)} when refused, ${bpsText(rule.expiredBps)} without a proof in time; to ${lost}`,
        ],
        ['ruled by', judge === undefined ? 'nobody' : `${judgmentText(judge)} ${book(judge.address)}`],
        ...(judge === undefined ? [] : await judgmentFacts(client, judge, book)),
      ]
    }
    default:
      return judgment satisfies never
  }
}

function rootText(committed: { readonly root: string; readonly minAgeSec: bigint } | undefined): string {
  if (committed === undefined) return 'none yet'
  return `${committed.root}, settles after ${exactDuration(committed.minAgeSec)}`
}

function thresholdText(threshold: bigint): string {
  return threshold === 0n ? 'none yet' : `${countOf(threshold, 'attestor')} have to sign`
}
