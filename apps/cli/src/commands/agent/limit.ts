import { getAgentPosition, quoteSettlement, type RequestKind, simulateSetRequestLimit } from '@oikos/sdk'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parsePrice } from '../../input/equity.ts'
import { priceText } from '../../output/equity.ts'
import { prepareSigner } from '../../transaction/perform.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { goesIn, quoteText } from './quote-text.ts'
import { performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent limit`: the worst price for what is pending. */
export const limit: CommandSpec = {
  name: 'limit',
  summary: 'set the worst price at which your pending request is settled',
  args: [AGENT, ['<kind>', 'mint or redeem'], ['<price>', 'of a share, such as "1.05 USDC", or none']],
  options: [...OUTPUT_OPTIONS, ...WRITE_AGENT],
  examples: ['oikos agent limit treasury mint "1.05 USDC"', 'oikos agent limit treasury redeem none'],
  run: async (context, input) => {
    const kind = parseKind(input.argument(1))
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const text = input.argument(2)
    const rate = text.trim().toLowerCase() === 'none' ? 0n : parsePrice(context, text, asset, '<price>')
    const signer = await prepareSigner(context, input)
    const { pendingAtomic } = await getAgentPosition(connection.client, { agent, user: signer.address, kind })
    const { books } = snapshot
    const quote = quoteSettlement({ books, kind, pendingAtomic, limitRate: rate })
    const performed = await performAgentWrite(context, input, view, signer, {
      title: `Limit your pending ${kind} at ${agent}`,
      functionName: 'setLimit',
      effects: [
        rate === 0n
          ? `Your pending ${goesIn(kind, pendingAtomic, asset)} are settled at any price.`
          : `Your pending ${goesIn(kind, pendingAtomic, asset)} are settled at ${kind === 'mint' ? 'no more than' : 'no less than'} ${priceText(rate, asset)}, fee and rounding included; beyond that nothing is settled.`,
        ...(pendingAtomic === 0n ? [] : [`Now a settlement would give ${quoteText(quote, kind, books, asset)}.`]),
      ],
      simulate: (account) => simulateSetRequestLimit(connection.client, { agent, kind, rate, account, asset }),
      event: 'LimitSet',
    })
    return reportAgentWrite(context, view, performed, { next: [`agent show ${named}`] })
  },
}

/** Reads a kind of request. Throws UsageError. */
export function parseKind(text: string): RequestKind {
  if (text === 'mint' || text === 'redeem') return text
  throw new UsageError(`${JSON.stringify(text.slice(0, 40))} is no kind of request.`, 'Say mint or redeem.')
}
