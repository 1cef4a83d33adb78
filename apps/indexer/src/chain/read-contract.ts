import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
} from 'viem'
import { NodeFailedError } from './node-error.ts'

/** Gas that one question may burn: a hostile contract is asked, too. */
const MAX_CALL_GAS = 2_000_000n

/** Longest reply of one question in bytes. */
const MAX_REPLY_BYTES = 65_536

/** Longest wait for a node, and how often it is asked before the failure is passed on. */
const TIMEOUT_MS = 10_000
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 200

/** Codes and words by which nodes say that they cannot know, as opposed to: the contract refuses. */
const NODE_TROUBLE = /missing trie node|header not found|pruned|state .*not available|rate limit|too many requests/i

/** A block by number, or the latest one for what never changes in a contract. */
type ReadAt = number | 'latest'

/** One question to a contract. */
type ContractQuestion<abi extends Abi, name extends ContractFunctionName<abi, 'pure' | 'view'>> = {
  readonly address: Address
  readonly abi: abi
  readonly functionName: name
  readonly args: ContractFunctionArgs<abi, 'pure' | 'view', name>
  readonly at: ReadAt
}

/** Reads contracts that nobody vouches for. */
export type ContractReader = {
  /**
   * The answer, or undefined where the contract reverts, has no code, or answers something else. Gas, reply and waiting
   * are bounded. Throws NodeFailedError where the node itself cannot tell, after some attempts.
   */
  readonly read: <const abi extends Abi, const name extends ContractFunctionName<abi, 'pure' | 'view'>>(
    question: ContractQuestion<abi, name>,
  ) => Promise<ContractFunctionReturnType<abi, 'pure' | 'view', name> | undefined>
  /** Whether an address has code. Throws NodeFailedError. */
  readonly hasCode: (address: Address, at: ReadAt) => Promise<boolean>
  /** Number of the latest block. Throws NodeFailedError. */
  readonly blockNumber: () => Promise<number>
}

type RpcReply = { readonly result?: unknown; readonly error?: { readonly code?: unknown; readonly message?: unknown } }

/** A reader over JSON-RPC; the URLs are asked in turn. */
export function createContractReader(urls: readonly string[], ask: typeof fetch = fetch): ContractReader {
  let turn = 0

  const send = async (method: string, params: readonly unknown[]): Promise<RpcReply> => {
    let last: unknown
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
      const url = urls[turn % urls.length] ?? ''
      turn += 1
      try {
        const response = await ask(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        if (!response.ok) throw new Error(`the node answered ${response.status}`)
        const reply = (await response.json()) as RpcReply
        const message = typeof reply.error?.message === 'string' ? reply.error.message : ''
        if (!NODE_TROUBLE.test(message)) return reply
        last = new Error(message)
      } catch (error) {
        last = error
      }
    }
    throw new NodeFailedError(method, ATTEMPTS, last)
  }

  return {
    read: async ({ address, abi, functionName, args, at }) => {
      const data = encodeFunctionData({ abi, functionName, args } as never)
      const call = { to: address, data, gas: numberToHex(MAX_CALL_GAS) }
      const { result } = await send('eth_call', [call, at === 'latest' ? at : numberToHex(at)])
      if (typeof result !== 'string' || result === '0x' || result.length > 2 + 2 * MAX_REPLY_BYTES) return undefined
      try {
        return decodeFunctionResult({ abi, functionName, data: result as Hex } as never) as never
      } catch {
        return undefined
      }
    },
    hasCode: async (address, at) => {
      const { result } = await send('eth_getCode', [address, at === 'latest' ? at : numberToHex(at)])
      return typeof result === 'string' && result.length > 2
    },
    blockNumber: async () => {
      const { result } = await send('eth_blockNumber', [])
      const number = typeof result === 'string' ? Number(result) : Number.NaN
      if (!Number.isSafeInteger(number)) throw new NodeFailedError('eth_blockNumber', 1, undefined)
      return number
    },
  }
}
