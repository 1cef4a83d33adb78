import type { ReasoningClaims } from '@oikos/core/reasoning'
import { judgeAgentCall, toOikosError } from '@oikos/sdk'
import { type Address, encodeFunctionData, erc4626Abi, type Hex, keccak256, stringToHex } from 'viem'
import { readContract } from 'viem/actions'
import type { Intent } from '../act/intent.ts'
import { type Decided, decide } from '../decide.ts'
import type { Pass } from '../pass.ts'
import type { Option } from '../question.ts'
import type { OpenRequester } from './requests.ts'

/** What lies in the vault for idle capital. */
export type IdlePosition = {
  /** Accept Token that the vault would give back now, in smallest units; 0 without a vault. */
  readonly withdrawableAtomic: bigint
  /** The way back for an amount, in the form that the Scope allows; undefined where there is none. */
  readonly withdrawIntent: (
    amountAtomic: bigint,
    why: { readonly subject: string; readonly claims: ReasoningClaims; readonly decided: Decided },
  ) => Promise<Intent | undefined>
}

const NO_POSITION: IdlePosition = { withdrawableAtomic: 0n, withdrawIntent: async () => undefined }

/** Reads the position at the block of the pass. A vault that does not answer is worth nothing. */
export async function readIdle(pass: Pass): Promise<IdlePosition> {
  const { context } = pass
  const { idle } = context.settings
  if (idle === undefined) return NO_POSITION
  const { vault } = idle
  const withdrawableAtomic = await readWithdrawable(pass, vault)
  return {
    withdrawableAtomic,
    withdrawIntent: async (amountAtomic, { subject, claims, decided }) => {
      if (amountAtomic > withdrawableAtomic) return undefined
      const data = await chooseWayBack(pass, vault, amountAtomic)
      return {
        kind: 'withdraw-idle',
        subject: `${vault} ${subject}`,
        title: `Take ${amountAtomic} out of the vault ${vault}.`,
        decisionId: decided.decision.id,
        spendAtomic: 0n,
        call: {
          form: 'reasoned',
          ...{ action: 'execute', args: [vault, 0n, data], claims, decidedAtMs: decided.decision.atMs },
        },
      }
    },
  }
}

async function readWithdrawable({ context, head }: Pass, vault: Address): Promise<bigint> {
  const { client, agent } = context
  try {
    return await readContract(client, {
      ...{ abi: erc4626Abi, address: vault, functionName: 'maxWithdraw', args: [agent], blockNumber: head.number },
    })
  } catch (cause) {
    const error = toOikosError(cause, { contract: vault, functionName: 'maxWithdraw' })
    if (error.name !== 'ContractRevertedError' && error.name !== 'NoContractError') throw error
    return 0n
  }
}

/** A Scope may allow to name the assets, or the shares, rounded up so that the amount is reached. */
async function chooseWayBack({ context, head }: Pass, vault: Address, assets: bigint): Promise<Hex> {
  const { client, agent } = context
  const withdraw = encodeFunctionData({ abi: erc4626Abi, functionName: 'withdraw', args: [assets, agent, agent] })
  const judgment = await judgeAgentCall(client, { agent, target: vault, valueWei: 0n, data: withdraw })
  if (judgment.isAllowed) return withdraw
  const shares = await readContract(client, {
    ...{ abi: erc4626Abi, address: vault, functionName: 'previewWithdraw', args: [assets], blockNumber: head.number },
  })
  return encodeFunctionData({ abi: erc4626Abi, functionName: 'redeem', args: [shares, agent, agent] })
}

/** Moves what nobody needs now into the vault, or back, as the decider chooses within the bounds of the settings. */
export async function* moveIdle(
  pass: Pass,
  requesters: readonly OpenRequester[],
  idle: IdlePosition,
): AsyncGenerator<Intent, void, void> {
  const { context, fence, books, signal } = pass
  const { settings, agent } = context
  if (settings.idle === undefined || books.isPaused) return
  const { vault, keepAtomic, minMoveAtomic } = settings.idle
  const neededAtomic = neededForRedemptions(pass, requesters)
  const liquidAtomic = positive(books.freeAtomic - neededAtomic)
  const movableAtomic = positive(liquidAtomic - keepAtomic)
  const options: [Option, ...Option[]] = [{ id: 'wait', text: 'Leave the capital where it is.' }]
  if (movableAtomic >= minMoveAtomic && movableAtomic > 0n)
    options.push({
      ...{ id: 'invest', text: `Move capital into the vault ${vault}; ${keepAtomic} stay liquid.` },
      amount: { minAtomic: larger(minMoveAtomic, 1n), maxAtomic: movableAtomic },
    })
  if (idle.withdrawableAtomic >= minMoveAtomic && idle.withdrawableAtomic > 0n)
    options.push({
      ...{ id: 'withdraw', text: `Take capital back out of the vault ${vault}.` },
      amount: { minAtomic: larger(minMoveAtomic, 1n), maxAtomic: idle.withdrawableAtomic },
    })
  if (options.length === 1) return
  // changes that are smaller than a move are the same situation
  const step = larger(minMoveAtomic, 1n)
  const situation = [vault, movableAtomic / step, idle.withdrawableAtomic / step, neededAtomic].join()
  const facts = {
    liquidAtomic: liquidAtomic.toString(),
    assetsAtomic: positive(books.assetsAtomic - neededAtomic).toString(),
    investedAtomic: idle.withdrawableAtomic.toString(),
    neededAtomic: neededAtomic.toString(),
    keepAtomic: keepAtomic.toString(),
  }
  const id = `idle-capital ${keccak256(stringToHex(situation))}`
  const question = { id, kind: 'idle-capital', facts, untrusted: [], options } as const
  const decided = await decide(context, fence, { question, subject: vault }, signal)
  const { optionId, amountAtomic, claims } = decided.answer
  if (amountAtomic === undefined) return
  if (optionId === 'withdraw') {
    const intent = await idle.withdrawIntent(amountAtomic, { subject: `of ${amountAtomic}`, claims, decided })
    if (intent !== undefined) yield intent
  }
  if (optionId !== 'invest') return
  const data = encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amountAtomic, agent] })
  yield {
    kind: 'deposit-idle',
    subject: `${vault} of ${amountAtomic}`,
    title: `Move ${amountAtomic} of idle capital into the vault ${vault}.`,
    decisionId: decided.decision.id,
    spendAtomic: amountAtomic,
    call: {
      form: 'reasoned',
      ...{ action: 'executeWithAllowance', args: [vault, 0n, data, amountAtomic], claims },
      decidedAtMs: decided.decision.atMs,
    },
  }
}

/** Accept Token that pending redemptions would take at the published rate, rounded up. */
function neededForRedemptions({ books }: Pass, requesters: readonly OpenRequester[]): bigint {
  const shares = requesters.reduce((total, { redeem }) => total + redeem.pendingAtomic, 0n)
  return (shares * (books.rate ?? 0n) + 10n ** 18n - 1n) / 10n ** 18n
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
