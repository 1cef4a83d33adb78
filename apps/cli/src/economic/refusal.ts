import { type DiagnosticCode, EconomicError, explainDiagnostic } from '@oikos/core/economic'
import type { Output } from '../output/output.ts'
import { plain } from '../output/plain.ts'

/** Why a document does not hold: the rule by its code, its exact message, what was got, and what it means. */
export type Refusal = {
  readonly document: string
  readonly code: DiagnosticCode
  readonly message: string
  readonly detail: string | undefined
  readonly meaning: string
}

/** The refusal that a diagnostic about a document is. */
export function toRefusal(
  document: string,
  { code, message, detail }: { code: DiagnosticCode; message: string; detail: string | undefined },
): Refusal {
  return { document, code, message, detail, meaning: explainDiagnostic({ code, message }) }
}

/** What `read` gives, or why the document is refused. */
export function attempt<Value>(document: string, read: () => Value): Value | { readonly refusal: Refusal } {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof EconomicError) return { refusal: toRefusal(document, cause) }
    throw cause
  }
}

/** Whether {@link attempt} gave a refusal. */
export function isRefused<Value>(
  result: Value | { readonly refusal: Refusal },
): result is { readonly refusal: Refusal } {
  return typeof result === 'object' && result !== null && 'refusal' in result
}

/** Refusals for people: the code with its exact message, what it means, what was got. */
export function refusalLines(refusals: readonly Refusal[], paint: Output['paint']): string[] {
  return refusals.flatMap(({ document, code, message, detail, meaning }) => [
    `${paint('bad', 'refused')}  ${code}  ${plain(message)}`,
    `         ${meaning}`,
    ...(detail === undefined ? [] : [`         ${plain(document.replaceAll('_', ' '))}: ${plain(detail)}`]),
  ])
}
