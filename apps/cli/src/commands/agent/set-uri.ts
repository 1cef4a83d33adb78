import { simulateSetAgentURI } from '@oikos/sdk'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS, STORE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { plain } from '../../output/plain.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { publishMetadata } from './publish.ts'
import { runAgentWrite } from './write.ts'

/** `oikos agent set-uri`: say where the metadata are. */
export const setUri: CommandSpec = {
  name: 'set-uri',
  summary: 'say where the metadata of an Agent are, as the Owner',
  details: 'With --metadata the document is completed with what the chain says, stored, and named by its CID.',
  args: [AGENT, ['[uri]', 'up to 8,192 bytes']],
  options: [
    { flags: '--metadata <file>', text: 'instead of a URI: description, image and more' },
    ...STORE_OPTIONS,
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: ['oikos agent set-uri treasury ipfs://bafkrei…', 'oikos agent set-uri treasury --metadata about.json'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named, snapshot, asset } = view
    const [uri, file] = [input.optionalArgument(1), input.text('metadata')]
    if ((uri === undefined) === (file === undefined)) {
      throw new UsageError('Give a URI or --metadata, and not both.', 'Such as "agent set-uri <agent> ipfs://…".')
    }
    const { initialRate, isFixedPrice } = snapshot.books
    const agentURI =
      file === undefined
        ? (uri ?? '')
        : await publishMetadata(context, input, file, {
            ...{ name: snapshot.name, reclaimHorizonSec: Number(snapshot.reclaimHorizonSec) },
            oikos: {
              ...{ chainId: BigInt(connection.chainId), acceptToken: asset.address },
              ...{ initialRate, fixedPrice: isFixedPrice },
            },
          })
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Say where the metadata of ${agent} are`,
        functionName: 'setAgentURI',
        effects: [
          `${plain(agentURI)} replaces ${snapshot.agentURI === '' ? 'no URI' : plain(snapshot.agentURI)}; both stay in the history.`,
        ],
        simulate: (account) => simulateSetAgentURI(connection.client, { agent, agentURI, account }),
        event: 'AgentURIUpdated',
      },
      { document: { agentURI }, next: [`agent show ${named}`] },
    )
  },
}
