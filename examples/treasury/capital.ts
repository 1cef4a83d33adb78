import {
  approveAssetAndWait,
  claimSharesBatchAndWait,
  claimTokensAndWait,
  getShareBalance,
  ONE_SHARE,
  requestMintAtMostAndWait,
  requestRedeemAtLeastAndWait,
  settleMintBatchAndWait,
  settleRedeemAndWait,
} from '@oikos/sdk'
import type { Address } from 'viem'
import { addressOf, amount, balanceOf, type Party, type Stage, tellTransaction } from '../market/stage.ts'
import { reasonFor, tellRate } from './act.ts'
import { minRequestAgeSec } from './birth.ts'

/** Who buys, and for how much, in whole dollars. */
const buyers = { ada: 5_000n, ben: 3_000n, cleo: 2_000n } as const
const names = { ada: 'Ada', ben: 'Ben', cleo: 'Cleo' } as const

/** Shares of each buyer, in share units, and the rate at which they came in. */
export type Raised = { shares: Readonly<Record<keyof typeof buyers, bigint>>; rate: bigint }

/** Three holders ask for shares, the Agent settles them at one price, and anyone hands the shares out. */
export async function playRaising(stage: Stage, agent: Address): Promise<Raised> {
  const { client, dollar, say } = stage
  const parties = Object.keys(buyers) as (keyof typeof buyers)[]
  for (const party of parties) {
    const amountAtomic = buyers[party] * 10n ** BigInt(dollar.decimals)
    say.step(names[party], `asks for shares for ${amount(amountAtomic, dollar)}, at most 1.01 USDC each.`)
    await approveAssetAndWait(client[party], { token: dollar.address, spender: agent, amountAtomic })
    const request = { agent, amountAtomic, maxRate: 1_010_000n }
    tellTransaction(stage, await requestMintAtMostAndWait(client[party], request))
  }
  await stage.passTime(BigInt(minRequestAgeSec))

  say.step('The Agent', 'settles all three, an hour later, at one price and with one reason.')
  const requesters = parties.map((party) => addressOf(stage, party))
  const claims = {
    decision: 'Take in all three deposits.',
    rationale: 'There is work for the capital, and nobody holds shares yet whom a price could hurt.',
  }
  const reasoning = await reasonFor(stage, agent, { action: 'settleMintBatch', args: [requesters] }, { claims })
  tellTransaction(stage, await settleMintBatchAndWait(client.operator, { agent, requesters, reasoning }))
  const rate = await tellRate(stage, agent)

  say.step('Anyone', 'hands out the shares: a claim needs no permission and pays only who is owed.')
  tellTransaction(stage, await claimSharesBatchAndWait(client.stranger, { agent, users: requesters }))
  const shares = { ada: 0n, ben: 0n, cleo: 0n }
  for (const party of parties) {
    shares[party] = await getShareBalance(client.stranger, { agent, account: addressOf(stage, party) })
    say.fact(names[party], `${shares[party] / ONE_SHARE} shares`)
  }
  say.fact('capital', amount(await balanceOf(stage, agent), dollar))
  return { shares, rate }
}

/** What a holder took out, in smallest units of the token. */
export type Left = { paid: bigint; rateBefore: bigint; rateAfter: bigint }

/** A holder sells all of its shares back to the Agent and leaves. */
export async function playLeaving(stage: Stage, agent: Address, party: Party & keyof typeof names): Promise<Left> {
  const { client, dollar, say } = stage
  const user = addressOf(stage, party)
  const sharesAtomic = await getShareBalance(client[party], { agent, account: user })
  say.step(names[party], `wants out: ${sharesAtomic / ONE_SHARE} shares, for at least 1.15 USDC each.`)
  const request = { agent, sharesAtomic, minRate: 1_150_000n }
  tellTransaction(stage, await requestRedeemAtLeastAndWait(client[party], request))
  await stage.passTime(BigInt(minRequestAgeSec))

  say.step('The Agent', `settles ${names[party]} at the rate of its books.`)
  const rateBefore = await tellRate(stage, agent)
  const claims = {
    decision: `Let ${names[party]} out at the rate of the books.`,
    rationale: 'The free capital covers it; nothing has to be sold.',
  }
  const reasoning = await reasonFor(stage, agent, { action: 'settleRedeem', args: [user] }, { claims })
  tellTransaction(stage, await settleRedeemAndWait(client.operator, { agent, requester: user, reasoning }))

  say.step(names[party], 'takes the money and is gone. For those who stay, the rate is not one unit lower.')
  const before = await balanceOf(stage, user)
  tellTransaction(stage, await claimTokensAndWait(client[party], { agent, user }))
  const paid = (await balanceOf(stage, user)) - before
  say.fact(
    'paid',
    `${amount(paid, dollar)}, for ${amount(buyers[party] * 10n ** BigInt(dollar.decimals), dollar)} that went in`,
  )
  const rateAfter = await tellRate(stage, agent)
  return { paid, rateBefore, rateAfter }
}
