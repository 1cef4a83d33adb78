import type { Account, DeskItem } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { Moment } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded, Nothing } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'
import { useWallet } from '../wallet/wallet.tsx'

const route = getRouteApi('/account/$address')

/** What waits for the visitor. */
export function DeskPage(): ReactElement {
  const { desk: words } = useMessages()
  const { actor } = useWallet()
  if (actor.kind === 'none')
    return (
      <section className="panel">
        <h1>{words.title}</h1>
        <Nothing>{words.nobody}</Nothing>
      </section>
    )
  return <Desk address={actor.address} />
}

/** What an account has, and what waits for it. */
export function AccountPage(): ReactElement {
  const { address } = route.useParams()
  return <Desk address={address.toLowerCase()} />
}

function Desk({ address }: { address: string }): ReactElement {
  const { desk: words } = useMessages()
  const asked = useQuery({ queryKey: ['account', address], queryFn: ({ signal }) => api.account(address, signal) })
  return (
    <>
      <section className="panel">
        <h1>{words.title}</h1>
        <AddressText address={address} />
      </section>
      <Loaded asked={asked}>
        {(account) => (
          <>
            <Waiting account={account} />
            <Holdings account={account} />
            <Powers account={account} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Place({ item }: { item: DeskItem }): ReactElement {
  const { desk: words } = useMessages()
  if (item.tokenId === null)
    return (
      <Link
        to="/agent/$chainId/$address"
        params={{ chainId: String(item.chainId), address: item.contract }}
        search={{ tab: 'requests' }}
      >
        {words.agent} <AddressText address={item.contract} bare />
      </Link>
    )
  return (
    <Link
      to="/tender/$chainId/$contract/$tokenId"
      params={{ chainId: String(item.chainId), contract: item.contract, tokenId: item.tokenId }}
    >
      {words.tender(item.tokenId)}
      {item.submissionId === null ? '' : ` ${words.submission(item.submissionId)}`}
    </Link>
  )
}

function Waiting({ account }: { account: Account }): ReactElement {
  const { desk: words } = useMessages()
  return (
    <section className="panel stack">
      <h2>{words.waiting}</h2>
      <Table
        caption={words.waitingCaption}
        rows={account.desk}
        keyOf={(item) => JSON.stringify([item.kind, item.contract, item.tokenId, item.submissionId, item.counterparty])}
        nothing={words.nothingWaits}
        columns={[
          { name: 'what', title: words.what, cell: ({ kind }) => words.kinds[kind] },
          { name: 'where', title: words.where, cell: (item) => <Place item={item} /> },
          {
            name: 'amount',
            title: words.amount,
            isNumber: true,
            cell: ({ amount, asset }) => <TokenAmount value={amount} token={asset} />,
          },
          {
            name: 'until',
            title: words.until,
            cell: ({ deadlineSec }) => (deadlineSec === null ? words.noClock : <Moment atSec={deadlineSec} />),
          },
          { name: 'loss', title: words.loss, cell: ({ loss }) => words.losses[loss] },
        ]}
      />
    </section>
  )
}

function Holdings({ account }: { account: Account }): ReactElement {
  const { desk: words } = useMessages()
  return (
    <section className="panel stack">
      <h2>{words.holdings}</h2>
      <Table
        caption={words.holdingsCaption}
        rows={account.holdings}
        keyOf={({ chainId, agent }) => `${chainId}/${agent}`}
        nothing={words.nothingHeld}
        columns={[
          {
            name: 'agent',
            title: words.agent,
            cell: ({ chainId, agent, name }) => (
              <Link to="/agent/$chainId/$address" params={{ chainId: String(chainId), address: agent }}>
                {name === null ? <AddressText address={agent} bare /> : plainLine(name, 60)}
              </Link>
            ),
          },
          {
            name: 'shares',
            title: words.shares,
            isNumber: true,
            cell: ({ shares }) => (
              <TokenAmount
                value={shares}
                token={{ address: account.account, symbol: words.sharesUnit, name: null, decimals: 18 }}
              />
            ),
          },
          {
            name: 'value',
            title: words.value,
            isNumber: true,
            cell: ({ valueAtRate, acceptToken }) => <TokenAmount value={valueAtRate} token={acceptToken} />,
          },
        ]}
      />
      {account.isTruncated ? <p className="notice">{words.truncated}</p> : null}
    </section>
  )
}

function Powers({ account }: { account: Account }): ReactElement {
  const { desk: words } = useMessages()
  return (
    <section className="panel stack">
      <h2>{words.powers}</h2>
      <Table
        caption={words.powersCaption}
        rows={account.roles}
        keyOf={(role) => JSON.stringify(role)}
        nothing={words.noPowers}
        columns={[
          { name: 'role', title: words.role, cell: ({ role }) => words.roles[role] },
          {
            name: 'where',
            title: words.where,
            cell: ({ contract, tokenId }) =>
              tokenId === null ? <AddressText address={contract} /> : words.tender(tokenId),
          },
        ]}
      />
    </section>
  )
}
