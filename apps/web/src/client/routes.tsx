import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Frame, NotFound } from './frame.tsx'
import { readAgentsSearch, readMarketSearch, readTabSearch } from './search.ts'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })
const under = { getParentRoute: () => root } as const

const market = createRoute({
  ...under,
  path: '/',
  validateSearch: readMarketSearch,
  component: lazyRouteComponent(() => import('./pages/market.tsx'), 'MarketPage'),
})
const tender = createRoute({
  ...under,
  path: '/tender/$chainId/$contract/$tokenId',
  component: lazyRouteComponent(() => import('./pages/tender.tsx'), 'TenderPage'),
})
const agents = createRoute({
  ...under,
  path: '/agents',
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => import('./pages/agents.tsx'), 'AgentsPage'),
})
const agent = createRoute({
  ...under,
  path: '/agent/$chainId/$address',
  validateSearch: readTabSearch,
  component: lazyRouteComponent(() => import('./pages/agent.tsx'), 'AgentPage'),
})
const desk = createRoute({
  ...under,
  path: '/desk',
  component: lazyRouteComponent(() => import('./pages/desk.tsx'), 'DeskPage'),
})
const account = createRoute({
  ...under,
  path: '/account/$address',
  component: lazyRouteComponent(() => import('./pages/desk.tsx'), 'AccountPage'),
})
const evidence = createRoute({
  ...under,
  path: '/evidence',
  component: lazyRouteComponent(() => import('./pages/evidence.tsx'), 'EvidencePage'),
})
const audit = createRoute({
  ...under,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit.tsx'), 'AuditPage'),
})

/** The pages by their addresses. */
export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([market, tender, agents, agent, desk, account, evidence, audit]),
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}
