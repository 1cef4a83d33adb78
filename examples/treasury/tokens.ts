import { type Asset, getAssetMetadata } from '@oikos/sdk'
import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  type Client,
  getAddress,
  type Hash,
  type Hex,
  parseAbi,
  type Transport,
} from 'viem'
import { deployContract, waitForTransactionReceipt, writeContract } from 'viem/actions'
import { workedDollarBytecode, workedVaultBytecode } from './contracts.gen.ts'

type Signer = Client<Transport, Chain, Account>

const dollarAbi = parseAbi(['constructor()', 'function mint(address to, uint256 amount)'])
const vaultAbi = parseAbi(['constructor(address asset)'])

/** Deploys the token of the examples. */
export async function deployDollar(client: Signer): Promise<Asset> {
  const asset = await deploy(client, dollarAbi, workedDollarBytecode, [])
  return getAssetMetadata(client, { asset })
}

/** Deploys the savings vault of the examples, for that token. */
export function deploySavings(client: Signer, dollar: Asset): Promise<Address> {
  return deploy(client, vaultAbi, workedVaultBytecode, [dollar.address])
}

/** Makes whole dollars for an account. */
export async function giveDollars(client: Signer, dollar: Asset, to: Address, whole: bigint): Promise<void> {
  const args = [to, whole * 10n ** BigInt(dollar.decimals)] as const
  const hash = await writeContract(client, { abi: dollarAbi, address: dollar.address, functionName: 'mint', args })
  await confirm(client, hash)
}

async function deploy(client: Signer, abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> {
  const { contractAddress } = await confirm(client, await deployContract(client, { abi, bytecode, args }))
  if (contractAddress === null || contractAddress === undefined) throw new Error('a contract was not deployed')
  return getAddress(contractAddress)
}

function confirm(client: Signer, hash: Hash) {
  return waitForTransactionReceipt(client, { hash })
}
