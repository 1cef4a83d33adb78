import type { AgentDetail } from '@oikos/indexer/rest'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { Moment } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Table } from '../parts/table.tsx'

/** Who may do what, whether one account has several powers, and every change of that. */
export function Roles({ agent }: { agent: AgentDetail }): ReactElement {
  const { roles: words } = useMessages()
  const executors = agent.executors.filter(({ isEnabled }) => isEnabled)
  const held = [
    ...(agent.owner === null ? [] : [[words.owner, agent.owner] as const]),
    ...(agent.guardian === null ? [] : [[words.guardian, agent.guardian] as const]),
    ...(agent.feeRecipient === null ? [] : [[words.feeRecipient, agent.feeRecipient] as const]),
    ...executors.map(({ account }) => [words.executor, account] as const),
  ]
  const several = [...new Set(held.map(([, account]) => account))]
    .map((account) => ({ account, roles: held.filter(([, holder]) => holder === account).map(([role]) => role) }))
    .filter(({ roles }) => roles.length > 1)
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      {several.map(({ account, roles }) => (
        <p key={account} className="notice">
          <AddressText address={account} /> {words.several(roles.join(', '))}
        </p>
      ))}
      <dl className="facts">
        {held.map(([role, account]) => (
          <div key={`${role} ${account}`} className="fact">
            <dt>{role}</dt>
            <dd>
              <AddressText address={account} />
            </dd>
          </div>
        ))}
      </dl>
      <Table
        caption={words.changes}
        rows={agent.changes}
        keyOf={({ place, kind }) => `${place.block}/${place.logIndex}/${kind}`}
        columns={[
          { name: 'at', title: words.when, cell: ({ place }) => <Moment atSec={place.timeSec} /> },
          { name: 'what', title: words.what, cell: ({ kind }) => words.kinds[kind] },
          {
            name: 'who',
            title: words.who,
            cell: ({ account }) => (account === null ? '–' : <AddressText address={account} />),
          },
          {
            name: 'details',
            title: words.details,
            cell: ({ details }) => (
              <small>
                {Object.entries(details)
                  .map(([name, value]) => `${plainLine(name, 40)} ${plainLine(value, 80)}`)
                  .join(', ')}
              </small>
            ),
          },
        ]}
      />
    </section>
  )
}
