import { simulateHandOver, simulateSetAcceptanceAuthority, simulateSetUpdateAuthority } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { judgmentText, readJudgment } from '../../chain/authority.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { runTaskWrite } from '../../transaction/report.ts'

const args = [
  ['<task>', 'its number, or chain:contract:number'],
  ['<account>', 'address, or key name'],
] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]

const update: CommandSpec = {
  name: 'update',
  summary: 'hand publication to another account, as the update authority',
  args,
  options,
  examples: ['oikos task authority update 7 0x000000000000000000000000000000000000dEaD'],
  run: async (context, input) => {
    const newAuthority = await parseAddress(context, input.argument(1), 'account')
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, connection } = view
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Hand the publication of task ${target.tokenId} over`,
        functionName: 'setUpdateAuthority',
        effects: [
          `${book(newAuthority)} alone may publish, freeze and cancel; ${book(tender.updateAuthority)} no longer can.`,
          'Nothing gives this power back to you.',
        ],
        simulate: (account) => simulateSetUpdateAuthority(connection.client, { ...target, newAuthority, account }),
        event: 'TaskUpdateAuthorityChanged',
      },
      { next: [`task show ${named}`] },
    )
  },
}

const acceptance: CommandSpec = {
  name: 'acceptance',
  summary: 'pass the judgment on: as the judge, or, from a stock verifier, as the update authority',
  args,
  options,
  examples: ['oikos task authority acceptance 7 0x000000000000000000000000000000000000dEaD'],
  run: async (context, input) => {
    const newAuthority = await parseAddress(context, input.argument(1), 'account')
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, connection } = view
    const { client } = connection
    const deployment = await connection.knownDeployment()
    const judgment = await readJudgment(connection, target, tender.acceptanceAuthority, deployment)
    if (judgment.kind === 'unknown-verifier') {
      throw new UsageError(
        `Task ${target.tokenId} is judged by ${judgment.address}, a verifier of unknown kind.`,
        'Only that contract can pass the judgment on; ask who runs it.',
      )
    }
    if (judgment.kind === 'jury' || judgment.kind === 'gate') {
      const step =
        judgment.kind === 'jury'
          ? `jury hand-over ${named} <account>`
          : `gate hand-over ${judgment.address} ${named} <account>`
      throw new UsageError(
        `Task ${target.tokenId} is judged by the ${judgmentText(judgment)} ${judgment.address}, which passes it on by its own rules.`,
        `Use "oikos ${step}".`,
      )
    }
    const next = await readJudgment(connection, target, newAuthority, deployment)
    const book = await createAddressBook(context)
    const verifier = judgment.kind === 'person' ? undefined : judgment.address
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Pass the judgment of task ${target.tokenId} on`,
        ...(verifier === undefined ? {} : { contract: verifier, emitter: target.task }),
        functionName: verifier === undefined ? 'setAcceptanceAuthority' : 'handOver',
        effects: [
          `The ${judgmentText(next)} ${book(newAuthority)} decides instead of the ${judgmentText(judgment)} ${book(tender.acceptanceAuthority)}.`,
          'Pending deliveries keep the way of silence that they were made under.',
        ],
        simulate: (account) =>
          verifier === undefined
            ? simulateSetAcceptanceAuthority(client, { ...target, newAuthority, account })
            : simulateHandOver(client, { ...target, verifier, newAuthority, account }),
        event: 'AcceptanceAuthorityChanged',
      },
      { next: [`task show ${named}`] },
    )
  },
}

/** `oikos task authority`: who publishes, and who judges. */
export const authority: GroupSpec = {
  name: 'authority',
  summary: 'hand a power over a task to somebody else',
  commands: [update, acceptance],
}
