import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentDigest, type Identifier, utf8 } from '@oikos/core/economic'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvalRequestOf, END_MS, NOW_MS, type TestRequest, WALLET } from '../../test/approval-request.ts'
import { collectingSink } from '../../test/collecting-sink.ts'
import { keyOf } from '../../test/payer.ts'
import { type ApprovalLog, openApprovalLog } from './approval-log.ts'
import { createApprover, type Decider, decided } from './approver.ts'
import { ApprovalError } from './errors.ts'
import { createRuleDecider, type RuleLimits } from './rule.ts'
import { type ApproverTerminal, createTerminalDecider } from './terminal.ts'

let folder: string
let log: ApprovalLog
let nowMs: number
let failures: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oikos-approval-'))
  log = await openApprovalLog(join(folder, 'approvals.sqlite'))
  nowMs = NOW_MS
  failures = []
})
afterEach(async () => {
  log.close()
  await rm(folder, { recursive: true, force: true })
})

const somebody = 'somebody' as Identifier
const always = (decision: 'approved' | 'rejected'): Decider => ({
  consider: async () => decided(decision, somebody, 'test'),
})

/** Asks approvers about a request, and reads what the engine would. */
async function ask(deciders: readonly Decider[], about: TestRequest = {}, context = {}) {
  const approver = createApprover({
    deciders,
    log,
    clockMs: () => nowMs,
    contextOf: async () => context,
    onFailure: ({ code }) => failures.push(code),
  })
  const { sink, text } = collectingSink()
  const { request } = approvalRequestOf(about)
  const disposition = await approver.approve(request.text, sink)
  const approval = text() === '' ? undefined : JSON.parse(text())
  return { disposition, approval, text: text() }
}

describe('an approver', () => {
  test('gives an Approval that binds the request and everything that it names', async () => {
    const { disposition, approval } = await ask([always('approved')])
    const { request } = approvalRequestOf()
    expect(disposition).toBe('succeeded')
    expect(approval).toMatchObject({
      schema: 'semaprax.economic-agent-approval.v1',
      approver_id: 'somebody',
      decision: 'approved',
      approval_request: { digest: request.digest },
      policy: { digest: request.document.policy.digest },
      plan: { digest: request.document.plan.digest },
      approved_amount_atomic: 1000,
      approved_fee_atomic: 100000,
      expires_at_ms: END_MS,
    })
  })

  test('a refusal is an Approval with another decision, so that the engine records it', async () => {
    expect((await ask([always('rejected')])).approval).toMatchObject({ decision: 'rejected' })
  })

  test('is valid no longer than the request, nor than it says', async () => {
    const { approval } = await ask([always('approved')], { endMs: NOW_MS + 1_000_000 })
    expect(approval.expires_at_ms).toBe(NOW_MS + 120_000)
  })

  test('decides about a request once: asked again, also after a restart, it gives the same bytes', async () => {
    const first = await ask([always('approved')])
    nowMs += 10_000
    log.close()
    log = await openApprovalLog(join(folder, 'approvals.sqlite'))
    expect((await ask([always('rejected')])).text).toBe(first.text)
  })

  test('the first who has an opinion decides', async () => {
    const asked: string[] = []
    const silent: Decider = {
      consider: async () => {
        asked.push('silent')
        return undefined
      },
    }
    expect((await ask([silent, always('rejected'), always('approved')])).approval.decision).toBe('rejected')
    expect(asked).toEqual(['silent'])
    expect(await ask([silent], { key: 'key.2' })).toMatchObject({ disposition: 'policy_rejected', approval: undefined })
    expect(failures).toEqual(['nobody_decided'])
  })

  test('a request that is over is not decided, and a decision that comes too late does not count', async () => {
    nowMs = END_MS
    expect((await ask([always('approved')])).disposition).toBe('policy_rejected')
    nowMs = END_MS - 1
    const slow: Decider = {
      consider: async () => {
        nowMs = END_MS
        return decided('approved', somebody, 'late')
      },
    }
    expect((await ask([slow], { key: 'key.2' })).disposition).toBe('policy_rejected')
    expect(failures).toEqual(['request_expired', 'request_expired'])
    expect(log.list(10)).toEqual([])
  })

  test.each(['', '{}', '\n', 'null\n', '{"schema":"semaprax.economic-agent-approval-request.v1"}\n'])(
    'the text "%s" is no request',
    async (text) => {
      const approver = createApprover({ deciders: [always('approved')], log, clockMs: () => nowMs })
      const { sink, text: pushed } = collectingSink()
      expect(await approver.approve(text, sink)).toBe('policy_rejected')
      expect(pushed()).toBe('')
    },
  )

  test('a log that is full or gone gives no Approval', async () => {
    log.close()
    const { disposition, approval } = await ask([always('approved')]).catch((cause: unknown) => ({
      disposition: cause,
      approval: undefined,
    }))
    expect(approval).toBeUndefined()
    expect(disposition).not.toBe('succeeded')
    log = await openApprovalLog(join(folder, 'approvals.sqlite'))
  })

  test('the log finds an Approval by its digest, for custody', async () => {
    const { text } = await ask([always('approved')])
    const digest = documentDigest('approval', utf8(text))
    expect(log.find(digest)).toMatchObject({
      walletId: WALLET,
      rail: 'evm',
      recipient: keyOf('evm', 9).address,
      amountAtomic: 1_000n,
      maxFeeAtomic: 100_000n,
      decision: 'approved',
      expiresAtMs: BigInt(END_MS),
    })
    expect(log.find(`sha256:${'0'.repeat(64)}`)).toBeUndefined()
  })
})

