import { describe, expect, it } from 'vitest'
import { PAY, RULE, usePayBench } from './pay-bench.ts'

const at = usePayBench()

describe('Ctrl-C at a process that pays', () => {
  /** Starts a payment, lets it end by signals that come when the node gets a request of this method, and reads its result. */
  async function interruptAt(
    method: string,
    options: { readonly twice?: boolean; readonly isPassedOn?: boolean } = {},
  ) {
    const paying = at.start()
    let isDone = false
    at.gate.onRequest = async (asked) => {
      if (asked !== method || isDone) return true
      isDone = true
      paying.kill('SIGINT')
      // Nothing goes on before the signal was heard.
      await expect.poll(paying.err, { timeout: 20_000 }).toContain('Ctrl-C: the payment ends in order')
      if (options.twice === true) paying.kill('SIGINT')
      return options.isPassedOn ?? true
    }
    const code = await paying.ended
    at.gate.onRequest = () => true
    expect(isDone, paying.err()).toBe(true)
    return { code, err: paying.err(), out: paying.out() }
  }

  const journal = async () => (await at.bench.run(['journal', 'check', '--json'])).json

  it('MUST give the reservation back and say that nothing was paid, before the signature', async () => {
    const sent = at.gate.sent()
    const { code, err, out } = await interruptAt('eth_estimateGas')
    expect(code, err).toBe(130)
    expect(JSON.parse(out)).toMatchObject({ ok: false, outcome: 'refused', code: 'SPX-I228', exitCode: 130 })
    expect(err).toContain(`oikos journal show ${at.key}`)
    expect(await journal()).toMatchObject({ ok: true })
    expect((await at.bench.run(['journal', 'show', at.key, '--json'])).json).not.toHaveProperty('reservation')
    // One key is one payment: the same documents end the same way, and nothing has left.
    expect((await at.bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'refused' })
    expect(at.gate.sent()).toBe(sent)
  })

  it('MUST say that it is not known, and how to look, while the broadcast is on its way; a second run pays nothing', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const { code, err, out } = await interruptAt('eth_sendRawTransaction')
    expect(code, err).toBe(5)
    expect(JSON.parse(out)).toMatchObject({ ok: false, outcome: 'uncertain', exitCode: 5 })
    expect(err).toContain('Do not pay again')
    expect(err).toContain(`oikos pay reconcile ${at.key}`)
    expect(await journal()).toMatchObject({ ok: true })
    expect((await at.bench.run([...PAY, ...RULE])).json).toMatchObject({ ok: true, outcome: 'paid' })
    expect([(await at.balance()) > before, at.gate.sent() - sent]).toEqual([true, 1])
  })

  it('MUST leave a way to look when a second Ctrl-C ends it at once, with a node that never answers', async () => {
    const sent = at.gate.sent()
    const { code, err } = await interruptAt('eth_sendRawTransaction', { twice: true, isPassedOn: false })
    expect(code, err).toBe(130)
    expect(err).toContain(`oikos pay reconcile ${at.key}`)
    expect(await journal()).toMatchObject({ ok: true })
    expect((await at.reconcile()).json).toMatchObject({ outcome: 'uncertain', state: 'pending' })
    expect(at.gate.sent()).toBe(sent)
  })
})
