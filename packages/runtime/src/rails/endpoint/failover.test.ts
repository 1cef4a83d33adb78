import { describe, expect, test } from 'vitest'
import { type EndpointError, EndpointFaultError, EndpointsExhaustedError, RpcAnswerError } from './errors.ts'
import { askAll, readFromAny, sendToOne } from './failover.ts'

const refused = new EndpointFaultError('http://a', 'unreachable', 'not-started', 'refused')
const late = new EndpointFaultError('http://a', 'timeout', 'uncertain', 'late')
const answer = new RpcAnswerError('http://a', 'm', -32000n, 'no')
const givenUp = new EndpointFaultError('http://a', 'cancelled', 'uncertain', 'given up')

/** Runs a function on a list of outcomes, one an endpoint; answers what came out and how many were asked. */
async function play(
  outcomes: readonly (string | EndpointError)[],
  run: (attempt: (outcome: string | EndpointError) => Promise<string>) => Promise<unknown>,
): Promise<{ result: unknown; asked: number }> {
  let asked = 0
  const attempt = async (outcome: string | EndpointError): Promise<string> => {
    asked += 1
    if (typeof outcome === 'string') return outcome
    throw outcome
  }
  const result = await run(attempt).catch((cause: unknown) => cause)
  return { result, asked: asked > outcomes.length ? Number.NaN : asked }
}

describe('reading from a list', () => {
  test('goes on after every failure of an endpoint', async () => {
    const outcomes = [refused, late, answer, 'fourth', 'fifth']
    expect(await play(outcomes, (attempt) => readFromAny(outcomes, attempt))).toEqual({ result: 'fourth', asked: 4 })
  })

  test('is not-started only when nothing left for any endpoint', async () => {
    for (const [outcomes, effect] of [
      [[refused, refused], 'not-started'],
      [[refused, late], 'uncertain'],
    ] as const) {
      const { result } = await play(outcomes, (attempt) => readFromAny(outcomes, attempt))
      expect(result).toBeInstanceOf(EndpointsExhaustedError)
      expect(result).toMatchObject({ effect, failures: outcomes, retryable: true })
    }
  })

  test('stops when the caller gave up', async () => {
    const outcomes = [givenUp, 'second']
    expect(await play(outcomes, (attempt) => readFromAny(outcomes, attempt))).toEqual({ result: givenUp, asked: 1 })
  })
})

describe('sending to one of a list', () => {
  const send = (outcomes: readonly (string | EndpointError)[], checks: readonly (undefined | EndpointError)[] = []) =>
    play(outcomes, (attempt) =>
      sendToOne(outcomes, {
        check: async (outcome) => {
          const failure = checks[outcomes.indexOf(outcome)]
          if (failure !== undefined) throw failure
        },
        send: attempt,
      }),
    )

  test('goes on only while nothing left', async () => {
    expect(await send([refused, refused, 'third'])).toEqual({ result: 'third', asked: 3 })
    expect(await send([refused, late, 'third'])).toEqual({ result: late, asked: 2 })
    expect(await send([answer, 'second'])).toEqual({ result: answer, asked: 1 })
  })

  test('a check that fails in any way sends nothing there', async () => {
    expect(await send(['first', 'second'], [late])).toEqual({ result: 'second', asked: 1 })
    const { result, asked } = await send(['first'], [late])
    expect([(result as EndpointsExhaustedError).effect, asked]).toEqual(['not-started', 0])
  })

  test('a caller who gives up during the check has sent nothing, during the sending perhaps', async () => {
    const { result, asked } = await send(['first', 'second'], [givenUp])
    expect(result).toMatchObject({ fault: 'cancelled', effect: 'not-started' })
    expect(asked).toBe(0)
    expect(await send([givenUp, 'second'])).toEqual({ result: givenUp, asked: 1 })
  })

  test('what is no failure of an endpoint is passed on', async () => {
    const fault = new TypeError('ours')
    await expect(readFromAny([1], () => Promise.reject(fault))).rejects.toBe(fault)
    await expect(sendToOne([1], { check: async () => {}, send: () => Promise.reject(fault) })).rejects.toBe(fault)
    await expect(askAll([1], () => Promise.reject(fault), 100)).rejects.toBe(fault)
    const unsent = sendToOne([1], { check: () => Promise.reject(fault), send: async () => 'sent' })
    await expect(unsent).rejects.toMatchObject({ name: 'NothingSentError', cause: fault })
  })
})

describe('asking all', () => {
  test('gives every answer in order, and every failure', async () => {
    const outcomes = ['first', refused, 'third', late]
    const { result } = await play(outcomes, (attempt) => askAll(outcomes, attempt, 100))
    expect(result).toEqual({
      answers: [
        { endpoint: 'first', result: 'first' },
        { endpoint: 'third', result: 'third' },
      ],
      failures: [refused, late],
    })
  })

  test('waits for all until one has answered, and then only so long', async () => {
    const delays = [20_000, 60, 40]
    const started = performance.now()
    const answer = (delayMs: number) =>
      new Promise<number>((resolve) => {
        setTimeout(() => resolve(delayMs), delayMs).unref()
      })
    const { answers } = await askAll(delays, answer, 50)
    expect(answers.map(({ result }) => result)).toEqual([60, 40])
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('throws when none answered, and when the caller gave up', async () => {
    const none = await play([refused, late], (attempt) => askAll([refused, late], attempt, 100))
    expect(none.result).toMatchObject({ name: 'EndpointsExhaustedError', effect: 'uncertain' })
    const ended = await play(['first', givenUp], (attempt) => askAll(['first', givenUp], attempt, 100))
    expect(ended.result).toBe(givenUp)
  })
})
