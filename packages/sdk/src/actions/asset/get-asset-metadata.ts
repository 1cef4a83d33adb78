import { type Address, type Client, decodeAbiParameters, type Hex, hexToBytes, size, toFunctionSelector } from 'viem'
import { call } from 'viem/actions'
import {
  type Asset,
  type AssetWarning,
  isNativeAsset,
  MAX_DECIMALS,
  MAX_SYMBOL_LENGTH,
  nativeAsset,
  shortAddress,
} from '../../asset/asset.ts'
import { ContractRevertedError } from '../../errors/contract-reverted-error.ts'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { assertChain } from '../target.ts'

/** Parameters of {@link getAssetMetadata}. */
export type GetAssetMetadataParameters = {
  chainId?: number
  /** Token contract; the zero address is the native currency. */
  asset: Address
}

/** Gas that a token may use to say its symbol. Common tokens use under 10,000; a reply of megabytes does not fit. */
const METADATA_GAS = 100_000n

/** Longest reply that is decoded: offset, length and eight words of text. */
const MAX_REPLY_BYTES = 320

/** Letters, digits, currency signs and the marks that symbols have; no spaces, controls or direction marks. */
const SYMBOL_TEXT = /^[\p{L}\p{N}\p{Sc}.+_\-/]+$/u

const NATIVE_UNITS = new Set(['eth', 'wei', 'gwei', 'atomic'])

/**
 * How amounts of an asset are written, as its contract says. A token is a stranger: its reply is bounded, cleaned and
 * never fails the call; what was wrong with it is in `warnings`. The symbol is no identity, the address is.
 * @throws WrongChainError, RpcError
 */
export async function getAssetMetadata(client: Client, parameters: GetAssetMetadataParameters): Promise<Asset> {
  await assertChain(client, parameters.chainId)
  const address = parameters.asset
  if (isNativeAsset({ address })) {
    const currency = client.chain?.nativeCurrency
    return currency === undefined
      ? nativeAsset
      : { ...nativeAsset, symbol: currency.symbol, decimals: currency.decimals }
  }
  const [symbolReply, decimalsReply] = await Promise.all([
    ask(client, address, 'symbol()'),
    ask(client, address, 'decimals()'),
  ])
  const warnings: AssetWarning[] = []
  const decimals = decodeDecimals(decimalsReply)
  if (decimals === undefined) warnings.push('decimals-unreadable')
  const symbol = decodeSymbol(symbolReply)
  if (symbol === undefined) warnings.push('symbol-unreadable')
  else {
    if (/[^\x21-\x7e]/.test(symbol)) warnings.push('symbol-non-ascii')
    if (NATIVE_UNITS.has(symbol.toLowerCase())) warnings.push('symbol-of-native')
  }
  // A symbol that cannot be trusted to name the token, or its scale, gives way to the address.
  const named = symbol !== undefined && decimals !== undefined && !warnings.includes('symbol-of-native')
  return { address, symbol: named ? symbol : shortAddress(address), decimals: decimals ?? 0, warnings }
}

/** The reply of a token, or undefined when it reverts, has no code or says too much. */
async function ask(client: Client, to: Address, signature: string): Promise<Hex | undefined> {
  try {
    const { data } = await call(client, { to, data: toFunctionSelector(signature), gas: METADATA_GAS })
    return data !== undefined && size(data) <= MAX_REPLY_BYTES ? data : undefined
  } catch (error) {
    const failure = toOikosError(error)
    if (failure instanceof ContractRevertedError || failure.name === 'UnexpectedError') return undefined
    throw failure
  }
}

function decodeDecimals(reply: Hex | undefined): number | undefined {
  if (reply === undefined || size(reply) !== 32) return undefined
  const decimals = BigInt(reply)
  return decimals <= BigInt(MAX_DECIMALS) ? Number(decimals) : undefined
}

function decodeSymbol(reply: Hex | undefined): string | undefined {
  const text = reply === undefined ? undefined : symbolText(reply)
  if (text === undefined || text.length > MAX_SYMBOL_LENGTH || !SYMBOL_TEXT.test(text)) return undefined
  return text
}

/** A string, or the bytes32 of early tokens, padded with zeros. */
function symbolText(reply: Hex): string | undefined {
  try {
    if (size(reply) !== 32) return decodeAbiParameters([{ type: 'string' }], reply)[0]
    const bytes = hexToBytes(reply)
    const end = bytes.indexOf(0)
    return new TextDecoder('utf-8', { fatal: true }).decode(end === -1 ? bytes : bytes.subarray(0, end))
  } catch {
    return undefined
  }
}
