import type { AgentDetail } from '@oikos/indexer/rest'
import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { Nothing } from '../parts/states.tsx'
import { TokenAmount } from '../parts/token-amount.tsx'

/** The books as steps: what is held, what others own of it, what positions are worth, and what that makes a share. */
export function Books({ agent }: { agent: AgentDetail }): ReactElement {
  const { books: words } = useMessages()
  const { books, acceptToken } = agent
  if (books === null)
    return (
      <section className="panel">
        <h2>{words.title}</h2>
        <Nothing>{words.never}</Nothing>
      </section>
    )
  const balance = BigInt(books.balance)
  const reserve = BigInt(books.reserve)
  const valued = BigInt(books.valued)
  const free = balance > reserve ? balance - reserve : 0n
  const assets = free + valued
  const largest = [balance, assets, 1n].reduce((a, b) => (a > b ? a : b))
  const steps: readonly {
    readonly name: keyof typeof words.steps
    readonly value: bigint
    readonly from: bigint
    readonly size: bigint
  }[] = [
    { name: 'balance', value: balance, from: 0n, size: balance },
    { name: 'reserve', value: -reserve, from: free, size: balance - free },
    { name: 'valued', value: valued, from: free, size: valued },
    { name: 'assets', value: assets, from: 0n, size: assets },
  ]
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      <p className="soft">{words.atBlock(books.block)}</p>
      <dl className="waterfall">
        {steps.map(({ name, value, from, size }) => (
          <div key={name}>
            <dt>{words.steps[name]}</dt>
            <dd>
              <TokenAmount value={value.toString()} token={acceptToken} />
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect x={percent(from, largest)} width={percent(size, largest)} height="6" className={`step ${name}`} />
              </svg>
            </dd>
          </div>
        ))}
      </dl>
      <dl className="facts">
        <dt>{words.supply}</dt>
        <dd>
          <TokenAmount
            value={(BigInt(books.supply) + BigInt(books.unclaimed)).toString()}
            token={{ address: agent.address, symbol: words.shares, name: null, decimals: agent.decimals }}
          />
        </dd>
        <dt>{words.perShare}</dt>
        <dd>
          {books.rate === null ? (
            <span className="mark bad">{words.noRate}</span>
          ) : (
            <TokenAmount value={books.rate} token={acceptToken} />
          )}
        </dd>
        <dt>{words.fees}</dt>
        <dd>
          {words.feeText(percentOf(agent.mintFeeBps), percentOf(agent.redeemFeeBps))}{' '}
          <TokenAmount value={books.feesOwed} token={acceptToken} /> {words.owed}
        </dd>
      </dl>
    </section>
  )
}

/** A part in hundredths, for the length of a bar only. */
function percent(part: bigint, whole: bigint): number {
  return Number((part * 10_000n) / whole) / 100
}

function percentOf(bps: number | null): string {
  return bps === null ? '–' : `${(bps / 100).toFixed(2)} %`
}
