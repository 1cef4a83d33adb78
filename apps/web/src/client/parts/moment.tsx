import { createContext, type ReactElement, useContext, useEffect, useState } from 'react'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How far a moment is from now, in words of the reader's language. */
export function relative(atSec: number, nowSec: number, locale?: string): string {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const distance = atSec - nowSec
  for (const [unit, seconds] of UNITS) {
    if (Math.abs(distance) >= seconds) return words.format(Math.trunc(distance / seconds), unit)
  }
  return words.format(Math.trunc(distance), 'second')
}

/** Unix seconds of the reader's clock, renewed every few seconds. */
function useNowSec(everyMs = 5_000): number {
  const [nowSec, setNowSec] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setNowSec(Math.floor(Date.now() / 1000)), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowSec
}

/**
 * How far the clock of the chain is ahead of the reader's, in seconds: contracts go by the former, and a local chain is moved
 * by whoever plays on it. Zero while they agree within two minutes.
 */
export const ChainAheadContext = createContext(0)

/** Unix seconds as the chain counts them, as far as the page knows. */
export function useChainNowSec(): number {
  return useNowSec() + useContext(ChainAheadContext)
}

/** A moment: relative, with the absolute time of the reader's zone in the title. Zero means that there is none. */
export function Moment(props: {
  atSec: number | string | null
  /** Whose clock set it: the chain's, unless it is the time of one of our own checks. */
  clock?: 'chain' | 'reader'
}): ReactElement {
  const { atSec, clock = 'chain' } = props
  const [chainNowSec, readerNowSec] = [useChainNowSec(), useNowSec()]
  const nowSec = clock === 'chain' ? chainNowSec : readerNowSec
  const seconds = Number(atSec ?? 0)
  const date = new Date(seconds * 1000)
  if (seconds === 0 || Number.isNaN(date.getTime())) return <span className="soft">–</span>
  return (
    <time
      dateTime={date.toISOString()}
      title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}
    >
      {relative(seconds, nowSec)}
    </time>
  )
}
