import {
  type ExactJson,
  isExactArray,
  isExactObject,
  JsonDecimal,
  parseExactJson,
  renderExactJson,
} from '../../src/rails/endpoint/index.ts'
import { type ChainServer, startHttpServer } from './json-rpc-server.ts'

/** Draws a number below a bound. */
export type Draw = (bound: number) => number

/** What stands in for a part of an answer. */
const LIES: readonly ExactJson[] = [
  ...[null, true, false, '', 'x', '0'.repeat(64), `0014${'00'.repeat(20)}`, '1'.repeat(88), 'z'.repeat(5_000)],
  ...[0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 64n, 10n ** 79n],
  ...[new JsonDecimal('0.5'), new JsonDecimal('-1e308'), new JsonDecimal('1e400'), new JsonDecimal('0.000000001')],
  ...[
    [],
    {},
    [null],
    [[]],
    { value: null },
    { result: {}, error: null },
    { err: {}, slot: -5n },
    Array(2_000).fill(1n),
  ],
]

/**
 * Passes requests on and changes one part of each answer, some of the time. `draw` decides which and to what, so that a seed
 * stands for a whole conversation.
 */
export function startLyingLine(target: string, draw: Draw): Promise<ChainServer> {
  return startHttpServer(async (incoming, body) => {
    const { method = 'GET', url = '/', headers } = incoming
    const kept = (['authorization', 'content-type'] as const).flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]] as const],
    )
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: Object.fromEntries(kept),
      ...(method === 'POST' ? { body } : {}),
    })
    const text = await answer.text()
    const status = draw(12) === 0 ? ([200, 204, 400, 404, 429, 500][draw(6)] ?? 500) : answer.status
    return { status, type: 'application/json', body: draw(3) === 0 ? lieAbout(text, draw) : text }
  })
}

function lieAbout(text: string, draw: Draw): string {
  const value = parseExactJson(text)
  if (value === undefined || draw(20) === 0)
    return ['', 'null', '[', text.slice(0, draw(text.length + 1)), '{}'][draw(5)] ?? ''
  // The frame of an answer is the transport's matter; what it holds is the rail's.
  const inside = isExactObject(value) && Object.hasOwn(value, 'result')
  return renderExactJson(inside ? { ...value, result: change(value['result'] ?? null, draw) } : change(value, draw))
}

/** Changes one part of a value, at any depth. */
function change(value: ExactJson, draw: Draw): ExactJson {
  if (draw(3) !== 0 && isExactArray(value) && value.length > 0) {
    const at = draw(value.length)
    return value.map((item, index) => (index === at ? change(item, draw) : item))
  }
  if (draw(4) !== 0 && isExactObject(value)) {
    const keys = Object.keys(value)
    const key = keys[draw(keys.length)]
    if (key === undefined) return value
    if (draw(6) === 0) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    return { ...value, [key]: change(value[key] ?? null, draw) }
  }
  return LIES[draw(LIES.length)] ?? null
}

/** A generator from a seed. Source: mulberry32, public domain. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
