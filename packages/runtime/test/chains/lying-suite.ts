import {
  admitSourceRun,
  parsePolicy,
  parseReceipt,
  parseReconciliation,
  parseSimulation,
  parseSnapshot,
  readSourceRun,
  utf8,
} from '@oikos/core/economic'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RailAdapter } from '../../src/economic/host.ts'
import { RailRefusalError } from '../../src/rails/adapter/call.ts'
import { EndpointError, EndpointsExhaustedError } from '../../src/rails/endpoint/index.ts'
import { type Answer, ask, createLab, type Lab, type SignedPayment } from '../rails/lab.ts'
import type { RailUnderTest, SuitePayment } from '../rails/rail-under-test.ts'
import { drawFrom, startLyingLine } from './lying-line.ts'

/** How a rail is opened on one endpoint. */
type OpenOn<R> = (
  rail: R,
  url: string,
  onFailure: (failure: { readonly cause: unknown }) => void,
) => RailAdapter & { readonly close: () => void }

/** A rail on a node that lies must never break, and must push nothing that is not of the form of its document. */
export function describeLies<R extends RailUnderTest>(
  name: string,
  seeds: number,
  make: () => Promise<R>,
  urlOf: (rail: R) => string,
  openOn: OpenOn<R>,
): void {
  describe(`${name}: a node that lies`, () => {
    let rail: R
    let lab: Lab
    let payment: SuitePayment
    let planned: Omit<SignedPayment, 'signed'>
    let sent: SignedPayment
    beforeAll(async () => {
      rail = await make()
      lab = createLab(rail)
      payment = lab.newPayment()
      const adapter = await lab.open()
      sent = await lab.prepare(adapter)
      await lab.broadcast(adapter, sent)
      await rail.chain.mine(1)
      planned = await lab.plan(adapter, payment)
      await lab.simulate(adapter, planned, payment)
    })
    afterAll(async () => {
      await lab.clean()
      await rail.close()
    })

    test(`never breaks a call, whatever it answers (${seeds} conversations)`, async () => {
      const ends = new Map<string, number>()
      const strange: string[] = []
      for (let seed = 1; seed <= seeds; seed += 1) {
        const line = await startLyingLine(urlOf(rail), drawFrom(seed))
        const adapter = openOn(rail, line.url, ({ cause }) => {
          const isKnown = [EndpointError, EndpointsExhaustedError, RailRefusalError].some(
            (kind) => cause instanceof kind,
          )
          if (!isKnown) strange.push(`seed ${seed}: ${String(cause)}`)
        })
        try {
          for (const [call, answer] of Object.entries(await converse(adapter))) {
            const end = `${call} ${answer.disposition}`
            ends.set(end, (ends.get(end) ?? 0) + 1)
          }
        } finally {
          adapter.close()
          await line.close()
        }
      }
      expect(strange).toEqual([])
      // Both ends are reached for each call, else the lies would be too few or too many.
      for (const call of ['snapshot', 'simulate', 'broadcast', 'reconcile'])
        for (const end of ['succeeded', 'failed_uncertain'])
          expect(ends.get(`${call} ${end}`) ?? 0, `${call} ${end}`).toBeGreaterThan(0)
    })

    const converse = async (adapter: RailAdapter) => {
      const admission = admitSourceRun(parsePolicy(utf8(rail.policy)), readSourceRun(rail.source(payment)))
      const { limits } = admission.policy.document
      const { plan, built } = planned
      const { signed } = sent
      const { transactionId } = signed
      const identity = { rail: rail.rail, signedDigest: signed.digest, transactionId }
      const answers: Record<string, Answer> = {
        snapshot: await ask((sink) => adapter.snapshot(admission.intent.text, sink)),
        simulate: await ask((sink) => adapter.simulate(plan.text, built.bytes, sink)),
        broadcast: await ask((sink) => adapter.broadcast(signed.bytes, sink)),
        reconcile: await ask((sink) => adapter.reconcile(transactionId, sink)),
      }
      const read = {
        snapshot: (bytes: Uint8Array) => parseSnapshot(bytes, admission),
        simulate: (bytes: Uint8Array) => parseSimulation(bytes, { admission, ...planned }),
        broadcast: (bytes: Uint8Array) => parseReceipt(bytes, identity, limits),
        reconcile: (bytes: Uint8Array) => parseReconciliation(bytes, { identity, limits, confirmationTarget: 0n }),
      }
      for (const [call, { disposition, pushes }] of Object.entries(answers)) {
        expect(pushes).toHaveLength(disposition === 'succeeded' ? 1 : 0)
        const [bytes] = pushes
        if (bytes !== undefined) expect(formOf(() => read[call as keyof typeof read](bytes))).not.toBe('SPX-G210')
      }
      return answers
    }
  })
}

/** The code of what a reader of the core throws; SPX-G210 stands for a document that has not its form. */
function formOf(read: () => unknown): string {
  try {
    read()
    return 'accepted'
  } catch (cause) {
    const code = (cause as { readonly code?: unknown }).code
    if (typeof code !== 'string') throw cause
    return code
  }
}
