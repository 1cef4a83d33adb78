import type { BitcoinAddress } from '@oikos/core/economic'
import { type BitcoinInterface, type BitcoinRailOptions, createBitcoinRail } from '../../../src/rails/bitcoin/rail.ts'
import type { EndpointAddress } from '../../../src/rails/endpoint/index.ts'
import { createMemorySentTransactions } from '../../../src/rails/sent/sent-transactions.ts'
import { suitePolicy, suiteSource } from '../../rails/proposal.ts'
import type { RailUnderTest, SuitePayment, Whereabouts } from '../../rails/rail-under-test.ts'
import { startFaultyLine } from '../../rails/transport-fault.ts'
import { closedUrl } from '../closed-url.ts'
import type { ChainServer } from '../json-rpc-server.ts'
import { bcoin, reverseHex } from './bcoin.ts'
import { CORE_USER, type CoreOptions, startCore } from './core.ts'
import { startEsplora } from './esplora.ts'
import { openRegtest, type Regtest } from './regtest.ts'
import { bitcoinCustody, spendAll, type TestCoin, type TestWallet, testWallet } from './wallet.ts'

/** What each payment pays, satoshi. */
export const SUITE_AMOUNT = 50_000n
/** Satoshi. */
const MAX_FEE = 5_000n
const COIN = 200_000n
/** Payments that can wait at the same time; each needs a coin of its own, since change must be in a block first. */
const COINS = 8
/** Satoshi per virtual byte: far more than any payment of the suite may pay. */
const EXPENSIVE = 500

/** What is proposed, from which wallet, to whom, and who signs. */
export function bitcoinProposals() {
  const wallet = testWallet(5)
  const recipient = testWallet(6).address
  return {
    wallet,
    recipient,
    policy: suitePolicy('bitcoin', { recipient, maxAmountAtomic: SUITE_AMOUNT, maxFeeAtomic: MAX_FEE }),
    source: (payment: SuitePayment) =>
      suiteSource(payment, {
        kind: 'bitcoin',
        network: 'regtest',
        asset: 'native:btc',
        recipient,
        amount_atomic: SUITE_AMOUNT,
        max_fee_atomic: MAX_FEE,
        confirmation_target: BigInt(payment.confirmationTarget),
      }),
    custody: bitcoinCustody(wallet),
    clockMs: () => BigInt(Date.now()),
  }
}

/** How the nodes and their rails are set up. */
export type BitcoinSetup = {
  readonly core?: CoreOptions
  readonly rail?: Partial<BitcoinRailOptions>
  /** `direct`: without anything between rail and node, and without its counts. */
  readonly line?: 'counted' | 'direct'
}

/** A rail under test, and the chain beneath it. */
export type BitcoinUnderTest = RailUnderTest & {
  readonly regtest: Regtest
  readonly wallet: TestWallet
  readonly recipient: BitcoinAddress
  readonly nodeUrl: string
  /** The node behind the faulty line. */
  readonly faultyUrl: string
  /** A URL with the user and password of the node. */
  readonly endpointAt: (url: string) => EndpointAddress
  /** The coins of the wallet in the chain. */
  readonly coins: () => Promise<readonly TestCoin[]>
}

