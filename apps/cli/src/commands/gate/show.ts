import { formatAmount, getAssetMetadata, getBondDeliverer, getDesk, listSubmissions } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { CHAIN_OPTIONS, type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { bpsText } from '../../output/equity.ts'
import { factLines } from '../../output/layout.ts'
import { EXAMPLE_GATE, GATE_TASK, openGate } from './find.ts'

/** Submissions whose bonds are shown: the latest page. */
const PAGE_SIZE = 50

/** `oikos gate show`: the rule of a gate, and the bonds of a task. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show the rule of a gate, the desk of an account, or the bonds that are held for a task',
  args: [GATE_TASK[0], ['[task]', 'its number, or chain:contract:number']],
  options: [
    { flags: '--deliverer <account>', text: 'show in whose name this account delivers' },
    ...OUTPUT_OPTIONS,
    ...CHAIN_OPTIONS,
  ],
  examples: [`oikos gate show ${EXAMPLE_GATE} --deliverer anna`, `oikos gate show ${EXAMPLE_GATE} 7 --json`],
  run: async (context, input) => {
    const { output } = context
    const { connection, address: gate, terms: rule } = await openCompanion(context, input.argument(0), 'bonded-gate')
    const { client } = connection
    const asset = await getAssetMetadata(client, { asset: rule.bondAsset })
    const book = await createAddressBook(context)
    const delivererText = input.text('deliverer')
    const deliverer =
      delivererText === undefined ? undefined : await parseAddress(context, delivererText, '--deliverer')
    const desk = deliverer === undefined ? undefined : await getDesk(client, { gate, deliverer })
    const named = input.optionalArgument(1)
    const bonds = named === undefined ? undefined : await readBonds(await openGate(context, gate, named))
    const lost = rule.beneficiary === undefined ? 'nobody' : book(rule.beneficiary)
    output.result({ ok: true, address: gate, rule, asset, deliverer, desk, bonds }, [
      output.paint('bold', `Bonded gate ${gate}`),
      ...factLines(
        [
          ['serves', rule.task],
          ['bond', formatAmount(rule.bondAtomic, asset)],
          ['lost when refused', `${bpsText(rule.rejectedBps)}, to ${lost}`],
          ['lost when expired', `${bpsText(rule.expiredBps)}, to ${lost}`],
          ['ruled by', rule.judge === undefined ? 'nobody' : book(rule.judge)],
          ...(deliverer === undefined ? [] : ([['desk', `${desk} delivers for ${book(deliverer)}`]] as const)),
          ...(bonds === undefined
            ? []
            : ([
                [
                  'bonds held',
                  bonds.map((bond) => `delivery ${bond.submissionId} (${bond.status}) by ${book(bond.deliverer)}`),
                ],
              ] as const)),
        ],
        output.paint,
        '  ',
      ),
    ])
    const decided = bonds?.find(({ status }) => status !== 'pending')
    output.next(
      decided === undefined
        ? `gate deliver ${gate} ${named ?? '<task>'} --file <delivery>`
        : `gate settle ${gate} ${named} ${decided.submissionId}`,
    )
    return EXIT.done
  },
}

async function readBonds({ connection, target, at }: Awaited<ReturnType<typeof openGate>>) {
  const { submissions } = await listSubmissions(connection.client, { ...target, pageSize: PAGE_SIZE })
  const bonds = await Promise.all(
    submissions.map(async ({ submissionId, status }) => {
      const deliverer = await getBondDeliverer(connection.client, { ...at, submissionId })
      return deliverer === undefined ? [] : [{ submissionId, status, deliverer }]
    }),
  )
  return bonds.flat()
}
