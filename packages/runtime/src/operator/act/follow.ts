import { type BlockMoment, getBlockMoment, toOikosError } from '@oikos/sdk'
import { getAddress, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionCount, getTransactionReceipt } from 'viem/actions'
import type { Action, SignedAttempt } from '../action.ts'
import { actionFields, type OperatorContext } from '../context.ts'
import type { Fence } from '../store/leases.ts'
import { quoteFees } from './fees.ts'
import { readOutcome } from './outcome.ts'
import { type Hindrance, sendAttempt, signAction, signAttempt } from './sign.ts'

/** What the open actions wait for. */
export type FollowReport = {
  /** Whether a new action may be planned: everything that was begun is in a block. */
  readonly isClear: boolean
  /** Sentences. */
  readonly waiting: readonly string[]
  /** Actions that changed their state. */
  readonly changed: readonly { readonly action: string; readonly kind: string; readonly state: string }[]
}

/**
 * Takes every open action as far as it goes, in the order of their nonces: what is planned is signed, what is signed is sent,
 * what was sent is looked for, and what was mined is looked at again until it is deep enough. An outcome that is not known is
 * found out; nothing is ever done a second time.
 */
export async function followActions(context: OperatorContext, fence: Fence, head: BlockMoment): Promise<FollowReport> {
  const follower = new Follower(context, fence, head)
  await follower.reopenUndone()
  for (const action of await context.store.actions.listOpen(context.identity.agent)) await follower.follow(action)
  return follower.report()
}

class Follower {
  readonly #context: OperatorContext
  readonly #fence: Fence
  readonly #head: BlockMoment
  readonly #waiting: string[] = []
  readonly #changed: { action: string; kind: string; state: string }[] = []
  readonly #hashes = new Map<bigint, string | undefined>()
  #isClear = true

  constructor(context: OperatorContext, fence: Fence, head: BlockMoment) {
    this.#context = context
    this.#fence = fence
    this.#head = head
  }

