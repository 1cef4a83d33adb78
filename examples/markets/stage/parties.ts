import { createClient, custom, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { type PartyClient, type Stage, testKey } from '../../market/stage.ts'

/** Parties of one market by their name in the story, each with a client that signs as it. */
export type Cast<name extends string> = Readonly<Record<name, PartyClient>>

/** What each party gets for its gas and, where a market is paid in it, for its purse. */
const etherEach = parseEther('20')

/** Gives each name a test account of its own, from `firstIndex` on, with money in it. Nothing of it is worth anything. */
export async function castParties<const name extends string>(
  stage: Stage,
  firstIndex: number,
  names: readonly name[],
): Promise<Cast<name>> {
  const giver = stage.client.demander
  const transport = custom({ request: giver.request })
  const cast: [name, PartyClient][] = []
  for (const [index, name] of names.entries()) {
    const account = privateKeyToAccount(testKey(firstIndex + index))
    const hash = await sendTransaction(giver, { to: account.address, value: etherEach })
    await waitForTransactionReceipt(giver, { hash })
    cast.push([name, createClient({ account, chain: giver.chain, transport, pollingInterval: giver.pollingInterval })])
  }
  return Object.fromEntries(cast) as Record<name, PartyClient>
}
