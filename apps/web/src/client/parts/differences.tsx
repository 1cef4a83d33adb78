import type { Difference, Token } from '@oikos/indexer/rest'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { Moment } from './moment.tsx'
import { plainLine } from './plain.ts'
import { Table } from './table.tsx'
import { TokenAmount } from './token-amount.tsx'

/** Where the index and the contract do not say the same: shown, never mended in silence. */
export function Differences(props: {
  differences: readonly Difference[]
  reconciledAtSec: number | null
  token: Token | null
}): ReactElement {
  const { differences, reconciledAtSec, token } = props
  const { differences: words } = useMessages()
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      {reconciledAtSec === null ? (
        <p className="soft">{words.never}</p>
      ) : (
        <p className="soft">
          {words.compared} <Moment atSec={reconciledAtSec} clock="reader" />
        </p>
      )}
      <Table
        caption={words.caption}
        rows={differences}
        keyOf={({ subject, field, block }) => `${subject}/${field}/${block}`}
        nothing={words.nothing}
        columns={[
          { name: 'what', title: words.what, cell: ({ field, subject }) => `${field} ${plainLine(subject, 50)}` },
          { name: 'kind', title: words.kind, cell: ({ kind }) => words.kinds[kind] },
          {
            name: 'indexed',
            title: words.indexed,
            isNumber: true,
            cell: ({ indexed }) => <TokenAmount value={indexed} token={token} />,
          },
          {
            name: 'chain',
            title: words.chain,
            isNumber: true,
            cell: ({ onChain }) => <TokenAmount value={onChain} token={token} />,
          },
          { name: 'block', title: words.block, isNumber: true, cell: ({ block }) => block },
        ]}
      />
    </section>
  )
}
