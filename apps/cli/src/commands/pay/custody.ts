import { resolve } from 'node:path'
import { isRailAddress, RAIL_NETWORKS, type Rail } from '@oikos/core/economic'
import { type ApprovalLog, approvedIn } from '@oikos/runtime/approval'
import {
  CustodyError,
  createSignerClient,
  openKeystoreVault,
  type SignerClient,
  type Vault,
  type WalletDescription,
} from '@oikos/runtime/custody'
import type { OptionSpec } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { custodyFolder, walletsOf } from '../wallet/folder.ts'

/** Who signs, when it is not this process. */
export const SIGNER_OPTIONS: readonly OptionSpec[] = [
  { flags: '--signer <socket>', text: 'the signer of "wallet serve" at this socket signs; no key is opened here' },
  { flags: '--address <address>', text: 'with --signer: address of the wallet (default: as --custody knows it)' },
]

/** The wallet of a payment, by its id and rail. */
export type PayingWallet = { readonly walletId: string; readonly rail: Rail }

/** What is public of the wallet that pays. Nothing of another address is taken from a signer. Throws CustodyError, UsageError. */
export async function describeWallet(context: Context, input: Input, wallet: PayingWallet): Promise<WalletDescription> {
  const { walletId, rail } = wallet
  const text = input.text('address')
  if (text === undefined) {
    const known = await walletsOf(context, input).find(walletId, rail)
    if (known !== undefined) return known
    throw new CustodyError('wallet_unknown', `${walletId} on ${rail}`)
  }
  if (input.text('signer') === undefined)
    throw new UsageError('--address is for --signer: a wallet of a folder knows its own.', 'Leave it out.')
  const address = rail === 'evm' ? text.toLowerCase() : text
  if (isRailAddress(rail, address)) return { walletId, rail, network: RAIL_NETWORKS[rail].network, address }
  throw new UsageError(`${JSON.stringify(text.slice(0, 80))} is no address on ${rail}.`, 'See wallet show.')
}

/**
 * Makes sure that the wallet can sign, before anything is reserved: reaches the signer, or reads the passphrase and opens
 * the key once, so that a slip of the finger is found in time. Gives the passphrase. Throws CustodyError, KeyError.
 */
export async function readyToSign(context: Context, input: Input, wallet: PayingWallet): Promise<string> {
  const description = await describeWallet(context, input, wallet)
  const signer = signerOf(context, input, description)
  if (signer !== undefined) {
    await signer.probe()
    return ''
  }
  const { walletId, rail } = wallet
  const passphrase = await readPassphrase(context.terminal, walletId, { file: input.text('passphrase-file') })
  await walletsOf(context, input).open(walletId, rail, passphrase)
  return passphrase
}

/** The custody of a payment: the signer that the command line names, else the keys of the folder. */
export async function openCustody(
  context: Context,
  input: Input,
  wallet: WalletDescription,
  parts: { readonly passphraseOf: () => Promise<string>; readonly log: ApprovalLog },
): Promise<Vault & { readonly close: () => void }> {
  const signer = signerOf(context, input, wallet)
  if (signer !== undefined) return { ...signer, close: () => undefined }
  return openKeystoreVault(custodyFolder(context, input), {
    passphraseOf: parts.passphraseOf,
    clockMs: () => Date.now(),
    findApproval: approvedIn(parts.log),
  })
}

function signerOf({ terminal }: Context, input: Input, wallet: WalletDescription): SignerClient | undefined {
  const socket = input.text('signer')
  if (socket === undefined) return undefined
  return createSignerClient({ socketPath: resolve(terminal.cwd, socket), wallets: [wallet] })
}
