import { type Asset, approveAssetAndWait, getAssetAllowance, isNativeAsset, simulateApproveAsset } from '@oikos/sdk'
import type { Address } from 'viem'
import type { SigningClient } from '../wallet/wallet.tsx'
import { inWords } from './amounts.ts'

/** What a contract must be allowed to take first: nothing, or exactly the amount. */
export type AllowanceStep = {
  readonly sentences: readonly string[]
  readonly approve: (onSent: (hash: string) => void) => Promise<void>
}

/** Plans the approval of exactly `amountAtomic` to `spender`, where it is missing. */
export async function planAllowance(
  client: SigningClient,
  { asset, spender, amountAtomic }: { asset: Asset; spender: Address; amountAtomic: bigint },
): Promise<AllowanceStep | undefined> {
  if (isNativeAsset(asset)) return undefined
  const owner = client.account.address
  const allowed = await getAssetAllowance(client, { token: asset.address, owner, spender })
  if (allowed >= amountAtomic) return undefined
  const approval = { token: asset.address, spender, amountAtomic }
  await simulateApproveAsset(client, approval)
  return {
    sentences: [
      `First, your wallet is asked to let the contract ${spender} take exactly ${inWords(amountAtomic, asset)}; then comes the transaction itself. Two signatures.`,
    ],
    approve: async (onSent) => {
      await approveAssetAndWait(client, { ...approval, onSent })
    },
  }
}
