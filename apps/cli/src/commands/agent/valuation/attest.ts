import {
  type AttestedValuation,
  formatAmount,
  getAttestedValuation,
  simulateAcceptValue,
  simulateConfirmValue,
  simulatePokeValuation,
  simulateProposeValue,
} from '@oikos/sdk'
import { type Address, isHash } from 'viem'
import { type AgentView, openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import type { Context } from '../../../context.ts'
import { NotFoundError, UsageError } from '../../../errors.ts'
import { parseAddress } from '../../../input/address.ts'
import { parseAssetAmount } from '../../../input/asset.ts'
import type { Input } from '../../../input/input.ts'
import { bpsText } from '../../../output/equity.ts'
import { AGENT, WRITE_AGENT } from '../options.ts'
import { runAgentWrite } from '../write.ts'

const VALUATION = ['<valuation>', 'address of the contract'] as const
const AMOUNT = ['<amount>', 'exactly the proposed value, such as "1000 USDC"'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]
const EXAMPLE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** `oikos agent valuation poke`: follow the price of a vault. */
export const poke: CommandSpec = {
  name: 'poke',
  summary: 'move the checkpoint of a vault valuation to the price of now, inside its corridor; anyone may',
  args: [AGENT, VALUATION],
  options,
  examples: [`oikos agent valuation poke treasury ${EXAMPLE}`],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { connection, named, asset } = view
    const valuation = await parseAddress(context, input.argument(1), 'valuation')
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Follow the price of ${valuation}`,
        contract: valuation,
        functionName: 'poke',
        effects: ['The corridor is measured from the price of now; the value itself does not change by this.'],
        simulate: (account) => simulatePokeValuation(connection.client, { valuation, account, asset }),
        event: undefined,
      },
      { next: [`agent valuation list ${named}`] },
    )
  },
}

/** `oikos agent valuation propose`: one party states a value. */
export const propose: CommandSpec = {
  name: 'propose',
  summary: 'propose a value with the digest of its evidence, as the proposer',
  args: [AGENT, VALUATION, ['<amount>', 'such as "1000 USDC"'], ['<evidence>', 'digest of 32 bytes']],
  options,
  examples: [`oikos agent valuation propose treasury ${EXAMPLE} "1000 USDC" 0x${'5b'.repeat(32)}`],
  run: async (context, input) => {
    const evidenceHash = input.argument(3)
    if (!isHash(evidenceHash)) throw new UsageError('The evidence is no digest.', 'Give 0x and 64 digits.')
    const { view, valuation, terms } = await openValuation(context, input)
    const { asset, connection, named } = view
    const valueAtomic = parseAssetAmount(context, input.argument(2), asset)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Propose a value of ${formatAmount(valueAtomic, asset)}`,
        contract: valuation,
        functionName: 'propose',
        effects: [
          `${terms.accepter} can accept exactly this; until then ${formatAmount(terms.valueAtomic, asset)} count. A proposal before is replaced.`,
        ],
        simulate: (account) =>
          simulateProposeValue(connection.client, { valuation, valueAtomic, evidenceHash, account, asset }),
        event: 'ValueProposed',
      },
      {
        next: [`agent valuation accept ${named} ${valuation} "${formatAmount(valueAtomic, asset)}" --from <accepter>`],
      },
    )
  },
}

/** `oikos agent valuation accept`: the other party agrees. */
export const accept: CommandSpec = attestCommand(
  'accept',
  'accept exactly the value that is proposed, inside the corridor, as the accepter',
  'It counts from now on.',
)

/** `oikos agent valuation confirm`: the Owner agrees beyond the corridor. */
export const confirm: CommandSpec = attestCommand(
  'confirm',
  'accept exactly the value that is proposed, beyond the corridor too, as the Owner',
  'It counts from now on, whatever the corridor says.',
)

function attestCommand(name: 'accept' | 'confirm', summary: string, effect: string): CommandSpec {
  return {
    ...{ name, summary, options, args: [AGENT, VALUATION, AMOUNT] },
    examples: [`oikos agent valuation ${name} treasury ${EXAMPLE} "1000 USDC"`],
    run: async (context, input) => {
      const { view, valuation, terms } = await openValuation(context, input)
      const { asset, connection, named } = view
      const valueAtomic = parseAssetAmount(context, input.argument(2), asset)
      const { proposal } = terms
      if (proposal === undefined || proposal.valueAtomic !== valueAtomic) {
        const found = proposal === undefined ? 'nothing is' : `${formatAmount(proposal.valueAtomic, asset)} are`
        throw new NotFoundError(
          `${formatAmount(valueAtomic, asset)} are not proposed; ${found}.`,
          `See "agent valuation list ${named}".`,
        )
      }
      const { evidenceHash } = proposal
      const simulate = name === 'accept' ? simulateAcceptValue : simulateConfirmValue
      return runAgentWrite(
        context,
        input,
        view,
        {
          title: `Attest a value of ${formatAmount(valueAtomic, asset)}`,
          contract: valuation,
          functionName: name,
          effects: [
            `${formatAmount(valueAtomic, asset)} replace ${formatAmount(terms.valueAtomic, asset)}, with the evidence ${evidenceHash}. ${effect}`,
            `The corridor is ${bpsText(terms.corridorBpsPerDay)} a day.`,
          ],
          simulate: (account) => simulate(connection.client, { valuation, valueAtomic, evidenceHash, account, asset }),
          event: 'ValueAttested',
        },
        { next: [`agent valuation list ${named}`] },
      )
    },
  }
}

async function openValuation(
  context: Context,
  input: Input,
): Promise<{ view: AgentView; valuation: Address; terms: AttestedValuation }> {
  const view = await openAgent(context, input, input.argument(0))
  const valuation = await parseAddress(context, input.argument(1), 'valuation')
  return { view, valuation, terms: await getAttestedValuation(view.connection.client, { valuation }) }
}