describe('a rule', () => {
  const limits: RuleLimits = {
    walletId: WALLET,
    rail: 'evm',
    maxAmountAtomic: 1_000n,
    maxFeeAtomic: 100_000n,
    windowMs: 3_600_000,
    maxWindowAtomic: 2_500n,
    maxWindowPayments: 3,
  }
  const ruled = (changes: Partial<RuleLimits> = {}, more: object = {}) => [
    createRuleDecider({ approverId: 'rule.1', limits: [{ ...limits, ...changes }], ...more }, () => nowMs),
  ]
  const decisionOf = async (deciders: readonly Decider[], about: TestRequest = {}) =>
    (await ask(deciders, about)).approval?.decision

  test('approves exactly its limits, and refuses one unit more of each', async () => {
    expect(await decisionOf(ruled())).toBe('approved')
    expect(await decisionOf(ruled(), { key: 'key.2', amountAtomic: 1_001n })).toBe('rejected')
    expect(await decisionOf(ruled(), { key: 'key.3', maxFeeAtomic: 100_001n })).toBe('rejected')
    expect(log.list(1)[0]?.reason).toContain('0.0000000000001 ETH (100000 wei)')
  })

  test('refuses another wallet, another rail, and a recipient or an origin that it does not name', async () => {
    const x402 = { origin: 'https://market.example.org', method: 'GET', resource: '/data' }
    expect(await decisionOf(ruled(), { key: 'key.1', walletId: 'other' })).toBe('rejected')
    expect(await decisionOf(ruled({ rail: 'solana' }), { key: 'key.2' })).toBe('rejected')
    expect(await decisionOf(ruled({ recipients: [] }), { key: 'key.3' })).toBe('rejected')
    expect(await decisionOf(ruled({ recipients: [keyOf('evm', 9).address] }), { key: 'key.4' })).toBe('approved')
    expect(await decisionOf(ruled({ origins: [] }), { key: 'key.5', x402 })).toBe('rejected')
    expect(await decisionOf(ruled({ origins: [x402.origin] }), { key: 'key.6', x402 })).toBe('approved')
    expect(await decisionOf(ruled({ origins: [] }), { key: 'key.7', amountAtomic: 1n })).toBe('approved')
  })

  test('counts the amounts of its window, to the last unit and the last millisecond', async () => {
    expect(await decisionOf(ruled(), { key: 'a' })).toBe('approved')
    nowMs += 1
    expect(await decisionOf(ruled(), { key: 'b' })).toBe('approved')
    expect(await decisionOf(ruled(), { key: 'c', amountAtomic: 501n, endMs: NOW_MS + 9e6 })).toBe('rejected')
    nowMs = NOW_MS + 3_600_000 - 1
    expect(await decisionOf(ruled(), { key: 'd', amountAtomic: 501n, endMs: NOW_MS + 9e6 })).toBe('rejected')
    nowMs = NOW_MS + 3_600_000
    expect(await decisionOf(ruled(), { key: 'e', amountAtomic: 501n, endMs: NOW_MS + 9e6 })).toBe('approved')
  })

  test('counts payments, and a refusal is none', async () => {
    const small = (key: string) => ({ key, amountAtomic: 1n })
    expect(await decisionOf(ruled(), { key: 'big', amountAtomic: 5_000n })).toBe('rejected')
    for (const key of ['a', 'b', 'c']) expect(await decisionOf(ruled(), small(key))).toBe('approved')
    expect(await decisionOf(ruled(), small('d'))).toBe('rejected')
  })

  test('requests that come at once do not exceed the window together', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `at-once.${index}`)
    const decisions = await Promise.all(keys.map((key) => decisionOf(ruled(), { key })))
    expect(decisions.filter((decision) => decision === 'approved')).toHaveLength(2)
  })

  test('a clock that steps back frees nothing of the window', async () => {
    expect(await decisionOf(ruled({ maxWindowPayments: 1 }), { key: 'a' })).toBe('approved')
    nowMs -= 86_400_000
    expect(await decisionOf(ruled({ maxWindowPayments: 1 }), { key: 'b' })).toBe('rejected')
  })

  test('leaves to a person what it does not cover, if it says so', async () => {
    const passing = ruled({}, { otherwise: 'pass' })
    expect(await decisionOf([...passing, always('approved')], { amountAtomic: 9_000n })).toBe('approved')
    expect(log.list(1)[0]?.approverId).toBe('somebody')
  })

  test('refuses in quiet hours', async () => {
    // 2030-03-17T17:46:40Z is 18:46 in Berlin.
    const quiet = { quietHours: [{ timeZone: 'Europe/Berlin', from: '18:46', to: '18:47' }] }
    expect(await decisionOf(ruled({}, quiet))).toBe('rejected')
    nowMs = NOW_MS + 20_000
    expect(await decisionOf(ruled({}, quiet), { key: 'key.2' })).toBe('approved')
  })

  test.each([
    ['no identifier', { approverId: 'Rule One' }],
    ['a negative amount', { limits: [{ ...limits, maxAmountAtomic: -1n }] }],
    ['no window', { limits: [{ ...limits, windowMs: 0 }] }],
    ['half a payment', { limits: [{ ...limits, maxWindowPayments: 0.5 }] }],
    ['a wallet that is none', { limits: [{ ...limits, walletId: '' }] }],
    ['hours without length', { quietHours: [{ timeZone: 'UTC', from: '10:00', to: '10:00' }] }],
    ['hours that are none', { quietHours: [{ timeZone: 'UTC', from: '24:00', to: '10:00' }] }],
    ['a zone that does not exist', { quietHours: [{ timeZone: 'Mars/Olympus', from: '10:00', to: '11:00' }] }],
  ])('with %s is refused before it is used', (_what, fields) => {
    const rule = { approverId: 'rule.1', limits: [limits], ...fields }
    expect(() => createRuleDecider(rule, () => nowMs)).toThrow(expect.objectContaining({ code: 'setting_malformed' }))
  })
})

