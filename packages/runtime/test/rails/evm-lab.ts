import type { PushSink, RailAdapter } from '../../src/economic/host.ts'
import type { EvmObservation } from '../../src/rails/evm/context.ts'
import type { EvmNode } from '../../src/rails/evm/node.ts'
import { createEvmRailOn, type EvmRailSettings } from '../../src/rails/evm/rail.ts'
import { createMemoryChain, type MemoryChain } from '../../src/rails/memory/chain.ts'
import { createMemoryNode } from '../../src/rails/memory/node.ts'
import { createMemorySentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { suiteAccount, suiteAddress, suiteRecipient } from './evm-wallet.ts'
import { type Answer, ask } from './lab.ts'

/** A rail on nodes in memory, each of which can be told to say something else. */
export type EvmLab = {
  readonly chain: MemoryChain
  /** A rail over one node for each element, honest but for the methods that it names. */
  readonly rail: (nodes: readonly Partial<EvmNode>[], settings?: Partial<EvmRailSettings>) => RailAdapter
  readonly observations: readonly EvmObservation[]
  readonly failures: readonly unknown[]
}

/** One ether. */
const FUNDS = 10n ** 18n

/** Makes a chain and what looks at it. */
export function createEvmLab(): EvmLab {
  const chain = createMemoryChain({ balances: { [suiteAddress]: FUNDS } })
  const observations: EvmObservation[] = []
  const failures: unknown[] = []
  const sent = createMemorySentTransactions()
  return {
    chain,
    observations,
    failures,
    rail: (nodes, settings = {}) =>
      createEvmRailOn(
        nodes.map((own, index) => ({ ...createMemoryNode(chain, { origin: `memory:${index}` }), ...own })),
        {
          account: suiteAddress,
          sent,
          finality: 1,
          onObservation: (observation) => observations.push(observation),
          onFailure: ({ cause }) => failures.push(cause),
          ...settings,
        },
      ),
  }
}

/** The bytes of a transfer of the suite's wallet. */
export async function signTransfer(
  nonce: bigint,
  change: { readonly value?: bigint; readonly maxFeePerGas?: bigint; readonly chainId?: number } = {},
): Promise<Uint8Array> {
  const signed = await suiteAccount.signTransaction({
    type: 'eip1559',
    chainId: change.chainId ?? 11_155_111,
    nonce: Number(nonce),
    to: suiteRecipient,
    value: change.value ?? 1n,
    gas: 21_000n,
    maxFeePerGas: change.maxFeePerGas ?? 100n,
    maxPriorityFeePerGas: 1n,
  })
  return Buffer.from(signed.slice(2), 'hex')
}

/** What a call pushed, as an object; its disposition when it pushed nothing. */
export async function said(call: (sink: PushSink) => ReturnType<RailAdapter['broadcast']>): Promise<unknown> {
  const answer: Answer = await ask(call)
  const [bytes] = answer.pushes
  return bytes === undefined ? answer.disposition : JSON.parse(Buffer.from(bytes).toString('utf8'))
}
