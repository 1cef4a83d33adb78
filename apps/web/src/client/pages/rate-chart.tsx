import type { AgentDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { Moment } from '../parts/moment.tsx'
import { Table } from '../parts/table.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'

/** Points that are drawn. */
const POINTS = 200

/** The rate over time as a line, and the same numbers as a table for those who do not see lines. */
export function RateChart({ agent }: { agent: AgentDetail }): ReactElement | null {
  const { agent: words } = useMessages()
  const key = { chainId: String(agent.chainId), address: agent.address }
  const asked = useQuery({
    queryKey: ['rates', key],
    queryFn: ({ signal }) => api.rates(key, { limit: POINTS }, signal),
  })
  const rows = asked.data?.items ?? []
  const box = useRef<HTMLDivElement>(null)
  const decimals = agent.acceptToken?.decimals ?? 0
  useEffect(() => {
    const element = box.current
    const points = [...rows].sort((a, b) => a.place.timeSec - b.place.timeSec)
    if (element === null || points.length < 2) return
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    const plot = new uPlot(
      {
        width: Math.max(280, element.clientWidth),
        height: 180,
        legend: { show: false },
        axes: [{ stroke: colour('--ink-soft') }, { stroke: colour('--ink-soft'), size: 70 }],
        series: [{}, { stroke: colour('--accent'), width: 2 }],
      },
      [points.map(({ place }) => place.timeSec), points.map(({ rate }) => Number(rate) / 10 ** decimals)],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(280, element.clientWidth), height: 180 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [rows, decimals])
  if (rows.length < 2) return null
  return (
    <figure className="chart">
      <figcaption className="soft">{words.rateChart}</figcaption>
      <div ref={box} aria-hidden="true" />
      <details>
        <summary>{words.asTable}</summary>
        <Table
          caption={words.rateChart}
          rows={rows}
          keyOf={({ place }) => `${place.block}/${place.logIndex}`}
          columns={[
            { name: 'at', title: words.when, cell: ({ place }) => <Moment atSec={place.timeSec} /> },
            {
              name: 'rate',
              title: words.rate,
              isNumber: true,
              cell: ({ rate }) => <TokenAmount value={rate} token={agent.acceptToken} />,
            },
          ]}
        />
      </details>
    </figure>
  )
}
