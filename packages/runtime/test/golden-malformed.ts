import type { HappyRow } from './fixture.ts'
import { happyRow } from './fixture.ts'
import { type Play, replaceIn } from './golden-play.ts'
import { evmList } from './scripted-host.ts'

const text = (value: string): Uint8Array => Buffer.from(value, 'utf8')
const limits: Readonly<Record<string, number>> = { approve: 65_536 }

/** What stands for a word of `malformed.json`. Recorded counters fix the lengths. */
function malformedBytes(call: string, what: string): ((usual: Uint8Array) => Uint8Array) | undefined {
  const fixed: Readonly<Record<string, string>> = {
    empty: '',
    'LF only': '\n',
    'unbalanced open': '{"a":1\n',
    'unbalanced quote': '"abc\n',
    array: '[]\n',
    'wrong schema': '{"schema":"x"}\n',
    bom: '\ufeff{}\n',
    depth17: `${'['.repeat(17)}${']'.repeat(17)}`,
  }
  const known = fixed[what]
  if (known !== undefined) return () => text(known)
  switch (what) {
    case 'invalid utf8':
      return () => Uint8Array.of(0xff, 0x0a)
    case 'over limit':
      return () => new Uint8Array((limits[call] ?? 1_048_576) + 1).fill(0x20)
    case 'double LF':
      return (usual) => Buffer.concat([usual, text('\n')])
    case 'CRLF':
      return (usual) => Buffer.concat([usual.subarray(0, -1), text('\r\n')])
    case 'dup schema key':
      return (usual) => Buffer.concat([text('{"schema":"x",'), usual.subarray(1)])
    case 'extra key':
      return (usual) => Buffer.concat([usual.subarray(0, -2), text(',"extra":1}\n')])
    default: {
      const [from, to] = what.split(' -> ')
      if (from === undefined || to === undefined) return undefined
      const repeated = /^(.)x(\d+)$/.exec(to)
      return replaceIn(from, repeated === null ? to : (repeated[1] ?? '').repeat(Number(repeated[2])))
    }
  }
}

/** Order of the group, and its half, as the reference mistyped them: eight bytes short, padded with zeros (D16). */
const quirkOrder = 'fffffffffffffffebaaedce6af48a03bbfd25e8cd03641410000000000000000'
const quirkHalf = '7fffffffffffffff5d576e7357a4501ddfe92f46681b20a00000000000000001'
const orderLessOne = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140'
const halfOrder = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** Signed bytes of the plain EVM fixture with other last items, each already in RLP. */
function evmSigned(row: HappyRow, signature: string, change = (items: string) => items): Uint8Array {
  const items = change(row.unsigned_hex.slice(4)) + signature
  return Buffer.from(`02${evmList(items)}`, 'hex')
}

function evmSignature(row: HappyRow, what: string): Uint8Array | undefined {
  const word = (hex: string) => `a0${hex}`
  switch (what) {
    case 'parity 0':
      return evmSigned(row, '800101')
    case 'parity 1':
      return evmSigned(row, '010101')
    case 'parity 0x00 byte':
      return evmSigned(row, '000101')
    case 'r=0':
      return evmSigned(row, '018001')
    case 'r=n-1':
      return evmSigned(row, `01${word(orderLessOne)}01`)
    case 's=n/2':
      return evmSigned(row, `0101${word(halfOrder)}`)
    case 'r=quirk order':
      return evmSigned(row, `01${word(quirkOrder)}01`)
    case 'r=quirk order - 1':
    case 'r=quirk order -':
      return evmSigned(row, `01${word(quirkOrder.replace('410000000000000000', '40ffffffffffffffff'))}01`)
    case 's=quirk half+1':
      return evmSigned(row, `0101${word(quirkHalf)}`)
    case 'nonce changed':
      return evmSigned(row, '010101', (items) => items.replace('83aa36a707', '83aa36a708'))
    case 'access list nonempty':
      return evmSigned(row, '010101', (items) => items.replace(/c0$/, 'c180'))
    case 'leading zero r':
      return evmSigned(row, '0182000101')
    default:
      return undefined
  }
}

/** The play of a row of `malformed.json`. */
export function malformedPlay(name: string): Play | undefined {
  const evm = /^sign evm: (.*)$/s.exec(name)
  if (evm !== null) {
    const signed = evmSignature(happyRow('evm'), evm[1] ?? '')
    return signed === undefined ? undefined : { fixture: 'evm', script: { pushes: { sign: () => signed } } }
  }
  const [call = '', what = ''] = [name.slice(0, name.indexOf(': ')), name.slice(name.indexOf(': ') + 2)]
  if (call === 'sign') {
    const bytes = Buffer.from(what === 'empty' ? '' : '02', 'hex')
    return { fixture: 'evm', script: { pushes: { sign: () => bytes } } }
  }
  const push = malformedBytes(call, what)
  return push === undefined ? undefined : { fixture: 'x402_evm', script: { pushes: { [call]: push } } }
}

/** The play of a row of `rails.json`. */
export function railPlay(name: string, signedHex: string | undefined): Play | undefined {
  const mutated = /^(solana|bitcoin|bitcoin3) (snapshot|simulate|reconcile): (.*) -> (.*)$/.exec(name)
  if (mutated !== null) {
    const [, fixture = '', call = '', from = '', to = ''] = mutated
    const script = { pushes: { [call]: replaceIn(from, to) } }
    if (fixture !== 'bitcoin3') return { fixture, script }
    const target = (text: string) => text.replace('"confirmation_target":1', '"confirmation_target":3')
    return { fixture: 'bitcoin', script, change: (row) => ({ ...row, intent: target(row.intent) }) }
  }
  const signed = /^(solana|bitcoin) signed: /.exec(name)
  if (signed !== null && signedHex !== undefined) {
    return { fixture: signed[1] ?? '', script: { pushes: { sign: () => Buffer.from(signedHex, 'hex') } } }
  }
  const limit = /^(?:(x402_solana) )?(max_\w+) (\d+)$/.exec(name)
  return limit === null ? undefined : limitPlay(limit[1] ?? 'evm', limit[2] ?? '', limit[3] ?? '')
}

/** A fixture under a policy with another limit. */
export function limitPlay(fixture: string, limit: string, value: string): Play {
  const change = (policy: string) => policy.replace(new RegExp(`("limits":.*"${limit}"):\\d+`), `$1:${value}`)
  return { fixture, change: (row) => ({ ...row, policy: change(row.policy) }) }
}
