import {
  type AttestedValuation,
  formatAmount,
  getAttestedValuation,
  getVaultValuation,
  OikosError,
  type VaultValuation,
} from '@oikos/sdk'
import { type AgentView, openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import { EXIT } from '../../../exit-codes.ts'
import { bpsText } from '../../../output/equity.ts'
import { factLines } from '../../../output/layout.ts'
import { exactDuration, momentText } from '../../../output/speech.ts'
import { AGENT, READ_AGENT } from '../options.ts'

/** `oikos agent valuation list`: what is counted, and on whose word. */
export const list: CommandSpec = {
  name: 'list',
  summary: 'list what the books count beside the balance, and on whose word',
  args: [AGENT],
  options: [...OUTPUT_OPTIONS, ...READ_AGENT],
  examples: ['oikos agent valuation list treasury'],
  run: async (context, input) => {
    const { output } = context
    const view = await openAgent(context, input, input.argument(0))
    const { snapshot, asset, named } = view
    const valuations = await Promise.all(
      snapshot.books.valuations.map(async (entry) => ({ ...entry, terms: await readTerms(view, entry.valuation) })),
    )
    output.result(
      { ok: true, agentRef: view.ref, blockNumber: snapshot.blockNumber, asset, valuations },
      valuations.length === 0
        ? ['The books count the balance alone.']
        : valuations.flatMap((entry) => [
            output.paint('bold', entry.valuation),
            ...factLines(
              [
                [
                  'says',
                  entry.state === 'unreadable'
                    ? 'nothing that the Agent takes'
                    : formatAmount(entry.assetsAtomic, asset),
                ],
                ['state', STATES[entry.state]],
                ['kind', termsText(view, entry.terms)],
              ],
              output.paint,
              '  ',
            ),
          ]),
    )
    const [broken] = valuations.filter(({ state }) => state !== 'fresh')
    output.next(
      ...(broken?.terms?.kind === 'vault' ? [`agent valuation poke ${named} ${broken.valuation}`] : []),
      `agent show ${named}`,
    )
    return EXIT.done
  },
}

const STATES = {
  fresh: 'can be settled on',
  stale: 'stale: settlement waits for it',
  unreadable: 'gives no answer: settlement waits for it',
} as const

type Terms = ({ readonly kind: 'vault' } & VaultValuation) | ({ readonly kind: 'attested' } & AttestedValuation)

/** Which of the two known kinds a valuation says it is; undefined for another one. Its code is its own. */
async function readTerms({ connection }: AgentView, valuation: `0x${string}`): Promise<Terms | undefined> {
  const vault = await orUndefined(getVaultValuation(connection.client, { valuation }))
  if (vault !== undefined) return { kind: 'vault', ...vault }
  const attested = await orUndefined(getAttestedValuation(connection.client, { valuation }))
  return attested === undefined ? undefined : { kind: 'attested', ...attested }
}

function termsText({ asset, snapshot }: AgentView, terms: Terms | undefined): readonly string[] {
  if (terms === undefined) return ['not known here']
  const nowSec = snapshot.blockTimestampSec
  if (terms.kind === 'vault') {
    return [
      `position in the ERC-4626 vault ${terms.vault}, as it says itself`,
      `price ${formatAmount(terms.checkpointAtomic, asset)} since ${momentText(BigInt(terms.checkedAtSec), nowSec)}, may move ${bpsText(terms.corridorBpsPerDay)} a day`,
    ]
  }
  return [
    `attested: ${terms.proposer} proposes, ${terms.accepter} accepts, as it says itself`,
    `${formatAmount(terms.valueAtomic, asset)} since ${momentText(BigInt(terms.attestedAtSec), nowSec)}, good for ${exactDuration(BigInt(terms.maxAgeSec))}, may move ${bpsText(terms.corridorBpsPerDay)} a day`,
    ...(terms.proposal === undefined
      ? []
      : [`proposed: ${formatAmount(terms.proposal.valueAtomic, asset)}, evidence ${terms.proposal.evidenceHash}`]),
  ]
}

async function orUndefined<value>(answer: Promise<value>): Promise<value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) return undefined
    throw error
  }
}
