import {
  type Abi,
  type Address,
  type Client,
  domainSeparator,
  encodeDeployData,
  getContractAddress,
  type Hex,
  pad,
} from 'viem'
import { call, getCode } from 'viem/actions'
import { connectedChainId } from '../actions/target.ts'
import { toOikosError } from '../errors/to-oikos-error.ts'

/** A contract as this package would create it. */
export type Creation = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly args: readonly unknown[]
  /** Name and version of its EIP-712 domain, whose separator is part of its code. */
  readonly domain?: { readonly name: string; readonly version: string } | undefined
}

/** Creates in simulations only: the last 20 bytes of keccak256 of "oikos creation", whose key nobody has. */
const NOBODY: Address = '0x20b553ecefcd9bf38aad84a15e66f84bd90fc3cc'

/** A block, by its number or the latest. */
type At = { blockNumber?: bigint }

/**
 * The code that a creation would leave at an address, byte for byte: the node runs the creation, and the words that depend
 * on where it ran (the contract itself, the first contract that it creates, its signing domain) are moved to the address.
 * @throws ContractRevertedError where the constructor refuses the arguments, RpcError
 */
async function expectedCode(client: Client, address: Address, creation: Creation, at: At): Promise<Hex> {
  const chainId = await connectedChainId(client)
  const elsewhere = getContractAddress({ from: NOBODY, nonce: 0n })
  const { abi, bytecode, args } = creation
  let code: Hex
  try {
    const data = encodeDeployData({ abi, bytecode, args })
    code = (await call(client, { account: NOBODY, data, ...at })).data ?? '0x'
  } catch (error) {
    throw toOikosError(error, { functionName: 'deploy' })
  }
  const here = placedWords(address, creation, chainId)
  for (const [index, word] of placedWords(elsewhere, creation, chainId).entries()) {
    code = code.replaceAll(word.slice(2), (here[index] ?? word).slice(2)) as Hex
  }
  return code
}

/** Words in the code of a contract that depend on its address, in lower case. */
function placedWords(address: Address, { domain }: Creation, chainId: number): readonly Hex[] {
  const first = getContractAddress({ from: address, nonce: 1n })
  const words = [pad(address.toLowerCase() as Hex), pad(first.toLowerCase() as Hex)]
  if (domain === undefined) return words
  return [...words, domainSeparator({ domain: { ...domain, chainId, verifyingContract: address } })]
}

/** Code at an address in lower case; `0x` where there is none. Throws RpcError. */
export async function codeAt(client: Client, address: Address, at: At): Promise<Hex> {
  try {
    return ((await getCode(client, { address, ...at })) ?? '0x').toLowerCase() as Hex
  } catch (error) {
    throw toOikosError(error, { contract: address })
  }
}

/**
 * Whether the code at an address is exactly what a creation leaves there. What a constructor wrote into storage is not
 * seen: a stranger can have put the same code over other storage.
 * @throws ContractRevertedError where the constructor refuses the arguments, RpcError
 */
export async function hasCodeOf(client: Client, address: Address, creation: Creation, at: At = {}): Promise<boolean> {
  const [code, expected] = await Promise.all([codeAt(client, address, at), expectedCode(client, address, creation, at)])
  return code !== '0x' && code === expected.toLowerCase()
}
