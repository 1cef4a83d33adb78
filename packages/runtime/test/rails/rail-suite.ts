import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { createLab, type Lab } from './lab.ts'
import type { RailUnderTest } from './rail-under-test.ts'
import { describeChain } from './suite-chain.ts'
import { describeEngine } from './suite-engine.ts'
import { describeTransport } from './suite-transport.ts'

/** Holds a rail to the contract that every rail keeps: `docs/rails.md`. */
export function describeRail(name: string, make: () => Promise<RailUnderTest>): void {
  describe(`${name}: conformance`, () => {
    let rail: RailUnderTest
    let current: Lab | undefined
    beforeAll(async () => {
      rail = await make()
    })
    afterEach(async () => {
      await current?.clean()
      current = undefined
    })
    afterAll(() => rail.close())
    const lab = (): Lab => {
      current ??= createLab(rail)
      return current
    }
    describeChain(lab)
    describeTransport(lab)
    describeEngine(lab)
  })
}
