import { base58Bytes32, U64_MAX } from '@oikos/core/economic'
import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  createSolanaRpcFromTransport,
  type RpcTransport,
  type Signature,
  type TransactionMessageBytesBase64,
} from '@solana/kit'
import {
  createHttpEndpoint,
  createRpcEndpoint,
  EndpointFaultError,
  type ExactJson,
  isExactArray,
  memberOf,
  type ParsedEndpoint,
  RpcAnswerError,
  type RpcEndpoint,
  type RpcParams,
  WrongNetworkError,
} from '../endpoint/index.ts'

/** How far the cluster must have agreed on a block before it counts. */
export type SolanaFinality = 'confirmed' | 'finalized'
/** A commitment, or the newest block of the node that was asked. */
type AnyCommitment = 'processed' | SolanaFinality

/** A blockhash: transactions may use it up to a block height. `slot`: where the node stood when it said so. */
export type LatestBlockhash = {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  readonly slot: bigint
}

/** The newest slot and block height of a commitment. */
export type SolanaTip = { readonly slot: bigint; readonly height: bigint }

/** What a node knows of a transaction. `hasFailed`: it is in a block and has moved nothing but its fee. */
export type SolanaStatus = {
  readonly slot: bigint
  readonly commitment: AnyCommitment
  readonly hasFailed: boolean
}

/** A block; `unknown` when the node cannot say, `skipped` when it says that the slot has none. */
type SolanaBlockAnswer =
  | { readonly kind: 'block'; readonly blockhash: string; readonly height: bigint }
  | { readonly kind: 'skipped' | 'unknown' }

/** What a trial run did. `error` is null when it worked; `payerLamports` is then what the payer would have left. */
type SolanaTrial = { readonly error: string | null; readonly payerLamports: bigint | null }

/**
 * A node of the cluster. Its answers are checked for form and range; what is off is an EndpointFaultError `malformed`.
 * Every method but `send` changes nothing.
 */
export type SolanaNode = {
  readonly origin: string
  /** An answer of this node that is not of the form that was asked for. */
  readonly malformed: (method: string, detail: string) => EndpointFaultError
  /** Throws WrongNetworkError unless the node is of the rail's cluster. A node that was right is not asked again. */
  readonly checkNetwork: () => Promise<void>
  readonly getLatestBlockhash: (commitment: SolanaFinality) => Promise<LatestBlockhash>
  readonly getBalance: (account: string, commitment: SolanaFinality) => Promise<bigint>
  /** The fee of a message in lamports; undefined when its blockhash is not, or no longer, known. */
  readonly getFee: (message: string, commitment: SolanaFinality) => Promise<bigint | undefined>
  readonly simulate: (wire: string, payer: string, commitment: SolanaFinality) => Promise<SolanaTrial>
  readonly getTip: (commitment: AnyCommitment) => Promise<SolanaTip>
  /** Also the slot at which the node looked; `status` is undefined when it knows nothing, in its history either. */
  readonly getStatus: (
    transactionId: string,
  ) => Promise<{ readonly atSlot: bigint; readonly status: SolanaStatus | undefined }>
  readonly getBlock: (slot: bigint) => Promise<SolanaBlockAnswer>
  /** The slots of a range, both ends included, that have a confirmed block, in order; at most 1,000 wide. */
  readonly listSlots: (from: bigint, to: bigint) => Promise<readonly bigint[]>
  /** Whether a blockhash is that of a block of the confirmed chain and not too old for transactions, and where the node looked. */
  readonly getBlockhashValidity: (blockhash: string) => Promise<{ readonly atSlot: bigint; readonly isValid: boolean }>
  /** The oldest slot whose transactions the node still has. */
  readonly getFirstAvailableSlot: () => Promise<bigint>
  /** Sends a signed transaction, once. Gives the id that the node names. */
  readonly send: (wire: string) => Promise<string>
  readonly close: () => void
}

