import { describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulation.ts'

/** More of them: `node packages/runtime/test/simulation.ts 100000`. */
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
    const more = ['broadcast_unknown', 'reconciliation_failed', 'deadline_exceeded', 'adapter_failed']
    expect([...seen, ...more].filter((status) => !statuses.has(status))).toEqual([])
  })

  test('a seed plays the same schedule again', async () => {
    expect(await simulate(7)).toEqual(await simulate(7))
  })
})
