import { type EndpointFault, EndpointFaultError } from '../../src/rails/endpoint/index.ts'
import { createMemoryChain, type MemoryChain } from '../../src/rails/memory/chain.ts'
import { createMemoryRail, type MemoryLine, type MemoryNodeOptions } from '../../src/rails/memory/node.ts'
import { createMemorySentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { evmProposals, suiteAccount, suiteAddress, suiteRecipient } from './evm-wallet.ts'
import type { RailUnderTest, Whereabouts } from './rail-under-test.ts'
import { TRANSPORT_FAULTS, type TransportFault } from './transport-fault.ts'

const FUNDS = 10n ** 18n
const HIGH_FEE = 10n ** 12n
const LOW_FEE = 7n

/** What a transport calls each fault. */
const FAULTS: Readonly<Record<TransportFault, EndpointFault>> = {
  swallowed: 'timeout',
  'reset-before': 'connection-lost',
  'silent-after': 'timeout',
  'reset-mid-answer': 'connection-lost',
  oversize: 'oversize',
  malformed: 'malformed',
  'another-answer': 'malformed',
  redirect: 'redirect',
  unavailable: 'status',
  'unavailable-after': 'status',
}

/** The rail without a chain, as the suite wants it. */
export async function makeMemoryRail(): Promise<RailUnderTest> {
  const chain = createMemoryChain({ balances: { [suiteAddress]: FUNDS } })
  let fault: { readonly kind: TransportFault; readonly requests: 'broadcast' | 'read' | 'all' } | null = null
  let broadcasts = 0
  const lineWith = (cancellation: AbortSignal | undefined, timeoutMs: number, isFaulty: boolean): MemoryLine => {
    return async (kind, request) => {
      const fail = (name: EndpointFault, effect: 'not-started' | 'uncertain') =>
        new EndpointFaultError('memory:', name, effect, 'a fault of the suite')
      if (isAborted(cancellation)) throw fail('cancelled', 'not-started')
      const applies = isFaulty && fault !== null && (fault.requests === 'all' || fault.requests === kind)
      const current = applies ? fault?.kind : undefined
      const arrives = current === undefined || TRANSPORT_FAULTS[current]
      if (arrives && kind === 'broadcast') broadcasts += 1
      const answer = arrives ? await request() : undefined
      if (current === undefined) return answer as never
      if (FAULTS[current] === 'timeout') await silence(cancellation, timeoutMs)
      throw fail(isAborted(cancellation) ? 'cancelled' : FAULTS[current], 'uncertain')
    }
  }
  const nobody: MemoryLine = async () => {
    throw new EndpointFaultError('nobody:', 'unreachable', 'not-started', 'a fault of the suite')
  }

  return {
    ...evmProposals,
    chain: {
      mine: async (blocks) => chain.mine(blocks),
      reorganise: async (depth, transactions) => chain.reorganise(depth, transactions),
      forget: async (id) => chain.forget(id),
      displace: (id) => displace(chain, id),
      raiseFees: async () => {
        chain.setBaseFee(HIGH_FEE)
        chain.mine(1)
      },
      lowerFees: async () => {
        chain.setBaseFee(LOW_FEE)
        chain.mine(1)
      },
      drainWallet: async () => chain.setBalance(suiteAddress, 1n),
      fundWallet: async () => chain.setBalance(suiteAddress, FUNDS),
      countPayments: async () =>
        chain
          .blocks()
          .flatMap(({ transactions }) => transactions)
          .filter(({ to }) => to === suiteRecipient).length,
      height: async () => BigInt(chain.blocks().length - 1),
    },
    open: async ({ at, sent, confirmationTarget = 1, timeoutMs = 1000, cancellation, onFailure }) => {
      const line = lineWith(cancellation, timeoutMs, false)
      const nodes: Record<Whereabouts, MemoryNodeOptions> = {
        node: { origin: 'memory:node', line },
        faulty: { origin: 'memory:faulty', line: lineWith(cancellation, timeoutMs, true) },
        behind: { origin: 'memory:behind', line, seesUpTo: () => 0n },
        'other-network': { origin: 'memory:other', line, chainId: 1n },
        nobody: { origin: 'memory:nobody', line: nobody },
      }
      const adapter = createMemoryRail(
        chain,
        {
          account: suiteAddress,
          sent: sent ?? createMemorySentTransactions(),
          finality: confirmationTarget,
          ...(onFailure === undefined ? {} : { onFailure }),
        },
        at.map((where) => nodes[where]),
      )
      return { adapter, close: () => adapter.close() }
    },
    setFault: (kind, requests) => {
      fault = kind === null ? null : { kind, requests }
    },
    countBroadcasts: () => broadcasts,
    close: async () => {},
  }
}

function isAborted(cancellation: AbortSignal | undefined): boolean {
  return cancellation?.aborted === true
}

/** Until the time limit, or until the caller gives up. */
function silence(cancellation: AbortSignal | undefined, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(timeoutMs, 1000))
    cancellation?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Puts another transfer of the same nonce into a block. */
async function displace(chain: MemoryChain, transactionId: string): Promise<string> {
  const waiting = chain.pool().get(transactionId)
  if (waiting === undefined) throw new Error('nothing to displace')
  chain.forget(transactionId)
  const rival = await suiteAccount.signTransaction({
    type: 'eip1559',
    chainId: 11_155_111,
    nonce: Number(waiting.nonce),
    to: suiteAddress,
    value: 0n,
    gas: 21_000n,
    maxFeePerGas: 1000n,
    maxPriorityFeePerGas: 1n,
  })
  const taken = await chain.submit(Buffer.from(rival.slice(2), 'hex'))
  if (!('transactionId' in taken)) throw new Error(taken.refusal)
  chain.mine(1)
  return taken.transactionId
}
