import { describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulation.ts'

/** More of them: `npm run simulate`. */
const SCHEDULES = 300

describe('seeded schedules of faults, crashes and clocks that step back', () => {
  test(`invariants 8, 9 and 10 hold in ${SCHEDULES} of them, and all ways to end are seen`, async () => {
    const statuses = new Set<string>()
    let crashes = 0
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const report = await simulate(seed)
      crashes += report.crashes
      for (const status of report.statuses) statuses.add(status)
    }
    expect(crashes).toBeGreaterThan(0)
    const seen = [
      'confirmed',
      'dropped',
      'rejected',
      'cancelled',
      'journal_failed',
      'approval_failed',
      'custody_failed',
    ]
    const more = [
      'broadcast_unknown',
      'reconciliation_failed',
      'deadline_exceeded',
      'adapter_failed',
      'pending',
      'reorged',
    ]
    expect([...seen, ...more].filter((status) => !statuses.has(status))).toEqual([])
  })

  test('a seed plays the same schedule again, step by step', async () => {
    const stories = [[], []] as string[][]
    for (const story of stories) await simulate(7, (line) => story.push(line))
    expect(stories[0]?.length).toBeGreaterThan(2)
    expect(stories[0]).toEqual(stories[1])
  })
})
