import { Link } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText } from '../parts/address.tsx'
import { useWallet } from './wallet.tsx'

/** Names of the parties that the embedded chain's examples give to the test accounts. */
const TEST_NAMES = [
  'demander',
  'patron',
  'operator',
  'owner',
  'judge',
  'stranger',
  'visitor',
  'guardian',
  'ada',
  'ben',
  'cleo',
] as const

/** Who the visitor is: a wallet, or on a local chain one of the accounts that everybody knows. */
export function AccountChoice(): ReactElement {
  const { wallet: words } = useMessages()
  const { actor, hasTestAccounts, chooseTestAccount, connect, leave } = useWallet()
  const [fault, setFault] = useState<string>()
  const attempt = (step: () => Promise<void>): void => {
    setFault(undefined)
    step().catch((error: unknown) => setFault(error instanceof Error ? error.message.split('\n')[0] : String(error)))
  }
  return (
    <div className="row">
      {fault === undefined ? null : (
        <small role="alert" className="mark bad">
          {fault}
        </small>
      )}
      {actor.kind === 'none' ? null : (
        <Link to="/account/$address" params={{ address: actor.address }}>
          <AddressText address={actor.address} role={words.you} bare />
        </Link>
      )}
      {hasTestAccounts ? (
        <label>
          <span className="unseen">{words.testAccount}</span>
          <select
            value={actor.kind === 'test' ? actor.index : ''}
            onChange={({ target }) => {
              const index = target.value
              attempt(async () => (index === '' ? leave() : chooseTestAccount(Number(index))))
            }}
          >
            <option value="">{words.none}</option>
            {TEST_NAMES.map((name, index) => (
              <option key={name} value={index}>
                {words.test(name)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {actor.kind === 'wallet' ? (
        <button type="button" onClick={leave}>
          {words.leave}
        </button>
      ) : (
        <button type="button" onClick={() => attempt(connect)}>
          {words.connect}
        </button>
      )}
    </div>
  )
}