/** Bitcoin's regtest behind one of the two interfaces, as the suite wants it. */
export async function makeBitcoinRail(speaks: BitcoinInterface, setup: BitcoinSetup = {}): Promise<BitcoinUnderTest> {
  const { wallet, recipient, ...proposals } = bitcoinProposals()
  const regtest = await openRegtest()
  const ofWallet = bcoin.Address.fromString(wallet.address, 'regtest')
  const ofRecipient = bcoin.Address.fromString(recipient, 'regtest')
  let isExpensive = false

  const coinsOfWallet = async (): Promise<readonly TestCoin[]> =>
    (await regtest.node.chain.getCoinsByAddress([ofWallet])).map(({ hash, index, value }) => ({
      ...{ txid: reverseHex(hash), vout: index, amount: BigInt(value) },
    }))
  const fundWallet = async (): Promise<void> => {
    const large = (await coinsOfWallet()).filter(({ amount }) => amount > SUITE_AMOUNT + MAX_FEE)
    if (large.length >= COINS) return
    await regtest.fund(Array.from({ length: COINS }, () => ({ address: wallet.address, amount: COIN })))
  }
  await fundWallet()
  await regtest.mine(2)
  const behind = await openRegtest(regtest)

  const start = (of: Regtest, isOther = false): Promise<ChainServer> =>
    speaks === 'esplora'
      ? startEsplora(of, {
          feeEstimates: () => (isExpensive ? { '6': EXPENSIVE } : {}),
          ...(isOther ? { genesis: '00'.repeat(32) } : {}),
        })
      : startCore(of, {
          chainName: isOther ? 'test' : 'regtest',
          ...setup.core,
          poolFloor: () => (isExpensive ? `${EXPENSIVE / 1e5}00000`.slice(0, 10) : '0.00001000'),
        })
  const [node, nodeBehind, other] = [await start(regtest), await start(behind), await start(regtest, true)]
  const lines = await Promise.all([startFaultyLine(node.url, isBroadcast), startFaultyLine(node.url, isBroadcast)])
  const [direct, faulty] = lines
  const urls: Readonly<Record<Whereabouts, string>> = {
    node: setup.line === 'direct' ? node.url : direct.url,
    faulty: faulty.url,
    behind: nodeBehind.url,
    'other-network': other.url,
    nobody: await closedUrl(),
  }

  return {
    regtest,
    wallet,
    recipient,
    nodeUrl: node.url,
    endpointAt: endpointOf,
    faultyUrl: faulty.url,
    coins: coinsOfWallet,
    rail: 'bitcoin',
    strangerId: 'ab'.repeat(32),
    chain: {
      mine: async (blocks) => {
        for (let index = 0; index < blocks; index += 1) await (isExpensive ? regtest.mineExactly([]) : regtest.mine())
      },
      reorganise: (depth, transactions) =>
        regtest.reorganize(depth, transactions === 'again' ? 'are included' : 'are lost'),
      forget: async (txid) => regtest.evict(txid),
      displace: (txid) => displace(regtest, wallet, txid),
      raiseFees: async () => {
        isExpensive = true
      },
      lowerFees: async () => {
        isExpensive = false
      },
      drainWallet: async () => {
        const coins = await coinsOfWallet()
        await regtest.mineExactly([spendAll(wallet, coins, regtest.treasury, 10_000n)])
      },
      fundWallet,
      countPayments: async () =>
        (await regtest.node.chain.getCoinsByAddress([ofRecipient])).filter(
          ({ value }) => BigInt(value) === SUITE_AMOUNT,
        ).length,
      height: async () => BigInt(regtest.height()),
    },
    open: async ({ at, sent, ...options }) => {
      const rail = createBitcoinRail({
        speaks,
        endpoints: at.map((where) => endpointOf(urls[where])),
        account: wallet.address,
        sent: sent ?? createMemorySentTransactions(),
        ...setup.rail,
        ...options,
      })
      return { adapter: rail, close: () => rail.close() }
    },
    setFault: faulty.setFault,
    countBroadcasts: () => direct.countBroadcasts() + faulty.countBroadcasts(),
    ...proposals,
    close: async () => {
      for (const line of lines) await line.stop()
      for (const server of [node, nodeBehind, other]) await server.close()
      for (const chain of [regtest, behind]) await chain.close()
    },
  }
}

function isBroadcast({ method, path, body }: { method: string; path: string; body: string }): boolean {
  return (method === 'POST' && path === '/tx') || body.includes('"sendrawtransaction"')
}

/** A URL with the user and password of the node. */
export function endpointOf(url: string): EndpointAddress {
  return { url: url.replace('//', `//${CORE_USER.name}:${encodeURIComponent(CORE_USER.password)}@`) }
}

/** Mines another spending of the first input of a transaction that waits. */
async function displace(regtest: Regtest, wallet: TestWallet, txid: string): Promise<string> {
  const found = await regtest.locate(txid)
  const input = found?.transaction.inputs[0]?.prevout
  const coin = input === undefined ? null : await regtest.node.chain.getCoin(input.hash, input.index)
  if (coin === null) throw new Error(`nothing to displace: ${txid}`)
  const spent = { txid: reverseHex(coin.hash), vout: coin.index, amount: BigInt(coin.value) }
  const rival = spendAll(wallet, [spent], wallet.address, 1_000n)
  await regtest.mineExactly([rival])
  return bcoin.TX.fromRaw(Buffer.from(rival)).txid()
}
