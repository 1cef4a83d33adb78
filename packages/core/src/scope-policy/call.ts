import { type FunctionSignature, parseSignature, SignatureFormatError } from '../call-data/index.ts'
import { type Findings, report } from '../task-package/findings.ts'
import type { PolicyCode } from './codes.ts'
import { PLAIN_PAYMENT } from './document.ts'
import { NO_SELECTOR } from './policy.ts'

const SELECTOR = /^0x[0-9a-fA-F]{8}$/

/** What `call` of a rule names; the signature is there unless it names a bare selector. */
export type PolicyCall = {
  readonly selector: `0x${string}`
  readonly plain: boolean
  readonly signature: FunctionSignature | undefined
}

/** Reads `call` of a rule; what cannot be read is a finding. */
export function readCall(text: string, where: string, findings: Findings<PolicyCode>): PolicyCall | undefined {
  if (text === PLAIN_PAYMENT) return { selector: NO_SELECTOR, plain: true, signature: undefined }
  if (SELECTOR.test(text)) return { selector: text.toLowerCase() as `0x${string}`, plain: false, signature: undefined }
  try {
    const signature = parseSignature(text)
    return { selector: signature.selector, plain: false, signature }
  } catch (cause) {
    if (!(cause instanceof SignatureFormatError)) throw cause
    report(
      findings,
      'rule.call',
      where,
      `${cause.message} A selector of 0x and 8 digits and "${PLAIN_PAYMENT}" serve too.`,
    )
    return undefined
  }
}
