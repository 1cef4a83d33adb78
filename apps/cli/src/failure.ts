import { BlockTooLargeError, CidFormatError, DigestFormatError, PackageInputError, PackageRootError } from '@oikos/core'
import { JournalOpenError, JournalReadError } from '@oikos/runtime'
import { ApprovalError } from '@oikos/runtime/approval'
import { CustodyError } from '@oikos/runtime/custody'
import { LeaseLostError, OperatorOptionError, OperatorStoreError } from '@oikos/runtime/operator'
import { DurableStoreError, RailOptionError } from '@oikos/runtime/rails'
import { QuoteTextError, X402Refusal } from '@oikos/runtime/x402'
import {
  AmountFormatError,
  BirthError,
  ContractRevertedError,
  DeployedCodeError,
  DeploymentError,
  InsufficientFundsError,
  NoContractError,
  type OikosError,
  ReasoningMismatchError,
  RpcError,
  TaskRefFormatError,
  TransactionPendingError,
  TransactionRevertedError,
  toOikosError,
  VerifierProfileError,
  WrongChainError,
} from '@oikos/sdk'
import {
  CarError,
  CollectionRefusedError,
  GatewayListenError,
  OutputFolderError,
  PackageRefusedError,
  PinError,
  ReasoningNotStoredError,
  ResolverOptionError,
  SourceFolderError,
  StoreLockedError,
} from '@oikos/sdk/node'
import { BaseError } from 'viem'
import {
  DeclinedError,
  DeploymentMismatchError,
  InterruptedError,
  KeyError,
  NodeRefusedError,
  NotFoundError,
  PaymentBusyError,
  UsageError,
} from './errors.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output/output.ts'
import { plain, plainLines } from './output/plain.ts'

/** Reverts that say that the thing which was named does not exist. */
const MISSING = new Set(['ERC721NonexistentToken', 'NonexistentSubmission'])

/** Errors by the exit code that they end with; the first class that fits decides. */
const CODES: readonly (readonly [ExitCode, readonly (new (...args: never[]) => Error)[]])[] = [
  [EXIT.unknownOutcome, [TransactionPendingError]],
  [EXIT.declined, [DeclinedError]],
  [EXIT.interrupted, [InterruptedError]],
  [EXIT.notFound, [NotFoundError, NoContractError, DeploymentMismatchError]],
  [
    EXIT.refused,
    [
      TransactionRevertedError,
      InsufficientFundsError,
      PackageRefusedError,
      PackageRootError,
      NodeRefusedError,
      DeployedCodeError,
      CarError,
      CollectionRefusedError,
    ],
  ],
  [EXIT.unavailable, [RpcError, PaymentBusyError, JournalReadError, ReasoningNotStoredError, StoreLockedError]],
  [EXIT.unavailable, [LeaseLostError, OperatorStoreError]],
  [
    EXIT.usage,
    [
      ...[UsageError, KeyError, AmountFormatError, TaskRefFormatError, WrongChainError, ResolverOptionError],
      ...[DigestFormatError, CidFormatError, PackageInputError, BlockTooLargeError, VerifierProfileError],
      ...[BirthError, ReasoningMismatchError, GatewayListenError],
      ...[ApprovalError, RailOptionError, QuoteTextError, OperatorOptionError],
    ],
  ],
]

/** The exit code of a failure. */
function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ContractRevertedError) return MISSING.has(error.errorName) ? EXIT.notFound : EXIT.refused
  if (error instanceof DeploymentError) return error.reason === 'unknown' ? EXIT.notFound : EXIT.usage
  if (error instanceof SourceFolderError) return error.code === 'not-a-folder' ? EXIT.notFound : EXIT.usage
  if (error instanceof OutputFolderError) return error.code === 'write-failed' ? EXIT.unavailable : EXIT.usage
  if (error instanceof PinError) return pinExitCode(error)
  if (error instanceof DurableStoreError) return error.retryable ? EXIT.unavailable : EXIT.usage
  if (error instanceof JournalOpenError) return error.retryable ? EXIT.unavailable : EXIT.usage
  if (error instanceof CustodyError) return custodyExitCode(error)
  // Nothing is paid before an invoice is taken, so that a refusal leaves nothing open.
  if (error instanceof X402Refusal) return error.retryable ? EXIT.unavailable : EXIT.refused
  for (const [code, types] of CODES) if (types.some((type) => error instanceof type)) return code
  return EXIT.unexpected
}

