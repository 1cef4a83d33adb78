import type { AgentAction, AgentDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { api, csvHref } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText, shortHex } from '../parts/address.tsx'
import { Copy } from '../parts/copy.tsx'
import { Moment } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded, Nothing } from '../parts/states.tsx'
import { Pages } from '../parts/table.tsx'
import { Said, VerdictMark } from '../parts/verdict.tsx'
import { useWallet } from '../wallet/wallet.tsx'

const route = getRouteApi('/agent/$chainId/$address')

/** Everything the Agent did, newest first: the call, the record that says why, and what we think of that record. */
export function Actions({ agent }: { agent: AgentDetail }): ReactElement {
  const { actions: words, market } = useMessages()
  const key = { chainId: String(agent.chainId), address: agent.address }
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = useQuery({
    queryKey: ['actions', key, cursor],
    queryFn: ({ signal }) => api.actions(key, { cursor, limit: 25 }, signal),
  })
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      <a href={csvHref(`/agents/${key.chainId}/${key.address}/actions`, {})} download="actions.csv">
        {market.csv}
      </a>
      <Loaded asked={asked}>
        {(page) =>
          page.items.length === 0 ? (
            <Nothing>{words.nothing}</Nothing>
          ) : (
            <>
              <ol className="timeline">
                {page.items.map((action) => (
                  <li key={`${action.place.block}/${action.place.logIndex}`}>
                    <ActionRow action={action} />
                  </li>
                ))}
              </ol>
              <Pages
                cursor={cursor}
                nextCursor={page.nextCursor}
                onCursor={(next) =>
                  void navigate({ search: { tab: 'actions', ...(next === undefined ? {} : { cursor: next }) } })
                }
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function ActionRow({ action }: { action: AgentAction }): ReactElement {
  const { actions: words } = useMessages()
  return (
    <article className="stack">
      <p>
        <strong>{words.kinds[action.kind]}</strong>{' '}
        {action.action === null ? null : <code>{plainLine(action.action, 40)}</code>}{' '}
        {action.target === null ? null : <AddressText address={action.target} role={words.target[action.kind]} />}{' '}
        <small className="soft">
          <Moment atSec={action.place.timeSec} />, {words.block(action.place.block)},{' '}
          <code title={action.place.tx}>{shortHex(action.place.tx)}</code>
          <Copy value={action.place.tx} what={words.transaction} />
        </small>
      </p>
      <DecodedCall action={action} />
      <p>
        {words.record} <VerdictMark verdict={action.record.verdict} />{' '}
        {action.isReplayed ? <span className="mark bad">{words.replayed}</span> : null}
      </p>
      <RecordHere action={action} />
    </article>
  )
}

/** What the call says, where its function is one that is known here; the decoding is loaded when there is one. */
function DecodedCall({ action }: { action: AgentAction }): ReactElement | null {
  const { actions: words } = useMessages()
  const { callData } = action
  const asked = useQuery({
    queryKey: ['call', callData],
    queryFn: async () => (await import('../verify/known-calls.ts')).describeCall(callData ?? '') ?? null,
    enabled: callData !== null && callData.length > 2,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (asked.data === undefined || asked.data === null) return null
  return (
    <p>
      {words.call} <code>{plainLine(asked.data, 400)}</code>
    </p>
  )
}

/** The record as this browser fetched and judged it. */
function RecordHere({ action }: { action: AgentAction }): ReactElement {
  const { actions: words, verdict: verdictWords } = useMessages()
  const { reader } = useWallet()
  const [isOpen, setOpen] = useState(false)
  const asked = useQuery({
    queryKey: ['record', action.chainId, action.record.hash, action.place.tx],
    queryFn: async ({ signal }) => {
      const { checkRecord } = await import('../verify/record.ts')
      return checkRecord(await reader(action.chainId), { action, signal })
    },
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {verdictWords.checkHere}
      </button>
    )
  return (
    <Loaded asked={asked}>
      {(check) => {
        if (check.ok === undefined) return <p className="notice">{plainLine(check.message)}</p>
        const { record, findings, bound } = check.verdict
        const codes = findings.map(({ code }) => code)
        return (
          <div className="stack">
            <p>
              {words.browser}{' '}
              <VerdictMark
                verdict={{ state: check.ok ? 'verified' : 'refused', codes, checkedAtSec: check.checkedAtSec }}
              />{' '}
              <span className="mark unknown">{bound ? words.bound : words.unbound}</span>
            </p>
            {record === undefined ? null : (
              <Said>
                <p>{plainLine(record.claims.decision, 2_000)}</p>
                {record.claims.rationale === undefined ? null : <p>{plainLine(record.claims.rationale, 4_000)}</p>}
                {record.claims.model === undefined ? null : (
                  <p className="soft">
                    {words.model} {plainLine(record.claims.model)}
                  </p>
                )}
              </Said>
            )}
            {check.evidence.length === 0 ? null : (
              <p>
                {words.evidence}{' '}
                {check.evidence.map((digest) => (
                  <code key={digest}>{digest}</code>
                ))}
              </p>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
