import { type AgentPosition, getAgentPosition, simulateReclaim, simulateReclaimShares } from '@oikos/sdk'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { momentText } from '../../output/speech.ts'
import { prepareSigner } from '../../transaction/perform.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { goesIn } from './quote-text.ts'
import { performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent reclaim`: take back what nobody settled. */
export const reclaim: CommandSpec = {
  name: 'reclaim',
  summary: 'take back what you have pending, when its time has come; needs nobody and no open Agent',
  args: [AGENT],
  options: [
    { flags: '--shares-only', text: 'the escrowed shares alone, where the Accept Token refuses to pay you' },
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: ['oikos agent reclaim treasury', 'oikos agent reclaim treasury --shares-only --dry-run'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const signer = await prepareSigner(context, input)
    const at = { agent, user: signer.address, blockNumber: snapshot.blockNumber }
    const positions = await Promise.all([
      getAgentPosition(connection.client, { ...at, kind: 'mint' }),
      getAgentPosition(connection.client, { ...at, kind: 'redeem' }),
    ])
    const isSharesOnly = input.flag('shares-only')
    const sentence = ({ kind, pendingAtomic, reclaimableAtSec }: AgentPosition): string[] => {
      if (pendingAtomic === 0n || (isSharesOnly && kind === 'mint')) return []
      const amount = goesIn(kind, pendingAtomic, asset)
      return reclaimableAtSec <= snapshot.blockTimestampSec
        ? [`${amount} come back to you.`]
        : [`${amount} stay pending until ${momentText(reclaimableAtSec, snapshot.blockTimestampSec)}.`]
    }
    const performed = await performAgentWrite(context, input, view, signer, {
      title: `Take back what you have pending at ${agent}`,
      functionName: isSharesOnly ? 'reclaimShares' : 'reclaim',
      effects: [...positions.flatMap(sentence), 'What is settled already is not affected: claim it.'],
      simulate: (account) =>
        isSharesOnly
          ? simulateReclaimShares(connection.client, { agent, account, asset })
          : simulateReclaim(connection.client, { agent, account, asset }),
      event: 'Reclaimed',
    })
    return reportAgentWrite(context, view, performed, { next: [`agent show ${named}`] })
  },
}
