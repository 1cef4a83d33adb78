import type { TenderWarning } from '@oikos/indexer/rest'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'

/** What a careful buyer or fulfiller would want to be told, as marks in a row. */
export function WarningMarks({ warnings }: { warnings: readonly TenderWarning[] }): ReactElement {
  const words = useMessages().warnings
  return (
    <>
      {warnings.map((warning) => (
        <span key={warning} className="mark warn" title={words[warning].long}>
          <span aria-hidden="true">!</span> {words[warning].short}
        </span>
      ))}
    </>
  )
}

/** The same as sentences. */
export function WarningSentences({ warnings }: { warnings: readonly TenderWarning[] }): ReactElement | null {
  const words = useMessages().warnings
  if (warnings.length === 0) return null
  return (
    <div className="notice">
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{words[warning].long}</li>
        ))}
      </ul>
    </div>
  )
}
