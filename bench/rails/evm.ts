import { createClient, http, numberToHex } from 'viem'
import { getTransactionReceipt, sendRawTransaction, sendTransaction } from 'viem/actions'
import { sepolia } from 'viem/chains'
import { callerOf, makeEvmRail } from '../../packages/runtime/test/rails/evm-rail.ts'
import { SUITE_AMOUNT, suiteAccount, suiteRecipient } from '../../packages/runtime/test/rails/evm-wallet.ts'
import type { BenchedRail } from './bare-rail.ts'

/** Requests that are under way at the same time when the node is to be busy. */
const IN_FLIGHT = 16

/** Ether on anvil beside viem. */
export const evmBench: BenchedRail = {
  name: 'EVM (anvil)',
  library: 'viem',
  make: async () => {
    const rail = await makeEvmRail('direct')
    const call = callerOf(rail)
    const client = createClient({ account: suiteAccount, chain: sepolia, transport: http(rail.url) })
    const transfer = { account: suiteAccount, chain: sepolia, to: suiteRecipient, value: SUITE_AMOUNT } as const
    return {
      ...rail,
      send: () => sendTransaction(client, transfer),
      confirm: async (id) => {
        const { status } = await getTransactionReceipt(client, { hash: id as `0x${string}` })
        if (status !== 'success') throw new Error(`transfer ${id}: ${status}`)
      },
      presign: async (count) => {
        const first = Number((await call('eth_getTransactionCount', [suiteAccount.address, 'pending'])) as string)
        const signed = await Promise.all(
          Array.from({ length: count }, (_, index) =>
            suiteAccount.signTransaction({
              type: 'eip1559',
              chainId: sepolia.id,
              nonce: first + index,
              to: suiteRecipient,
              value: SUITE_AMOUNT,
              gas: 21_000n,
              maxFeePerGas: 5_000_000_000n,
              maxPriorityFeePerGas: 1_000_000_000n,
            }),
          ),
        )
        await call('anvil_setBalance', [suiteAccount.address, numberToHex(10n ** 19n)])
        return async () => {
          const waiting = signed.values()
          const worker = async (): Promise<void> => {
            for (const serializedTransaction of waiting) await sendRawTransaction(client, { serializedTransaction })
          }
          await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
        }
      },
      close: rail.close,
    }
  },
}
