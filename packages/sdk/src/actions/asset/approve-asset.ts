import { type Address, parseAbi } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'

/** Without a declared reply: some tokens give none. Source: ERC-20. */
const approveAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
])

/** Parameters of {@link approveAsset}. */
export type ApproveAssetParameters = WriteParameters & {
  chainId?: number
  /** ERC-20 contract; the native currency needs no approval. */
  token: Address
  /** Who may take it; to fund a tender, the task contract. */
  spender: Address
  /** Smallest units; replaces the approval before. */
  amountAtomic: bigint
}

const write = defineWrite({
  abi: approveAbi,
  eventAbi: approveAbi,
  functionName: 'approve',
  event: 'Approval',
  contract: ({ token }: ApproveAssetParameters) => token,
  emitter: ({ token }) => token,
  args: ({ spender, amountAtomic }) => [spender, amountAtomic],
})

/** Lets a contract take up to an amount of a token from the sender. Simulates, then sends. Source: ERC-20, approve. */
export const approveAsset = write.send

/** What {@link approveAsset} would do, on the latest state; nothing is sent. */
export const simulateApproveAsset = write.simulate

/** {@link approveAsset}, then waits for the event Approval. */
export const approveAssetAndWait = write.sendAndWait
