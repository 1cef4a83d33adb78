import type { z } from 'zod'
import {
  accountSchema,
  actionPageSchema,
  activityPageSchema,
  agentDetailSchema,
  agentPageSchema,
  citationPageSchema,
  holderPageSchema,
  movementPageSchema,
  packagePageSchema,
  positionPageSchema,
  ratePageSchema,
  requestPageSchema,
  scopeSchema,
  statusSchema,
  submissionPageSchema,
  tenderDetailSchema,
  tenderPageSchema,
} from '../rest/types.ts'
import { getAccount } from './account-route.ts'
import {
  getAgent,
  listActions,
  listAgents,
  listCitations,
  listHolders,
  listPositions,
  listRates,
  listRequests,
} from './agent-routes.ts'
import { type pathSchemas, type querySchemas, readPath, readQuery } from './query.ts'
import type { Sources } from './rows.ts'
import { getScope } from './scope-route.ts'
import { getStatus, listActivity } from './status-routes.ts'
import { getTender, listMovements, listPackages, listSubmissions, listTenders } from './tender-routes.ts'

/** One question of the REST surface: its document and its answer come from the same row. */
export type Route = {
  /** Path with `:name` for what varies. */
  readonly path: string
  /** Name of the operation. */
  readonly name: string
  readonly summary: string
  readonly pathSchema: keyof typeof pathSchemas | undefined
  readonly querySchema: keyof typeof querySchemas
  readonly answerSchema: z.ZodType
  /** Whether the answer is a page, which CSV is given of, too. */
  readonly isList: boolean
  readonly answer: (sources: Sources, url: URL, path: Readonly<Record<string, string>>) => Promise<object>
}

const AGENT = '/v1/agents/:chainId/:address'
const TENDER = '/v1/tenders/:chainId/:contract/:tokenId'

