import type { AgentDetail, Submission } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { Loaded } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'

/** What an Agent did for one tender, and what that earned. */
type Earning = {
  readonly chainId: number
  readonly contract: string
  readonly tokenId: string
  readonly delivered: number
  readonly accepted: number
  readonly waiting: number
  readonly earned: bigint
}

/** Adds up deliveries by tender; amounts in the smallest unit of the tender's asset. */
export function earningsOf(submissions: readonly Submission[]): readonly Earning[] {
  const byTender = new Map<string, Earning>()
  for (const { chainId, contract, tokenId, status, reward } of submissions) {
    const key = `${chainId}/${contract}/${tokenId}`
    const known = byTender.get(key) ?? { chainId, contract, tokenId, delivered: 0, accepted: 0, waiting: 0, earned: 0n }
    byTender.set(key, {
      ...known,
      delivered: known.delivered + 1,
      accepted: known.accepted + (status === 'accepted' ? 1 : 0),
      waiting: known.waiting + (status === 'pending' ? 1 : 0),
      earned: known.earned + (status === 'accepted' ? BigInt(reward ?? '0') : 0n),
    })
  }
  return [...byTender.values()]
}

/** What the Agent earned, tender by tender. */
export function Earnings({ agent }: { agent: AgentDetail }): ReactElement {
  const { earnings: words, market } = useMessages()
  const asked = useQuery({
    queryKey: ['account', agent.address],
    queryFn: ({ signal }) => api.account(agent.address, signal),
  })
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      <Loaded asked={asked}>
        {({ submissions }) => (
          <Table
            caption={words.caption}
            rows={earningsOf(submissions)}
            keyOf={({ chainId, contract, tokenId }) => `${chainId}/${contract}/${tokenId}`}
            nothing={words.nothing}
            columns={[
              {
                name: 'tender',
                title: market.tender,
                cell: ({ chainId, contract, tokenId }) => (
                  <Link
                    to="/tender/$chainId/$contract/$tokenId"
                    params={{ chainId: String(chainId), contract, tokenId }}
                  >
                    {market.untitled(tokenId)}
                  </Link>
                ),
              },
              { name: 'delivered', title: words.delivered, isNumber: true, cell: ({ delivered }) => delivered },
              { name: 'accepted', title: words.accepted, isNumber: true, cell: ({ accepted }) => accepted },
              { name: 'waiting', title: words.waiting, isNumber: true, cell: ({ waiting }) => waiting },
              { name: 'earned', title: words.earned, isNumber: true, cell: (earning) => <Earned earning={earning} /> },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}

/** The amount in the asset of the tender, which only the tender knows. */
function Earned({ earning }: { earning: Earning }): ReactElement {
  const key = { chainId: String(earning.chainId), contract: earning.contract, tokenId: earning.tokenId }
  const { data } = useQuery({ queryKey: ['tender', key], queryFn: ({ signal }) => api.tender(key, signal) })
  return <TokenAmount value={data === undefined ? null : earning.earned.toString()} token={data?.asset ?? null} />
}
