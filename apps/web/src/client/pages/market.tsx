import type { Tender } from '@oikos/indexer/rest'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { api, csvHref } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { shortHex } from '../parts/address.tsx'
import { Choice } from '../parts/choice.tsx'
import { Moment } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded } from '../parts/states.tsx'
import { type Column, Pages, Table } from '../parts/table.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'
import { WarningMarks } from '../parts/warnings.tsx'
import type { MarketSearch } from '../search.ts'

const route = getRouteApi('/')
const STATES = ['open', 'unfunded', 'closed', 'over', 'cancelled'] as const
const JUDGES = ['account', 'verifier', 'jury', 'contract', 'unknown'] as const

/** All tenders, one row each: reward, what is left to do, money that is there, deadline, who decides. */
export function MarketPage(): ReactElement {
  const { market: words } = useMessages()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const columns = useColumns()
  const asked = useQuery({
    queryKey: ['market', search],
    queryFn: ({ signal }) => api.market(search, signal),
    placeholderData: keepPreviousData,
  })
  const change = (next: { readonly [name in keyof MarketSearch]?: string | undefined }): void => {
    void navigate({ search: { ...search, cursor: undefined, ...next } as MarketSearch })
  }
  return (
    <section className="panel stack">
      <h1>{words.title}</h1>
      <form className="row" aria-label={words.filters} onSubmit={(event) => event.preventDefault()}>
        <Choice
          label={words.state}
          value={search.state}
          options={STATES}
          names={words.states}
          onChange={(state) => change({ state })}
        />
        <Choice
          label={words.judge}
          value={search.judge}
          options={JUDGES}
          names={words.judges}
          onChange={(judge) => change({ judge })}
        />
        <Choice
          label={words.money}
          value={search.funded}
          options={['true']}
          names={{ true: words.funded }}
          onChange={(funded) => change({ funded })}
        />
        <a href={csvHref('/market', search)} download="tenders.csv">
          {words.csv}
        </a>
      </form>
      <Loaded asked={asked}>
        {(page) => (
          <>
            <Table
              caption={words.caption}
              columns={columns}
              rows={page.items}
              keyOf={({ chainId, contract, tokenId }) => `${chainId}/${contract}/${tokenId}`}
              order={{ sort: search.sort, order: search.order }}
              onOrder={({ sort, order }) => change({ sort, order })}
              nothing={words.nothing}
            />
            <Pages cursor={search.cursor} nextCursor={page.nextCursor} onCursor={(cursor) => change({ cursor })} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function useColumns(): readonly Column<Tender>[] {
  const { market: words } = useMessages()
  return [
    {
      name: 'title',
      title: words.tender,
      cell: (tender) => (
        <>
          <Link
            to="/tender/$chainId/$contract/$tokenId"
            params={{ chainId: String(tender.chainId), contract: tender.contract, tokenId: tender.tokenId }}
          >
            {tender.title === null ? words.untitled(tender.tokenId) : plainLine(tender.title, 80)}
          </Link>{' '}
          <small className="soft">
            #{tender.tokenId}
            {tender.origin === 'foreign' ? ` ${words.foreign} ${shortHex(tender.contract)}` : ''}
          </small>
        </>
      ),
    },
    { name: 'state', title: words.state, cell: ({ state }) => words.states[state] },
    {
      name: 'reward',
      title: words.reward,
      isNumber: true,
      isSortable: true,
      cell: ({ terms, asset }) => <TokenAmount value={terms?.rewardPerCompletion ?? null} token={asset} />,
    },
    {
      name: 'remaining',
      title: words.remaining,
      isNumber: true,
      cell: ({ remainingCompletions }) => <span className="number">{remainingCompletions ?? words.unbounded}</span>,
    },
    {
      name: 'escrow',
      title: words.inVault,
      isNumber: true,
      isSortable: true,
      cell: ({ escrow, asset }) => <TokenAmount value={escrow} token={asset} />,
    },
    {
      name: 'deadline',
      title: words.deadline,
      isSortable: true,
      cell: ({ terms }) =>
        terms === null || terms.submitBy === '0' ? (
          <span className="soft">{words.noDeadline}</span>
        ) : (
          <Moment atSec={terms.submitBy} />
        ),
    },
    { name: 'judge', title: words.judge, cell: ({ judge }) => (judge === null ? '–' : words.judges[judge.kind]) },
    { name: 'warnings', title: words.watch, cell: ({ warnings }) => <WarningMarks warnings={warnings} /> },
  ]
}
