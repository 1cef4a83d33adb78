import { lazy, type ReactElement, Suspense } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { Said } from './verdict.tsx'

const StrangerMarkdown = lazy(async () => ({ default: (await import('./markdown.tsx')).StrangerMarkdown }))

/** Longest text of a stranger that is drawn. */
const SHOWN_CHARACTERS = 50_000

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A file of a package, drawn safely: Markdown without anything active, other text as text, everything else by its size. */
export function FileView({ path, bytes }: { path: string; bytes: Uint8Array | undefined }): ReactElement {
  const { files: words } = useMessages()
  if (bytes === undefined) return <p className="soft">{words.large}</p>
  const text = decode(bytes)
  if (text === undefined) return <p className="soft">{words.binary(bytes.length)}</p>
  const shown = text.slice(0, SHOWN_CHARACTERS)
  return (
    <Said>
      {path.toLowerCase().endsWith('.md') ? (
        <Suspense fallback={<pre>{shown}</pre>}>
          <StrangerMarkdown text={shown} />
        </Suspense>
      ) : (
        <pre>{shown}</pre>
      )}
      {shown.length < text.length ? <p className="soft">{words.cut}</p> : null}
    </Said>
  )
}
