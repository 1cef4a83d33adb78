import {
  type CompiledPolicy,
  compilePolicy,
  MAX_POLICY_BYTES,
  type PolicyDocument,
  PolicyDocumentError,
  parsePolicyDocument,
} from '@oikos/core/scope-policy'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'

/** A policy of a file, compiled. */
export type PolicyFile = CompiledPolicy & { readonly document: PolicyDocument }

/** Findings that a message quotes; the first ones lead to the others. */
const SHOWN_FINDINGS = 8

/** Reads and compiles a scope policy. Throws UsageError with everything that is wrong, NotFoundError. */
export async function readPolicyFile(context: Context, path: string): Promise<PolicyFile> {
  const bytes = await readInputFile(context.terminal.cwd, path, { maxBytes: MAX_POLICY_BYTES })
  try {
    const document = parsePolicyDocument(bytes)
    return { document, ...compilePolicy(document) }
  } catch (cause) {
    if (!(cause instanceof PolicyDocumentError)) throw cause
    const shown = cause.findings.slice(0, SHOWN_FINDINGS).map(({ where, message }) => `  ${where}: ${message}`)
    const more = cause.findings.length + cause.omittedFindings - shown.length
    throw new UsageError(
      [`${path} is no scope policy:`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'),
      'Correct the file; docs/scope-policies.md describes it.',
      { cause },
    )
  }
}
