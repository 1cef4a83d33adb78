import type { AgentDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Act } from '../acts/act.tsx'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { Moment } from '../parts/moment.tsx'
import { Loaded } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { symbolOf, TokenAmount } from '../parts/token-amount.tsx'

/** What waits, what is claimable, and how every request went. */
export function Requests({ agent }: { agent: AgentDetail }): ReactElement {
  const { requests: words } = useMessages()
  const key = { chainId: String(agent.chainId), address: agent.address }
  const positions = useQuery({
    queryKey: ['positions', key],
    queryFn: ({ signal }) => api.positions(key, { limit: 100 }, signal),
  })
  const requests = useQuery({
    queryKey: ['requests', key],
    queryFn: ({ signal }) => api.requests(key, { limit: 100 }, signal),
  })
  const shares = { address: agent.address, symbol: words.shares, name: null, decimals: agent.decimals }
  const acts = () => import('../acts/agent-acts.ts')
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      <Loaded asked={positions}>
        {({ items }) => (
          <Table
            caption={words.waiting}
            rows={items}
            keyOf={({ account, side }) => `${account}/${side}`}
            nothing={words.nothingWaits}
            columns={[
              { name: 'who', title: words.who, cell: ({ account }) => <AddressText address={account} /> },
              { name: 'side', title: words.side, cell: ({ side }) => words.sides[side] },
              {
                name: 'pending',
                title: words.pending,
                isNumber: true,
                cell: ({ pending, side }) => (
                  <TokenAmount value={pending} token={side === 'mint' ? agent.acceptToken : shares} />
                ),
              },
              {
                name: 'claimable',
                title: words.claimable,
                isNumber: true,
                cell: ({ claimable, side }) => (
                  <TokenAmount value={claimable} token={side === 'mint' ? shares : agent.acceptToken} />
                ),
              },
              {
                name: 'limit',
                title: words.limit,
                isNumber: true,
                cell: ({ limit }) =>
                  limit === null || limit === '0' ? (
                    <span className="soft">{words.any}</span>
                  ) : (
                    <TokenAmount value={limit} token={agent.acceptToken} />
                  ),
              },
              {
                name: 'back',
                title: words.back,
                cell: ({ pending, reclaimableAtSec }) => (pending === '0' ? '–' : <Moment atSec={reclaimableAtSec} />),
              },
              {
                name: 'act',
                title: words.act,
                cell: ({ account, side, claimable, pending }) => (
                  <div className="row">
                    {claimable === '0' ? null : (
                      <Act
                        label={words.claim}
                        chainId={agent.chainId}
                        plan={async () => (await acts()).planClaim(agent, side, account)}
                      />
                    )}
                    {pending === '0' ? null : (
                      <Act
                        label={words.setLimit}
                        chainId={agent.chainId}
                        fields={[
                          { name: 'limit', label: words.worst(symbolOf(agent.acceptToken)), hint: words.limitHint },
                        ]}
                        plan={async () => (await acts()).planLimit(agent, side)}
                      />
                    )}
                  </div>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Loaded asked={requests}>
        {({ items }) => (
          <Table
            caption={words.history}
            rows={items}
            keyOf={({ place, account, step }) => `${place.block}/${place.logIndex}/${account}/${step}`}
            columns={[
              { name: 'at', title: words.when, cell: ({ place }) => <Moment atSec={place.timeSec} /> },
              { name: 'who', title: words.who, cell: ({ account }) => <AddressText address={account} /> },
              {
                name: 'step',
                title: words.step,
                cell: ({ step, side }) => `${words.sides[side]}: ${words.steps[step]}`,
              },
              {
                name: 'assets',
                title: words.money,
                isNumber: true,
                cell: ({ assets }) => <TokenAmount value={assets} token={agent.acceptToken} />,
              },
              {
                name: 'shares',
                title: words.sharesTitle,
                isNumber: true,
                cell: ({ shares: amount }) => <TokenAmount value={amount} token={shares} />,
              },
              {
                name: 'rate',
                title: words.rate,
                isNumber: true,
                cell: ({ rate }) => <TokenAmount value={rate} token={agent.acceptToken} />,
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}

/** Who has how many shares, the largest first. */
export function Holders({ agent }: { agent: AgentDetail }): ReactElement {
  const { requests: words } = useMessages()
  const key = { chainId: String(agent.chainId), address: agent.address }
  const asked = useQuery({
    queryKey: ['holders', key],
    queryFn: ({ signal }) => api.holders(key, { limit: 100 }, signal),
  })
  const shares = { address: agent.address, symbol: words.shares, name: null, decimals: agent.decimals }
  return (
    <section className="panel stack">
      <h2>{words.holders}</h2>
      <Loaded asked={asked}>
        {({ items }) => (
          <Table
            caption={words.holdersCaption}
            rows={items}
            keyOf={({ account }) => account}
            columns={[
              { name: 'who', title: words.who, cell: ({ account }) => <AddressText address={account} /> },
              {
                name: 'shares',
                title: words.sharesTitle,
                isNumber: true,
                cell: (holder) => <TokenAmount value={holder.shares} token={shares} />,
              },
              {
                name: 'part',
                title: words.part,
                isNumber: true,
                cell: ({ partPpm }) => <span className="number">{(partPpm / 10_000).toFixed(2)} %</span>,
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
