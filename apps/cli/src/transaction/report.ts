import { formatAmount, nativeAsset } from '@oikos/sdk'
import { createAddressBook } from '../chain/address-book.ts'
import type { TaskView } from '../chain/open-task.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Input } from '../input/input.ts'
import { type Fact, factLines } from '../output/layout.ts'
import { worstGasCost } from './broadcast.ts'
import { eventText } from './event-text.ts'
import { type Performed, performWrite, prepareSigner, type Sent, type Write } from './perform.ts'

/** What a command adds to the report of its transaction. */
export type ReportExtras = {
  readonly facts?: readonly Fact[]
  readonly document?: Readonly<Record<string, unknown>>
  /** Commands for afterwards, without the program's name. */
  readonly next?: readonly string[]
}

/** Reports a transaction: hash, block, fee and event; after a dry run, the plan. */
export async function reportWrite(
  context: Context,
  performed: Performed,
  extras: ReportExtras = {},
): Promise<ExitCode> {
  const { output } = context
  const { sent, write } = performed
  const book = await createAddressBook(context)
  const lines =
    sent === undefined
      ? []
      : factLines(
          [
            ['transaction', sent.hash],
            ['block', String(sent.blockNumber)],
            ['fee', formatAmount(sent.feeWei, nativeAsset)],
            ...(sent.deployed === undefined ? [] : ([['contract', sent.deployed]] as const)),
            ['event', sent.events.map((event) => eventText(event, write, book))],
            ...(extras.facts ?? []),
          ],
          output.paint,
        )
  output.result({ ...writeDocument(performed), ...(sent === undefined ? {} : extras.document) }, lines)
  if (sent !== undefined) output.next(...(extras.next ?? []))
  return EXIT.done
}

/** The JSON of a transaction. */
export function writeDocument({ write, call, sent }: Performed): Readonly<Record<string, unknown>> {
  return {
    ok: true,
    sent: sent !== undefined,
    plan: {
      title: write.title,
      from: call.from,
      contract: call.to,
      function: write.functionName,
      effects: write.effects,
      warnings: write.warnings ?? [],
      data: call.data,
      valueWei: call.valueWei,
      gasLimit: call.gasLimit,
      maxGasCostWei: worstGasCost(call),
    },
    ...(sent === undefined ? {} : sentDocument(sent)),
  }
}

function sentDocument({ hash, blockNumber, gasUsed, feeWei, event, events, deployed }: Sent): Record<string, unknown> {
  return { transaction: { hash, blockNumber, gasUsed, feeWei }, event, events, deployed }
}

/** A write to one tender from signer to report, for commands that do nothing else. */
export async function runTaskWrite(
  context: Context,
  input: Input,
  view: TaskView,
  write: Omit<Write, 'contract' | 'asset'> & { readonly contract?: Write['contract'] },
  extras: ReportExtras | ((sent: Sent) => ReportExtras) = {},
): Promise<ExitCode> {
  const signer = await prepareSigner(context, input)
  const performed = await performWrite(context, input, view.connection, signer, {
    contract: view.target.task,
    asset: view.asset,
    ...write,
  })
  const { sent } = performed
  const more = typeof extras === 'function' ? (sent === undefined ? {} : extras(sent)) : extras
  return reportWrite(context, performed, { ...more, document: { taskRef: view.ref, ...more.document } })
}
