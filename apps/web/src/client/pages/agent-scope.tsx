import type { AgentDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { Moment } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useWallet } from '../wallet/wallet.tsx'

/** What the Executor may do, in sentences that this browser made from the contract, and how that came about. */
export function ScopePanel({ agent }: { agent: AgentDetail }): ReactElement {
  const { scope: words } = useMessages()
  const { reader, chains } = useWallet()
  const key = { chainId: String(agent.chainId), address: agent.address }
  const sentences = useQuery({
    queryKey: ['scope-sentences', key, agent.updatedAt.block],
    queryFn: async () => {
      const { readScopeSentences } = await import('../verify/scope-sentences.ts')
      return readScopeSentences(await reader(agent.chainId), agent)
    },
    enabled: agent.scope !== null && chains.length > 0,
  })
  const history = useQuery({ queryKey: ['scope', key], queryFn: ({ signal }) => api.scope(key, signal) })
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      {agent.scope === null ? (
        <p className="notice">{words.unknown}</p>
      ) : (
        <Loaded asked={sentences}>
          {(scope) => (
            <>
              <p className="soft">{words.read(scope.block)}</p>
              {scope.isComplete ? null : <p className="notice">{words.incomplete}</p>}
              <ul>
                {scope.sentences.map((sentence) => (
                  <li key={sentence}>{plainLine(sentence, 600)}</li>
                ))}
              </ul>
              {scope.pending.map((change) => (
                <div key={String(change.readyAtSec)} className="notice">
                  <p>
                    {words.pending} <Moment atSec={change.readyAtSec.toString()} />
                  </p>
                  <ul>
                    {change.sentences.map((sentence) => (
                      <li key={sentence}>{plainLine(sentence, 600)}</li>
                    ))}
                  </ul>
                </div>
              ))}
            </>
          )}
        </Loaded>
      )}
      <h3>{words.history}</h3>
      <Loaded asked={history}>
        {(scope) => (
          <Table
            caption={words.historyCaption}
            rows={scope.history}
            keyOf={({ place }) => `${place.block}/${place.logIndex}`}
            columns={[
              { name: 'at', title: words.when, cell: ({ place }) => <Moment atSec={place.timeSec} /> },
              { name: 'what', title: words.what, cell: ({ kind }) => words.kinds[kind] },
              { name: 'by', title: words.by, cell: ({ by }) => (by === null ? '–' : <AddressText address={by} />) },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
