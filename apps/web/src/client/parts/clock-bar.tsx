import type { ReactElement } from 'react'
import { Moment, useChainNowSec } from './moment.tsx'

/**
 * A clock that decides about money: how much of it has run, and who gains when it has run out. The bar is decoration; the
 * sentence says the same.
 */
export function ClockBar(props: { fromSec: number; untilSec: number; start: string; end: string }): ReactElement {
  const { fromSec, untilSec, start, end } = props
  const nowSec = useChainNowSec()
  const length = Math.max(1, untilSec - fromSec)
  const done = Math.min(1, Math.max(0, (nowSec - fromSec) / length))
  return (
    <div className="clock">
      <meter min={0} max={1} value={done} aria-label={`${start} … ${end}`} />
      <div className="ends">
        <small>
          {start} <Moment atSec={fromSec} />
        </small>
        <small>
          {end} <Moment atSec={untilSec} />
        </small>
      </div>
    </div>
  )
}
