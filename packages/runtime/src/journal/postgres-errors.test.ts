import { describe, expect, test } from 'vitest'
import { isAborted, isKnownNotDone } from './postgres-errors.ts'

const failure = (code: string, severity: string) => Object.assign(new Error('server'), { code, severity })

describe('what a failed statement has left behind', () => {
  test.each([
    ['a broken constraint', '23505', true],
    ['a full disk', '53100', true],
    ['too many connections', '53300', true],
    ['a lock that was not given', '55P03', true],
    ['a serialization failure', '40001', true],
    ['a read-only transaction', '25006', true],
    ['a statement whose completion is unknown', '40003', false],
    ['a server that shuts down', '57P01', false],
    ['a statement that took too long', '57014', false],
    ['a damaged store', 'XX001', false],
    ['a failure of input and output', '58030', false],
  ])('%s (%s): nothing for sure is %s', (_, code, isSure) => {
    expect(isKnownNotDone(failure(code, 'ERROR'))).toBe(isSure)
  })

  test.each(['PANIC', 'FATAL', 'FEHLER'])('a server that ends may have committed before: %s', (severity) => {
    expect(isKnownNotDone(failure('53100', severity))).toBe(false)
  })

  test('a connection that breaks says nothing', () => {
    expect(isKnownNotDone(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))).toBe(false)
    expect(isKnownNotDone(new Error('Connection terminated unexpectedly'))).toBe(false)
    expect(isKnownNotDone(undefined)).toBe(false)
  })

  test.each([
    ['40001', true],
    ['40P01', true],
    ['40003', false],
    ['23505', false],
  ])('%s may be begun again: %s', (code, may) => {
    expect(isAborted(failure(code, 'ERROR'))).toBe(may)
  })
})
