import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fundedAddress } from './harness.ts'
import { AMOUNT, intentText, PAY, RULE, recipient, rule, usePayBench } from './pay-bench.ts'

const at = usePayBench()

describe('pay', () => {
  it('MUST pay once, and journals before each effect, in the order of the authority sequence', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const { code, json, err } = await at.bench.run([...PAY, ...RULE])
    expect(json).toMatchObject({ ok: true, outcome: 'paid', idempotencyKey: at.key, state: 'confirmed', causes: [] })
    expect(code).toBe(0)
    const stations = err.split('\n').map((line) => line.replace(/ {2,}/g, ' '))
    const places = [
      'journal version 1 is on disk: reserved',
      'snapshot the chain was observed',
      'simulated the node tried the transaction',
      'approval the approver is asked',
      'journal version 4 is on disk: approved',
      'signed custody signed one transaction',
      'journal version 6 is on disk: broadcast unknown',
      'broadcast the transaction was handed over, once',
      'observed the chain was asked for the transaction',
      'journal version 9 is on disk: confirmed',
    ].map((station) => stations.indexOf(station))
    expect(places).toEqual([...places].sort((left, right) => left - right))
    expect(places).not.toContain(-1)
    // Once more, and looked up: the same end, and nothing is sent.
    expect((await at.bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'paid' })
    expect((await at.reconcile()).json).toMatchObject({ outcome: 'paid' })
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
  })

  it('MUST never approve by itself: without a person, a rule or an approver nothing is begun', async () => {
    const { code, json } = await at.bench.run(PAY)
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { message: expect.stringContaining('Nobody can be asked') } })
    expect((await at.reconcile()).code).toBe(4)
  })

  it('asks the person at the terminal: anything but the digits of the request refuses', async () => {
    let asked = ''
    const { code, json, err } = await at.bench.run(PAY, {
      answers: ['yes'],
      onQuestion: (question) => {
        asked = question
      },
    })
    expect(asked).toMatch(/^Type [0-9a-f]{6} to approve/)
    expect(err).toMatch(/says: data for the tender/)
    // The journal has reserved it before anybody is asked.
    expect(err).toMatch(/24 hours +at most 0\.00000001 ETH/)
    expect(err).toMatch(/reserved +0\.000000001 ETH \(1000000000 wei\) by the payer's journal, this payment included/)
    expect(err).toMatch(/left +0\.000000009 ETH \(9000000000 wei\) after this payment/)
    expect(code).toBe(1)
    expect(json).toMatchObject({ outcome: 'refused', code: 'SPX-G214', state: 'rejected' })
  })

  it('is paid when the person types the digits of the request', async () => {
    const { json } = await at.bench.run(PAY, { answers: [(question) => /[0-9a-f]{6}/.exec(question)?.[0] ?? ''] })
    expect(json).toMatchObject({ outcome: 'paid' })
  })

  it('is refused by a rule that allows less, with code and words', async () => {
    await writeFile(join(at.bench.folder, 'rule.json'), JSON.stringify(rule(AMOUNT - 1n)))
    const sent = at.gate.sent()
    const { code, json } = await at.bench.run([...PAY, ...RULE])
    expect(code).toBe(1)
    expect(json).toMatchObject({ ok: false, outcome: 'refused', code: 'SPX-G214', meaning: expect.any(String) })
    expect(at.gate.sent()).toBe(sent)
  })

  it('is refused by the policy before anything is begun', async () => {
    await writeFile(join(at.bench.folder, 'intent.json'), intentText(at.key, AMOUNT + 1n))
    const { code, json } = await at.bench.run([...PAY, ...RULE])
    expect(code).toBe(1)
    expect(json).toMatchObject({ outcome: 'refused', code: 'SPX-G212' })
    expect((await at.reconcile()).code).toBe(4)
  })

  it('is refused by custody for whom the list does not name, and nothing was sent', async () => {
    await at.bench.run(['wallet', 'allow', 'buyer', recipient, '--remove'])
    const sent = at.gate.sent()
    const { code, json } = await at.bench.run([...PAY, ...RULE])
    expect(code).toBe(1)
    expect(json).toMatchObject({
      outcome: 'refused',
      code: 'SPX-I225',
      causes: [expect.stringContaining('destination_refused')],
    })
    expect(at.gate.sent()).toBe(sent)
  })

  it('finds a wrong passphrase before anything is reserved', async () => {
    const { code, json } = await at.bench.run([...PAY, ...RULE], { env: { OIKOS_PASSPHRASE: 'another' } })
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { code: 'passphrase' } })
    expect((await at.reconcile()).code).toBe(4)
  })

  it('begins nothing where its memory of what was sent cannot be used', async () => {
    await writeFile(join(at.bench.folder, 'home', 'sent.sqlite'), 'something else')
    const { code, json } = await at.bench.run([...PAY, ...RULE])
    expect(json).toMatchObject({ ok: false, error: { name: 'DurableStoreError' } })
    expect(code).toBe(3)
    expect((await at.bench.run(['journal', 'list', '--json'])).json).toMatchObject({ payments: [] })
  })

  it('takes no second payment under one key', async () => {
    await at.bench.run([...PAY, ...RULE])
    await writeFile(join(at.bench.folder, 'intent.json'), intentText(at.key, AMOUNT - 1n))
    const { code, json } = await at.bench.run([...PAY, ...RULE])
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { message: expect.stringContaining('stands for another payment') } })
  })

  it('MUST pay once when it is run twice at the same time', async () => {
    const sent = at.gate.sent()
    const both = await Promise.all([at.bench.run([...PAY, ...RULE]), at.bench.run([...PAY, ...RULE])])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 3])
    const busy = both.find(({ code }) => code === 3)
    expect(busy?.json).toMatchObject({ ok: false, error: { name: 'PaymentBusyError', retryable: true } })
    expect(at.gate.sent() - sent).toBe(1)
  })

  it('is uncertain while nothing confirms it, and says to reconcile and never to pay again', async () => {
    await at.ask('evm_setAutomine', [false])
    try {
      const { code, json, err } = await at.bench.run([...PAY, ...RULE, '--timeout', '0s'])
      expect(code).toBe(5)
      expect(json).toMatchObject({ ok: false, outcome: 'uncertain', state: 'pending' })
      expect(err).toContain('Do not pay again')
      expect(err).toContain(`oikos pay reconcile ${at.key}`)
    } finally {
      await at.ask('evm_setAutomine', [true])
      await at.ask('evm_mine', [])
    }
    expect((await at.reconcile()).json).toMatchObject({ ok: true, outcome: 'paid' })
  })
})

