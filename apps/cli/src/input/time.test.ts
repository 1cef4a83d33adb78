import { describe, expect, it } from 'vitest'
import { UsageError } from '../errors.ts'
import { parseDuration } from './duration.ts'
import { parseMoment } from './moment.ts'

describe('lengths of time', () => {
  it.each([
    ['3d', 259_200n],
    ['7 days', 604_800n],
    ['1 day 12 hours', 129_600n],
    ['1h30m', 5_400n],
    ['1h, 30 min', 5_400n],
    ['45 s', 45n],
    ['2 Weeks', 1_209_600n],
    ['0s', 0n],
  ])('reads %s', (text, seconds) => {
    expect(parseDuration(text, '--window')).toBe(seconds)
  })

  it.each([
    '',
    '3',
    'd',
    '3.5d',
    '-3d',
    '3 months',
    '1y',
    '3d 2d',
    '1e3s',
    '03d',
    '3d!',
    '9'.repeat(80),
    '999999999999999999w',
  ])('refuses %j', (text) => {
    expect(() => parseDuration(text, '--window')).toThrow(UsageError)
  })
})

describe('moments', () => {
  const nowSec = BigInt(Date.UTC(2026, 0, 1) / 1000)

  it.each([
    ['2026-12-31T00:00Z', Date.UTC(2026, 11, 31)],
    ['2026-12-31 00:00:30z', Date.UTC(2026, 11, 31, 0, 0, 30)],
    ['2026-12-31T01:00+01:00', Date.UTC(2026, 11, 31)],
    ['2028-02-29T00:00Z', Date.UTC(2028, 1, 29)],
    ['3d', Date.UTC(2026, 0, 4)],
    ['in 7 days', Date.UTC(2026, 0, 8)],
  ])('reads %s', (text, milliseconds) => {
    expect(parseMoment(text, '--submit-by', nowSec)).toBe(BigInt(milliseconds / 1000))
  })

  it('reads never as no limit', () => {
    expect(parseMoment('never', '--submit-by', nowSec)).toBe(0n)
  })

  it.each([
    '2026-12-31', // no zone: two readers would pay at different moments
    '2026-12-31T00:00',
    '2026-02-30T00:00Z',
    '2026-13-01T00:00Z',
    '2026-12-31T25:00Z',
    '2025-12-31T00:00Z', // past
    '0s',
    'tomorrow',
  ])('refuses %s', (text) => {
    expect(() => parseMoment(text, '--submit-by', nowSec)).toThrow(UsageError)
  })
})
