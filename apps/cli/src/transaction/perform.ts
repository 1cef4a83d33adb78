import {
  type Asset,
  formatAmount,
  nativeAsset,
  TransactionPendingError,
  TransactionRevertedError,
  UnexpectedReceiptError,
  type WriteRequest,
  waitForReceipt,
} from '@oikos/sdk'
import type { Address, Hash } from 'viem'
import type { Connection } from '../chain/connect.ts'
import type { Context } from '../context.ts'
import { DeclinedError, UsageError } from '../errors.ts'
import { parseDuration } from '../input/duration.ts'
import type { Input } from '../input/input.ts'
import { parseWhole } from '../input/number.ts'
import { chooseSigner, type Signer } from '../keys/signer.ts'
import { factLines } from '../output/layout.ts'
import { toPlainUrl } from '../output/url.ts'
import { broadcast, type PricedCall, priceCall, worstGasCost } from './broadcast.ts'
import { type DecodedEvent, decodeLogs } from './decode.ts'

/** A transaction that a command proposes. */
export type Write = {
  /** `Freeze task 7`. */
  readonly title: string
  /** Contract that is called; undefined where one is deployed. */
  readonly contract: Address | undefined
  readonly functionName: string
  /** What changes, for whom, and what the worst of it is: sentences. */
  readonly effects: readonly string[]
  readonly warnings?: readonly string[]
  readonly simulate: (account: Address) => Promise<{ readonly request: PlannedRequest; readonly result: unknown }>
  /** Event that reports the effect, and its contract where it is another one. Undefined: there need not be any. */
  readonly event: string | undefined
  readonly emitter?: Address
  readonly asset?: Asset
  /** Agent whose events are among those of the transaction, so that shares and rates are written as such. */
  readonly agent?: Address
}

/** What will be sent; without an address it deploys a contract. */
export type PlannedRequest = Omit<WriteRequest, 'to'> & { readonly to?: Address }

/** A transaction that is on the chain. */
export type Sent = {
  readonly hash: Hash
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  readonly feeWei: bigint
  /** The event that reports the effect, where there is one. */
  readonly event: DecodedEvent | undefined
  readonly events: readonly DecodedEvent[]
  /** Where a deployment put its contract. */
  readonly deployed?: Address
}

/** A transaction as it was planned, and what became of it; `sent` is absent after a dry run. */
export type Performed = { readonly write: Write; readonly call: PricedCall; readonly sent?: Sent }

/** Default of --timeout, in seconds: fifteen slots of Ethereum, twelve seconds each. */
const DEFAULT_TIMEOUT_SEC = 180n

/** The signer of a command. Refuses, before anything is asked of the chain, a call that could not be confirmed. */
export async function prepareSigner(context: Context, input: Input): Promise<Signer> {
  const signer = await chooseSigner(context.terminal, context.keystore, {
    from: input.text('from'),
    passphraseFile: input.text('passphrase-file'),
    configured: context.settings.from,
  })
  if (input.flag('dry-run')) return signer
  if (!signer.canSign) await signer.unlock()
  if (!input.flag('yes') && !context.terminal.interactive) {
    throw new UsageError(
      'Nobody can be asked to confirm this here, so nothing was sent.',
      'Add --yes to send it, or --dry-run to look only.',
    )
  }
  return signer
}

/**
 * Takes a transaction through its whole way: simulate, show, confirm, sign, send once, wait, decode.
 * @param options.confirmed whether the user has agreed already, as to the first of two transactions
 * @throws what the simulation throws; DeclinedError; KeyError; TransactionPendingError; TransactionRevertedError
 */
