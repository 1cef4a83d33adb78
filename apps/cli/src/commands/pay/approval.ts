import { join } from 'node:path'
import { isRail } from '@oikos/core/economic'
import type { JournalArchive, PaymentApprover } from '@oikos/runtime'
import {
  type ApprovalFailureListener,
  type ApprovalLog,
  type ApprovalRule,
  createApprover,
  createRuleDecider,
  createTerminalDecider,
  createWebhookDecider,
  type Decider,
  openApprovalLog,
  payerContext,
  type QuietHours,
  type RequestContext,
  type RuleLimits,
} from '@oikos/runtime/approval'
import type { OptionSpec } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputText } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { userFolderOf } from '../../settings.ts'
import { readDesk } from '../approver/desk-file.ts'

/** Who is asked. */
export const APPROVAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--approve-rule <file>', text: 'a rule decides, for unattended use' },
  { flags: '--approver <file>', text: 'ask the approver that "approver serve" described in this file' },
  { flags: '--approver-id <id>', text: 'who sits at this terminal (default operator)' },
]

/** The texts that an approver is shown beside the request. */
export type ApprovalTexts = { readonly intent: string; readonly policy: string }

/** Deciders, once it is known what a payment's journal has reserved. */
export type DeciderMaker = (contextOf: (requestText: string) => Promise<RequestContext>) => readonly Decider[]

/** The deciders that the command line names: a rule, an approver elsewhere, else the person at the terminal. */
export async function decidersOf(context: Context, input: Input): Promise<DeciderMaker> {
  const { terminal } = context
  const clockMs = () => Date.now()
  const [ruleFile, deskFile] = [input.text('approve-rule'), input.text('approver')]
  const makers: DeciderMaker[] = []
  if (ruleFile !== undefined) {
    const rule = createRuleDecider(await readRule(terminal.cwd, ruleFile), clockMs)
    makers.push(() => [rule])
  }
  if (deskFile !== undefined) {
    const { questionsUrl, askToken, approverId, publicKey } = await readDesk(terminal.cwd, deskFile)
    const endpoint = { url: questionsUrl, headers: { authorization: `Bearer ${askToken}` } }
    const approvers = [{ approverId, publicKey }] as const
    makers.push((contextOf) => [createWebhookDecider({ endpoint, approvers, clockMs, contextOf })])
  } else if (terminal.interactive) {
    const person = {
      interactive: true,
      write: terminal.writeError,
      ask: (question: string, signal: AbortSignal) =>
        terminal.ask(question, AbortSignal.any([signal, terminal.signal])),
    }
    const approverId = input.text('approver-id') ?? 'operator'
    const decider = createTerminalDecider({ terminal: person, approverId, clockMs })
    makers.push(() => [decider])
  }
  if (makers.length > 0) return (contextOf) => makers.flatMap((make) => make(contextOf))
  throw new UsageError(
    'Nobody can be asked for approval here, and this program approves nothing by itself.',
    'Run it at a terminal, or add --approve-rule <file> or --approver <file>.',
  )
}

/** The log of everything that was decided, which custody looks approvals up in. */
export function openApprovals({ terminal }: Context): Promise<ApprovalLog> {
  return openApprovalLog(join(userFolderOf(terminal), 'approvals.sqlite'))
}

/** The approver of a payment. It gives up waiting on Ctrl-C: what is decided later is asked for by nobody. */
export function approverOf(
  { terminal }: Context,
  parts: {
    readonly deciders: DeciderMaker
    readonly log: ApprovalLog
    readonly texts: ApprovalTexts
    readonly archive: JournalArchive
    readonly onFailure: ApprovalFailureListener
  },
): PaymentApprover {
  const { deciders, log, texts, archive, onFailure } = parts
  const contextOf = payerContext(archive, texts)
  const clockMs = () => Date.now()
  const approver = createApprover({ deciders: deciders(contextOf), log, clockMs, contextOf, onFailure })
  return {
    approve: (request, sink) =>
      Promise.race([
        approver.approve(request, sink),
        new Promise<'definitely_not_started'>((resolve) => {
          const stop = () => resolve('definitely_not_started')
          if (terminal.signal.aborted) stop()
          else terminal.signal.addEventListener('abort', stop, { once: true })
        }),
      ]),
  }
}

