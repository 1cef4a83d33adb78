import { addValuationAndWait, type CallJudgment, deployVaultValuation, getAgentBooks, judgeAgentCall } from '@oikos/sdk'
import { type Address, encodeFunctionData, erc20Abi, erc4626Abi, type Hex, parseEther } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import type { HiredOperator } from '../market/operators.ts'
import { addressOf, amount, balanceOf, type Stage, tellTransaction } from '../market/stage.ts'
import { tellRate } from './rate.ts'
import { reportRules } from './rules.ts'

/** Capital of Atlas after its work is 11,200 dollars. */
const invested = 4_000_000_000n
const kept = 7_200_000_000n
const interest = 120_000_000n
/** Most that the price of a vault share may move in a day before settlement stops: 5 %. */
const corridorBpsPerDay = 500

/** What investing did to the rate, and what was refused. */
export type Invested = {
  rateBefore: bigint
  rateAfter: bigint
  rateWithInterest: bigint
  valuedAtomic: bigint
  refused: readonly string[]
}

/** Idle capital goes into a vault inside the boundary, earns interest there, and three ways outside it are refused. */
export async function playInvesting(stage: Stage, operator: HiredOperator): Promise<Invested> {
  const { client, dollar, savings, say } = stage
  const { agent } = operator
  say.step('The owner', 'lists a valuation: what the savings vault would pay for a position is part of the books.')
  const valuation = await deployVaultValuation(client.owner, client.owner, { vault: savings, corridorBpsPerDay })
  tellTransaction(stage, await addValuationAndWait(client.owner, { agent, valuation: valuation.address }))
  const rateBefore = await tellRate(stage, agent)

  say.step(
    'Atlas’s operator',
    `is told to keep ${amount(kept, dollar)} at hand and to save the rest, at most ${amount(invested, dollar)} a day. The vault may pull exactly what is saved, and only during that call.`,
  )
  operator.retrain({
    rules: { ...reportRules, capital: { liquidBps: 0, minMoveAtomic: '1000000' } },
    settings: {
      idle: { vault: savings, keepAtomic: kept, minMoveAtomic: 1_000_000n },
      budget: { gasWei: parseEther('1'), spendAtomic: invested },
    },
  })
  await operator.act()
  say.fact('free', amount((await getAgentBooks(client.stranger, { agent })).freeAtomic, dollar))
  say.note('The money moved and no value did:')
  const rateAfter = await tellRate(stage, agent)

  const refused = await showRefusals(stage, agent)

  say.step('A day', `passes, and the vault earns ${amount(interest, dollar)}.`)
  await stage.passTime(86_400n)
  await earn(stage)
  const rateWithInterest = await tellRate(stage, agent)
  const { valuedAtomic } = await getAgentBooks(client.stranger, { agent })
  say.fact('in the vault', amount(valuedAtomic, dollar))
  return { rateBefore, rateAfter, rateWithInterest, valuedAtomic, refused }
}

function deposit(assets: bigint, receiver: Address): Hex {
  return encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [assets, receiver] })
}

/** What a thief with the Executor's key would try. The chain answers; nothing is sent. */
async function showRefusals(stage: Stage, agent: Address): Promise<readonly string[]> {
  const { client, dollar, savings, say } = stage
  say.step('A thief', "who has the Executor's key tries to widen its hands.")
  const thief = addressOf(stage, 'operator')
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [thief, 1_000_000_000n] })
  const attempts = [
    [
      'to save in its own name',
      { target: savings, data: deposit(1_000_000_000n, thief), allowanceAtomic: 1_000_000_000n },
    ],
    [
      'to save more than a call may',
      { target: savings, data: deposit(6_000_000_000n, agent), allowanceAtomic: 6_000_000_000n },
    ],
    ['to pay itself', { target: dollar.address, data: transfer }],
    ['to give itself shares', { target: agent, data: '0x12345678' }],
  ] as const
  const codes: string[] = []
  for (const [what, call] of attempts) {
    const judgment = await judgeAgentCall(client.operator, { agent, valueWei: 0n, ...call })
    codes.push(tellRefusal(stage, what, judgment))
  }
  say.check('npm run oikos -- agent scope show atlas')
  return codes
}

function tellRefusal(stage: Stage, what: string, judgment: CallJudgment): string {
  if (judgment.isAllowed) throw new Error(`the Scope lets a thief ${what}`)
  stage.say.note(`${what}: ${judgment.reason}`)
  return judgment.code
}

/** Interest: what is sent to the vault belongs to those who have shares of it. */
async function earn(stage: Stage): Promise<void> {
  const { client, dollar, savings } = stage
  const hash = await writeContract(client.stranger, {
    ...{ abi: erc20Abi, address: dollar.address, functionName: 'transfer', args: [savings, interest] },
  })
  tellTransaction(stage, { hash, receipt: await waitForTransactionReceipt(client.stranger, { hash }) })
  if ((await balanceOf(stage, savings)) !== invested + interest) throw new Error('the interest did not arrive')
}
