import { type Address, readAddress, ZERO_ADDRESS } from '../call-data/index.ts'
import { type Findings, report, shown } from '../task-package/findings.ts'
import { type AmountUnit, readAmount } from './amount.ts'
import type { PolicyCode } from './codes.ts'
import { type PolicyDocument, type PolicyValue, UNLIMITED } from './document.ts'
import { UINT232_MAX } from './policy.ts'
import { readDuration, readMoment } from './time.ts'

/** An asset of a document. */
export type NamedAsset = AmountUnit & { readonly address: Address }

/** How a document names the native currency as an address. */
export const NATIVE = 'native'
/** The native currency where a document does not name it. */
export const NATIVE_ASSET: NamedAsset = { symbol: 'ETH', decimals: 18, address: ZERO_ADDRESS }

/** The names of one document, and the readers of texts that use them. What cannot be read is a finding and undefined. */
export type Names = {
  readonly assets: ReadonlyMap<string, NamedAsset>
  readonly contracts: ReadonlyMap<string, Address>
  readonly sets: ReadonlyMap<string, bigint>
  readonly acceptToken: NamedAsset | undefined
  readonly address: (text: string, where: string) => Address | undefined
  readonly asset: (name: string, where: string) => NamedAsset | undefined
  readonly amount: (text: string, unit: AmountUnit, max: bigint, where: string) => bigint | undefined
  readonly duration: (text: string, max: number, where: string) => number | undefined
  readonly moment: (text: string, max: number, where: string) => number | undefined
}

/** Reads `assets`, `contracts`, the ids of `sets` and `acceptToken`. */
export function readNames(document: PolicyDocument, findings: Findings<PolicyCode>): Names {
  const contracts = new Map<string, Address>()
  for (const [name, text] of Object.entries(document.contracts ?? {})) {
    const address = readAddress(text)
    if (address !== undefined) contracts.set(name, address)
    else
      report(findings, 'address.format', `contracts.${name}`, `${shown(text)} is no address, or its checksum is wrong`)
  }
  const assets = readAssets(document, contracts, findings)
  for (const [name, address] of contracts) {
    const twin = assets.get(name)
    if (twin !== undefined && twin.address !== address)
      report(findings, 'name.ambiguous', `contracts.${name}`, 'assets has this name for another address; rename one')
  }
  const sets = readSetIds(document, findings)

  const address = (text: string, where: string): Address | undefined => {
    const found = contracts.get(text) ?? assets.get(text)?.address ?? readAddress(text)
    if (found === undefined || found === ZERO_ADDRESS)
      report(findings, 'address.format', where, `${shown(text)} is no name of contracts or assets, and no address`)
    return found === ZERO_ADDRESS ? undefined : found
  }
  const asset = (name: string, where: string): NamedAsset | undefined => {
    const found = assets.get(name)
    if (found === undefined)
      report(
        findings,
        'asset.unknown',
        where,
        `${shown(name)} is not in assets; there are: ${[...assets.keys()].join(', ')}`,
      )
    return found
  }
  const amount = (text: string, unit: AmountUnit, max: bigint, where: string): bigint | undefined => {
    if (text === UNLIMITED) return max
    const read = readAmount(text, unit)
    if (!read.ok) report(findings, 'amount.format', where, `${shown(text)} is ${read.problem}`)
    else if (read.atomic > max)
      report(findings, 'amount.range', where, `${shown(text)} does not fit; write less, or "${UNLIMITED}"`)
    else return read.atomic
    return undefined
  }
  const duration = (text: string, max: number, where: string): number | undefined => {
    const seconds = readDuration(text)
    if (seconds === undefined)
      report(
        findings,
        'duration.format',
        where,
        `${shown(text)} is no length of time; write "7 days" or "1 day 12 hours"`,
      )
    else if (seconds > max) report(findings, 'duration.range', where, `${shown(text)} is more than ${max} seconds`)
    else return seconds
    return undefined
  }
  const moment = (text: string, max: number, where: string): number | undefined => {
    const second = readMoment(text)
    if (second === undefined)
      report(findings, 'moment.format', where, `${shown(text)} is no moment; write "2027-01-31T12:00:00Z", in UTC`)
    else if (second <= 0 || second > max) report(findings, 'moment.range', where, `${shown(text)} is out of range`)
    else return second
    return undefined
  }
  const partial = { assets, contracts, sets, address, asset, amount, duration, moment }
  const acceptToken = document.acceptToken === undefined ? undefined : asset(document.acceptToken, 'acceptToken')
  return { ...partial, acceptToken }
}

function readAssets(
  document: PolicyDocument,
  contracts: ReadonlyMap<string, Address>,
  findings: Findings<PolicyCode>,
): ReadonlyMap<string, NamedAsset> {
  const assets = new Map<string, NamedAsset>()
  const seen = new Map<Address, string>()
  for (const [symbol, entry] of Object.entries(document.assets ?? {})) {
    const where = `assets.${symbol}.address`
    const address =
      entry.address === NATIVE ? ZERO_ADDRESS : (contracts.get(entry.address) ?? readAddress(entry.address))
    const other = address === undefined ? undefined : seen.get(address)
    if (address === undefined || (address === ZERO_ADDRESS && entry.address !== NATIVE))
      report(
        findings,
        'address.format',
        where,
        `${shown(entry.address)} is no address; write "${NATIVE}" for the native currency`,
      )
    else if (other !== undefined) report(findings, 'asset.duplicate', where, `${other} has the same address`)
    else {
      assets.set(symbol, { symbol, decimals: Number(entry.decimals), address })
      seen.set(address, symbol)
    }
  }
  if (!seen.has(ZERO_ADDRESS) && !assets.has(NATIVE_ASSET.symbol)) assets.set(NATIVE_ASSET.symbol, NATIVE_ASSET)
  return assets
}

function readSetIds(document: PolicyDocument, findings: Findings<PolicyCode>): ReadonlyMap<string, bigint> {
  const sets = new Map<string, bigint>()
  for (const [name, { id }] of Object.entries(document.sets ?? {})) {
    const value = BigInt(id)
    const other = [...sets].find(([, used]) => used === value)?.[0]
    if (value > UINT232_MAX) report(findings, 'set.id', `sets.${name}.id`, 'it is larger than 2^232 - 1')
    else if (other !== undefined) report(findings, 'set.id', `sets.${name}.id`, `${other} has the same id`)
    else sets.set(name, value)
  }
  return sets
}

/** A value for a message. */
export function shownValue(value: PolicyValue): string {
  return typeof value === 'string' ? shown(value) : String(value)
}
