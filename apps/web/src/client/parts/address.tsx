import type { ReactElement } from 'react'
import { Copy } from './copy.tsx'
import { Identicon } from './identicon.tsx'
import { plainLine } from './plain.ts'

/** The short form of an address or digest. */
export function shortHex(hex: string): string {
  return hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** An address: role or name first (a name is a claim of whoever gave it), then picture, short form and copy. */
export function AddressText({
  address,
  name,
  role,
  bare = false,
}: {
  address: string
  name?: string | null
  role?: string
  /** Without the button, where the whole is a link already. */
  bare?: boolean
}): ReactElement {
  return (
    <span className="address">
      {role === undefined ? null : <span>{role} </span>}
      {name === undefined || name === null || name === '' ? null : <span>{plainLine(name, 60)} </span>}
      <Identicon address={address} /> <code title={address}>{shortHex(address)}</code>
      {bare ? null : <Copy value={address} what={role ?? 'address'} />}
    </span>
  )
}
