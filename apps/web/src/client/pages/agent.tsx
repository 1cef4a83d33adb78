import type { AgentDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense } from 'react'
import { Act } from '../acts/act.tsx'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { Change30 } from '../parts/change.tsx'
import { Differences } from '../parts/differences.tsx'
import { Moment } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded } from '../parts/states.tsx'
import { symbolOf, TokenAmount } from '../parts/token-amount.tsx'
import { Actions } from './agent-actions.tsx'
import { Books } from './agent-books.tsx'
import { Earnings } from './agent-earnings.tsx'
import { Holders, Requests } from './agent-requests.tsx'
import { Roles } from './agent-roles.tsx'
import { ScopePanel } from './agent-scope.tsx'

const RateChart = lazy(async () => ({ default: (await import('./rate-chart.tsx')).RateChart }))

const route = getRouteApi('/agent/$chainId/$address')
const TABS = ['books', 'earnings', 'actions', 'requests', 'scope', 'roles', 'holders'] as const
type Tab = (typeof TABS)[number]

/** One Agent: what is it worth, why, how do I get out, and what did it do on what grounds. */
export function AgentPage(): ReactElement {
  const key = route.useParams()
  const asked = useQuery({ queryKey: ['agent', key], queryFn: ({ signal }) => api.agent(key, signal) })
  return (
    <Loaded asked={asked}>
      {(agent) => (
        <>
          <Head agent={agent} />
          <Tabs agent={agent} />
        </>
      )}
    </Loaded>
  )
}

function Head({ agent }: { agent: AgentDetail }): ReactElement {
  const { agent: words, agents, market } = useMessages()
  const unit = symbolOf(agent.acceptToken)
  const acts = () => import('../acts/agent-acts.ts')
  return (
    <section className="panel stack">
      <h1>{agent.name === null ? agents.unnamed : plainLine(agent.name, 64)}</h1>
      <p>
        <AddressText address={agent.address} role={words.agent} />{' '}
        {agent.origin === 'foreign' ? <span className="mark warn">{market.foreign}</span> : null}
        {agent.isPaused ? <span className="mark warn">{agents.paused}</span> : null}
        {agent.isHalted ? <span className="mark bad">{words.halted}</span> : null}
      </p>
      <dl className="facts">
        <dt>{agents.rate}</dt>
        <dd>
          <strong>
            <TokenAmount value={agent.rate} token={agent.acceptToken} />
          </strong>{' '}
          {words.aShare}, <Change30 agent={agent} />{' '}
          {agent.rateAtSec === null ? null : (
            <small className="soft">
              {words.published} <Moment atSec={agent.rateAtSec} />
            </small>
          )}
        </dd>
        <dt>{agents.capital}</dt>
        <dd>
          <TokenAmount value={agent.capitalAtRate} token={agent.acceptToken} />
        </dd>
        <dt>{words.waitingIn}</dt>
        <dd>
          <TokenAmount value={agent.pendingAssets} token={agent.acceptToken} />
        </dd>
        <dt>{words.waitingOut}</dt>
        <dd>
          <TokenAmount
            value={agent.pendingShares}
            token={{ address: agent.address, symbol: words.shares, name: null, decimals: agent.decimals }}
          />
        </dd>
        <dt>{words.wayOut}</dt>
        <dd>
          {words.wayOutText(agent.reclaimHorizonSec === null ? undefined : Number(agent.reclaimHorizonSec) / 3600)}
        </dd>
      </dl>
      <div className="row">
        <Act
          label={words.buy}
          chainId={agent.chainId}
          fields={[
            { name: 'amount', label: words.amount(unit) },
            { name: 'limit', label: words.worstBuy(unit), hint: words.limitHint },
          ]}
          plan={async () => (await acts()).planDeposit(agent)}
          next={words.afterRequest}
        />
        <Act
          label={words.sell}
          chainId={agent.chainId}
          fields={[
            { name: 'shares', label: words.sharesAmount },
            { name: 'limit', label: words.worstSell(unit), hint: words.limitHint },
          ]}
          plan={async () => (await acts()).planRedemption(agent)}
          next={words.afterRequest}
        />
        <Act label={words.takeBack} chainId={agent.chainId} plan={async () => (await acts()).planTakingBack(agent)} />
      </div>
      <Suspense fallback={null}>
        <RateChart agent={agent} />
      </Suspense>
    </section>
  )
}

function Tabs({ agent }: { agent: AgentDetail }): ReactElement {
  const { agent: words } = useMessages()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const tab: Tab = TABS.find((name) => name === search.tab) ?? 'books'
  return (
    <>
      <nav className="bar" aria-label={words.parts}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === tab ? 'true' : undefined}
            className={name === tab ? 'main' : undefined}
            onClick={() => void navigate({ search: { tab: name } })}
          >
            {words.tabs[name]}
          </button>
        ))}
      </nav>
      <TabContent tab={tab} agent={agent} />
    </>
  )
}

function TabContent({ tab, agent }: { tab: Tab; agent: AgentDetail }): ReactElement {
  switch (tab) {
    case 'books':
      return (
        <>
          <Books agent={agent} />
          <Differences
            differences={agent.differences}
            reconciledAtSec={agent.reconciledAtSec}
            token={agent.acceptToken}
          />
        </>
      )
    case 'earnings':
      return <Earnings agent={agent} />
    case 'actions':
      return <Actions agent={agent} />
    case 'requests':
      return <Requests agent={agent} />
    case 'scope':
      return <ScopePanel agent={agent} />
    case 'roles':
      return <Roles agent={agent} />
    case 'holders':
      return <Holders agent={agent} />
    default:
      return tab satisfies never
  }
}
