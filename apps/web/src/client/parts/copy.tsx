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
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" className="glyph">
        <path d={isCopied ? 'M3 8.5 6.5 12 13 4.5' : 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8'} />
      </svg>
      <span className="unseen" role="status">
        {isCopied ? copy.copied : ''}
      </span>
    </button>
  )
}
