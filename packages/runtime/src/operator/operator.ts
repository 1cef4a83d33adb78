import type { JsonObject } from '@oikos/core'
import { type BlockMoment, connectedChainId, getAgentBooks, getBlockMoment, isAgentExecutor } from '@oikos/sdk'
import { followActions } from './act/follow.ts'
import type { Intent } from './act/intent.ts'
import { awaitBlock, performIntent } from './act/perform.ts'
import { createContext, type OperatorContext } from './context.ts'
import { crankClaims } from './duties/claims.ts'
import { followDeliveries } from './duties/deliveries.ts'
import { moveIdle, readIdle } from './duties/idle.ts'
import { readRequesters } from './duties/requests.ts'
import { settleRequests } from './duties/settle.ts'
import { takeTenders } from './duties/tenders.ts'
import { LeaseLostError, OperatorOptionError } from './errors.ts'
import { errorFields } from './log.ts'
import type { OperatorOptions } from './options.ts'
import type { Pass } from './pass.ts'
import type { Fence } from './store/leases.ts'
import { watchChain } from './watch.ts'

/** What one pass did. */
export type PassReport = {
  /**
   * `idle`: nothing is left to do now. `busy`: something was begun that is not in a block yet, or more is to be done than one
   * pass takes. `standby`: another operator holds the Agent or the account.
   */
  readonly status: 'idle' | 'busy' | 'standby'
  /** Block that was looked at last. */
  readonly blockNumber: bigint | undefined
  /** State changes of actions, in order. */
  readonly done: readonly { readonly action: string; readonly kind: string; readonly state: string }[]
  /** What is waited for, in sentences. */
  readonly waiting: readonly string[]
}

/** The state of the loop, for health checks. Times are milliseconds since 1970. */
export type OperatorHealth = {
  readonly isRunning: boolean
  readonly lastPass: PassReport | undefined
  readonly lastPassAtMs: bigint | undefined
  /** Why the last pass failed; undefined after one that did not. */
  readonly lastFailure: { readonly error: string; readonly reason: string } | undefined
}

