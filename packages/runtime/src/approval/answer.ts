import { createPublicKey, verify } from 'node:crypto'
import { type ApprovalDecision, type Identifier, isDomainDigest, isIdentifier } from '@oikos/core/economic'
import { ApprovalError } from './errors.ts'

/** An approver whose signed answers are believed. */
export type KnownApprover = {
  readonly approverId: Identifier
  /** ed25519, 64 lower-case hexadecimal digits. */
  readonly publicKey: string
}

/** What an approver in another process decided. Times in milliseconds since 1970. */
export type Answer = {
  /** 64 lower-case hexadecimal digits of whoever asked: an answer counts for one asking only. */
  readonly nonce: string
  /** Digest of the Approval Request. */
  readonly request: string
  readonly decision: ApprovalDecision['decision']
  readonly approverId: string
  /** One line, at most 200 characters. */
  readonly reason: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** An answer on the wire: its fields, and the ed25519 signature over {@link answerBytes} in base64. */
export type SignedAnswer = Answer & { readonly signature: string }

const NONCE = /^[0-9a-f]{64}$/
const PUBLIC_KEY = /^[0-9a-f]{64}$/
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/
/** Nothing but printable ASCII, so that the signed lines can be read in one way only. */
const REASON = /^[\x20-\x7e]{0,200}$/

/**
 * What is signed: the lines `oikos approval answer v1`, nonce, request, decision, approver, reason, issued and expires, each
 * ended by LF. No value holds an LF.
 */
export function answerBytes(answer: Answer): Uint8Array {
  const { nonce, request, decision, approverId, reason, issuedAtMs, expiresAtMs } = answer
  const lines = ['oikos approval answer v1', nonce, request, decision, approverId, reason, issuedAtMs, expiresAtMs]
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
}

/** What an answer must be an answer to. */
export type Question = {
  readonly nonce: string
  readonly requestDigest: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly approvers: readonly KnownApprover[]
}

/**
 * Reads the text of an answer and believes it only if a known approver signed it, for this very asking of this very request,
 * and it is not over. Throws {@link ApprovalError} `answer_malformed`, `answer_replayed`, `answer_untrusted` or
 * `answer_expired`.
 */
export function readSignedAnswer(text: string, question: Question): Answer & { readonly approverId: Identifier } {
  const { signature, ...answer } = parseAnswer(text)
  if (answer.nonce !== question.nonce || answer.request !== question.requestDigest)
    throw new ApprovalError('answer_replayed', 'the answer is not to this asking')
  const approver = question.approvers.find(({ approverId }) => approverId === answer.approverId)
  if (approver === undefined || !isSignedBy(approver, answer, signature))
    throw new ApprovalError('answer_untrusted', 'no known approver signed the answer')
  if (question.nowMs >= answer.expiresAtMs || answer.expiresAtMs <= answer.issuedAtMs)
    throw new ApprovalError('answer_expired', `the answer ended at ${answer.expiresAtMs}, it is ${question.nowMs}`)
  return { ...answer, approverId: approver.approverId }
}

/** DER of an ed25519 public key up to its 32 bytes. Source: RFC 8410. */
const ED25519_PUBLIC_PREFIX = '302a300506032b6570032100'

function isSignedBy({ publicKey }: KnownApprover, answer: Answer, signature: string): boolean {
  if (!PUBLIC_KEY.test(publicKey)) throw new ApprovalError('setting_malformed', 'a public key is 64 hexadecimal digits')
  const der = Buffer.from(`${ED25519_PUBLIC_PREFIX}${publicKey}`, 'hex')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, answerBytes(answer), key, Buffer.from(signature, 'base64'))
}

function parseAnswer(text: string): SignedAnswer {
  const malformed = new ApprovalError('answer_malformed', 'the text is no signed answer')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed
  }
  if (typeof value !== 'object' || value === null) throw malformed
  const { nonce, request, decision, approverId, reason, issuedAtMs, expiresAtMs, signature } = value as Readonly<
    Record<string, unknown>
  >
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) throw malformed
  if (typeof request !== 'string' || !isDomainDigest(request)) throw malformed
  if (decision !== 'approved' && decision !== 'rejected') throw malformed
  if (typeof approverId !== 'string' || !isIdentifier(approverId)) throw malformed
  if (typeof reason !== 'string' || !REASON.test(reason)) throw malformed
  if (!isMoment(issuedAtMs) || !isMoment(expiresAtMs)) throw malformed
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) throw malformed
  return { nonce, request, decision, approverId, reason, issuedAtMs, expiresAtMs, signature }
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
