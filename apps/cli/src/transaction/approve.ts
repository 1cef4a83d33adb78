import { type Asset, formatAmount, getAssetAllowance, getAssetBalance, simulateApproveAsset } from '@oikos/sdk'
import type { Address } from 'viem'
import type { Connection } from '../chain/connect.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Input } from '../input/input.ts'
import type { Signer } from '../keys/signer.ts'
import { type Performed, performWrite } from './perform.ts'

/** An amount of a token that a contract is to take. */
export type Spending = {
  readonly asset: Asset
  readonly amountAtomic: bigint
  readonly spender: Address
  /** Who the spender is, as in `The task contract`. */
  readonly spenderName: string
  /** What follows the approval: `for task 7, then fund it`. */
  readonly purpose: string
  /** What the transaction that follows changes. */
  readonly effects: readonly string[]
}

/**
 * Approves a contract for exactly an amount, where it is not approved already; undefined where nothing is to be done.
 * @throws UsageError when the account does not hold the amount, and what performWrite throws
 */
export async function approveFirst(
  context: Context,
  input: Input,
  connection: Connection,
  signer: Signer,
  { asset, amountAtomic, spender, spenderName, purpose, effects }: Spending,
): Promise<Performed | undefined> {
  const { client } = connection
  const token = asset.address
  const [balance, allowance] = await Promise.all([
    getAssetBalance(client, { asset: token, account: signer.address }),
    getAssetAllowance(client, { token, owner: signer.address, spender }),
  ])
  if (balance < amountAtomic) {
    throw new UsageError(
      `${signer.address} holds ${formatAmount(balance, asset)}; ${formatAmount(amountAtomic, asset)} are needed.`,
      'Lower the amount, or send it from another account with --from.',
    )
  }
  if (allowance >= amountAtomic) return undefined
  return performWrite(context, input, connection, signer, {
    title: `Approve ${formatAmount(amountAtomic, asset)} ${purpose}`,
    contract: token,
    asset,
    functionName: 'approve',
    effects: [
      `${spenderName} ${spender} may take ${formatAmount(amountAtomic, asset)} of yours, and no more.`,
      ...effects.map((sentence) => `Then: ${sentence}`),
    ],
    simulate: (account) => simulateApproveAsset(client, { token, spender, amountAtomic, account, asset }),
    event: 'Approval',
  })
}
