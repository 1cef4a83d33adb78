import { useMutation } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { FileDrop } from '../parts/file-drop.tsx'
import { plainLine } from '../parts/plain.ts'
import { Failed } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { type AuditSummary, readAuditReport } from '../verify/audit-report.ts'

/** Drop the JSON of `oikos audit`: the page shows it; what it says was found by whoever ran it. */
export function AuditPage(): ReactElement {
  const { audit: words } = useMessages()
  const read = useMutation({
    mutationFn: async ([file]: readonly File[]) => {
      if (file === undefined) throw new Error(words.choose)
      return readAuditReport(await file.text())
    },
  })
  return (
    <>
      <section className="panel stack">
        <h1>{words.title}</h1>
        <p>{words.what}</p>
        <p>
          <code>{words.command}</code>
        </p>
        <FileDrop label={words.choose} onFiles={(files) => read.mutate(files)} />
        {read.error === null ? null : <Failed error={read.error} again={() => read.reset()} />}
      </section>
      {read.data === undefined ? null : <Report report={read.data} />}
    </>
  )
}

function Report({ report }: { report: AuditSummary }): ReactElement {
  const { audit: words } = useMessages()
  const tone = report.status === 'verified' ? 'good' : report.status === 'refused' ? 'bad' : 'unknown'
  return (
    <section className="panel stack">
      <h2>{words.kinds[report.kind]}</h2>
      <p>
        <span className={`mark ${tone}`}>{words.statuses[report.status]}</span>{' '}
        <small className="soft">{words.claimOf}</small>
      </p>
      <dl className="facts">
        {report.facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{plainLine(name, 60)}</dt>
            <dd>
              <code>{plainLine(value, 120)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <Table
        caption={words.counts}
        rows={report.counts}
        keyOf={({ code }) => code}
        nothing={words.noFindings}
        columns={[
          { name: 'code', title: words.code, cell: ({ code }) => <code>{plainLine(code, 80)}</code> },
          { name: 'count', title: words.count, isNumber: true, cell: ({ count }) => count },
        ]}
      />
      <Table
        caption={words.findings}
        rows={report.findings}
        keyOf={({ code, where, message }) => `${code} ${where} ${message}`}
        nothing={words.noFindings}
        columns={[
          { name: 'code', title: words.code, cell: ({ code }) => <code>{plainLine(code, 80)}</code> },
          { name: 'where', title: words.where, cell: ({ where }) => plainLine(where, 120) },
          { name: 'message', title: words.message, cell: ({ message }) => plainLine(message, 400) },
        ]}
      />
    </section>
  )
}
