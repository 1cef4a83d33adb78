import type { TenderDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { Moment } from '../parts/moment.tsx'
import { Loaded } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'

/** Every movement of the vault, and who put in what. */
export function MoneyFlow({ tender }: { tender: TenderDetail }): ReactElement {
  const { tender: words } = useMessages()
  const key = { chainId: String(tender.chainId), contract: tender.contract, tokenId: tender.tokenId }
  const asked = useQuery({
    queryKey: ['movements', key],
    queryFn: ({ signal }) => api.movements(key, { limit: 100 }, signal),
  })
  return (
    <section className="panel stack">
      <h2>{words.flow}</h2>
      <Table
        caption={words.funders}
        rows={tender.funders}
        keyOf={({ account }) => account}
        nothing={words.noFunders}
        columns={[
          { name: 'who', title: words.who, cell: ({ account }) => <AddressText address={account} /> },
          {
            name: 'in',
            title: words.contributed,
            isNumber: true,
            cell: ({ contributed }) => <TokenAmount value={contributed} token={tender.asset} />,
          },
          {
            name: 'out',
            title: words.refunded,
            isNumber: true,
            cell: ({ refunded }) => <TokenAmount value={refunded} token={tender.asset} />,
          },
        ]}
      />
      <Loaded asked={asked}>
        {({ items }) => (
          <Table
            caption={words.movements}
            rows={items}
            keyOf={({ place }) => `${place.block}/${place.logIndex}`}
            columns={[
              { name: 'kind', title: words.what, cell: ({ kind }) => words.kinds[kind] },
              { name: 'who', title: words.who, cell: ({ account }) => <AddressText address={account} /> },
              {
                name: 'amount',
                title: words.amountWord,
                isNumber: true,
                cell: ({ amount, asset }) => (
                  <TokenAmount value={amount} token={asset === null ? tender.asset : null} />
                ),
              },
              { name: 'at', title: words.when, cell: ({ place }) => <Moment atSec={place.timeSec} /> },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