/** Bytes of a rule. */
const MAX_RULE_BYTES = 65_536
const MEMBERS = ['approverId', 'limits', 'quietHours', 'otherwise']
const ROW_MEMBERS = [
  ...['walletId', 'rail', 'recipients', 'origins', 'maxAmountAtomic', 'maxFeeAtomic'],
  ...['windowMs', 'maxWindowAtomic', 'maxWindowPayments'],
]

/** Reads a rule; amounts are decimal texts in smallest units. Throws UsageError; what a rule means is checked later. */
async function readRule(cwd: string, path: string): Promise<ApprovalRule> {
  const text = await readInputText(cwd, path, { maxBytes: MAX_RULE_BYTES })
  const malformed = (problem: string) =>
    new UsageError(`The rule ${path} cannot be used: ${problem}.`, 'See docs/cli.md, Payments.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`The rule ${path} is no JSON.`, 'See docs/cli.md, Payments.', { cause })
  }
  if (!isRecord(value)) throw malformed('it is no object')
  // A misspelt limit would be no limit.
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) throw malformed(`${JSON.stringify(unknown)} is not known`)
  const { approverId, limits, quietHours, otherwise } = value
  if (typeof approverId !== 'string') throw malformed('approverId is missing')
  if (!Array.isArray(limits) || limits.length === 0) throw malformed('limits are missing')
  if (otherwise !== undefined && otherwise !== 'pass' && otherwise !== 'reject')
    throw malformed('otherwise is pass or reject')
  return {
    approverId,
    limits: limits.map((row: unknown, index) => {
      const read = isRecord(row) ? readRow(row) : undefined
      if (read === undefined) throw malformed(`row ${index} of limits is not of the form of one`)
      return read
    }),
    ...(quietHours === undefined ? {} : { quietHours: readQuietHours(quietHours, malformed) }),
    ...(otherwise === undefined ? {} : { otherwise }),
  }
}

function readRow(row: Readonly<Record<string, unknown>>): RuleLimits | undefined {
  const { walletId, rail, recipients, origins, windowMs, maxWindowPayments } = row
  const [maxAmountAtomic, maxFeeAtomic] = [amountOf(row['maxAmountAtomic']), amountOf(row['maxFeeAtomic'])]
  const maxWindowAtomic = amountOf(row['maxWindowAtomic'])
  if (Object.keys(row).some((name) => !ROW_MEMBERS.includes(name))) return undefined
  if (typeof walletId !== 'string' || typeof rail !== 'string' || !isRail(rail)) return undefined
  if (maxAmountAtomic === undefined || maxFeeAtomic === undefined || maxWindowAtomic === undefined) return undefined
  if (typeof windowMs !== 'number' || typeof maxWindowPayments !== 'number') return undefined
  if (!isTextList(recipients) || !isTextList(origins)) return undefined
  return {
    ...{ walletId, rail, maxAmountAtomic, maxFeeAtomic, windowMs, maxWindowAtomic, maxWindowPayments },
    ...(recipients === undefined ? {} : { recipients }),
    ...(origins === undefined ? {} : { origins }),
  }
}

function readQuietHours(value: unknown, malformed: (problem: string) => UsageError): readonly QuietHours[] {
  if (!Array.isArray(value)) throw malformed('quietHours is no list')
  return value.map((hours: unknown) => {
    const { timeZone, from, to } = isRecord(hours) ? hours : {}
    if (typeof timeZone !== 'string' || typeof from !== 'string' || typeof to !== 'string')
      throw malformed('quiet hours have timeZone, from and to')
    return { timeZone, from, to }
  })
}

function amountOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^[0-9]{1,20}$/.test(value) ? BigInt(value) : undefined
}

function isTextList(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
