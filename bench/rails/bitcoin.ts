import type { BitcoinInterface } from '@oikos/runtime/rails'
import { Transaction } from '@scure/btc-signer'
import { CORE_USER } from '../../packages/runtime/test/chains/bitcoin/core.ts'
import { REGTEST } from '../../packages/runtime/test/chains/bitcoin/regtest.ts'
import {
  type BitcoinUnderTest,
  makeBitcoinRail,
  SUITE_AMOUNT,
} from '../../packages/runtime/test/chains/bitcoin/under-test.ts'
import type { TestCoin } from '../../packages/runtime/test/chains/bitcoin/wallet.ts'
import type { BenchedRail } from './bare-rail.ts'
import { sendAll } from './send-all.ts'

/** Coins that are enough for every payment of a run, satoshi. */
const LARGE_COIN = 100_000_000n
const LARGE_COINS = 8
/** What one transfer takes, satoshi. */
const FEE = 282n

/** Bitcoin on bcoin's regtest, beside @scure/btc-signer and the calls that a wallet makes. */
export function bitcoinBench(speaks: BitcoinInterface): BenchedRail {
  return {
    name: `Bitcoin (bcoin, ${speaks === 'esplora' ? 'Esplora' : 'Core'})`,
    library: '@scure/btc-signer',
    make: async () => {
      const rail = await makeBitcoinRail(speaks, { line: 'direct' })
      const { address } = rail.wallet
      await rail.regtest.fund(Array.from({ length: LARGE_COINS }, () => ({ address, amount: LARGE_COIN })))
      const api = speaks === 'esplora' ? esploraOf(rail) : coreOf(rail)
      return {
        ...rail,
        send: async () => {
          const coins = (await api.listCoins(address)).toSorted((left, right) => Number(right.amount - left.amount))
          return api.send(spend(rail, coins[0]))
        },
        confirm: async (id) => {
          if (!(await api.isIncluded(id))) throw new Error(`transfer ${id}: missing`)
        },
        presign: async (count) => {
          const amount = SUITE_AMOUNT + 10_000n
          const txid = await rail.regtest.fund(Array.from({ length: count }, () => ({ address, amount })))
          const signed = Array.from({ length: count }, (_, vout) => spend(rail, { txid, vout, amount }))
          return () => sendAll(signed, (hex) => api.send(hex))
        },
      }
    },
  }
}

/** Signs a transfer of one coin, the rest back to the wallet. */
function spend({ wallet, recipient }: BitcoinUnderTest, coin: TestCoin | undefined): string {
  if (coin === undefined) throw new Error('the wallet is empty')
  const transaction = new Transaction()
  const witnessUtxo = { script: wallet.script, amount: coin.amount }
  transaction.addInput({ txid: coin.txid, index: coin.vout, witnessUtxo })
  transaction.addOutputAddress(recipient, SUITE_AMOUNT, REGTEST)
  transaction.addOutputAddress(wallet.address, coin.amount - SUITE_AMOUNT - FEE, REGTEST)
  transaction.sign(wallet.key)
  transaction.finalize()
  return transaction.hex
}

/** What a wallet asks of a node. */
type BareApi = {
  readonly listCoins: (address: string) => Promise<readonly TestCoin[]>
  readonly send: (hex: string) => Promise<string>
  readonly isIncluded: (txid: string) => Promise<boolean>
}

function coreOf({ nodeUrl }: BitcoinUnderTest): BareApi {
  const pair = Buffer.from(`${CORE_USER.name}:${CORE_USER.password}`).toString('base64')
  const call = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(nodeUrl, { method: 'POST', body, headers: { authorization: `Basic ${pair}` } })
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  type Scan = {
    readonly unspents: readonly { readonly txid: string; readonly vout: number; readonly amount: number }[]
  }
  return {
    listCoins: async (address) => {
      const { unspents } = await call<Scan>('scantxoutset', 'start', [`addr(${address})`])
      return unspents.map(({ txid, vout, amount }) => ({ txid, vout, amount: BigInt(Math.round(amount * 1e8)) }))
    },
    send: (hex) => call<string>('sendrawtransaction', hex),
    isIncluded: async (txid) =>
      (await call<{ confirmations?: number }>('getrawtransaction', txid, true)).confirmations !== undefined,
  }
}

function esploraOf({ nodeUrl }: BitcoinUnderTest): BareApi {
  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`${nodeUrl}${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${text}`)
    return text
  }
  type Row = { readonly txid: string; readonly vout: number; readonly value: number }
  return {
    listCoins: async (address) => {
      const rows = JSON.parse(await ask(`/address/${address}/utxo`)) as readonly (Row & {
        status: { confirmed: boolean }
      })[]
      return rows
        .filter(({ status }) => status.confirmed)
        .map(({ txid, vout, value }) => ({ txid, vout, amount: BigInt(value) }))
    },
    send: (hex) => ask('/tx', { method: 'POST', body: hex }),
    isIncluded: async (txid) => (JSON.parse(await ask(`/tx/${txid}/status`)) as { confirmed: boolean }).confirmed,
  }
}
