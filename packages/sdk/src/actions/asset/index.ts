export {
  type ApproveAssetParameters,
  approveAsset,
  approveAssetAndWait,
  simulateApproveAsset,
} from './approve-asset.ts'
export { type GetAssetAllowanceParameters, getAssetAllowance } from './get-asset-allowance.ts'
export { type GetAssetBalanceParameters, getAssetBalance } from './get-asset-balance.ts'
export { type GetAssetMetadataParameters, getAssetMetadata } from './get-asset-metadata.ts'
