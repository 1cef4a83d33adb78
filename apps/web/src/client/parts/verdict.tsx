import type { Verdict } from '@oikos/indexer/rest'
import type { ReactElement, ReactNode } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { Moment } from './moment.tsx'

const SIGNS = {
  verified: ['good', '✓'],
  refused: ['bad', '✗'],
  pending: ['unknown', '?'],
  unavailable: ['unknown', '?'],
} as const

/** A verdict of ours: a sign, a word and its age, never a colour alone. Nobody having looked yet is a state of its own. */
export function VerdictMark({ verdict }: { verdict: Pick<Verdict, 'state' | 'codes' | 'checkedAtSec'> }): ReactElement {
  const words = useMessages().verdict
  const [tone, sign] = SIGNS[verdict.state]
  return (
    <span>
      <span className={`mark ${tone}`}>
        <span aria-hidden="true">{sign}</span> {words[verdict.state]}
      </span>
      {verdict.checkedAtSec === null ? null : (
        <small className="soft">
          {' '}
          <Moment atSec={verdict.checkedAtSec} clock="reader" />
        </small>
      )}
      {verdict.codes.length === 0 ? null : <code> {verdict.codes.join(', ')}</code>}
    </span>
  )
}

/** Words of somebody else, kept apart from facts and from our verdicts. */
export function Said({ children }: { children: ReactNode }): ReactElement {
  return (
    <blockquote className="said">
      {children}
      <footer className="soft">{useMessages().claimed}</footer>
    </blockquote>
  )
}
