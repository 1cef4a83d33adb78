export { createCheckedFetch } from './checked-fetch.ts'
export type { CheckedHttpOptions, LocalServer } from './checked-request.ts'
export { intentOfQuote, type QuoteIntent, QuoteIntentError } from './intent.ts'
export { createX402InvoiceAdapter, type X402InvoiceAdapterOptions } from './invoice-adapter.ts'
export { type ChainId, nativeAsset, RAIL_CHAINS, railOfChain } from './networks.ts'
export {
  createPaidByTransactionClient,
  type InvoicePayment,
  PaymentChainError,
} from './paid-by-transaction/client-scheme.ts'
export {
  createPaidByTransactionFacilitator,
  isRetryableRefusal,
  type PaymentCheckOptions,
  type PaymentRefusalCode,
} from './paid-by-transaction/facilitator-scheme.ts'
export {
  createInvoiceIssuer,
  type InvoiceIssuer,
  type InvoiceIssuerOptions,
  type InvoiceRequest,
  IssuerSecretError,
} from './paid-by-transaction/issuer.ts'
export {
  NodeAnswerError,
  type NodeReader,
  type NodeValue,
  type ObservedTransfer,
  type TransferLookup,
  type TransferSighting,
} from './paid-by-transaction/lookup.ts'
export { createBitcoinLookup } from './paid-by-transaction/lookup-bitcoin.ts'
export { createEvmLookup } from './paid-by-transaction/lookup-evm.ts'
export { createSolanaLookup } from './paid-by-transaction/lookup-solana.ts'
export {
  type PaymentBinding,
  type PaymentProof,
  paymentProofText,
  verifyPaymentProof,
} from './paid-by-transaction/proof.ts'
export {
  type ClaimVerdict,
  createMemoryRedemptions,
  type Redemption,
  type RedemptionStore,
} from './paid-by-transaction/redemptions.ts'
export { openSqliteRedemptions } from './paid-by-transaction/redemptions-sqlite.ts'
export { createSeller, type Seller, type SellerPrice } from './paid-by-transaction/seller.ts'
export { createPaidByTransactionServer, SellerRouteError } from './paid-by-transaction/server-scheme.ts'
export {
  type InvoiceTerms,
  type InvoiceTermsDigest,
  InvoiceTermsError,
  type IssuedInvoice,
  invoiceTermsDigest,
  PAID_BY_TRANSACTION,
  readInvoiceTerms,
  type WireInvoice,
  wireInvoice,
} from './paid-by-transaction/terms.ts'
export { paymentIdentifierOf } from './payment-identifier.ts'
export { type Presentation, presentPayment } from './present.ts'
export { isPublicAddress } from './public-address.ts'
export {
  buyResource,
  type Purchase,
  PurchaseConflictError,
  type PurchaseOrder,
  type PurchaseProposal,
  type ResourceBuyer,
} from './purchase.ts'
export { type KeptPurchase, openSqlitePurchases, type PurchaseStore } from './purchase-store.ts'
export {
  packQuote,
  type QuoteOptions,
  type QuoteRequest,
  QuoteTextError,
  quoteResource,
  unpackQuote,
  type X402Quote,
} from './quote.ts'
export { type ConfirmedPayment, redeemPayment, type Undelivered } from './redeem.ts'
export { type X402Effect, X402Refusal, type X402RefusalCode, type X402RefusalListener } from './refusal.ts'
export type { HostResolver } from './resolve-host.ts'
