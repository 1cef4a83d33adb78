import { type Address, getPublicKeyFromAddress, type SignatureBytes, verifySignature } from '@solana/kit'
import { type ChainServer, JsonRpcFailure, type JsonRpcMethods, startJsonRpcServer } from '../json-rpc-server.ts'
import { type Arrived, BLOCKHASH_LIFE, type Commitment, type Included, readArrived, type SolanaView } from './ledger.ts'

/** The genesis hash of devnet. Source: `solana genesis-hash --url devnet`, documentation of the clusters. */
const DEVNET_GENESIS_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

/** What a node says of itself. */
export type SolanaNodeOptions = {
  readonly genesisHash?: string
  /** The oldest slot whose transactions the node still has. */
  readonly firstAvailableSlot?: () => bigint
}

/** Starts a node on loopback. Source of the methods: Solana documentation, "RPC HTTP methods". */
export function startSolanaNode(ledger: SolanaView, options: SolanaNodeOptions = {}): Promise<ChainServer> {
  return startJsonRpcServer({ methods: methodsOf(ledger, options) })
}

function methodsOf(ledger: SolanaView, options: SolanaNodeOptions): JsonRpcMethods {
  const { genesisHash = DEVNET_GENESIS_HASH, firstAvailableSlot = () => ledger.blocks[0]?.slot ?? 0n } = options
  const inContext = (commitment: Commitment, value: unknown) => ({
    context: { apiVersion: '3.0.0', slot: ledger.blockAt(commitment).slot },
    value,
  })
  return {
    getHealth: () => 'ok',
    getGenesisHash: () => genesisHash,
    getFirstAvailableBlock: firstAvailableSlot,
    getSlot: ([config]) => ledger.blockAt(commitmentOf(config)).slot,
    getBlockHeight: ([config]) => ledger.blockAt(commitmentOf(config)).height,
    getEpochInfo: ([config]) => {
      const { slot, height } = ledger.blockAt(commitmentOf(config))
      const [slotsInEpoch, transactionCount] = [432_000n, null]
      const [epoch, slotIndex] = [slot / slotsInEpoch, slot % slotsInEpoch]
      return { absoluteSlot: slot, blockHeight: height, epoch, slotIndex, slotsInEpoch, transactionCount }
    },
    getLatestBlockhash: ([config]) => {
      const commitment = commitmentOf(config)
      const { blockhash, height } = ledger.blockAt(commitment)
      return inContext(commitment, { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFE })
    },
    isBlockhashValid: ([blockhash, config]) => {
      const commitment = commitmentOf(config)
      return inContext(commitment, ledger.isLive(String(blockhash), ledger.blockAt(commitment)))
    },
    getBalance: ([account, config]) => {
      const commitment = commitmentOf(config)
      return inContext(commitment, ledger.balanceAt(String(account), commitment))
    },
    getFeeForMessage: ([message, config]) => {
      const commitment = commitmentOf(config)
      const arrived = readWire(unsignedWire(String(message)))
      if (!ledger.isLive(arrived.blockhash, ledger.blockAt(commitment))) return inContext(commitment, null)
      return inContext(commitment, ledger.rehearse(arrived.transaction).feeAtomic)
    },
    getSignatureStatuses: ([signatures, config]) => {
      const isSearching = fieldOf(config, 'searchTransactionHistory') === true
      const list = Array.isArray(signatures) ? signatures.map(String) : []
      return inContext(
        'processed',
        list.map((signature) => statusOf(ledger, ledger.find(signature), isSearching)),
      )
    },
    getTransaction: ([signature, config]) => {
      const commitment = historicalCommitmentOf(config)
      const found = ledger.find(String(signature))
      if (found === undefined || found.slot > ledger.blockAt(commitment).slot) return null
      const { slot, error, logs, unitsConsumed, wire, feeAtomic } = found
      return {
        slot,
        blockTime: null,
        version: 0,
        meta: { err: error, fee: feeAtomic, logMessages: logs, computeUnitsConsumed: unitsConsumed },
        transaction: [Buffer.from(wire).toString('base64'), 'base64'],
      }
    },
    getBlocks: ([first, last, config]) => {
      const newest = ledger.blockAt(historicalCommitmentOf(config)).slot
      const isAsked = ({ slot }: { readonly slot: bigint }): boolean =>
        slot >= BigInt(Number(first)) && slot <= BigInt(Number(last)) && slot <= newest
      return ledger.blocks.filter(isAsked).map(({ slot }) => slot)
    },
    getBlock: ([slot, config]) => {
      const block = ledger.blocks.find((candidate) => candidate.slot === BigInt(Number(slot)))
      if (block === undefined || block.slot > ledger.blockAt(historicalCommitmentOf(config)).slot)
        throw new JsonRpcFailure(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
      const parent = ledger.blocks[ledger.blocks.indexOf(block) - 1]
      return {
        blockhash: block.blockhash,
        previousBlockhash: parent?.blockhash ?? null,
        parentSlot: parent?.slot ?? null,
        blockHeight: block.height,
        signatures: block.transactions.map(({ signature }) => signature),
      }
    },
    simulateTransaction: async ([wire, config]) => {
      const commitment = commitmentOf(config)
      const arrived = readWire(Buffer.from(String(wire), 'base64'))
      if (fieldOf(config, 'sigVerify') === true && !(await isSigned(arrived)))
        throw new JsonRpcFailure(-32003, 'Transaction signature verification failure')
      return inContext(commitment, simulationOf(ledger, arrived, commitment, config))
    },
    sendTransaction: ([wire, config]) => sendTransaction(ledger, Buffer.from(String(wire), 'base64'), config),
  }
}

async function sendTransaction(ledger: SolanaView, wire: Uint8Array, config: unknown): Promise<string> {
  const arrived = readWire(wire)
  if (fieldOf(config, 'skipPreflight') !== true) {
    const preflight = fieldOf(config, 'preflightCommitment') ?? 'finalized'
    if (!(await isSigned(arrived))) throw new JsonRpcFailure(-32003, 'Transaction signature verification failure')
    const { err, logs, unitsConsumed } = simulationOf(ledger, arrived, commitmentOf({ commitment: preflight }), {})
    if (err !== null)
      throw new JsonRpcFailure(-32002, `Transaction simulation failed: ${JSON.stringify(err)}`, {
        ...{ accounts: null, err, logs, unitsConsumed: Number(unitsConsumed), returnData: null },
      })
  }
  // Without the preflight a node takes what it cannot use, and forgets it.
  if (await isSigned(arrived)) ledger.submit(arrived)
  return arrived.signature
}

function simulationOf(ledger: SolanaView, arrived: Arrived, commitment: Commitment, config: unknown) {
  const nothing = { logs: [], unitsConsumed: 0n, accounts: null, returnData: null }
  if (ledger.find(arrived.signature) !== undefined) return { err: 'AlreadyProcessed', ...nothing }
  if (!ledger.isLive(arrived.blockhash, ledger.blockAt(commitment))) return { err: 'BlockhashNotFound', ...nothing }
  const { error, logs, unitsConsumed, balances } = ledger.rehearse(arrived.transaction)
  const addresses = fieldOf(fieldOf(config, 'accounts'), 'addresses')
  const accountOf = (address: unknown) => ({
    ...{ lamports: balances.get(String(address)) ?? 0n, owner: '11111111111111111111111111111111' },
    ...{ data: ['', 'base64'], executable: false, rentEpoch: 18_446_744_073_709_551_615n, space: 0 },
  })
  const accounts = Array.isArray(addresses) && error === null ? addresses.map(accountOf) : null
  return { err: error, logs, unitsConsumed, accounts, returnData: null }
}

function statusOf(ledger: SolanaView, found: Included | undefined, isSearching: boolean) {
  const newest = ledger.blockAt('processed')
  if (found === undefined) return null
  // The cache of statuses is as long as blockhashes live; older ones are in the history.
  if (!isSearching && newest.height - found.height > BLOCKHASH_LIFE) return null
  const isFinal = found.slot <= ledger.blockAt('finalized').slot
  const isConfirmed = found.slot <= ledger.blockAt('confirmed').slot
  return {
    slot: found.slot,
    confirmations: isFinal ? null : newest.height - found.height,
    err: found.error,
    status: found.error === null ? { Ok: null } : { Err: found.error },
    confirmationStatus: isFinal ? 'finalized' : isConfirmed ? 'confirmed' : 'processed',
  }
}

function readWire(wire: Uint8Array): Arrived {
  try {
    return readArrived(wire)
  } catch (cause) {
    throw new JsonRpcFailure(
      -32602,
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${cause}`,
    )
  }
}

/** A message of one signer with an empty signature in front, in base64. */
function unsignedWire(message: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(1), new Uint8Array(64), Buffer.from(message, 'base64')])
}

async function isSigned({ transaction }: Arrived): Promise<boolean> {
  for (const [account, signature] of Object.entries(transaction.signatures)) {
    if (signature === null) return false
    const key = await getPublicKeyFromAddress(account as Address)
    if (!(await verifySignature(key, signature as SignatureBytes, transaction.messageBytes))) return false
  }
  return true
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function commitmentOf(config: unknown): Commitment {
  const commitment = fieldOf(config, 'commitment') ?? 'finalized'
  if (commitment === 'processed' || commitment === 'confirmed' || commitment === 'finalized') return commitment
  throw new JsonRpcFailure(-32602, `Invalid params: unknown variant \`${String(commitment)}\``)
}

/** Methods that read the history do not know what is only processed. */
function historicalCommitmentOf(config: unknown): Commitment {
  const commitment = commitmentOf(config)
  if (commitment === 'processed')
    throw new JsonRpcFailure(-32602, 'Method does not support commitment below `confirmed`')
  return commitment
}