function pinExitCode({ code, retryable }: PinError): ExitCode {
  if (retryable) return EXIT.unavailable
  return code === 'bad-endpoint' || code === 'unauthorized' ? EXIT.usage : EXIT.refused
}

/** What custody refuses by a rule is refused; a file or a passphrase that cannot be used is a mistake of the configuration. */
function custodyExitCode({ code, retryable }: CustodyError): ExitCode {
  if (code === 'wallet_unknown') return EXIT.notFound
  if (code === 'record_failed' || code === 'signer_unreachable') return EXIT.unavailable
  return retryable || code === 'request_malformed' || code === 'network_refused' ? EXIT.usage : EXIT.refused
}

/** Says what failed and what to do, and gives the exit code. With --json the failure is a document as well. */
export function reportFailure(output: Output, thrown: unknown): ExitCode {
  const error = thrown instanceof BaseError ? toOikosError(thrown) : thrown
  const code = exitCodeOf(error)
  const { name, sentence, advice, retryable } = describe(error)
  output.say(`${output.paintError('bad', 'error')}  ${plainLines(sentence)}`)
  if (advice !== '') output.say(`       ${plainLines(advice)}`)
  if (error instanceof PackageRootError || error instanceof PackageRefusedError) {
    for (const finding of findingsOf(error)) {
      output.say(`  ${finding.code} at ${plain(finding.where)}: ${plain(finding.message)}`)
    }
  }
  if (error instanceof TransactionPendingError) output.next(`transaction show ${error.hash}`)
  if (output.verbose) for (const line of rawLines(error)) output.say(`  ${plain(line)}`)
  else if (code === EXIT.unexpected) output.say('       Add --verbose for the details.')
  if (output.json) {
    output.result(
      { ok: false, exitCode: code, error: { name, message: sentence, advice, retryable, ...fields(error) } },
      [],
    )
  }
  return code
}

function describe(error: unknown): { name: string; sentence: string; advice: string; retryable: boolean } {
  if (!(error instanceof Error)) return { name: 'Error', sentence: String(error), advice: '', retryable: false }
  const { name } = error
  if (!isOikosError(error)) return { name, sentence: error.message, advice: '', retryable: isRetryable(error) }
  return { name, sentence: error.shortMessage, advice: error.advice, retryable: error.retryable }
}

function isRetryable(error: Error): boolean {
  return 'retryable' in error && error.retryable === true
}

function isOikosError(error: Error): error is OikosError {
  return 'shortMessage' in error && 'advice' in error && 'retryable' in error
}

function findingsOf(error: PackageRootError | PackageRefusedError) {
  return error instanceof PackageRefusedError ? error.verdict.findings : error.findings
}

/** What a program can act on, beside the sentence. */
function fields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ContractRevertedError) {
    const { errorName, args, data, retryAtSec } = error
    return { errorName, args, data, retryAtSec }
  }
  if (error instanceof TransactionPendingError) return { hash: error.hash }
  if (error instanceof TransactionRevertedError) {
    const { cause } = error
    return { hash: error.hash, blockNumber: error.blockNumber, ...fields(cause) }
  }
  if (error instanceof PackageRootError || error instanceof PackageRefusedError) return { findings: findingsOf(error) }
  if (error instanceof KeyError) return { fault: error.fault }
  if (error instanceof CustodyError || error instanceof ApprovalError || error instanceof X402Refusal) {
    return { code: error.code }
  }
  if (error instanceof CarError || error instanceof CollectionRefusedError || error instanceof PinError) {
    return { code: error.code }
  }
  return error instanceof DeploymentMismatchError ? { codes: error.codes } : {}
}

/** Longest chain of causes that is printed. */
const MAX_CAUSES = 16

function rawLines(error: unknown): string[] {
  const lines: string[] = []
  if (error instanceof ContractRevertedError && error.data !== undefined) lines.push(`revert data ${error.data}`)
  let cause = error instanceof Error ? error.cause : undefined
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const first = cause instanceof BaseError ? cause.shortMessage : (cause.message.split('\n')[0] ?? '')
    lines.push(`caused by ${cause.name}: ${first}`)
    cause = cause.cause
  }
  return lines
}
