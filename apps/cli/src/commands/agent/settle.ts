import {
  type AgentPosition,
  getAgentPosition,
  listAgentRequesters,
  MAX_BATCH,
  quoteSettlement,
  type RequestKind,
  simulateSettleMint,
  simulateSettleMintBatch,
  simulateSettleRedeem,
  simulateSettleRedeemBatch,
} from '@oikos/sdk'
import type { StoredReasoning } from '@oikos/sdk/node'
import type { Address } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { type AgentView, openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { priceText } from '../../output/equity.ts'
import { type AddressBook, countOf, exactDuration } from '../../output/speech.ts'
import { prepareSigner } from '../../transaction/perform.ts'
import { readAccounts } from './claim.ts'
import { parseKind } from './limit.ts'
import { AGENT, REASONED, WRITE_AGENT } from './options.ts'
import { brakeSentences, goesIn, quoteText } from './quote-text.ts'
import { reasonFacts, storeReason } from './reasoning.ts'
import { type AgentWrite, performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent settle`: the Agent answers requests. */
export const settle: CommandSpec = {
  name: 'settle',
  summary: 'settle pending requests at the rate of the books, as an Executor',
  details:
    'One member is settled alone, several in one batch at one price with one record. Nobody settles their own request.',
  args: [AGENT, ['<kind>', 'mint or redeem']],
  options: [
    { flags: '--for <account>', text: 'whose request; may be repeated', many: true },
    { flags: '--all', text: 'everybody who has something pending' },
    { flags: '--batch', text: 'as a batch, also for one: who cannot be settled is skipped and reported' },
    ...REASONED,
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: [
    'oikos agent settle treasury mint --for alice --why "Known investor, within the quota."',
    'oikos agent settle treasury redeem --all --why "Weekly exit window." --yes',
  ],
  run: async (context, input) => {
    const kind = parseKind(input.argument(1))
    const view = await openAgent(context, input, input.argument(0))
    const { agent, named } = view
    const signer = await prepareSigner(context, input)
    const positions = await readMembers(context, input, view, kind)
    const book = await createAddressBook(context)
    const [only, ...others] = positions
    if (only === undefined) {
      throw new NotFoundError(`Nobody has a pending ${kind} at ${agent}.`, `See "agent show ${named}".`)
    }
    const isBatch = input.flag('batch') || others.length > 0
    const members = positions.map(({ user }) => user)
    const who = isBatch ? countOf(members.length, `pending ${kind}`) : `the pending ${kind} of ${only.user}`
    const decision = `Settle ${who}.`
    const { write, reasoning } = isBatch
      ? await batchWrite(context, input, view, kind, members, decision)
      : await singleWrite(context, input, view, kind, only.user, decision)
    const performed = await performAgentWrite(context, input, view, signer, {
      ...write,
      title: `${decision.slice(0, -1)} at ${agent}`,
      effects: settleEffects(view, kind, positions, isBatch, book, signer.address),
      warnings: brakeSentences(view.snapshot.books, view.asset),
    })
    return reportAgentWrite(context, view, performed, {
      document: { reasoningURI: reasoning.reasoningURI, reasoningHash: reasoning.reasoningHash },
      facts: reasonFacts(reasoning),
      next: [`agent claim ${named}${members.map((user) => ` --for ${user}`).join('')}`, `agent show ${named}`],
    })
  },
}

type Member = AgentPosition & { readonly user: Address }

/** The positions of the members: those that --for names, or all with --all. */
async function readMembers(
  context: Context,
  input: Input,
  view: AgentView,
  kind: RequestKind,
): Promise<readonly Member[]> {
  const { agent, connection, snapshot, fromBlock } = view
  const at = { agent, blockNumber: snapshot.blockNumber }
  const named = await readAccounts(context, input)
  if (input.flag('all') === named.length > 0) {
    throw new UsageError(
      named.length > 0 ? 'Both --all and --for are given.' : 'Nobody is named.',
      'Name accounts with --for, or settle everybody with --all.',
    )
  }
  if (named.length > 0) {
    return Promise.all(
      named.map(async (user) => ({ user, ...(await getAgentPosition(connection.client, { ...at, user, kind })) })),
    )
  }
  const { accounts, isComplete } = await listAgentRequesters(connection.client, { ...at, fromBlock })
  if (!isComplete) context.output.say('The history is too long to be read as a whole; there may be more requests.')
  const pending = accounts
    .map((account) => ({ user: account.user, ...account[kind] }))
    .filter(({ pendingAtomic }) => pendingAtomic > 0n)
  if (pending.length > MAX_BATCH) {
    context.output.say(`${pending.length} requests are pending; the first ${MAX_BATCH} are settled now.`)
  }
  return pending.slice(0, MAX_BATCH)
}

type Settlement = {
  readonly write: Pick<AgentWrite, 'functionName' | 'simulate' | 'event'>
  readonly reasoning: StoredReasoning
}

async function singleWrite(
  context: Context,
  input: Input,
  view: AgentView,
  kind: RequestKind,
  requester: Address,
  decision: string,
): Promise<Settlement> {
  const { agent, asset, connection } = view
  const action = kind === 'mint' ? 'settleMint' : 'settleRedeem'
  const reasoning = await storeReason(context, input, view, { action, args: [requester], decision })
  const simulate = kind === 'mint' ? simulateSettleMint : simulateSettleRedeem
  return {
    write: {
      functionName: action,
      simulate: (account) => simulate(connection.client, { agent, requester, reasoning, account, asset }),
      event: 'Settled',
    },
    reasoning,
  }
}

async function batchWrite(
  context: Context,
  input: Input,
  view: AgentView,
  kind: RequestKind,
  requesters: readonly Address[],
  decision: string,
): Promise<Settlement> {
  const { agent, asset, connection } = view
  const action = kind === 'mint' ? 'settleMintBatch' : 'settleRedeemBatch'
  const reasoning = await storeReason(context, input, view, { action, args: [requesters], decision })
  const simulate = kind === 'mint' ? simulateSettleMintBatch : simulateSettleRedeemBatch
  return {
    write: {
      functionName: action,
      simulate: (account) => simulate(connection.client, { agent, requesters, reasoning, account, asset }),
      event: 'Reasoned',
    },
    reasoning,
  }
}

/** What a settlement gives to each, in the order in which the Agent settles them. */
function settleEffects(
  { asset, snapshot }: AgentView,
  kind: RequestKind,
  positions: readonly Member[],
  isBatch: boolean,
  book: AddressBook,
  sender: Address,
): readonly string[] {
  const { books, blockTimestampSec } = snapshot
  const minAgeSec = BigInt(books.guard.minRequestAgeSec)
  let freeAtomic = books.freeAtomic
  const lines = positions.map(({ user, pendingAtomic, limitRate, requestedAtSec }) => {
    if (pendingAtomic === 0n) return `${book(user)}: nothing is pending.`
    const amount = goesIn(kind, pendingAtomic, asset)
    if (user === sender) return `${book(user)}: ${amount} stay pending; nobody settles their own request.`
    if (blockTimestampSec < requestedAtSec + minAgeSec) {
      return `${book(user)}: ${amount} are younger than ${exactDuration(minAgeSec)} and stay pending.`
    }
    // each payout takes from what is free for the next
    const quote = quoteSettlement({ books: { ...books, freeAtomic }, kind, pendingAtomic, limitRate })
    if (kind === 'redeem' && quote.outcome === 'settled') freeAtomic -= quote.amountAtomic + quote.feeAtomic
    const limit = limitRate === 0n ? '' : `; their limit is ${priceText(limitRate, asset)}`
    return quote.outcome === 'settled'
      ? `${book(user)}: ${amount} become ${quoteText(quote, kind, books, asset)}${limit}.`
      : `${book(user)}: ${amount} stay pending and become ${quoteText(quote, kind, books, asset)}${limit}.`
  })
  return [
    ...lines,
    'The price is that of the books when the transaction is executed; a limit that it breaches settles nothing.',
    ...(isBatch ? ['All members have the same price; who cannot be settled is skipped and stays pending.'] : []),
  ]
}
