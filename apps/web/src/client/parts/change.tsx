import type { Agent } from '@oikos/indexer/rest'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'

/** Change between two rates in hundredths of a percent, cut towards zero. */
export function changeBps(before: string, now: string): bigint | undefined {
  const from = BigInt(before)
  return from === 0n ? undefined : ((BigInt(now) - from) * 10_000n) / from
}

/** A change as text with a sign; up and down are told by words for those who do not see, never by colour alone. */
export function formatBps(bps: bigint): string {
  const sign = bps < 0n ? '−' : '+'
  const size = bps < 0n ? -bps : bps
  return `${sign}${size / 100n}.${(size % 100n).toString().padStart(2, '0')} %`
}

/** How the rate moved in 30 days, or since birth where the Agent is younger. */
export function Change30({ agent }: { agent: Agent }): ReactElement {
  const { agents: words } = useMessages()
  const before = agent.rate30dAgo ?? agent.initialRate
  const bps = before === null || agent.rate === null ? undefined : changeBps(before, agent.rate)
  if (bps === undefined) return <span className="soft">–</span>
  return (
    <span className="number">
      {formatBps(bps)} {agent.rate30dAgo === null ? <small className="soft">{words.sinceBirth}</small> : null}
    </span>
  )
}