describe('Ctrl-C', () => {
  it('before the signature ends the payment, and gives its reservation back', async () => {
    const interruption = new AbortController()
    const sent = at.gate.sent()
    const { code, json } = await at.bench.run([...PAY, ...RULE], {
      signal: interruption.signal,
      onSay: (text) => {
        if (text.includes('the approver is asked')) interruption.abort()
      },
    })
    expect(code).toBe(130)
    expect(json).toMatchObject({ outcome: 'refused', state: expect.stringMatching(/cancelled|failed/) })
    expect(at.gate.sent()).toBe(sent)
  })

  it('after the broadcast leads to reconcile, and the payment is found', async () => {
    const interruption = new AbortController()
    const { code, json, err } = await at.bench.run([...PAY, ...RULE], {
      signal: interruption.signal,
      onSay: (text) => {
        if (text.includes('handed over, once')) interruption.abort()
      },
    })
    expect(code).toBe(5)
    expect(json).toMatchObject({ outcome: 'uncertain' })
    expect(err).toContain(`oikos pay reconcile ${at.key}`)
    expect((await at.reconcile()).json).toMatchObject({ outcome: 'paid' })
  })
})

describe('a payer that dies', () => {
  /** Starts a payment in a process of its own and kills it with SIGKILL where `isTime` says so. */
  async function payAndDie(isTime: (method: string, err: string) => boolean, isPassedOn: boolean): Promise<string> {
    const paying = at.start()
    at.gate.onRequest = (method) => {
      if (!isTime(method, paying.err())) return true
      paying.kill('SIGKILL')
      return isPassedOn
    }
    const end = await paying.ended
    at.gate.onRequest = () => true
    expect(end, paying.err()).toBe('SIGKILL')
    return paying.err()
  }

  it('MUST broadcast at most once: killed between signature and broadcast, it is reconciled to an end', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const err = await payAndDie((_method, said) => said.includes('custody signed one transaction'), false)
    expect(err).not.toContain('handed over')
    // Nobody can know that it did not leave, as long as its nonce is free: it stays open, and is not sent again.
    const open = await at.reconcile()
    expect(open.code).toBe(5)
    expect(open.json).toMatchObject({ ok: false, outcome: 'uncertain', state: 'pending' })
    // Another transaction of the wallet takes its nonce: now it can never come.
    await at.ask('anvil_impersonateAccount', [at.payer])
    await at.ask('eth_sendTransaction', [{ from: at.payer, to: fundedAddress(0), value: '0x1' }])
    await at.ask('anvil_mine', ['0x1'])
    const { code, json } = await at.reconcile()
    expect(json).toMatchObject({ ok: false, outcome: 'refused', state: 'dropped' })
    expect(code).toBe(1)
    expect((await at.bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'refused', state: 'dropped' })
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([0n, 0])
  })

  it('MUST broadcast at most once: killed while the broadcast is on its way, it is found paid', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    await payAndDie((method) => method === 'eth_sendRawTransaction', true)
    await expect.poll(at.balance).toBe(before + AMOUNT)
    const { code, json } = await at.reconcile()
    expect(code).toBe(0)
    expect(json).toMatchObject({ ok: true, outcome: 'paid', state: 'confirmed' })
    expect((await at.bench.run([...PAY, ...RULE])).json).toMatchObject({ outcome: 'paid' })
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
  })

  it('keeps the documents of a payment for its owner alone', async () => {
    await at.bench.run([...PAY, ...RULE])
    const folder = join(at.bench.folder, 'home', 'payments', `${at.key}.payment`)
    for (const name of ['policy.json', 'intent.json']) {
      expect(await readFile(join(folder, name), 'utf8')).toBe(await readFile(join(at.bench.folder, name), 'utf8'))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    await chmod(folder, 0o755)
    expect((await at.reconcile()).code).toBe(2)
  })
})
