import { describe, expect, test } from 'vitest'
import { quietHoursTest } from './quiet-hours.ts'

const at = (text: string) => Date.parse(text)

describe('quiet hours', () => {
  test('within a day: the first minute is in, the last is out', () => {
    const isQuiet = quietHoursTest({ timeZone: 'UTC', from: '12:00', to: '13:30' })
    expect(
      ['11:59:59.999', '12:00:00.000', '13:29:59.999', '13:30:00.000'].map((time) =>
        isQuiet(at(`2026-06-01T${time}Z`)),
      ),
    ).toEqual([false, true, true, false])
  })

  test('over midnight', () => {
    const isQuiet = quietHoursTest({ timeZone: 'UTC', from: '22:00', to: '06:00' })
    expect(
      ['21:59:59.999', '22:00:00.000', '23:59:59.999', '05:59:59.999', '06:00:00.000'].map((time) =>
        isQuiet(at(`2026-06-01T${time}Z`)),
      ),
    ).toEqual([false, true, true, true, false])
    expect(isQuiet(at('2026-06-02T00:00:00Z'))).toBe(true)
  })

  test('to midnight and from midnight', () => {
    expect(quietHoursTest({ timeZone: 'UTC', from: '23:00', to: '00:00' })(at('2026-06-01T23:59:59Z'))).toBe(true)
    expect(quietHoursTest({ timeZone: 'UTC', from: '23:00', to: '00:00' })(at('2026-06-02T00:00:00Z'))).toBe(false)
    expect(quietHoursTest({ timeZone: 'UTC', from: '00:00', to: '01:00' })(at('2026-06-02T00:00:00Z'))).toBe(true)
  })

  test('when clocks go forward (Berlin, 2026-03-29, 02:00 to 03:00 do not exist)', () => {
    const isQuiet = quietHoursTest({ timeZone: 'Europe/Berlin', from: '02:30', to: '03:30' })
    // 01:59:59.999 winter time is followed by 03:00 summer time.
    expect(isQuiet(at('2026-03-29T00:59:59.999Z'))).toBe(false)
    expect(isQuiet(at('2026-03-29T01:00:00.000Z'))).toBe(true)
    expect(isQuiet(at('2026-03-29T01:29:59.999Z'))).toBe(true)
    expect(isQuiet(at('2026-03-29T01:30:00.000Z'))).toBe(false)
    // Hours that lie wholly in the gap are no moment of that day.
    const inGap = quietHoursTest({ timeZone: 'Europe/Berlin', from: '02:10', to: '02:50' })
    const minutes = Array.from({ length: 180 }, (_, index) => inGap(at('2026-03-29T00:00:00Z') + index * 60_000))
    expect(minutes.some((isQuietThen) => isQuietThen)).toBe(false)
    expect(inGap(at('2026-03-30T00:10:00Z'))).toBe(true)
  })

  test('when clocks go back (Berlin, 2026-10-25, 02:00 to 03:00 come twice)', () => {
    const isQuiet = quietHoursTest({ timeZone: 'Europe/Berlin', from: '02:30', to: '03:00' })
    expect(isQuiet(at('2026-10-25T00:29:59.999Z'))).toBe(false)
    expect(isQuiet(at('2026-10-25T00:30:00.000Z'))).toBe(true)
    expect(isQuiet(at('2026-10-25T00:59:59.999Z'))).toBe(true)
    expect(isQuiet(at('2026-10-25T01:00:00.000Z'))).toBe(false)
    expect(isQuiet(at('2026-10-25T01:30:00.000Z'))).toBe(true)
    expect(isQuiet(at('2026-10-25T02:00:00.000Z'))).toBe(false)
  })

  test('a night is one hour shorter or longer then, and its ends stay where the wall clock has them', () => {
    const isQuiet = quietHoursTest({ timeZone: 'Europe/Berlin', from: '22:00', to: '07:00' })
    const hours = (day: string) =>
      Array.from({ length: 24 * 60 }, (_, index) => isQuiet(at(`${day}T12:00:00Z`) + index * 60_000)).filter(Boolean)
        .length / 60
    expect([hours('2026-03-28'), hours('2026-06-01'), hours('2026-10-24')]).toEqual([8, 9, 10])
  })

  test('zones with odd offsets, and with changes of half an hour', () => {
    // Nepal is 5:45 ahead; Lord Howe Island changes by half an hour.
    expect(quietHoursTest({ timeZone: 'Asia/Kathmandu', from: '00:00', to: '00:01' })(at('2026-06-01T18:15:30Z'))).toBe(
      true,
    )
    const lordHowe = quietHoursTest({ timeZone: 'Australia/Lord_Howe', from: '02:00', to: '02:30' })
    expect(lordHowe(at('2026-10-03T15:29:59Z'))).toBe(false)
    expect(lordHowe(at('2026-10-03T15:30:00Z'))).toBe(false)
  })
})
