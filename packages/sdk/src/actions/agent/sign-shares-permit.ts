import { type Account, type Address, type Client, type Hex, parseSignature, type SignTypedDataParameters } from 'viem'
import { signTypedData } from 'viem/actions'
import { AccountMissingError } from '../../errors/chain-errors.ts'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { assertConnected } from '../target.ts'
import { getAgentName } from './get-agent-name.ts'
import { getShareNonce } from './get-share-nonce.ts'
import type { AgentTarget } from './target.ts'

/** An approval of shares that its holder has signed. Anyone may send it, once, until it expires. */
export type SharesPermit = {
  readonly holder: Address
  readonly spender: Address
  /** Replaces the approval before; one share has 1e18. */
  readonly sharesAtomic: bigint
  /** Last second in which it counts, in unix seconds. */
  readonly deadlineSec: bigint
  readonly v: number
  readonly r: Hex
  readonly s: Hex
}

/** Parameters of {@link signSharesPermit}. */
export type SignSharesPermitParameters = AgentTarget & {
  /** Holder. Default: the account of the client. */
  account?: Account | Address
  spender: Address
  sharesAtomic: bigint
  deadlineSec: bigint
}

/** Source: ERC-2612. */
const TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/**
 * Signs an approval of shares for permitShares. Nothing is sent. It is bound to the chain, the Agent and the next nonce
 * of the holder.
 * @throws AccountMissingError, RequestRejectedError, WrongChainError, NoContractError, RpcError
 */
export async function signSharesPermit(client: Client, parameters: SignSharesPermitParameters): Promise<SharesPermit> {
  const { agent, spender, sharesAtomic, deadlineSec } = parameters
  const account = parameters.account ?? client.account
  if (account === undefined) throw new AccountMissingError('signSharesPermit')
  const holder = typeof account === 'object' ? account.address : account
  const chainId = await assertConnected(client, parameters.chainId)
  const [name, nonce] = await Promise.all([getAgentName(client, { agent }), getShareNonce(client, { agent, holder })])
  const typedData = {
    account,
    domain: { name, version: '1', chainId, verifyingContract: agent },
    types: TYPES,
    primaryType: 'Permit',
    message: { owner: holder, spender, value: sharesAtomic, nonce, deadline: deadlineSec },
  } as const
  try {
    const { r, s, yParity } = parseSignature(
      await signTypedData(client, typedData as unknown as SignTypedDataParameters),
    )
    return { holder, spender, sharesAtomic, deadlineSec, v: 27 + yParity, r, s }
  } catch (error) {
    throw toOikosError(error, { contract: agent, account: holder })
  }
}
