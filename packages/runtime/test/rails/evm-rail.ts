import { numberToHex } from 'viem'
import { type LocalChain, startChain } from '../../../../scripts/chain.ts'
import { createEvmRail } from '../../src/rails/evm/rail.ts'
import { createMemorySentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { startHttpServer } from '../chains/json-rpc-server.ts'
import { evmProposals, SUITE_AMOUNT, suiteAccount, suiteAddress, suiteRecipient } from './evm-wallet.ts'
import type { RailUnderTest, Whereabouts } from './rail-under-test.ts'
import { startFaultyLine } from './transport-fault.ts'

/** One ether. */
const FUNDS = 10n ** 18n
/** Above what a payment of the suite may pay, wei per gas. */
const HIGH_FEE = 10n ** 12n
const LOW_FEE = 10n ** 9n
/** Nothing listens at the discard port. */
export const NOBODY = 'http://127.0.0.1:9/'

/** Calls a node of the suite with hexadecimal text, and throws what it answers with an error. */
export type AnvilCall = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** A way to call anvil that has nothing to do with the rail. */
export function callerOf({ url }: Pick<LocalChain, 'url'>): AnvilCall {
  return async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

/** The EVM rail on anvil, and where anvil itself listens. */
export type EvmRailUnderTest = RailUnderTest & { readonly url: string }

/** The EVM rail on anvil, as the suite wants it; `direct`: without anything between rail and node, and without its counts. */
export async function makeEvmRail(line: 'counted' | 'direct' = 'counted'): Promise<EvmRailUnderTest> {
  const [chain, stale] = await Promise.all([
    startChain({ flags: ['--no-mining'] }),
    startChain({ flags: ['--no-mining'] }),
  ])
  const call = callerOf(chain)
  const mine = async (blocks: number): Promise<void> => {
    await call('anvil_mine', [numberToHex(blocks)])
  }
  const setBalance = async (balance: bigint): Promise<void> => {
    await call('anvil_setBalance', [suiteAddress, numberToHex(balance)])
  }
  const setBaseFee = async (fee: bigint): Promise<void> => {
    await call('anvil_setNextBlockBaseFeePerGas', [numberToHex(fee)])
    await mine(1)
  }
  await setBalance(FUNDS)
  await mine(2)
  const isBroadcast = ({ body }: { readonly body: string }): boolean => body.includes('"eth_sendRawTransaction"')
  const node = await startFaultyLine(chain.url, isBroadcast)
  const faulty = await startFaultyLine(chain.url, isBroadcast)
  const other = await startHttpServer(async (_request, body) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    if (method === 'eth_chainId')
      return { status: 200, type: 'application/json', body: JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }) }
    const response = await fetch(node.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return { status: response.status, type: 'application/json', body: await response.text() }
  })
  const urls: Record<Whereabouts, string> = {
    node: line === 'direct' ? chain.url : node.url,
    faulty: faulty.url,
    behind: stale.url,
    'other-network': other.url,
    nobody: NOBODY,
  }

  return {
    ...evmProposals,
    url: chain.url,
    chain: {
      mine,
      reorganise: async (depth, transactions) => {
        const again = transactions === 'again' ? await rawOfLast(call, depth) : []
        await call('anvil_reorg', [depth, again.map((raw) => [raw, 0])])
        await mine(1)
      },
      forget: async (id) => {
        await call('anvil_dropTransaction', [id])
      },
      displace: async (id) => {
        const { nonce } = (await call('eth_getTransactionByHash', [id])) as { nonce: string }
        await call('anvil_dropTransaction', [id])
        const rival = await suiteAccount.signTransaction({
          type: 'eip1559',
          chainId: 11_155_111,
          nonce: Number(nonce),
          to: suiteAddress,
          value: 0n,
          gas: 21_000n,
          maxFeePerGas: 5n * LOW_FEE,
          maxPriorityFeePerGas: LOW_FEE,
        })
        const replacement = (await call('eth_sendRawTransaction', [rival])) as string
        await mine(1)
        return replacement
      },
      raiseFees: () => setBaseFee(HIGH_FEE),
      lowerFees: () => setBaseFee(LOW_FEE),
      drainWallet: () => setBalance(1n),
      fundWallet: () => setBalance(FUNDS),
      countPayments: async () =>
        Number(BigInt((await call('eth_getBalance', [suiteRecipient, 'latest'])) as string) / SUITE_AMOUNT),
      height: async () => BigInt((await call('eth_blockNumber')) as string),
    },
    open: async ({ at, sent, confirmationTarget = 1, ...rest }) => {
      const adapter = createEvmRail({
        ...rest,
        endpoints: at.map((where) => urls[where]),
        account: suiteAddress,
        sent: sent ?? createMemorySentTransactions(),
        finality: confirmationTarget,
      })
      return { adapter, close: () => adapter.close() }
    },
    setFault: (fault, requests) => faulty.setFault(fault, requests),
    countBroadcasts: () => node.countBroadcasts() + faulty.countBroadcasts(),
    close: async () => {
      await Promise.all([node.stop(), faulty.stop(), other.close()])
      await Promise.all([chain.stop(), stale.stop()])
    },
  }
}

/** The signed bytes of what the last blocks hold. */
async function rawOfLast(call: AnvilCall, depth: number): Promise<string[]> {
  const newest = Number((await call('eth_blockNumber')) as string)
  const raws: string[] = []
  for (let height = newest - depth + 1; height <= newest; height += 1) {
    const { transactions } = (await call('eth_getBlockByNumber', [numberToHex(height), false])) as {
      transactions: string[]
    }
    for (const id of transactions) raws.push((await call('eth_getRawTransactionByHash', [id])) as string)
  }
  return raws
}