/** Opens a node over HTTP. `genesisHash` names the cluster. */
export function createSolanaNode(endpoint: ParsedEndpoint, genesisHash: string): SolanaNode {
  const rpcEndpoint = createRpcEndpoint(createHttpEndpoint(endpoint))
  const rpc = createSolanaRpcFromTransport(transportOf(rpcEndpoint))
  const { origin } = rpcEndpoint
  const read = readerOf(origin)
  let isChecked = false
  return {
    origin,
    malformed: read.malformed,
    checkNetwork: async () => {
      if (isChecked) return
      const got = read.text('getGenesisHash', await rpc.getGenesisHash().send())
      if (got !== genesisHash) throw new WrongNetworkError(origin, got.slice(0, 64), genesisHash)
      isChecked = true
    },
    getLatestBlockhash: async (commitment) => {
      const answer: unknown = await rpc.getLatestBlockhash({ commitment }).send()
      const value = read.member('getLatestBlockhash', answer, 'value')
      const blockhash = read.text('getLatestBlockhash', read.member('getLatestBlockhash', value, 'blockhash'))
      if (base58Bytes32(blockhash) === undefined) throw read.malformed('getLatestBlockhash', 'not a blockhash')
      return {
        blockhash,
        lastValidBlockHeight: read.u64('getLatestBlockhash', memberOf(value, 'lastValidBlockHeight')),
        slot: contextSlot(read, 'getLatestBlockhash', answer),
      }
    },
    getBalance: async (account, commitment) => {
      const answer: unknown = await rpc.getBalance(account as Address, { commitment }).send()
      return read.u64('getBalance', read.member('getBalance', answer, 'value'))
    },
    getFee: async (message, commitment) => {
      const encoded = message as TransactionMessageBytesBase64
      const answer: unknown = await rpc.getFeeForMessage(encoded, { commitment }).send()
      const value = read.member('getFeeForMessage', answer, 'value')
      return value === null ? undefined : read.u64('getFeeForMessage', value)
    },
    simulate: async (wire, payer, commitment) => {
      const config = {
        ...({ encoding: 'base64', commitment, sigVerify: false } as const),
        accounts: { addresses: [payer as Address], encoding: 'base64' } as const,
      }
      const answer: unknown = await rpc.simulateTransaction(wire as Base64EncodedWireTransaction, config).send()
      const value = read.member('simulateTransaction', answer, 'value')
      const error = read.member('simulateTransaction', value, 'err')
      if (error !== null) return { error: quote(error), payerLamports: null }
      const accounts = read.member('simulateTransaction', value, 'accounts')
      const account = isExactArray(accounts) ? accounts[0] : undefined
      return { error: null, payerLamports: read.u64('simulateTransaction', memberOf(account, 'lamports')) }
    },
    getTip: async (commitment) => {
      const answer: unknown = await rpc.getEpochInfo({ commitment }).send()
      return {
        slot: read.u64('getEpochInfo', read.member('getEpochInfo', answer, 'absoluteSlot')),
        height: read.u64('getEpochInfo', read.member('getEpochInfo', answer, 'blockHeight')),
      }
    },
    getStatus: async (transactionId) => {
      const config = { searchTransactionHistory: true } as const
      const answer: unknown = await rpc.getSignatureStatuses([transactionId as Signature], config).send()
      const value = read.member('getSignatureStatuses', answer, 'value')
      const first = isExactArray(value) && value.length === 1 ? value[0] : undefined
      if (first === undefined) throw read.malformed('getSignatureStatuses', 'expected one status')
      const atSlot = contextSlot(read, 'getSignatureStatuses', answer)
      return { atSlot, status: first === null ? undefined : statusOf(read, first) }
    },
    getBlock: async (slot) => {
      const config = { commitment: 'confirmed', transactionDetails: 'none', rewards: false } as const
      try {
        const answer: unknown = await rpc.getBlock(slot, config).send()
        if (answer === null) return { kind: 'unknown' }
        return {
          kind: 'block',
          blockhash: read.text('getBlock', read.member('getBlock', answer, 'blockhash')),
          height: read.u64('getBlock', read.member('getBlock', answer, 'blockHeight')),
        }
      } catch (cause) {
        if (!(cause instanceof RpcAnswerError)) throw cause
        if (SKIPPED_CODES.includes(cause.code)) return { kind: 'skipped' }
        if (UNKNOWN_CODES.includes(cause.code)) return { kind: 'unknown' }
        throw cause
      }
    },
    listSlots: async (from, to) => {
      const answer: unknown = await rpc.getBlocks(from, to, { commitment: 'confirmed' }).send()
      const slots = isExactArray(answer as ExactJson) ? (answer as readonly ExactJson[]) : []
      if (slots.length > MAX_SLOTS) throw read.malformed('getBlocks', `expected at most ${MAX_SLOTS} slots`)
      return slots.map((slot) => read.u64('getBlocks', slot))
    },
    getBlockhashValidity: async (blockhash) => {
      const config = { commitment: 'confirmed' } as const
      const answer: unknown = await rpc.isBlockhashValid(blockhash as Blockhash, config).send()
      const isValid = read.member('isBlockhashValid', answer, 'value')
      if (typeof isValid !== 'boolean') throw read.malformed('isBlockhashValid', 'expected true or false')
      return { atSlot: contextSlot(read, 'isBlockhashValid', answer), isValid }
    },
    getFirstAvailableSlot: async () => {
      const answer: unknown = await rpc.getFirstAvailableBlock().send()
      return read.u64('getFirstAvailableBlock', answer)
    },
    send: async (wire) => {
      const config = { encoding: 'base64', preflightCommitment: 'processed' } as const
      const answer: unknown = await rpc.sendTransaction(wire as Base64EncodedWireTransaction, config).send()
      return read.text('sendTransaction', answer)
    },
    close: () => rpcEndpoint.close(),
  }
}

