export { AmountFormatError, formatAmount, formatDecimal, parseAmount, parseDecimal } from './amount.ts'
export {
  type Asset,
  type AssetWarning,
  isNativeAsset,
  MAX_DECIMALS,
  MAX_SYMBOL_LENGTH,
  nativeAsset,
  shortAddress,
} from './asset.ts'
