export { createWalletCustody } from './adapter.ts'
export { type AllowedDestination, type AllowList, openAllowList } from './allow-list.ts'
export { decryptSecret, type EncryptedSecret, EncryptedSecretError, encryptSecret } from './encrypted-secret.ts'
export { type CustodyEffect, CustodyError, type CustodyErrorCode, type CustodyFailureListener } from './errors.ts'
export { type KeystoreVaultOptions, openKeystoreVault, walletsFolder } from './keystore-vault.ts'
export { openRailKey, type RailKey } from './rail-key.ts'
export {
  openSignatureRecord,
  type ProofEntry,
  type RecordVerdict,
  type SignatureEntry,
  type SignatureRecord,
} from './signature-record.ts'
export { createSignerClient, type SignerClient, type SignerClientOptions } from './signer-client.ts'
export { runSignerProcess, type SignerProcessOptions } from './signer-process.ts'
export { type SignerServer, type SignerServerOptions, startSignerServer } from './signer-server.ts'
export { type CheckedTransfer, checkSigned, checkTransfer } from './transfer-check.ts'
export { createVault, type KnownApproval, type ProofRequest, type Vault, type VaultOptions } from './vault.ts'
export {
  type NewWallet,
  openWalletFolder,
  type WalletDescription,
  type WalletFolder,
  type WalletFolderOptions,
} from './wallets.ts'
