import { isSolanaAddress, type SolanaAddress } from '@oikos/core/economic'
import { createKeyPairFromPrivateKeyBytes, getAddressFromPublicKey, signBytes } from '@solana/kit'
import type { WalletCustody } from '../../../src/economic/host.ts'

/** A wallet of one key that stands in these files, so that nothing that it holds has value. */
export type TestWallet = {
  readonly address: SolanaAddress
  readonly keys: Awaited<ReturnType<typeof createKeyPairFromPrivateKeyBytes>>
}

/** The wallet whose key is one byte 32 times. */
export async function testWallet(byte: number): Promise<TestWallet> {
  const keys = await createKeyPairFromPrivateKeyBytes(new Uint8Array(32).fill(byte))
  const address: string = await getAddressFromPublicKey(keys.publicKey)
  if (!isSolanaAddress(address)) throw new TypeError(`test wallet: got ${address}`)
  return { address, keys }
}

/** Signs unsigned messages of a wallet with its real key. */
export function solanaCustody({ keys }: TestWallet): WalletCustody {
  return {
    sign: async ({ unsignedTransaction }, sink) => {
      const signature = await signBytes(keys.privateKey, unsignedTransaction)
      sink.push(Uint8Array.of(1, ...signature, ...unsignedTransaction))
      return 'succeeded'
    },
  }
}
