import {
  approveAssetAndWait,
  getShareBalance,
  ONE_SHARE,
  requestMintAtMostAndWait,
  requestRedeemAtLeastAndWait,
} from '@oikos/sdk'
import type { HiredOperator } from '../market/operators.ts'
import { addressOf, amount, balanceOf, type Party, type Stage, tellTransaction } from '../market/stage.ts'
import { minRequestAgeSec } from './birth.ts'
import { tellRate } from './rate.ts'

const names = { ada: 'Ada', ben: 'Ben', cleo: 'Cleo' } as const
type Holder = Party & keyof typeof names

/** Who buys shares of which Agent, and for how much, in whole dollars. */
const purchases: readonly { readonly holder: Holder; readonly of: 'atlas' | 'mira'; readonly dollars: bigint }[] = [
  { holder: 'ada', of: 'atlas', dollars: 5_000n },
  { holder: 'ben', of: 'atlas', dollars: 3_000n },
  { holder: 'cleo', of: 'atlas', dollars: 2_000n },
  { holder: 'ben', of: 'mira', dollars: 1_000n },
  { holder: 'cleo', of: 'mira', dollars: 500n },
]

/** The two Agents, each with the operator that runs it. */
export type Staff = { readonly atlas: HiredOperator; readonly mira: HiredOperator }

/** Shares of each buyer, in share units, and the rate at which they came in. */
export type Raised = { shares: Readonly<Record<string, bigint>>; rates: Readonly<Record<keyof Staff, bigint>> }

/** Three holders ask for shares of two Agents; each operator settles its own at one price and hands the shares out. */
export async function playRaising(stage: Stage, staff: Staff): Promise<Raised> {
  const { client, dollar, say } = stage
  for (const { holder, of, dollars } of purchases) {
    const { agent, name } = staff[of]
    const amountAtomic = dollars * 10n ** BigInt(dollar.decimals)
    say.step(names[holder], `asks for shares of ${name} for ${amount(amountAtomic, dollar)}, at most 1.01 USDC each.`)
    await approveAssetAndWait(client[holder], { token: dollar.address, spender: agent, amountAtomic })
    const request = { agent, amountAtomic, maxRate: 1_010_000n }
    tellTransaction(stage, await requestMintAtMostAndWait(client[holder], request))
  }
  say.step(
    'The operators',
    'look, and wait: a request must be an hour old, so that nobody buys at a price that was seen.',
  )
  for (const operator of [staff.atlas, staff.mira]) if ((await operator.act()).length > 0) throw new Error('too early')
  await stage.passTime(BigInt(minRequestAgeSec))

  for (const operator of [staff.atlas, staff.mira]) {
    say.step(
      `${operator.name}’s operator`,
      'settles what waits, an hour later, at one price and with one reason, and hands the shares out.',
    )
    await operator.act()
    await tellRate(stage, operator.agent)
  }
  const shares: Record<string, bigint> = {}
  for (const { holder, of } of purchases) {
    const { agent, name } = staff[of]
    const held = await getShareBalance(client.stranger, { agent, account: addressOf(stage, holder) })
    shares[`${holder} ${of}`] = held
    say.fact(names[holder], `${held / ONE_SHARE} shares of ${name}`)
  }
  const rates = {
    atlas: await tellRate(stage, staff.atlas.agent),
    mira: await tellRate(stage, staff.mira.agent),
  }
  return { shares, rates }
}

/** What a holder took out, in smallest units of the token. */
export type Left = { paid: bigint; rateBefore: bigint; rateAfter: bigint }

/** A holder sells all shares of an Agent back to it and leaves. */
export async function playLeaving(stage: Stage, operator: HiredOperator, holder: Holder): Promise<Left> {
  const { client, dollar, say } = stage
  const { agent, name } = operator
  const user = addressOf(stage, holder)
  const sharesAtomic = await getShareBalance(client[holder], { agent, account: user })
  say.step(names[holder], `wants out of ${name}: ${sharesAtomic / ONE_SHARE} shares, for at least 1.10 USDC each.`)
  const request = { agent, sharesAtomic, minRate: 1_100_000n }
  tellTransaction(stage, await requestRedeemAtLeastAndWait(client[holder], request))
  await stage.passTime(BigInt(minRequestAgeSec))
  const rateBefore = await tellRate(stage, agent)

  const before = await balanceOf(stage, user)
  say.step(
    `${name}’s operator`,
    `settles ${names[holder]} at the rate of the books and pays out. For those who stay, the rate is not one unit lower.`,
  )
  await operator.act()
  const paid = (await balanceOf(stage, user)) - before
  say.fact('paid', `${amount(paid, dollar)} for ${sharesAtomic / ONE_SHARE} shares`)
  const rateAfter = await tellRate(stage, agent)
  return { paid, rateBefore, rateAfter }
}