export async function performWrite(
  context: Context,
  input: Input,
  connection: Connection,
  signer: Signer,
  write: Write,
  options: { readonly confirmed?: boolean } = {},
): Promise<Performed> {
  const { output, terminal } = context
  const waiting = readWaiting(input)
  const { request } = await write.simulate(signer.address)
  const call = await priceCall(connection.client, signer.address, request)
  for (const line of planLines(context, connection, signer, write, call)) output.say(line)
  if (input.flag('dry-run')) {
    output.say('Dry run: the simulation succeeds, nothing was sent.')
    return { write, call }
  }
  if (options.confirmed !== true && !input.flag('yes')) {
    const answer = await terminal.ask('Send it? [y/N] ')
    if (!/^y(es)?$/i.test(answer.trim())) throw new DeclinedError()
  }
  const account = await signer.unlock()
  const hash = await broadcast(
    {
      rpcUrl: connection.rpcUrl,
      chainId: connection.chainId,
      signal: terminal.signal,
      onSigned: (signed) => {
        context.pending.add(signed)
        output.say(`Sending ${signed}`)
      },
    },
    account,
    call,
  )
  const sent = await waitForEffect(connection, write, hash, waiting)
  context.pending.delete(hash)
  return { write, call, sent }
}

type Waiting = { readonly confirmations: number; readonly timeoutMs: number }

function readWaiting(input: Input): Waiting {
  const confirmations = parseWhole(input.text('confirmations') ?? '1', '--confirmations', { min: 1n, max: 1_000n })
  const timeout = input.text('timeout')
  const timeoutSec = timeout === undefined ? DEFAULT_TIMEOUT_SEC : parseDuration(timeout, '--timeout')
  if (timeoutSec > 86_400n) throw new UsageError('--timeout: at most one day can be waited.', 'Write a shorter time.')
  return { confirmations: Number(confirmations), timeoutMs: Number(timeoutSec) * 1000 }
}

/** Waits for what was sent. Whatever goes wrong here, the transaction is on its way: its hash must not get lost. */
async function waitForEffect(connection: Connection, write: Write, hash: Hash, waiting: Waiting): Promise<Sent> {
  const started = Date.now()
  const context = { contract: write.contract, functionName: write.functionName, asset: write.asset }
  const receipt = await waitForReceipt(connection.client, { hash, ...waiting }, context).catch((error: unknown) => {
    if (error instanceof TransactionPendingError || error instanceof TransactionRevertedError) throw error
    throw new TransactionPendingError(hash, Date.now() - started, { cause: error })
  })
  const { transactionHash, blockNumber, gasUsed, effectiveGasPrice } = receipt
  const deployed = receipt.contractAddress ?? undefined
  const contract = write.contract ?? deployed
  if (contract === undefined) throw new UnexpectedReceiptError(transactionHash, 'deployment')
  const emitter = write.emitter ?? contract
  const events = decodeLogs(receipt.logs, [contract, emitter])
  const event = events.find(
    ({ name, address }) => name === write.event && address.toLowerCase() === emitter.toLowerCase(),
  )
  if (write.event !== undefined && event === undefined) throw new UnexpectedReceiptError(transactionHash, write.event)
  const sent = { hash: transactionHash, blockNumber, gasUsed, feeWei: gasUsed * effectiveGasPrice, event, events }
  return deployed === undefined ? sent : { ...sent, deployed }
}

/** What the user is shown before anything is sent. */
function planLines(
  { output }: Context,
  connection: Connection,
  signer: Signer,
  write: Write,
  call: PricedCall,
): readonly string[] {
  const paint = output.paintError
  const label = signer.label === '' ? '' : ` (${signer.label})`
  return [
    paint('bold', write.title),
    ...factLines(
      [
        ['from', `${signer.address}${label}`],
        write.contract === undefined
          ? ['deploys', write.functionName]
          : ['calls', `${write.functionName} of ${write.contract}`],
        ['chain', `${connection.chainId} through ${toPlainUrl(connection.rpcUrl)}`],
        ['changes', write.effects],
        ['warning', (write.warnings ?? []).map((text) => paint('warning', text))],
        ...(call.valueWei === 0n
          ? []
          : ([['pays', `${formatAmount(call.valueWei, nativeAsset)} with the call`]] as const)),
        ['gas, at worst', `${formatAmount(worstGasCost(call), nativeAsset)} (${call.gasLimit} gas)`],
      ],
      paint,
      '  ',
    ),
  ]
}
