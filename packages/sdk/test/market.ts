import { parseTaskHash, parseTdHash, type TaskHash, type TdHash } from '@oikos/core'
import {
  type Abi,
  type Address,
  type Client,
  createClient,
  encodeDeployData,
  getAddress,
  type Hex,
  http,
  sha256,
  toHex,
  zeroAddress,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { sendTransaction, waitForTransactionReceipt, writeContract } from 'viem/actions'
import { type LocalChain, startChain } from '../../../scripts/chain.ts'
import type { MintTaskParameters } from '../src/actions/task/mint-task.ts'
import { type Deployment, deployTaskMarket, getBlockMoment, mintTaskAndWait, type TenderTerms } from '../src/index.ts'
import type { Mock } from './compile-mocks.ts'

/** People of the tests. */
type Role = 'owner' | 'publisher' | 'judge' | 'funder' | 'fulfiller' | 'stranger'

/** A task market on a chain of its own. */
export type Market = {
  chain: LocalChain
  deployment: Deployment
  task: Address
  /** A client with the account of a role. */
  as: Record<Role, Client>
  address: Record<Role, Address>
  /** Mints a tender that is paid in native currency, and gives its id. */
  mint: (terms?: Partial<TenderTerms>, roles?: Partial<MintTaskParameters>) => Promise<bigint>
  deployMock: (mock: Mock, args?: readonly unknown[]) => Promise<Address>
  /** Calls a mock. */
  tell: (mock: Mock, address: Address, functionName: string, args?: readonly unknown[]) => Promise<void>
  /** Puts other code at an address. */
  setCode: (address: Address, code: Hex) => Promise<void>
  now: () => Promise<bigint>
  /** Moves the clock of the chain and mines a block. */
  passTime: (lengthSec: bigint) => Promise<void>
  stop: () => Promise<void>
}

const ROLES: readonly Role[] = ['owner', 'publisher', 'judge', 'funder', 'fulfiller', 'stranger']

/** Any terms that a test does not care about: one coin a completion, judged within an hour. */
export const anyTerms: TenderTerms = {
  asset: zeroAddress,
  rewardPerCompletionAtomic: 10n ** 18n,
  maxCompletions: 0n,
  submitBySec: 0n,
  settleBySec: 0n,
  epochLengthSec: 0n,
  maxCompletionsPerEpoch: 0n,
  judgmentWindowSec: 3_600n,
}

/** A digest that stands for some document. */
export const tdHashOf = (text: string): TdHash => parseTdHash(sha256(toHex(text)))

/** A digest that stands for some package. */
export const taskHashOf = (text: string): TaskHash => parseTaskHash(sha256(toHex(text)))

/** Sends any JSON-RPC request, such as those of anvil. */
export function rpc(client: Client, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return client.request({ method, params } as never)
}

/** Anvil's accounts. Source: its documentation, default mnemonic. */
function testAccount(index: number): HDAccount {
  return mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
}

/** Starts a chain, deploys the market and gives each role an account. */
export async function startMarket(): Promise<Market> {
  const chain = await startChain()
  const accounts = ROLES.map((role, index) => [role, testAccount(index)] as const)
  const clientOf = (account: HDAccount): Client =>
    createClient({ account, transport: http(chain.url), pollingInterval: 20 })
  const as = Object.fromEntries(accounts.map(([role, account]) => [role, clientOf(account)])) as Record<Role, Client>
  const address = Object.fromEntries(accounts.map(([role, { address }]) => [role, address])) as Record<Role, Address>
  const deployment = await deployTaskMarket(as.owner, as.owner, { name: 'Tasks', symbol: 'TASK', network: 'local' })
  const task = deployment.taskToken

  const mint: Market['mint'] = async (terms = {}, roles = {}) => {
    const { event } = await mintTaskAndWait(as.publisher, {
      task,
      to: address.owner,
      updateAuthority: address.publisher,
      acceptanceAuthority: address.judge,
      tdHash: tdHashOf('document'),
      taskHash: taskHashOf('package'),
      taskURI: 'ipfs://package',
      terms: { ...anyTerms, ...terms },
      ...roles,
    })
    return event.args.tokenId
  }
  const deployMock: Market['deployMock'] = async ({ abi, bytecode }, args = []) => {
    const data = encodeDeployData({ abi: abi as Abi, bytecode, args })
    const hash = await sendTransaction(as.owner, { data, chain: null } as never)
    const { contractAddress } = await waitForTransactionReceipt(as.owner, { hash })
    if (contractAddress === null || contractAddress === undefined) throw new Error('the mock was not deployed')
    return getAddress(contractAddress)
  }
  const tell: Market['tell'] = async ({ abi }, contract, functionName, args = []) => {
    const hash = await writeContract(as.owner, { abi, address: contract, functionName, args, chain: null } as never)
    await waitForTransactionReceipt(as.owner, { hash })
  }
  const now = async (): Promise<bigint> => (await getBlockMoment(as.owner)).timestampSec
  const passTime = async (lengthSec: bigint): Promise<void> => {
    await rpc(as.owner, 'evm_increaseTime', [toHex(lengthSec)])
    await rpc(as.owner, 'evm_mine')
  }
  const setCode: Market['setCode'] = async (contract, code) => {
    await rpc(as.owner, 'anvil_setCode', [contract, code])
  }
  const stop = (): Promise<void> => chain.stop()
  return { chain, deployment, task, as, address, mint, deployMock, tell, setCode, now, passTime, stop }
}
