import {
  address,
  appendTransactionMessageInstructions,
  createSignerFromKeyPair,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import { makeSolanaRail, SUITE_AMOUNT } from '../../packages/runtime/test/chains/solana/under-test.ts'
import type { BenchedRail } from './bare-rail.ts'
import { sendAll } from './send-all.ts'

/** Enough for every payment of a run, lamports. */
const FUNDS = 10n ** 13n
const COMPUTE_UNITS = 10_000

/** SOL on LiteSVM behind a JSON-RPC server, beside @solana/kit. */
export const solanaBench: BenchedRail = {
  name: 'Solana (LiteSVM)',
  library: '@solana/kit',
  make: async () => {
    const rail = await makeSolanaRail({ line: 'direct' })
    rail.ledger.setBalance(rail.wallet.address, FUNDS)
    const rpc = createSolanaRpc(rail.url)
    const signer = await createSignerFromKeyPair(rail.wallet.keys)
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' } as const
    const latest = async () => (await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value
    /** `microLamports` tells transfers of one blockhash apart. */
    const sign = async (lifetime: Awaited<ReturnType<typeof latest>>, microLamports: bigint) => {
      const message = appendTransactionMessageInstructions(
        [
          getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS }),
          getSetComputeUnitPriceInstruction({ microLamports }),
          getTransferSolInstruction({ source: signer, destination: address(rail.recipient), amount: SUITE_AMOUNT }),
        ],
        setTransactionMessageLifetimeUsingBlockhash(
          lifetime,
          setTransactionMessageFeePayerSigner(signer, createTransactionMessage({ version: 0 })),
        ),
      )
      return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
    }
    return {
      ...rail,
      send: async () => rpc.sendTransaction(await sign(await latest(), 1n), config).send(),
      confirm: async (id) => {
        const { value } = await rpc.getSignatureStatuses([id as Signature]).send()
        if (value[0]?.confirmationStatus === undefined || value[0].err !== null)
          throw new Error(`transfer ${id}: missing`)
      },
      presign: async (count) => {
        const lifetime = await latest()
        const signed = await Promise.all(Array.from({ length: count }, (_, index) => sign(lifetime, BigInt(index + 2))))
        return () => sendAll(signed, (wire) => rpc.sendTransaction(wire, config).send())
      },
    }
  },
}
