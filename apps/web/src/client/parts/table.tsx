import type { ReactElement, ReactNode } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { Nothing } from './states.tsx'

/** A column: what it shows of a row, and whether the list can be ordered by it. */
export type Column<Row> = {
  readonly name: string
  readonly title: string
  readonly isNumber?: boolean
  readonly isSortable?: boolean
  readonly cell: (row: Row) => ReactNode
}

/** Order of a list, as its address says. */
export type Order = { readonly sort: string | undefined; readonly order: string | undefined }

/** A list as a table that scrolls sideways on a phone; its order is set by the headings. */
export function Table<Row>(props: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  order?: Order
  onOrder?: (order: Order) => void
  nothing?: string
}): ReactElement {
  const { caption, columns, rows, keyOf, order, onOrder, nothing } = props
  if (rows.length === 0) return <Nothing>{nothing}</Nothing>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard (WCAG 2.1.1)
    <section className="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} className={isNumber === true ? 'right' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Heading<Row>(props: {
  column: Column<Row>
  order: Order | undefined
  onOrder: ((order: Order) => void) | undefined
}): ReactElement {
  const { column, order, onOrder } = props
  const isBy = order?.sort === column.name
  const direction = isBy ? (order?.order === 'asc' ? 'ascending' : 'descending') : undefined
  const className = column.isNumber === true ? 'right' : undefined
  if (column.isSortable !== true || onOrder === undefined)
    return (
      <th scope="col" className={className}>
        {column.title}
      </th>
    )
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button
        type="button"
        onClick={() => onOrder({ sort: column.name, order: direction === 'descending' ? 'asc' : 'desc' })}
      >
        {column.title}
        <span aria-hidden="true"> {direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓'}</span>
      </button>
    </th>
  )
}

/** The way to the next page and back to the first. */
export function Pages(props: {
  cursor: string | undefined
  nextCursor: string | null
  onCursor: (cursor: string | undefined) => void
}): ReactElement | null {
  const { pages } = useMessages()
  const { cursor, nextCursor, onCursor } = props
  if (cursor === undefined && nextCursor === null) return null
  return (
    <nav className="row" aria-label={pages.label}>
      <button type="button" disabled={cursor === undefined} onClick={() => onCursor(undefined)}>
        {pages.first}
      </button>
      <button type="button" disabled={nextCursor === null} onClick={() => onCursor(nextCursor ?? undefined)}>
        {pages.next}
      </button>
    </nav>
  )
}
