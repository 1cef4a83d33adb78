import { Link, Outlet } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { type LiveHead, useLive } from './api/live.ts'
import { useMessages } from './messages/use-messages.ts'
import { ChainAheadContext } from './parts/moment.tsx'
import { ThemeChoice } from './parts/theme-choice.tsx'
import { AccountChoice } from './wallet/account-choice.tsx'

/** What surrounds every page: where one is, what else there is, who one is, and how fresh the index is. */
export function Frame(): ReactElement {
  const { brand, skip, navigation } = useMessages()
  const head = useLive()
  return (
    <ChainAheadContext value={head?.aheadSec ?? 0}>
      <a className="skip" href="#content">
        {skip}
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          {brand}
        </Link>
        <nav aria-label={brand}>
          <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
            {navigation.market}
          </Link>
          <Link to="/agents">{navigation.agents}</Link>
          <Link to="/desk">{navigation.desk}</Link>
          <Link to="/evidence">{navigation.evidence}</Link>
          <Link to="/audit">{navigation.audit}</Link>
        </nav>
        <div className="end">
          <Freshness head={head} />
          <ThemeChoice />
          <AccountChoice />
        </div>
      </header>
      <main id="content" className="page" tabIndex={-1}>
        <Outlet />
      </main>
    </ChainAheadContext>
  )
}

function Freshness({ head }: { head: LiveHead | undefined }): ReactElement {
  const { live } = useMessages()
  return (
    <small className="soft" role="status" aria-live="off">
      {head === undefined ? live.away : live.block(head.block)}
    </small>
  )
}

/** An address that leads nowhere. */
export function NotFound(): ReactElement {
  const { state, navigation } = useMessages()
  return (
    <div className="panel">
      <h1>{state.notFound}</h1>
      <Link to="/">{navigation.market}</Link>
    </div>
  )
}
