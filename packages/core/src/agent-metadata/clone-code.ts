import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Address } from '../call-data/index.ts'

/** What can never change of an Agent: it stands in its code. Twin of AgentArguments.sol. */
export type AgentCode = {
  readonly implementation: Address
  readonly acceptToken: Address
  /** Accept Token base units per 1e18 share base units, at birth. */
  readonly initialRate: bigint
  readonly reclaimHorizonSec: number
  readonly fixedPrice: boolean
  /** Name and symbol of the share. Hostile text. */
  readonly shareName: string
  readonly shareSymbol: string
}

/** The minimal proxy, around the address of its implementation. Source: ERC-1167. */
const PROXY_HEAD = '363d3d373d3d3d363d73'
const PROXY_TAIL = '5af43d82803e903d91602b57fd5bf3'
const PROXY_BYTES = 45
/** acceptToken (20), initialRate (16), reclaimHorizon (4), fixedPrice (1), length of the name (1). */
const FIXED_BYTES = 42

/** Whether a text is `0x` and whole bytes. */
function isHex(text: string): boolean {
  return /^0x(?:[0-9a-fA-F]{2})*$/.test(text)
}

/** Reads the runtime code of a clone of our factory; undefined for every other code. */
export function readAgentCode(code: string): AgentCode | undefined {
  const proxy = readProxy(code)
  if (proxy === undefined || proxy.args.length < FIXED_BYTES) return undefined
  const { implementation, args } = proxy
  const number = (start: number, end: number) => BigInt(`0x${bytesToHex(args.subarray(start, end))}`)
  const nameBytes = args[41] ?? 0
  if (args.length < FIXED_BYTES + nameBytes) return undefined
  const text = (start: number, end?: number) => new TextDecoder().decode(args.subarray(start, end))
  return {
    implementation,
    acceptToken: `0x${bytesToHex(args.subarray(0, 20))}`,
    initialRate: number(20, 36),
    reclaimHorizonSec: Number(number(36, 40)),
    fixedPrice: args[40] !== 0,
    shareName: text(FIXED_BYTES, FIXED_BYTES + nameBytes),
    shareSymbol: text(FIXED_BYTES + nameBytes),
  }
}

/** Implementation and arguments of a minimal proxy with immutable arguments. Source: ERC-1167; OpenZeppelin, Clones. */
function readProxy(code: string): { readonly implementation: Address; readonly args: Uint8Array } | undefined {
  const digits = code.slice(2).toLowerCase()
  const address = digits.slice(PROXY_HEAD.length, PROXY_HEAD.length + 40)
  if (!isHex(code) || !digits.startsWith(PROXY_HEAD + address + PROXY_TAIL)) return undefined
  return { implementation: `0x${address}`, args: hexToBytes(digits).subarray(PROXY_BYTES) }
}

const PUSH1 = 0x60
const PUSH4 = 0x63
const PUSH32 = 0x7f

/**
 * Whether the code compares with a selector: it holds a PUSH of exactly its value, outside of the data of other pushes.
 * That is how compilers dispatch; it says that such a function is there, not what it does.
 */
export function hasSelector(code: string, selector: string): boolean {
  if (!isHex(code)) return false
  const bytes = hexToBytes(code.slice(2))
  const wanted = Number(selector)
  for (let at = 0; at < bytes.length; at += 1) {
    const operation = bytes[at] ?? 0
    if (operation < PUSH1 || operation > PUSH32) continue
    const size = operation - PUSH1 + 1
    // a selector with leading zeros is pushed with fewer bytes
    if (operation <= PUSH4 && Number(`0x${bytesToHex(bytes.subarray(at + 1, at + 1 + size)) || '0'}`) === wanted)
      return true
    at += size
  }
  return false
}