  report(): FollowReport {
    return { isClear: this.#isClear, waiting: this.#waiting, changed: this.#changed }
  }

  /** A reorganisation deeper than the finality may take back what was final: it is then sent again as the same bytes. */
  async reopenUndone(): Promise<void> {
    const { store, identity, log } = this.#context
    const next = await store.actions.getNextNonce(identity.account)
    if (next === undefined) return
    const chain = await this.#chainNonce(identity.account)
    if (chain >= next) return
    const count = await store.actions.reopen(this.#fence, chain, this.#context.clockMs())
    if (count > 0) log.warn({ count, chainNonce: chain.toString() }, 'final actions are not on the chain any more')
  }

  async follow(action: Action): Promise<void> {
    switch (action.state) {
      case 'planned':
        return this.#followPlanned(action)
      case 'signed':
      case 'sent':
        return this.#followSigned(action)
      case 'mined':
        return this.#followMined(action)
      default:
        return
    }
  }

  async #followPlanned(action: Action): Promise<void> {
    if (!this.#isOwn(action)) return this.#abandon(action, OTHER_ACCOUNT)
    if (!this.#isClear) return this.#wait(action, 'an earlier action comes first')
    const { store, settings, identity } = this.#context
    // planned under other settings; the record exists and is kept, nothing is sent
    const hindrance = settings.dryRun
      ? { code: 'dry-run', reason: 'this is a dry run', isFinal: false }
      : await signAction(this.#context, this.#fence, action)
    if (hindrance === undefined) {
      this.#note(action, 'signed')
      const [signed] = (await store.actions.listOpen(identity.agent)).filter(({ id }) => id === action.id)
      if (signed !== undefined) await this.#followSigned(signed)
      return
    }
    if (!hindrance.isFinal) return this.#wait(action, hindrance.reason)
    return this.#abandon(action, hindrance)
  }

  async #abandon(action: Action, { code, reason }: Pick<Hindrance, 'code' | 'reason'>): Promise<void> {
    const { store, clockMs, log } = this.#context
    const end = { state: 'abandoned', outcome: { code, text: reason } } as const
    await store.actions.noteEnd(this.#fence, action, end, clockMs())
    log.warn({ ...actionFields(action), code, reason }, 'abandoned')
    this.#note(action, 'abandoned')
  }

  #isOwn({ account }: Action): boolean {
    return account === this.#context.identity.account
  }

  async #followSigned(action: Action): Promise<void> {
    const { store } = this.#context
    const attempts = await store.actions.listAttempts(action.id)
    for (const attempt of attempts.toReversed()) {
      const receipt = await this.#findReceipt(attempt)
      if (receipt !== undefined) return this.#noteMined(action, receipt)
    }
    const newest = attempts.at(-1)
    if (newest === undefined || action.nonce === undefined)
      throw new Error(`action ${action.id} is signed without bytes`)
    if (await this.#isReplaced(action.account, action.nonce)) return this.#noteReplaced(action)
    const { dryRun } = this.#context.settings
    const stopped = dryRun ? 'this is a dry run' : await this.#context.killSwitch.findReason()
    if (stopped !== undefined) return this.#wait(action, stopped)
    const raised = await this.#raiseFees(action, attempts, newest)
    const attempt = raised ?? newest
    const { settings, clockMs } = this.#context
    const sentAtMs = attempt.sentAtMs ?? 0n
    if (clockMs() - sentAtMs >= settings.resendAfterMs) {
      await sendAttempt(this.#context, this.#fence, action, attempt)
      const receipt = await this.#findReceipt(attempt)
      if (receipt !== undefined) return this.#noteMined(action, receipt)
    }
    this.#wait(action, `transaction ${attempt.hash} is not in a block yet`)
  }

  /** Another attempt where the last one has waited long and offers less than blocks take now. Same nonce, same call. */
  async #raiseFees(
    action: Action,
    attempts: readonly SignedAttempt[],
    newest: SignedAttempt,
  ): Promise<SignedAttempt | undefined> {
    const { client, settings, store, clockMs, log, telemetry } = this.#context
    if (clockMs() - newest.signedAtMs < settings.bumpAfterMs || action.nonce === undefined) return undefined
    if (!this.#isOwn(action)) return undefined
    if (attempts.length >= MAX_ATTEMPTS) return undefined
    const quote = await quoteFees(client, settings.gas, newest)
    if (!quote.ok) {
      this.#waiting.push(`${action.title} ${quote.reason}`)
      return undefined
    }
    const { gasLimit } = newest
    const number = newest.attempt + 1
    const attempt = await signAttempt(this.#context, action, {
      ...{ nonce: action.nonce, number, gasLimit, fees: quote.fees },
    })
    const refusal = await store.actions.resign(this.#fence, action, attempt, settings.budget)
    if (refusal !== undefined) return undefined
    log.info({ ...actionFields(action), hash: attempt.hash, attempt: number }, 'signed again with higher fees')
    telemetry.countAction(action.kind, 'raised')
    return attempt
  }

  async #followMined(action: Action): Promise<void> {
    const { blockNumber, blockHash, succeeded } = action
    if (blockNumber === undefined || blockHash === undefined) throw new Error(`action ${action.id} is mined nowhere`)
    const { store, settings, clockMs, log } = this.#context
    if ((await this.#hashOf(blockNumber)) !== blockHash) {
      const attempts = await store.actions.listAttempts(action.id)
      const costWei = mostExpensive(attempts)
      await store.actions.noteVanished(this.#fence, action, costWei, clockMs())
      log.warn({ ...actionFields(action), blockNumber: blockNumber.toString() }, 'the block of an action has vanished')
      this.#note(action, 'vanished')
      return this.#followSigned({ ...action, state: 'sent' })
    }
    const depth = this.#head.number - blockNumber + 1n
    if (depth < settings.finalityBlocks) {
      this.#waiting.push(`${action.title} It is ${depth} of ${settings.finalityBlocks} blocks deep.`)
      return
    }
    const state = succeeded === false ? 'reverted' : 'final'
    const outcome = action.outcome ?? { code: 'done', text: 'It had its effect.' }
    await store.actions.noteEnd(this.#fence, action, { state, outcome }, clockMs())
    this.#note(action, state)
  }

  async #noteMined(action: Action, receipt: TransactionReceipt): Promise<void> {
    const { client, store, clockMs, log, telemetry } = this.#context
    const { transactionHash: hash, blockNumber, blockHash, gasUsed, effectiveGasPrice } = receipt
    const succeeded = receipt.status === 'success'
    const gasCostWei = gasUsed * effectiveGasPrice
    const outcome = await readOutcome(client, action, receipt)
    const place = { hash, blockNumber, blockHash, succeeded, gasCostWei, outcome }
    await store.actions.noteMined(this.#fence, action, place, clockMs())
    telemetry.addGasWei(action.kind, gasCostWei)
    const fields = { ...actionFields(action), hash, blockNumber: blockNumber.toString(), outcome }
    if (succeeded) log.info(fields, 'mined')
    else log.warn(fields, 'mined without effect')
    this.#note(action, succeeded ? 'mined' : 'mined-reverted')
  }

  async #noteReplaced(action: Action): Promise<void> {
    const { store, clockMs, log } = this.#context
    const outcome = {
      code: 'replaced',
      text: `Nonce ${action.nonce} was used by a transaction that is not of this operator.`,
    }
    await store.actions.noteEnd(this.#fence, action, { state: 'replaced', outcome }, clockMs())
    log.error(actionFields(action), 'the nonce was used by somebody else who has the key')
    this.#note(action, 'replaced')
  }

  /** Whether the nonce was used so deep in the chain that no reorganisation brings it back, by none of the attempts. */
  async #isReplaced(account: string, nonce: bigint): Promise<boolean> {
    if ((await this.#chainNonce(account)) <= nonce) return false
    const { finalityBlocks } = this.#context.settings
    const blockNumber = this.#head.number - finalityBlocks + 1n
    return blockNumber >= 0n && (await this.#chainNonce(account, blockNumber)) > nonce
  }

  async #chainNonce(account: string, blockNumber?: bigint): Promise<bigint> {
    const { client } = this.#context
    const address = getAddress(account.split('/')[1] ?? '')
    const at = blockNumber === undefined ? ({ blockTag: 'latest' } as const) : { blockNumber }
    return BigInt(await getTransactionCount(client, { address, ...at }))
  }

  async #findReceipt({ hash }: SignedAttempt): Promise<TransactionReceipt | undefined> {
    try {
      return await getTransactionReceipt(this.#context.client, { hash })
    } catch (cause) {
      if (cause instanceof TransactionReceiptNotFoundError) return undefined
      throw toOikosError(cause)
    }
  }

  /** Hash of a block of the chain as it is now; undefined where there is none. */
  async #hashOf(blockNumber: bigint): Promise<string | undefined> {
    if (blockNumber > this.#head.number) return undefined
    if (!this.#hashes.has(blockNumber)) {
      const block = await getBlockMoment(this.#context.client, blockNumber)
      this.#hashes.set(blockNumber, block.hash)
    }
    return this.#hashes.get(blockNumber)
  }

  #wait(action: Action, reason: string): void {
    this.#isClear = false
    this.#waiting.push(`${action.title} It waits: ${reason}.`)
  }

  #note(action: Action, state: string): void {
    this.#changed.push({ action: action.id, kind: action.kind, state })
    this.#context.telemetry.countAction(action.kind, state)
  }
}

/** What another account has signed is followed and sent again as it is; what it had not signed is decided anew. */
const OTHER_ACCOUNT = { code: 'other-account', reason: 'it was planned for another account, which did not sign it' }

/** Attempts at one action: fees rise by an eighth each, so by this many from one wei to beyond any ceiling in use. */
const MAX_ATTEMPTS = 64

/** Most that one of the attempts may cost; only one of them can be mined. */
function mostExpensive(attempts: readonly SignedAttempt[]): bigint {
  let mostWei = 0n
  for (const { gasLimit, maxFeePerGasWei } of attempts) {
    const costWei = gasLimit * maxFeePerGasWei
    if (costWei > mostWei) mostWei = costWei
  }
  return mostWei
}
