import type { TraceEvent } from '@oikos/core/economic'
import { useMutation } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { shortHex } from '../parts/address.tsx'
import { Copy } from '../parts/copy.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { plainLine } from '../parts/plain.ts'
import { Failed } from '../parts/states.tsx'
import { VerdictMark } from '../parts/verdict.tsx'
import type { EvidenceCheck } from '../verify/evidence-files.ts'

/** Drop the Evidence of a payment: it is replayed here, in the browser, and nothing is sent anywhere. */
export function EvidencePage(): ReactElement {
  const { evidence: words } = useMessages()
  const check = useMutation({
    mutationFn: async (files: readonly File[]) =>
      (await import('../verify/evidence-files.ts')).checkEvidenceFiles(files),
  })
  return (
    <>
      <section className="panel stack">
        <h1>{words.title}</h1>
        <p>{words.what}</p>
        <FileDrop label={words.choose} onFiles={(files) => check.mutate(files)} />
        {check.error === null ? null : <Failed error={check.error} again={() => check.reset()} />}
      </section>
      {check.data === undefined ? null : <Replayed check={check.data} />}
    </>
  )
}

function Replayed({ check }: { check: EvidenceCheck }): ReactElement {
  const { evidence: words } = useMessages()
  const codes = check.findings.map(({ code }) => code)
  const result = check.evidence?.result
  return (
    <section className="panel stack">
      <h2>{words.verdict}</h2>
      <p role="status">
        <VerdictMark
          verdict={{ state: check.ok ? 'verified' : 'refused', codes, checkedAtSec: Math.floor(Date.now() / 1000) }}
        />{' '}
        {words.checked(check.checked.join(', '))}
      </p>
      {check.findings.length === 0 ? null : (
        <ul>
          {check.findings.map(({ document, code, message, detail }) => (
            <li key={`${document} ${code} ${detail ?? ''}`}>
              <code>{code}</code> {document}: {plainLine(message)} {detail === undefined ? '' : plainLine(detail)}
            </li>
          ))}
        </ul>
      )}
      {result === undefined ? null : (
        <dl className="facts">
          <dt>{words.result}</dt>
          <dd>{result.status}</dd>
          <dt>{words.transaction}</dt>
          <dd>{result.transaction_id === null ? '–' : <code>{result.transaction_id}</code>}</dd>
          <dt>{words.digest}</dt>
          <dd>
            <code>{check.digest}</code>
            {check.digest === undefined ? null : <Copy value={check.digest} what={words.digest} />}
          </dd>
        </dl>
      )}
      {check.trace === undefined ? null : (
        <>
          <h3>{words.track}</h3>
          <ol className="track">
            {check.trace.events.map((event) => (
              <li key={String(event.index)}>
                <Station event={event} />
              </li>
            ))}
          </ol>
        </>
      )}
      {check.unread.length === 0 ? null : (
        <p className="notice">{words.unread(check.unread.map((name) => plainLine(name, 60)).join(', '))}</p>
      )}
    </section>
  )
}

/** One station of the authority sequence: what happened, with what, and what came out. */
function Station({ event }: { event: TraceEvent }): ReactElement {
  const { evidence: words } = useMessages()
  return (
    <>
      <strong>{words.stations[event.kind]}</strong> {event.status}
      <br />
      <small className="soft">
        {event.input_digest === null ? null : (
          <>
            {words.from} <code title={event.input_digest}>{shortHex(event.input_digest.slice(7))}</code>{' '}
          </>
        )}
        {event.output_digest === null ? null : (
          <>
            {words.to} <code title={event.output_digest}>{shortHex(event.output_digest.slice(7))}</code>
          </>
        )}
      </small>
    </>
  )
}
