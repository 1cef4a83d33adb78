import { type BitcoinAddress, isBitcoinAddress } from '@oikos/core/economic'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import type { WalletCustody } from '../../../src/economic/host.ts'
import { REGTEST } from './regtest.ts'

/** A wallet of one key that stands in these files, so that nothing that it holds has value. */
export type TestWallet = { readonly address: BitcoinAddress; readonly script: Uint8Array; readonly key: Uint8Array }

/** The wallet whose key is one byte 32 times. */
export function testWallet(byte: number): TestWallet {
  const key = new Uint8Array(32).fill(byte)
  const { address = '', script } = p2wpkh(pubECDSA(key), REGTEST)
  if (!isBitcoinAddress(address)) throw new TypeError(`test wallet: got ${address}`)
  return { address, script, key }
}

/** Signs unsigned transfers of a wallet with its real key. */
export function bitcoinCustody({ key }: TestWallet): WalletCustody {
  return {
    sign: async ({ unsignedTransaction }, sink) => {
      const transaction = Transaction.fromPSBT(unsignedTransaction)
      transaction.sign(key)
      transaction.finalize()
      sink.push(transaction.extract())
      return 'succeeded'
    },
  }
}

/** A coin of a wallet. */
export type TestCoin = { readonly txid: string; readonly vout: number; readonly amount: bigint }

/** Spends coins of a wallet to one address, less a fee. Gives the signed transaction. */
export function spendAll(wallet: TestWallet, coins: readonly TestCoin[], to: string, feeAtomic: bigint): Uint8Array {
  const transaction = new Transaction()
  for (const { txid, vout, amount } of coins)
    transaction.addInput({ txid, index: vout, witnessUtxo: { script: wallet.script, amount } })
  const worth = coins.reduce((sum, { amount }) => sum + amount, 0n)
  transaction.addOutputAddress(to, worth - feeAtomic, REGTEST)
  transaction.sign(wallet.key)
  transaction.finalize()
  return transaction.extract()
}
