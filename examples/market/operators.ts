import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@oikos/core'
import { createRulesDecider } from '@oikos/runtime/deciders'
import {
  type Action,
  agentKey,
  type BuyResource,
  createOperator,
  DEFAULT_OPERATOR_SETTINGS,
  type OperatorSettings,
  type OperatorStore,
  openSqliteOperatorStore,
  type PassReport,
  type Prover,
} from '@oikos/runtime/operator'
import type { Workshop } from '@oikos/runtime/workers'
import { createContentResolver } from '@oikos/sdk/node'
import { type Address, createClient, http, type LocalAccount, parseEther } from 'viem'
import type { Party, Stage } from './stage.ts'

/** What an operator of the story is hired for. */
export type Hiring = {
  /** Name of the Agent, as the story calls it. */
  readonly name: string
  readonly agent: Address
  /** Whose key the operator signs with: an Executor of the Agent. */
  readonly executor: Party
  /** What it decides by. */
  readonly rules: JsonObject
  readonly settings?: Partial<OperatorSettings>
  readonly workshop?: Workshop
  readonly prover?: Prover
  readonly buy?: BuyResource
}

/** A real operator, the one of `oikos agent run`, that acts when the story lets it. */
export type HiredOperator = {
  readonly name: string
  readonly agent: Address
  /** Passes until nothing is left to do now; tells each action with its reason and its transaction. */
  readonly act: () => Promise<readonly Action[]>
  /** The same operator with other settings, rules or tools: its database stays. */
  readonly retrain: (change: Partial<Omit<Hiring, 'name' | 'agent' | 'executor'>>) => void
  readonly close: () => Promise<void>
}

/** Passes that one turn may take: far more than any turn needs. */
const maxPasses = 64

/** Blocks of the embedded chain come at once and are final at once; its clock is moved by the story. */
const storySettings: Partial<OperatorSettings> = {
  budget: { gasWei: parseEther('1'), spendAtomic: 0n },
  ...{ finalityBlocks: 1n, pollMs: 20, askAgainMs: 0n },
}

/** Hires an operator for an Agent. Its database lies in a folder of the stage. */
export async function hireOperator(stage: Stage, hiring: Hiring): Promise<HiredOperator> {
  const folder = join(stage.operatorsFolder, hiring.name.toLowerCase())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const store = await openSqliteOperatorStore(join(folder, 'operator.sqlite'))
  let hired = hiring
  let operator = create(stage, store, hired)
  let told = 0n
  return {
    ...{ name: hiring.name, agent: hiring.agent },
    act: async () => {
      const waiting = await passUntilIdle(() => operator.tick(), hiring.name)
      const recent = await store.actions.listRecent(agentKey(stage.deployment.chainId, hiring.agent), 100)
      const fresh = recent.filter(({ number }) => number > told).reverse()
      told = recent[0]?.number ?? told
      for (const action of fresh) await tellAction(stage, action)
      if (fresh.length === 0) for (const sentence of waiting) stage.say.note(sentence)
      return fresh
    },
    retrain: (change) => {
      hired = { ...hired, ...change, settings: { ...hired.settings, ...change.settings } }
      operator = create(stage, store, hired)
    },
    close: () => store.close(),
  }
}

function create(stage: Stage, store: OperatorStore, { agent, executor, rules, settings, ...tools }: Hiring) {
  const client = createClient({ transport: http(stage.rpcUrl, { batch: true }), pollingInterval: 20 })
  return createOperator({
    ...{ client, chainId: stage.deployment.chainId, agent, agentFromBlock: stage.deployment.deployedAtBlock, store },
    account: stage.client[executor].account as LocalAccount,
    content: stage.store,
    resolver: createContentResolver({ store: stage.store }),
    decider: createRulesDecider(rules),
    ...(tools.workshop !== undefined && { workshop: tools.workshop }),
    ...(tools.prover !== undefined && { prover: tools.prover }),
    ...(tools.buy !== undefined && { buy: tools.buy }),
    settings: { ...DEFAULT_OPERATOR_SETTINGS, ...storySettings, ...settings },
    clockMs: () => BigInt(Date.now()),
  })
}

/** Gives what is still waited for. */
async function passUntilIdle(tick: () => Promise<PassReport>, name: string): Promise<readonly string[]> {
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const { status, waiting } = await tick()
    if (status === 'idle') return waiting
    if (status === 'standby') throw new Error(`another operator holds ${name}`)
  }
  throw new Error(`the operator of ${name} is not done after ${maxPasses} passes`)
}

/** What it did, why, and where that can be seen. */
async function tellAction({ say, store }: Stage, action: Action): Promise<void> {
  const { title, state, reasoning, hash, blockNumber, outcome } = action
  if (state !== 'final') throw new Error(`${title} ended as ${state}: ${outcome?.text ?? 'no outcome'}`)
  say.fact('did', title)
  if (reasoning !== undefined) {
    const resolved = await createContentResolver({ store }).resolve(reasoning.reasoningURI)
    if (!resolved.ok) throw new Error(`the record of “${title}” is not in the store`)
    const record = JSON.parse(new TextDecoder().decode(resolved.bytes)) as { claims: { decision: string } }
    say.fact('reason', `“${record.claims.decision}” ${reasoning.reasoningURI}`)
  }
  say.fact('transaction', `${hash} in block ${blockNumber}`)
}
