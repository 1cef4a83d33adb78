import { type ReactElement, useState } from 'react'
import { useMessages } from '../messages/use-messages.ts'

/** Copies a whole value that the page shows shortened. */
export function Copy({ value, what }: { value: string; what: string }): ReactElement {
  const { copy } = useMessages()
  const [isCopied, setCopied] = useState(false)
  const onClick = (): void => {
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 1_500)
      },
      () => setCopied(false),
    )
  }
  return (
    <button type="button" className="bare" onClick={onClick} aria-label={`${copy.copy} ${what}`} title={copy.copy}>
      <span aria-hidden="true">{isCopied ? '✓' : '⧉'}</span>
      <span className="unseen" role="status">
        {isCopied ? copy.copied : ''}
      </span>
    </button>
  )
}
