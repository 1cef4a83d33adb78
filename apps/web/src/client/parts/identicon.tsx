import type { ReactElement } from 'react'

/** A small picture of an address, so that two that look alike in short form can be told apart. Decorative. */
export function Identicon({ address }: { address: string }): ReactElement {
  const hex = address.toLowerCase().replace(/^0x/, '').padEnd(40, '0')
  const hue = Number.parseInt(hex.slice(0, 4), 16) % 360
  const cells: ReactElement[] = []
  for (let row = 0; row < 5; row += 1)
    for (let column = 0; column < 3; column += 1) {
      const isOn = Number.parseInt(hex[row * 3 + column + 4] ?? '0', 16) % 2 === 1
      if (!isOn) continue
      for (const x of new Set([column, 4 - column]))
        cells.push(<rect key={`${x}.${row}`} x={x} y={row} width="1" height="1" />)
    }
  return (
    <svg viewBox="0 0 5 5" width="16" height="16" aria-hidden="true" fill={`hsl(${hue} 45% 45%)`}>
      {cells}
    </svg>
  )
}
