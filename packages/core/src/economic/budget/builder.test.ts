import { describe, expect, test } from 'vitest'
import { EconomicError } from '../diagnostics.ts'
import { PRODUCTION_LIMITS } from '../limits.ts'
import { createBuilderBudget } from './builder.ts'

function messageOf(run: () => unknown): string {
  try {
    run()
    return 'passed'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return `${cause.code} ${cause.message}`
  }
}

describe('the builder budget (notes, section 13)', () => {
  const FLOOR = 41_947_136n

  test('only decreases, and refuses what is not left', () => {
    const budget = createBuilderBudget({ ...PRODUCTION_LIMITS, max_builder_bytes: 100n })
    budget.charge(60n)
    expect(budget.used()).toBe(60n)
    expect(messageOf(() => budget.charge(41n))).toBe('SPX-G216 builder_bytes exceeds 100')
    expect(budget.used()).toBe(60n)
    budget.charge(40n)
    expect(budget.used()).toBe(100n)
  })

  test('keeps room for Trace and Evidence until they are written', () => {
    const budget = createBuilderBudget({ ...PRODUCTION_LIMITS, max_builder_bytes: FLOOR + 10n })
    budget.raiseFloor()
    expect(messageOf(() => budget.charge(11n))).toContain('SPX-G216')
    budget.charge(10n)
    expect(messageOf(() => budget.charge(1n))).toContain('SPX-G216')
    budget.releaseFloor()
    expect(messageOf(() => budget.charge(FLOOR))).toBe('passed')
  })

  test.each([
    ['journal', PRODUCTION_LIMITS.max_journal_bytes, 16_777_216n],
    ['snapshot', PRODUCTION_LIMITS.max_snapshot_bytes, 19_922_944n],
    ['approval', PRODUCTION_LIMITS.max_approval_bytes, 1_245_184n],
    ['signed', PRODUCTION_LIMITS.max_signed_transaction_bytes, 6_291_456n],
  ])('the lane of the %s call takes %s times its factor', (_, maxOutput, lane) => {
    const exact = createBuilderBudget({ ...PRODUCTION_LIMITS, max_builder_bytes: FLOOR + lane })
    exact.raiseFloor()
    expect(messageOf(() => exact.requireLane(maxOutput))).toBe('passed')
    expect(exact.used()).toBe(0n)
    const less = createBuilderBudget({ ...PRODUCTION_LIMITS, max_builder_bytes: FLOOR + lane - 1n })
    less.raiseFloor()
    expect(messageOf(() => less.requireLane(maxOutput))).toBe(`SPX-G216 builder_bytes exceeds ${FLOOR + lane - 1n}`)
  })
})
