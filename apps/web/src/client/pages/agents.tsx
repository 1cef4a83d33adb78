import type { Agent } from '@oikos/indexer/rest'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { api, csvHref } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { Change30 } from '../parts/change.tsx'
import { Choice } from '../parts/choice.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded } from '../parts/states.tsx'
import { type Column, Pages, Table } from '../parts/table.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'
import type { AgentsSearch } from '../search.ts'

const route = getRouteApi('/agents')
const ORIGINS = ['oikos', 'foreign'] as const

/** All Agents: what a share is worth, how that moved, how much capital there is. */
export function AgentsPage(): ReactElement {
  const { agents: words, market } = useMessages()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const columns = useColumns()
  const asked = useQuery({
    queryKey: ['agents', search],
    queryFn: ({ signal }) => api.agents(search, signal),
    placeholderData: keepPreviousData,
  })
  const change = (next: { readonly [name in keyof AgentsSearch]?: string | undefined }): void => {
    void navigate({ search: { ...search, cursor: undefined, ...next } as AgentsSearch })
  }
  return (
    <section className="panel stack">
      <h1>{words.title}</h1>
      <form className="row" aria-label={market.filters} onSubmit={(event) => event.preventDefault()}>
        <Choice
          label={words.origin}
          value={search.origin}
          options={ORIGINS}
          names={words.origins}
          onChange={(origin) => change({ origin })}
        />
        <a href={csvHref('/agents', search)} download="agents.csv">
          {market.csv}
        </a>
      </form>
      <Loaded asked={asked}>
        {(page) => (
          <>
            <Table
              caption={words.caption}
              columns={columns}
              rows={page.items}
              keyOf={({ chainId, address }) => `${chainId}/${address}`}
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

function useColumns(): readonly Column<Agent>[] {
  const { agents: words, market } = useMessages()
  return [
    {
      name: 'name',
      title: words.agent,
      cell: (agent) => (
        <>
          <Link to="/agent/$chainId/$address" params={{ chainId: String(agent.chainId), address: agent.address }}>
            {agent.name === null ? words.unnamed : plainLine(agent.name, 64)}
          </Link>{' '}
          {agent.origin === 'foreign' ? <span className="mark warn">{market.foreign}</span> : null}
          {agent.isPaused ? <span className="mark warn">{words.paused}</span> : null}
        </>
      ),
    },
    {
      name: 'rate',
      title: words.rate,
      isNumber: true,
      isSortable: true,
      cell: ({ rate, acceptToken }) => <TokenAmount value={rate} token={acceptToken} />,
    },
    { name: 'return', title: words.days30, isNumber: true, cell: (agent) => <Change30 agent={agent} /> },
    {
      name: 'capital',
      title: words.capital,
      isNumber: true,
      isSortable: true,
      cell: ({ capitalAtRate, acceptToken }) => <TokenAmount value={capitalAtRate} token={acceptToken} />,
    },
    {
      name: 'pending',
      title: words.pendingIn,
      isNumber: true,
      cell: ({ pendingAssets, acceptToken }) => <TokenAmount value={pendingAssets} token={acceptToken} />,
    },
    { name: 'holders', title: words.holders, isNumber: true, isSortable: true, cell: ({ holderCount }) => holderCount },
    { name: 'actions', title: words.actions, isNumber: true, isSortable: true, cell: ({ actionCount }) => actionCount },
  ]
}