/** Every question that has one answer; the stream and the document itself are beside them. */
export const routes: readonly Route[] = [
  {
    ...{
      path: '/v1/status',
      name: 'getStatus',
      summary: 'How far the index is, and whether it agrees with the chains.',
    },
    ...{ pathSchema: undefined, querySchema: 'nothing', answerSchema: statusSchema, isList: false },
    answer: (sources, url) => {
      readQuery(url, 'nothing')
      return getStatus(sources, Math.floor(Date.now() / 1_000))
    },
  },
  {
    ...{ path: '/v1/market', name: 'listTenders', summary: 'Tenders, filtered and sorted.' },
    ...{ pathSchema: undefined, querySchema: 'market', answerSchema: tenderPageSchema, isList: true },
    answer: (sources, url) => listTenders(sources, readQuery(url, 'market')),
  },
  {
    ...{ path: TENDER, name: 'getTender', summary: 'One tender with its versions, funders, credits and history.' },
    ...{ pathSchema: 'tender', querySchema: 'nothing', answerSchema: tenderDetailSchema, isList: false },
    answer: (sources, url, path) => {
      readQuery(url, 'nothing')
      return getTender(sources, readPath(path, 'tender'))
    },
  },
  {
    ...{ path: `${TENDER}/submissions`, name: 'listSubmissions', summary: 'Deliveries of a tender with their clocks.' },
    ...{ pathSchema: 'tender', querySchema: 'submissions', answerSchema: submissionPageSchema, isList: true },
    answer: (sources, url, path) => listSubmissions(sources, readPath(path, 'tender'), readQuery(url, 'submissions')),
  },
  {
    ...{
      path: `${TENDER}/movements`,
      name: 'listMovements',
      summary: 'Funding, rewards, credits and refunds of a vault.',
    },
    ...{ pathSchema: 'tender', querySchema: 'list', answerSchema: movementPageSchema, isList: true },
    answer: (sources, url, path) => listMovements(sources, readPath(path, 'tender'), readQuery(url, 'list')),
  },
  {
    ...{ path: '/v1/agents', name: 'listAgents', summary: 'Agents, filtered and sorted.' },
    ...{ pathSchema: undefined, querySchema: 'agents', answerSchema: agentPageSchema, isList: true },
    answer: (sources, url) => listAgents(sources, readQuery(url, 'agents')),
  },
  {
    ...{
      path: AGENT,
      name: 'getAgent',
      summary: 'One Agent with its roles, valuations, history and reconciled books.',
    },
    ...{ pathSchema: 'agent', querySchema: 'nothing', answerSchema: agentDetailSchema, isList: false },
    answer: (sources, url, path) => {
      readQuery(url, 'nothing')
      return getAgent(sources, readPath(path, 'agent'))
    },
  },
  {
    ...{ path: `${AGENT}/actions`, name: 'listActions', summary: 'What an Agent did, with the record that says why.' },
    ...{ pathSchema: 'agent', querySchema: 'actions', answerSchema: actionPageSchema, isList: true },
    answer: (sources, url, path) => listActions(sources, readPath(path, 'agent'), readQuery(url, 'actions')),
  },
  {
    ...{ path: `${AGENT}/requests`, name: 'listRequests', summary: 'Requests, settlements, claims and reclaims.' },
    ...{ pathSchema: 'agent', querySchema: 'requests', answerSchema: requestPageSchema, isList: true },
    answer: (sources, url, path) => listRequests(sources, readPath(path, 'agent'), readQuery(url, 'requests')),
  },
  {
    ...{ path: `${AGENT}/positions`, name: 'listPositions', summary: 'What accounts have pending and claimable.' },
    ...{ pathSchema: 'agent', querySchema: 'positions', answerSchema: positionPageSchema, isList: true },
    answer: (sources, url, path) => listPositions(sources, readPath(path, 'agent'), readQuery(url, 'positions')),
  },
  {
    ...{ path: `${AGENT}/rates`, name: 'listRates', summary: 'The published rates.' },
    ...{ pathSchema: 'agent', querySchema: 'list', answerSchema: ratePageSchema, isList: true },
    answer: (sources, url, path) => listRates(sources, readPath(path, 'agent'), readQuery(url, 'list')),
  },
  {
    ...{ path: `${AGENT}/holders`, name: 'listHolders', summary: 'Who holds shares, the largest first.' },
    ...{ pathSchema: 'agent', querySchema: 'list', answerSchema: holderPageSchema, isList: true },
    answer: (sources, url, path) => listHolders(sources, readPath(path, 'agent'), readQuery(url, 'list')),
  },
  {
    ...{ path: `${AGENT}/scope`, name: 'getScope', summary: 'The boundary of an Agent and its history.' },
    ...{ pathSchema: 'agent', querySchema: 'list', answerSchema: scopeSchema, isList: false },
    answer: (sources, url, path) => getScope(sources, readPath(path, 'agent'), readQuery(url, 'list')),
  },
  {
    ...{ path: '/v1/accounts/:address', name: 'getAccount', summary: 'What is an account’s, and what waits for it.' },
    ...{ pathSchema: 'account', querySchema: 'nothing', answerSchema: accountSchema, isList: false },
    answer: (sources, url, path) => {
      readQuery(url, 'nothing')
      return getAccount(sources, readPath(path, 'account'))
    },
  },
  {
    ...{ path: '/v1/activity', name: 'listActivity', summary: 'Every event, the oldest first.' },
    ...{ pathSchema: undefined, querySchema: 'feed', answerSchema: activityPageSchema, isList: true },
    answer: (sources, url) => listActivity(sources, readQuery(url, 'feed')),
  },
  {
    ...{
      path: '/v1/citations',
      name: 'listCitations',
      summary: 'Every cited record, the oldest first, for who checks them.',
    },
    ...{ pathSchema: undefined, querySchema: 'feed', answerSchema: citationPageSchema, isList: true },
    answer: (sources, url) => listCitations(sources, readQuery(url, 'feed')),
  },
  {
    ...{ path: '/v1/packages', name: 'listPackages', summary: 'Every version of every package, for who checks them.' },
    ...{ pathSchema: undefined, querySchema: 'feed', answerSchema: packagePageSchema, isList: true },
    answer: (sources, url) => listPackages(sources, readQuery(url, 'feed')),
  },
]
