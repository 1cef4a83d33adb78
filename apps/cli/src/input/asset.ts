import { type Asset, getAssetMetadata, nativeAsset, parseAmount } from '@oikos/sdk'
import { type Address, getAddress, isAddress, zeroAddress } from 'viem'
import type { Connection } from '../chain/connect.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'

/** Units that mean the native currency. */
const NATIVE_UNITS = new Set(['eth', 'gwei', 'wei'])

/**
 * The asset of an amount: what --asset names (a symbol of the configuration, ETH, or a token's address), else what the
 * unit of the amount names.
 * @throws UsageError for a symbol that is not configured, and for a token that cannot be written exactly
 */
export async function findAsset(
  context: Context,
  connection: Connection,
  named: string | undefined,
  amountText: string,
): Promise<Asset> {
  const unit = /\s(\S+)\s*$/.exec(amountText)?.[1]
  const name = named ?? unit ?? ''
  if (name === '' || name.toLowerCase() === 'atomic') {
    throw new UsageError(
      `${JSON.stringify(amountText.slice(0, 80))} does not say in which asset.`,
      'Write it with its unit, such as "1.5 ETH", or name the token with --asset.',
    )
  }
  const asset = await getAssetMetadata(connection.client, { asset: addressOf(context, name) })
  if (asset.warnings.includes('decimals-unreadable')) {
    throw new UsageError(
      `${asset.address} is no token: it does not say how many decimals it has.`,
      'Check the address and the chain.',
    )
  }
  return asset
}

function addressOf(context: Context, name: string): Address {
  if (NATIVE_UNITS.has(name.toLowerCase())) return zeroAddress
  if (isAddress(name)) return getAddress(name)
  const configured = context.settings.assets.get(name.toUpperCase())
  if (configured !== undefined) return configured
  const known = [nativeAsset.symbol, ...context.settings.assets.keys()].join(', ')
  throw new UsageError(
    `No asset is known by the name ${JSON.stringify(name.slice(0, 40))}.`,
    `Known: ${known}. Give the token's address with --asset, or name it once in config.json under "assets".`,
  )
}

/**
 * An amount in an asset, where the unit may also be the name that the user gave the asset in the configuration.
 * @throws AmountFormatError
 */
export function parseAssetAmount(context: Context, text: string, asset: Asset): bigint {
  const match = /^(.*\S)\s+(\S+)\s*$/.exec(text)
  const configured = context.settings.assets.get((match?.[2] ?? '').toUpperCase())
  const isOwnName = configured !== undefined && configured === asset.address
  return parseAmount(isOwnName && match !== null ? `${match[1]} ${asset.symbol}` : text, asset)
}
