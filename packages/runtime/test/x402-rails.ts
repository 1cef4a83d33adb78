import type { Rail } from '@oikos/core/economic'
import { numberToHex } from 'viem'
import { startChain } from '../../../scripts/chain.ts'
import type { RailAdapter } from '../src/economic/host.ts'
import { createBitcoinRail } from '../src/rails/bitcoin/rail.ts'
import {
  createHttpEndpoint,
  createRpcEndpoint,
  type EndpointAddress,
  parseEndpointOptions,
  type RpcEndpoint,
} from '../src/rails/endpoint/index.ts'
import { createEvmRail } from '../src/rails/evm/rail.ts'
import { createMemorySentTransactions } from '../src/rails/sent/sent-transactions.ts'
import { createSolanaRail } from '../src/rails/solana/rail.ts'
import {
  createBitcoinLookup,
  createEvmLookup,
  createSolanaLookup,
  type NodeReader,
  type TransferLookup,
} from '../src/x402/index.ts'
import { CORE_USER, startCore } from './chains/bitcoin/core.ts'
import { startEsplora } from './chains/bitcoin/esplora.ts'
import { openRegtest } from './chains/bitcoin/regtest.ts'
import { createSolanaLedger } from './chains/solana/ledger.ts'
import { startSolanaNode } from './chains/solana/node.ts'
import { nodeReader } from './node-reader.ts'
import { keyOf } from './payer.ts'

/** A chain of a test with a wallet that has money, as payer and as seller see it. */
export type PaidChain = {
  readonly rail: Rail
  /** Where the node is, with credentials where it wants them. */
  readonly url: string
  /** The same chain over Esplora's interface; bitcoin only. */
  readonly esploraUrl?: string
  readonly adapter: RailAdapter
  /** How the seller looks payments up: over the endpoints of the rails. */
  readonly lookup: TransferLookup
  /** Adds a block. */
  readonly mine: () => Promise<void>
  /** What an address holds, in the smallest unit. */
  readonly balance: (address: string) => Promise<bigint>
  readonly amountAtomic: bigint
  readonly maxFeeAtomic: bigint
  readonly close: () => Promise<void>
}

/** Seed of the wallet that pays. */
export const PAYER_SEED = 5

/** Starts the chain of a rail. */
export function startPaidChain(rail: Rail): Promise<PaidChain> {
  return STARTERS[rail]()
}

const STARTERS: Readonly<Record<Rail, () => Promise<PaidChain>>> = {
  evm: startEvm,
  solana: startSolana,
  bitcoin: startBitcoin,
}

function endpointOf(address: string | EndpointAddress): RpcEndpoint {
  const [parsed] = parseEndpointOptions({ endpoints: [address] })
  if (parsed === undefined) throw new Error('no endpoint')
  return createRpcEndpoint(createHttpEndpoint(parsed))
}

async function startEvm(): Promise<PaidChain> {
  const chain = await startChain()
  const { address } = keyOf('evm', PAYER_SEED)
  const raw = nodeReader(chain.url)
  await raw.read('anvil_setBalance', [address, numberToHex(10n ** 18n)])
  const adapter = createEvmRail({
    endpoints: [chain.url],
    account: address,
    sent: createMemorySentTransactions(),
    finality: 1,
  })
  const endpoint = endpointOf(chain.url)
  return {
    rail: 'evm',
    url: chain.url,
    adapter,
    lookup: createEvmLookup(endpoint),
    mine: async () => {
      await raw.read('anvil_mine', ['0x1'])
    },
    balance: async (of) => BigInt(String(await raw.read('eth_getBalance', [of, 'latest']))),
    amountAtomic: 1_000_000_000n,
    maxFeeAtomic: 10n ** 15n,
    close: async () => {
      adapter.close()
      endpoint.close()
      await chain.stop()
    },
  }
}

async function startSolana(): Promise<PaidChain> {
  const ledger = createSolanaLedger({ confirmedLag: 0n, isInstant: false })
  const { address } = keyOf('solana', PAYER_SEED)
  ledger.setBalance(address, 10_000_000_000n)
  ledger.produce(2)
  const node = await startSolanaNode(ledger)
  const adapter = createSolanaRail({
    endpoints: [node.url],
    account: address,
    sent: createMemorySentTransactions(),
    finality: 'confirmed',
  })
  const endpoint = endpointOf(node.url)
  return {
    rail: 'solana',
    url: node.url,
    adapter,
    lookup: createSolanaLookup(withBlockTimes(endpoint)),
    mine: async () => ledger.produce(1),
    balance: async (of) => ledger.balanceAt(of, 'processed'),
    amountAtomic: 2_000_000n,
    maxFeeAtomic: 10_000n,
    close: async () => {
      adapter.close()
      endpoint.close()
      await node.close()
    },
  }
}

/** The ledger of the tests has no clock: its blocks are made when they are looked at. */
function withBlockTimes(endpoint: NodeReader): NodeReader {
  return {
    read: async (method, params) => {
      const answer = await endpoint.read(method, params)
      if (method !== 'getTransaction' || answer === null) return answer
      return { ...(answer as object), blockTime: BigInt(Math.floor(Date.now() / 1000)) }
    },
  }
}

async function startBitcoin(): Promise<PaidChain> {
  const regtest = await openRegtest()
  const { address } = keyOf('bitcoin', PAYER_SEED)
  await regtest.fund([{ address, amount: 1_000_000n }])
  await regtest.mine(2)
  const core = await startCore(regtest)
  const esplora = await startEsplora(regtest)
  const credentials = `${CORE_USER.name}:${encodeURIComponent(CORE_USER.password)}`
  const endpointAddress = { url: core.url.replace('//', `//${credentials}@`) }
  const adapter = createBitcoinRail({
    speaks: 'bitcoin-core',
    endpoints: [endpointAddress],
    account: address,
    sent: createMemorySentTransactions(),
    feeRateSatVbyte: 2,
  })
  const endpoint = endpointOf(endpointAddress)
  const { bcoin } = await import('./chains/bitcoin/bcoin.ts')
  return {
    rail: 'bitcoin',
    url: endpointAddress.url,
    esploraUrl: esplora.url,
    adapter,
    lookup: createBitcoinLookup(endpoint),
    mine: () => regtest.mine(1),
    balance: async (of) => {
      const coins = await regtest.node.chain.getCoinsByAddress([bcoin.Address.fromString(of, 'regtest')])
      return coins.reduce((sum, { value }) => sum + BigInt(value), 0n)
    },
    amountAtomic: 50_000n,
    maxFeeAtomic: 5_000n,
    close: async () => {
      adapter.close()
      endpoint.close()
      await esplora.close()
      await core.close()
      await regtest.close()
    },
  }
}
