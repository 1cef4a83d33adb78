import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuiltTransaction, RAIL_NETWORKS, type Rail, type RailAddress } from '@oikos/core/economic'
import { openAllowList, openWalletFolder, walletsFolder } from '../src/custody/index.ts'
import type { SigningRequest } from '../src/economic/host.ts'
import { keyOf } from './payer.ts'
import { MAX_FEE_ATOMIC, unsignedTransfer } from './unsigned-transfer.ts'

/** The wallet of these tests has the key of seed 5 on each rail, and may pay the address of seed 9 up to 50,000. */
export const WALLET = 'test.wallet'
export const PASSPHRASE = 'correct horse'
export const MAX_AMOUNT_ATOMIC = 50_000n
/** Little work, for tests. */
export const SCRYPT_COST = 1 << 10

export const payeeOf = (rail: Rail): RailAddress => keyOf(rail, 9).address

/** Makes a folder of custody with one wallet on some rails. */
export async function makeCustodyFolder(
  rails: readonly Rail[],
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'oikos-custody-'))
  const folder = join(parent, 'custody')
  const wallets = openWalletFolder(walletsFolder(folder), { scryptCost: SCRYPT_COST })
  for (const rail of rails) {
    const { network } = RAIL_NETWORKS[rail]
    await wallets.add({ walletId: WALLET, rail, network, passphrase: PASSPHRASE, secret: new Uint8Array(32).fill(5) })
    await openAllowList(folder).put({
      walletId: WALLET,
      rail,
      destination: payeeOf(rail),
      maxAmountAtomic: MAX_AMOUNT_ATOMIC,
      maxFeeAtomic: MAX_FEE_ATOMIC,
    })
  }
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) }
}

/** A digest that stands for an approval. */
export function approvalDigestOf(number: number): string {
  return `sha256:${number.toString(16).padStart(64, '0')}`
}

/** A transfer from the wallet to its payee. */
export function transferOf(rail: Rail, serial = 0, amountAtomic = 1_000n): BuiltTransaction {
  return unsignedTransfer({ rail, from: keyOf(rail, 5).address, to: payeeOf(rail), amountAtomic, serial })
}

/** What the engine would ask custody for. */
export function requestOf(built: BuiltTransaction, approval = 1): SigningRequest {
  return {
    walletId: WALLET,
    rail: built.rail,
    unsignedTransactionDigest: built.digest,
    unsignedTransaction: built.bytes,
    approvalDigest: approvalDigestOf(approval),
  }
}