/** The slot has no block. Source: Agave, rpc custom errors: slot skipped, in memory and in long-term storage. */
const SKIPPED_CODES: readonly bigint[] = [-32007n, -32009n]
/** Cleaned up, not available, status not yet available. Source: as above. */
const UNKNOWN_CODES: readonly bigint[] = [-32001n, -32004n, -32014n]

/** Carries the calls that @solana/kit composes: what has an effect once and alone, all others as reads. */
function transportOf(endpoint: RpcEndpoint): RpcTransport {
  const transport = async ({ payload }: { readonly payload: unknown }): Promise<unknown> => {
    const { id, method, params } = payload as {
      readonly id: string
      readonly method: string
      readonly params: RpcParams
    }
    const result =
      method === 'sendTransaction' ? await endpoint.send(method, params) : await endpoint.read(method, params)
    return { jsonrpc: '2.0', id, result }
  }
  return transport as RpcTransport
}

type Reader = ReturnType<typeof readerOf>

/** Reads members of answers whose declared types only say what an honest node would send. */
function readerOf(origin: string) {
  const malformed = (method: string, detail: string): EndpointFaultError =>
    new EndpointFaultError(origin, 'malformed', 'uncertain', `${method}: ${detail}`)
  return {
    malformed,
    member: (method: string, value: unknown, key: string): ExactJson => {
      const member = memberOf(value as ExactJson, key)
      if (member === undefined) throw malformed(method, `no ${key}`)
      return member
    },
    text: (method: string, value: unknown): string => {
      if (typeof value !== 'string' || value.length > MAX_TEXT) throw malformed(method, 'expected a short text')
      return value
    },
    u64: (method: string, value: unknown): bigint => {
      if (typeof value !== 'bigint' || value < 0n || value > U64_MAX) throw malformed(method, 'expected 0 to 2^64-1')
      return value
    },
  }
}

/** The widest range of slots that is asked for. */
const MAX_SLOTS = 1001
/** Above every hash, address and signature in base58. */
const MAX_TEXT = 128

function contextSlot(read: Reader, method: string, answer: unknown): bigint {
  return read.u64(method, memberOf(read.member(method, answer, 'context'), 'slot'))
}

function statusOf(read: Reader, value: ExactJson): SolanaStatus {
  const word = memberOf(value, 'confirmationStatus')
  const known = word === 'confirmed' || word === 'finalized' ? word : 'processed'
  return {
    slot: read.u64('getSignatureStatuses', memberOf(value, 'slot')),
    commitment: known,
    hasFailed: read.member('getSignatureStatuses', value, 'err') !== null,
  }
}

/** An error of the chain, for people: hostile input, cut. */
function quote(error: ExactJson): string {
  return JSON.stringify(error, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)).slice(0, 200)
}
