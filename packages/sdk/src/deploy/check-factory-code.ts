import { type Address, type Client, getContractAddress, type Hex, isAddressEqual, pad } from 'viem'
import { getCode } from 'viem/actions'
import { getFactoryTerms } from '../actions/agent-factory/get-factory-terms.ts'
import type { FactoryReadParameters } from '../actions/agent-factory/read-factory.ts'
import { assertChain } from '../actions/target.ts'
import { agentFactoryBytecode } from '../bytecode/index.ts'
import { NoContractError } from '../errors/chain-errors.ts'
import { ContractRevertedError } from '../errors/contract-reverted-error.ts'
import { toOikosError } from '../errors/to-oikos-error.ts'

/** A runtime that is shorter proves nothing: a few bytes are found in any code. The factory's has some 2,000. */
const MIN_RUNTIME_BYTES = 1_000

/**
 * Compares the code of a factory, of its Scope and of its implementation with the code of this package, byte for byte. The
 * creation code contains all three runtimes with zeros for their immutable addresses, and the two contracts are the first
 * and second that the factory created, so no other artifact is needed.
 * @returns what is wrong, as the rest of a sentence that ends in a full stop; undefined when all is as it should be
 * @throws WrongChainError, RpcError
 */
export async function checkFactoryCode(client: Client, parameters: FactoryReadParameters): Promise<string | undefined> {
  await assertChain(client, parameters.chainId)
  const { factory } = parameters
  const scope = getContractAddress({ from: factory, nonce: 1n })
  const implementation = getContractAddress({ from: factory, nonce: 2n })
  try {
    const terms = await getFactoryTerms(client, parameters)
    if (!isAddressEqual(terms.scope, scope) || !isAddressEqual(terms.implementation, implementation)) {
      return 'its Scope or its implementation is not one that it created.'
    }
  } catch (error) {
    if (error instanceof NoContractError || error instanceof ContractRevertedError) {
      return 'it does not answer like a factory of Agents.'
    }
    throw error
  }
  const immutables = [factory, scope, implementation]
  for (const [address, what] of [
    [factory, 'the code of the factory'],
    [scope, 'the code of its Scope'],
    [implementation, 'the code of its implementation'],
  ] as const) {
    if (!(await isOurs(client, address, immutables))) return `${what} is not that of this version.`
  }
  return undefined
}

async function isOurs(client: Client, address: Address, immutables: readonly Address[]): Promise<boolean> {
  let code: Hex | undefined
  try {
    code = await getCode(client, { address })
  } catch (error) {
    throw toOikosError(error, { contract: address })
  }
  let runtime = (code ?? '0x').slice(2).toLowerCase()
  if (runtime.length < 2 * MIN_RUNTIME_BYTES) return false
  for (const immutable of immutables) {
    runtime = runtime.replaceAll(pad(immutable.toLowerCase() as Hex).slice(2), '0'.repeat(64))
  }
  return agentFactoryBytecode.toLowerCase().includes(runtime)
}
