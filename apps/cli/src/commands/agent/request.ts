import {
  getAgentPosition,
  quoteSettlement,
  type RequestKind,
  simulateRequestMint,
  simulateRequestMintAtMost,
  simulateRequestRedeem,
  simulateRequestRedeemAtLeast,
} from '@oikos/sdk'
import { type AgentView, openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAssetAmount } from '../../input/asset.ts'
import { parsePrice, parseShares } from '../../input/equity.ts'
import { priceText, sharesText } from '../../output/equity.ts'
import { exactDuration } from '../../output/speech.ts'
import { approveFirst } from '../../transaction/approve.ts'
import { prepareSigner } from '../../transaction/perform.ts'
import { reportWrite, writeDocument } from '../../transaction/report.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { brakeSentences, goesIn, quoteText } from './quote-text.ts'
import { type AgentWrite, performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent request-mint`: buy in. */
export const requestMint: CommandSpec = {
  name: 'request-mint',
  summary: 'deposit for shares; a settlement turns the deposit into shares at the rate of its moment',
  details: 'The Agent is approved for exactly the amount first, in a transaction of its own.',
  args: [AGENT, ['<amount>', 'of the Accept Token, such as "100 USDC"']],
  options: [
    { flags: '--max-price <price>', text: 'settle nothing above this price of a share, fee included: "1.05 USDC"' },
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: [
    'oikos agent request-mint treasury "100 USDC" --max-price "1.05 USDC"',
    'oikos agent request-mint 0x5FbDB2315678afecb367f032d93F642f64180aa3 "100 USDC" --dry-run',
  ],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, ref } = view
    const amountAtomic = parseAssetAmount(context, input.argument(1), asset)
    const limit = input.text('max-price')
    const maxRate = limit === undefined ? undefined : parsePrice(context, limit, asset, '--max-price')
    const signer = await prepareSigner(context, input)
    const at = { agent, amountAtomic, asset }
    const write: AgentWrite = {
      title: `Deposit ${goesIn('mint', amountAtomic, asset)} for shares of ${agent}`,
      functionName: maxRate === undefined ? 'requestMint' : 'requestMintAtMost',
      effects: await requestEffects(view, 'mint', amountAtomic, maxRate, signer.address),
      warnings: brakeSentences(view.snapshot.books, view.asset),
      simulate: (account) =>
        maxRate === undefined
          ? simulateRequestMint(connection.client, { ...at, account })
          : simulateRequestMintAtMost(connection.client, { ...at, maxRate, account }),
      event: 'MintRequested',
    }
    const approval = await approveFirst(context, input, connection, signer, {
      ...{ asset, amountAtomic, spender: agent, spenderName: 'The Agent', effects: write.effects },
      purpose: `for ${agent}, then deposit it`,
    })
    if (approval !== undefined && approval.sent === undefined) {
      context.output.say('The deposit itself can be simulated when the approval is on the chain.')
      return reportWrite(context, approval, { document: { agentRef: ref } })
    }
    const performed = await performAgentWrite(context, input, view, signer, write, {
      confirmed: approval !== undefined,
    })
    return reportAgentWrite(context, view, performed, {
      document: approval === undefined ? {} : { approval: writeDocument(approval) },
      next: [`agent show ${named}`, `agent claim ${named}`],
    })
  },
}

/** `oikos agent request-redeem`: get out. */
export const requestRedeem: CommandSpec = {
  name: 'request-redeem',
  summary: 'escrow shares for a payout; a settlement pays them at the rate of its moment',
  args: [AGENT, ['<shares>', 'such as "12.5 shares"']],
  options: [
    { flags: '--min-price <price>', text: 'settle nothing below this price of a share, fee included: "0.95 USDC"' },
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: ['oikos agent request-redeem treasury "12.5 shares" --min-price "0.95 USDC"'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const sharesAtomic = parseShares(input.argument(1), snapshot.symbol)
    const limit = input.text('min-price')
    const minRate = limit === undefined ? undefined : parsePrice(context, limit, asset, '--min-price')
    const signer = await prepareSigner(context, input)
    const at = { agent, sharesAtomic, asset }
    const performed = await performAgentWrite(context, input, view, signer, {
      title: `Redeem ${sharesText(sharesAtomic)} of ${agent}`,
      functionName: minRate === undefined ? 'requestRedeem' : 'requestRedeemAtLeast',
      effects: await requestEffects(view, 'redeem', sharesAtomic, minRate, signer.address),
      warnings: brakeSentences(snapshot.books, asset),
      simulate: (account) =>
        minRate === undefined
          ? simulateRequestRedeem(connection.client, { ...at, account })
          : simulateRequestRedeemAtLeast(connection.client, { ...at, minRate, account }),
      event: 'RedeemRequested',
    })
    return reportAgentWrite(context, view, performed, { next: [`agent show ${named}`, `agent claim ${named}`] })
  },
}

/** What a request changes, for whom, and at which worst price. */
async function requestEffects(
  { agent, asset, connection, snapshot }: AgentView,
  kind: RequestKind,
  amountAtomic: bigint,
  limitRate: bigint | undefined,
  user: `0x${string}`,
): Promise<readonly string[]> {
  if (amountAtomic === 0n) throw new UsageError('The amount is zero.', 'Name at least one smallest unit.')
  const { books, reclaimHorizonSec } = snapshot
  const before = await getAgentPosition(connection.client, { agent, user, kind, blockNumber: snapshot.blockNumber })
  const pendingAtomic = before.pendingAtomic + amountAtomic
  const limit = limitRate ?? before.limitRate
  const quote = quoteSettlement({ books, kind, pendingAtomic, limitRate: limit })
  const amount = goesIn(kind, amountAtomic, asset)
  const together =
    before.pendingAtomic === 0n ? '' : `, with the ${goesIn(kind, before.pendingAtomic, asset)} that you have pending,`
  const worst =
    limit === 0n
      ? `At worst it is settled at any price: ${kind === 'mint' ? '--max-price' : '--min-price'} or "agent limit" bounds it.`
      : `At worst ${kind === 'mint' ? 'you pay' : 'you get'} ${priceText(limit, asset)}, fee and rounding included; beyond that nothing is settled. The limit holds for all that you have pending.`
  return [
    kind === 'mint'
      ? `${amount} go from you into the Agent, where no Executor can spend them before a settlement.`
      : `${amount} go from you into escrow; they stay yours in the books until a settlement burns them.`,
    `At the rate of now a settlement${together} would give ${quoteText(quote, kind, books, asset)}.`,
    worst,
    ...(books.guard.minRequestAgeSec === 0
      ? []
      : [`It is settled after ${exactDuration(BigInt(books.guard.minRequestAgeSec))} at the earliest.`]),
    `What is not settled you can take back ${exactDuration(reclaimHorizonSec)} after your most recent request, without anybody's help.`,
  ]
}
