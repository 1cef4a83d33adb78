import {
  type AgentRequester,
  formatAmount,
  getAssetBalance,
  listAgentExecutors,
  listAgentRequesters,
  nativeAsset,
  quoteSettlement,
  type RequestKind,
} from '@oikos/sdk'
import { type Address, zeroAddress } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { type AgentView, openAgent, standingWarnings } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { bpsText, priceText, sharesText } from '../../output/equity.ts'
import { type Fact, factLines } from '../../output/layout.ts'
import type { Paint } from '../../output/paint.ts'
import { plain } from '../../output/plain.ts'
import { type AddressBook, absoluteTime, assetText, countOf, exactDuration, momentText } from '../../output/speech.ts'
import { AGENT, READ_AGENT } from './options.ts'
import { brakeSentences, comesOut, goesIn, quoteText, rateText } from './quote-text.ts'
import { namesFor, pendingText, policySentences, readBoundary } from './scope/boundary-text.ts'

/** Requesters that the text form lists; --json has all. */
const SHOWN_REQUESTERS = 25

/** `oikos agent show`: what it is worth, why, and how to get out. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show an Agent: books, rate, requests, boundary, Executors, how to get out',
  args: [AGENT],
  options: [...OUTPUT_OPTIONS, ...READ_AGENT],
  examples: ['oikos agent show treasury', 'oikos agent show 0x5FbDB2315678afecb367f032d93F642f64180aa3 --json'],
  run: async (context, input) => {
    const { output } = context
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, snapshot, asset, fromBlock, named } = view
    const at = { agent, blockNumber: snapshot.blockNumber, fromBlock }
    const [boundary, executors, requesters, nativeWei] = await Promise.all([
      readBoundary(view),
      listAgentExecutors(connection.client, at),
      listAgentRequesters(connection.client, at),
      getAssetBalance(connection.client, { asset: zeroAddress, account: agent, blockNumber: snapshot.blockNumber }),
    ])
    const isComplete = boundary.isComplete && executors.isComplete && requesters.isComplete
    const names = namesFor(view)
    const sentences = policySentences(boundary.state, names)
    const warnings = [
      ...standingWarnings(view),
      ...brakeSentences(snapshot.books, asset),
      ...ownerWarnings(view, executors.accounts),
    ]
    const keys = await createAddressBook(context)
    const book = await createAddressBook(context, [
      [snapshot.owner, 'Owner'],
      [snapshot.guardian, 'guardian'],
    ])
    const { pending } = boundary
    output.result(
      {
        ...{ ok: true, agentRef: view.ref, isKnown: view.isKnown, agent: snapshot, asset, nativeWei },
        executors: executors.accounts,
        requests: requesters.accounts,
        scope: { revision: boundary.revision, sentences, pending, ...boundary.state },
        ...{ isComplete, warnings },
      },
      [
        ...headLines(view, nativeWei, keys, output.paint),
        output.paint('bold', 'What it may do'),
        ...sentences.map((sentence) => `  ${sentence}`),
        ...pending.map((change) => `  announced ${pendingText(change, snapshot.blockTimestampSec)}`),
        ...factLines([['Executors', executors.accounts.map(book)]], output.paint, '  '),
        ...requestLines(view, requesters.accounts, book, output.paint),
        ...warnings.map((text) => `${output.paint('warning', 'warning')}  ${text}`),
      ],
    )
    if (!isComplete) output.say('The history was not read as a whole: requests, Executors or caps may be missing.')
    const waiting = (kind: RequestKind): boolean => requesters.accounts.some((entry) => entry[kind].pendingAtomic > 0n)
    const owed = requesters.accounts.some(({ mint, redeem }) => mint.claimableAtomic + redeem.claimableAtomic > 0n)
    output.next(
      ...(waiting('mint') ? [`agent settle ${named} mint --all --why "<text>"`] : []),
      ...(waiting('redeem') ? [`agent settle ${named} redeem --all --why "<text>"`] : []),
      ...(owed ? [`agent claim ${named}`] : []),
      `agent request-mint ${named} "<amount>"`,
    )
    return EXIT.done
  },
}

function headLines(
  { agent, snapshot, asset, ref, isKnown }: AgentView,
  nativeWei: bigint,
  book: AddressBook,
  paint: Paint,
) {
  const { books, blockNumber, blockTimestampSec: nowSec } = snapshot
  const amount = (amountAtomic: bigint): string => formatAmount(amountAtomic, asset)
  const { fees, guard } = books
  const facts: Fact[] = [
    ['reference', ref],
    ['code', isKnown ? 'that of the factory in the deployments' : 'not known here'],
    ['rate', `${rateText(books, asset)}${books.isFixedPrice ? ', for ever' : ''}`],
    ['Accept Token', `${asset.symbol}, ${assetText(asset)}`],
    [
      'books',
      [
        `${amount(books.balanceAtomic)} held`,
        `${amount(books.requestsAtomic)} of it are deposits that wait and payouts that are owed,`,
        `${amount(fees.owedAtomic)} fees owed,`,
        `${amount(books.freeAtomic)} free`,
        ...books.valuations.map((entry) =>
          entry.state === 'unreadable'
            ? `not known, valuation ${entry.valuation} gives no answer`
            : `${amount(entry.assetsAtomic)} by valuation ${entry.valuation}${entry.state === 'stale' ? ', too old to settle on' : ''}`,
        ),
        `${amount(books.assetsAtomic)} together belong to the shares`,
      ],
    ],
    [
      'shares',
      [
        `${sharesText(books.effectiveSupplyAtomic)} count, ${sharesText(books.unclaimedAtomic)} of them settled and not claimed yet`,
        `${sharesText(books.escrowedAtomic)} wait for redemption`,
      ],
    ],
    ...(nativeWei === 0n
      ? []
      : ([['also held', `${formatAmount(nativeWei, nativeAsset)}, worth nothing to the books`]] as const)),
    ['getting in', `deposit, settlement, claim${fees.mintFeeBps === 0 ? '' : `; fee ${bpsText(fees.mintFeeBps)}`}`],
    [
      'getting out',
      `request, settlement, claim${fees.redeemFeeBps === 0 ? '' : `; fee ${bpsText(fees.redeemFeeBps)}`}`,
    ],
    [
      'taking back',
      `what is pending, ${exactDuration(snapshot.reclaimHorizonSec)} after the request, without anybody's help`,
    ],
    [
      'price guard',
      guard.corridorBpsPerDay === 0
        ? 'none'
        : `${bpsText(guard.corridorBpsPerDay)} a day from ${priceText(guard.anchorRate, asset)}, since ${momentText(guard.anchoredAtSec, nowSec)}`,
    ],
    ...(guard.minRequestAgeSec === 0 ? [] : ([['least age', exactDuration(BigInt(guard.minRequestAgeSec))]] as const)),
    ['Owner', snapshot.owner === zeroAddress ? 'nobody: the constitution is frozen' : book(snapshot.owner)],
    ...(snapshot.pendingOwner === zeroAddress ? [] : ([['offered to', book(snapshot.pendingOwner)]] as const)),
    ['guardian', snapshot.guardian === zeroAddress ? 'nobody' : book(snapshot.guardian)],
    ['metadata (a claim)', snapshot.agentURI === '' ? 'none' : plain(snapshot.agentURI)],
  ]
  const title = `${plain(snapshot.name)} (${plain(snapshot.symbol)}) ${agent}, read from the chain at block ${blockNumber}, ${absoluteTime(nowSec)}`
  return [paint('bold', title), ...factLines(facts, paint, '  ')]
}

function requestLines(
  { snapshot, asset }: AgentView,
  requesters: readonly AgentRequester[],
  book: AddressBook,
  paint: Paint,
): string[] {
  if (requesters.length === 0) return [paint('bold', 'No requests')]
  const { books, blockTimestampSec: nowSec } = snapshot
  const shown = requesters.slice(0, SHOWN_REQUESTERS)
  const lines = shown.flatMap(({ user, mint, redeem }) => [
    `  ${book(user)}`,
    ...[mint, redeem].flatMap(({ kind, pendingAtomic, limitRate, reclaimableAtSec, claimableAtomic }) => [
      ...(pendingAtomic === 0n
        ? []
        : [
            `     ${kind} of ${goesIn(kind, pendingAtomic, asset)} pending; now it would give ${quoteText(quoteSettlement({ books, kind, pendingAtomic, limitRate }), kind, books, asset)}`,
            `     can be taken back from ${momentText(reclaimableAtSec, nowSec)}${limitRate === 0n ? '' : `; limit ${priceText(limitRate, asset)}`}`,
          ]),
      ...(claimableAtomic === 0n ? [] : [`     ${comesOut(kind, claimableAtomic, asset)} to be claimed`]),
    ]),
  ])
  const more = requesters.length - shown.length
  return [
    paint('bold', countOf(requesters.length, 'account with requests', 'accounts with requests')),
    ...lines,
    ...(more > 0 ? [`  and ${more} more; --json has all`] : []),
  ]
}

function ownerWarnings({ snapshot }: AgentView, executors: readonly Address[]): readonly string[] {
  return [
    ...(executors.length === 0 ? ['There is no Executor: nobody can settle. Reclaim works all the same.'] : []),
    ...(executors.includes(snapshot.owner)
      ? ['The Owner is an Executor too: one key sets the boundary and acts inside it.']
      : []),
  ]
}