/** One operator of one Agent. */
export type Operator = {
  /**
   * One pass: takes what is open as far as it goes, looks at the chain, and does what is to be done, one action after the other.
   * @throws what the chain or the database fail with; then the next pass goes on from what the database has
   */
  readonly tick: (signal?: AbortSignal) => Promise<PassReport>
  /** Passes until the signal, each after a pause; a pass that fails is logged and followed by the next. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly health: () => OperatorHealth
}

/**
 * An operator: watches the chain, asks its decider closed questions, works, and acts for the Agent as an Executor. Every action
 * is in the database before it is sent, with its reasons; a restart at any point repeats nothing and forgets nothing.
 * @throws OperatorOptionError
 */
export function createOperator(options: OperatorOptions): Operator {
  const context = createContext(options)
  const loop = new Loop(context)
  return {
    tick: (signal = new AbortController().signal) => loop.tick(signal),
    run: (signal) => loop.run(signal),
    health: () => loop.health(),
  }
}

/** Under this name the database keeps block 0 of its chain. */
const GENESIS = 'genesis'

class Loop {
  readonly #context: OperatorContext
  #isRunning = false
  #isPlaced = false
  #lastPass: PassReport | undefined
  #lastPassAtMs: bigint | undefined
  #lastFailure: OperatorHealth['lastFailure']
  #lastRequester = ''
  #lastTender = ''
  readonly #postponed = new Map<string, bigint>()

  constructor(context: OperatorContext) {
    this.#context = context
  }

  health(): OperatorHealth {
    return {
      ...{ isRunning: this.#isRunning, lastPass: this.#lastPass },
      ...{ lastPassAtMs: this.#lastPassAtMs, lastFailure: this.#lastFailure },
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { settings, log } = this.#context
    this.#isRunning = true
    try {
      while (!signal.aborted) {
        const report = await this.tick(signal).catch((cause: unknown) => {
          if (!signal.aborted) log.error(errorFields(cause), 'a pass failed')
          if (cause instanceof OperatorOptionError) throw cause
        })
        if (report?.status !== 'busy') await pause(settings.pollMs, signal)
        else await pause(Math.min(settings.pollMs, 250), signal)
      }
    } finally {
      this.#isRunning = false
    }
  }

  async tick(signal: AbortSignal): Promise<PassReport> {
    const { telemetry, clockMs } = this.#context
    try {
      const report = await telemetry.span('pass', {}, () => this.#pass(signal))
      this.#lastFailure = undefined
      this.#lastPass = report
      this.#lastPassAtMs = clockMs()
      await this.#publish(report)
      return report
    } catch (cause) {
      this.#lastFailure = errorFields(cause)
      throw cause
    }
  }

  async #pass(signal: AbortSignal): Promise<PassReport> {
    const { store, identity, holder, settings, log } = this.#context
    const fence = await store.leases.acquire(identity, { holder, ttlMs: settings.leaseMs })
    if (fence === undefined) {
      const waiting = ['Another operator holds the Agent or the signing account.']
      return { status: 'standby', blockNumber: undefined, done: [], waiting }
    }
    const lost = new AbortController()
    const held = AbortSignal.any([signal, lost.signal])
    const beat = setInterval(
      () => {
        store.leases.renew(fence, settings.leaseMs).catch((cause: unknown) => {
          log.warn(errorFields(cause), 'the lease could not be prolonged')
          if (cause instanceof LeaseLostError) lost.abort(cause)
        })
      },
      Number(settings.leaseMs / 3n),
    )
    try {
      return await this.#act(fence, held)
    } finally {
      clearInterval(beat)
      await store.leases
        .release(fence)
        .catch((cause: unknown) => log.warn(errorFields(cause), 'a lease was not given back'))
    }
  }

  /** Acts until nothing is left to do, looking at the chain again after each action. */
  async #act(fence: Fence, signal: AbortSignal): Promise<PassReport> {
    const { settings, client } = this.#context
    const done: PassReport['done'][number][] = []
    let waiting: readonly string[] = []
    let blockNumber: bigint | undefined
    await this.#assertPlace(fence)
    for (let count = 0; count < settings.maxActionsPerPass; count += 1) {
      if (signal.aborted) return { status: 'busy', blockNumber, done, waiting: ['The pass was ended.'] }
      const head = await getBlockMoment(client)
      blockNumber = head.number
      this.#context.telemetry.setHead(head.number)
      const begun = await followActions(this.#context, fence, head)
      done.push(...begun.changed)
      const open = begun.isClear ? begun : await awaitBlock(this.#context, fence, signal)
      if (open !== begun) done.push(...open.changed)
      if (!open.isClear) return { status: 'busy', blockNumber, done, waiting: open.waiting }
      const step = await this.#step(fence, signal)
      done.push(...step.done)
      waiting = [...open.waiting, ...step.waiting]
      if (!step.hasActed) return { status: 'idle', blockNumber, done, waiting }
    }
    return { status: 'busy', blockNumber, done, waiting }
  }

  /** Looks at the chain and begins the first action that nothing stands against. */
  async #step(
    fence: Fence,
    signal: AbortSignal,
  ): Promise<{ hasActed: boolean; done: PassReport['done']; waiting: readonly string[] }> {
    const { store, identity, client, telemetry } = this.#context
    const waiting: string[] = []
    const head = await getBlockMoment(client)
    // a node that is behind would show what is done already as still to be done
    if (head.number < (await store.actions.getLastMinedBlock(identity.agent)))
      return { hasActed: false, done: [], waiting: ['The node is behind the last action.'] }
    await watchChain(this.#context, fence, head)
    const pass = await this.#look(fence, head, signal, (sentence) => waiting.push(sentence))
    for await (const intent of this.#duties(pass)) {
      if (signal.aborted) break
      if (!(await isSameChain(this.#context, head))) return { hasActed: true, done: [], waiting }
      const { kind } = intent
      const performed = await telemetry.span('act', { kind }, () => performIntent(this.#context, fence, intent, signal))
      if (performed.kind === 'begun') return { hasActed: true, done: performed.follow.changed, waiting }
      if (performed.kind === 'refused') waiting.push(`${intent.title} Not done: ${performed.hindrance.reason}.`)
      else waiting.push(`${intent.title} It would be done now.`)
    }
    return { hasActed: false, done: [], waiting }
  }

  async #look(fence: Fence, head: BlockMoment, signal: AbortSignal, wait: Pass['wait']): Promise<Pass> {
    const { client, agent } = this.#context
    const books = await getAgentBooks(client, { agent, blockNumber: head.number })
    return { context: this.#context, fence, head, books, signal, postponed: this.#postponed, wait }
  }

  /** The most urgent first: money that comes in, then people who want out, people who want in, then new business. */
  async *#duties(pass: Pass): AsyncGenerator<Intent, void, void> {
    const { settings } = this.#context
    yield* followDeliveries(pass)
    const { open, last } = await readRequesters(pass, this.#lastRequester)
    this.#lastRequester = last
    const idle = await readIdle(pass)
    if (settings.settleRedeem) yield* settleRequests(pass, 'redeem', open, idle)
    if (settings.settleMint) yield* settleRequests(pass, 'mint', open, idle)
    if (settings.crankClaims) yield* crankClaims(pass, open)
    yield* takeTenders(pass, this.#lastTender, (next) => {
      this.#lastTender = next
    })
    yield* moveIdle(pass, open, idle)
  }

  /**
   * Once: that the node is of the chain, that the chain is the one that the database is about (a local one may begin anew under
   * the same id, and what was sent to the old one must not be sent to it), and that the account may act.
   */
  async #assertPlace(fence: Fence): Promise<void> {
    if (this.#isPlaced) return
    const { client, agent, account, chainId, store, identity } = this.#context
    const connected = await connectedChainId(client)
    if (connected !== chainId)
      throw new OperatorOptionError('client', `the node is of chain ${connected}, expected ${chainId}`)
    const genesis = await getBlockMoment(client, 0n)
    const known = await store.notes.getCursor(identity.agent, GENESIS)
    if (known !== undefined && known.blockHash !== genesis.hash)
      throw new OperatorOptionError(
        'store',
        `it is about another chain ${chainId}, which began otherwise; name another database`,
      )
    if (known === undefined) {
      const cursor = { blockNumber: 0n, blockHash: genesis.hash }
      await store.notes.putSubjects(fence, { source: GENESIS, cursor, subjects: new Map() })
    }
    if (!(await isAgentExecutor(client, { agent, account: account.address })))
      throw new OperatorOptionError(
        'account',
        `${account.address} is no Executor of ${agent}; its Owner can make it one`,
      )
    this.#isPlaced = true
  }

  /** For those who ask the database what this operator is doing. */
  async #publish({ status, blockNumber, waiting }: PassReport): Promise<void> {
    const { store, identity, holder, settings, decider, clockMs, log } = this.#context
    const detail: JsonObject = {
      ...{ status, waiting: waiting.slice(0, 50), decider: decider.name, dryRun: settings.dryRun },
      ...(blockNumber !== undefined && { blockNumber: blockNumber.toString() }),
      account: identity.account,
    }
    await store.notes
      .putReport(identity.agent, { holder, detail, atMs: clockMs() })
      .catch((cause: unknown) => log.warn(errorFields(cause), 'the report was not kept'))
  }
}

/** Whether the block that was looked at is still part of the chain: else everything has to be looked at again. */
async function isSameChain({ client }: OperatorContext, { number, hash }: BlockMoment): Promise<boolean> {
  return (await getBlockMoment(client, number)).hash === hash
}

function pause(lengthMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, lengthMs)
    signal.addEventListener('abort', end, { once: true })
  })
}
