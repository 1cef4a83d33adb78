import type { ReactElement, ReactNode } from 'react'
import { useMessages } from '../messages/use-messages.ts'

/** What a query looks like to a page, as TanStack Query gives it. */
export type Asked<T> = {
  readonly data: T | undefined
  readonly error: Error | null
  readonly isPending: boolean
  readonly refetch: () => unknown
}

/** The four states of something that is read: reading, failed, stale, there. */
export function Loaded<T>({ asked, children }: { asked: Asked<T>; children: (data: T) => ReactNode }): ReactElement {
  const { state } = useMessages()
  if (asked.data !== undefined)
    return (
      <>
        {asked.error === null ? null : <Failed error={asked.error} again={asked.refetch} />}
        {children(asked.data)}
      </>
    )
  if (asked.error !== null) return <Failed error={asked.error} again={asked.refetch} />
  return (
    <p className="soft" role="status">
      {state.loading}
    </p>
  )
}

/** Something could not be read: what, why, and a way to try again. */
export function Failed({ error, again }: { error: Error; again: () => unknown }): ReactElement {
  const { state } = useMessages()
  return (
    <div className="notice bad" role="alert">
      <p>
        {state.failed} {error.message}
      </p>
      <button type="button" onClick={() => again()}>
        {state.again}
      </button>
    </div>
  )
}

/** A list without rows says so, and what would put one there. */
export function Nothing({ children }: { children?: ReactNode }): ReactElement {
  const { state } = useMessages()
  return <p className="soft">{children ?? state.nothing}</p>
}