describe('a person at a terminal', () => {
  /** A terminal whose person gives one answer, and what was written there. */
  function terminalOf(answer: string | Error, interactive = true) {
    const written: string[] = []
    const terminal: ApproverTerminal = {
      interactive,
      write: (text) => written.push(text),
      ask: async (question) => {
        written.push(question)
        if (answer instanceof Error) throw answer
        return answer
      },
    }
    return {
      decider: createTerminalDecider({ terminal, approverId: 'anna', clockMs: () => nowMs }),
      text: () => written.join(''),
    }
  }
  const { request, intent, policy } = approvalRequestOf()
  const code = request.digest.slice(7, 13)

  test('sees what is paid, to whom, why, and what the policy leaves, and approves by typing what stands there', async () => {
    const { decider, text } = terminalOf(` ${code} `)
    const { approval } = await ask([decider], {}, { intent, policy, reservedAtomic: 60_000n })
    expect(approval).toMatchObject({ decision: 'approved', approver_id: 'anna' })
    expect(text()).toContain('0.000000000000001 ETH (1000 wei) on Sepolia (a test network)')
    expect(text()).toContain(keyOf('evm', 9).address)
    expect(text()).toContain('says: for the data')
    expect(text()).toContain('at most 0.00000000000005 ETH (50000 wei) each, to 1 recipients')
    expect(text()).toMatch(/24 hours +at most 0\.0000000000002 ETH \(200000 wei\)/)
    expect(text()).toMatch(
      /reserved +0\.00000000000006 ETH \(60000 wei\) by the payer's journal, this payment included/,
    )
    expect(text()).toMatch(/left +0\.00000000000014 ETH \(140000 wei\) after this payment/)
    expect(text()).toContain('60 seconds more')
    expect(text()).toContain(`Type ${code} to approve`)
  })

  test.each([
    '',
    'y',
    'yes',
    'approve',
    code.slice(0, 5),
    `${code}0`,
    code.toUpperCase() === code ? 'x' : code.toUpperCase(),
  ])('typing "%s" refuses', async (answer) => {
    expect((await ask([terminalOf(answer).decider])).approval.decision).toBe('rejected')
  })

  test('cannot be asked where there is none, and nothing else approves in its place', async () => {
    expect(await ask([terminalOf(code, false).decider])).toMatchObject({
      disposition: 'definitely_not_started',
      approval: undefined,
    })
    expect(failures).toEqual(['no_terminal'])
  })

  test('who goes away has not answered', async () => {
    expect((await ask([terminalOf(new Error('SIGINT')).decider])).disposition).toBe('definitely_not_started')
    expect(failures).toEqual(['no_answer'])
  })

  test('is told when intent and policy are not those of the request', async () => {
    const other = approvalRequestOf({ memo: 'for something harmless', key: 'key.9' })
    const { decider, text } = terminalOf('')
    await ask([decider], {}, { intent: other.intent, policy: `${policy} ` })
    expect(text()).not.toContain('harmless')
    expect(text()).toContain('not known here: the intent was not handed over')
    expect(text()).toContain('not known here: the policy was not handed over')
  })

  test('sees hostile texts as what they are: no escape reaches the terminal', async () => {
    const memo = '\u001b[2J\u001b[31mApproved already\u202e\u200b\u0007'
    const hostile = approvalRequestOf({
      memo,
      x402: { origin: 'https://a.example\u001b]8;;x', method: 'GET', resource: '/\u0085' },
    })
    const { decider, text } = terminalOf('')
    const approver = createApprover({
      deciders: [decider],
      log,
      clockMs: () => nowMs,
      contextOf: async () => ({ intent: hostile.intent }),
    })
    await approver.approve(hostile.request.text, collectingSink().sink)
    expect(text()).toContain('\\u{1b}[31mApproved already\\u{202e}\\u{200b}\\u{7}')
    expect(/[\p{Cc}\p{Cf}]/u.test(text().replaceAll('\n', ''))).toBe(false)
  })

  test('must have a name', () => {
    const terminal = { interactive: true, write: () => {}, ask: async () => '' }
    expect(() => createTerminalDecider({ terminal, approverId: 'Anna!', clockMs: () => 0 })).toThrow(ApprovalError)
  })
})
