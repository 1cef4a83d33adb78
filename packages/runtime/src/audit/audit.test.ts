import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { keccak256, parseTaskHash, rawCidOf } from '@oikos/core'
import { utf8 } from '@oikos/core/economic'
import { setAcceptanceAuthorityAndWait } from '@oikos/sdk'
import { type ContentResolver, createContentResolver } from '@oikos/sdk/content'
import { type Address, createClient, custom, type Hex, http, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditedLife, auditLife, type RawLog, startAuditedLife, weighing } from '../../test/audited-life.ts'
import { makeEvmRail } from '../../test/rails/evm-rail.ts'
import { hostOver } from '../../test/rails/suite-engine.ts'
import { createEconomicAgent } from '../economic/index.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { createMemorySentTransactions } from '../rails/sent/sent-transactions.ts'
import { auditEvidence } from './audit-evidence.ts'
import { auditPackage } from './audit-package.ts'
import { auditTender } from './audit-tender.ts'
import { AUDIT_CODES } from './codes.ts'
import { noAuditFindings } from './findings.ts'
import { renderAuditReport } from './render-report.ts'
import type { AuditProgress } from './report.ts'

let life: AuditedLife
beforeAll(async () => {
  life = await startAuditedLife()
})
afterAll(() => life.stop())

const audit = (options: Parameters<typeof auditLife>[1] = {}, change?: (logs: RawLog[]) => RawLog[]) =>
  auditLife(life, options, change)

/** Bob has two units pending; what settles them cites a record of the test's choice. */
const settleWith = (reasoningHash: Hex, reasoningURI: string) =>
  life.act({ requester: life.agents.address.bob, reasoningHash, reasoningURI })

describe('an Agent that did every kind of action', () => {
  test('is verified: records, books at chosen blocks, deliveries, metadata in bytecode, roles', async () => {
    const report = await audit({ booksAt: [20n, 25n, 30n] })
    expect(report.findings.filter(({ severity }) => severity === 'fault' || severity === 'gap')).toEqual([])
    expect(report.status).toBe('verified')
    const actions = report.actions.listed.map(({ action }) => action)
    expect(actions).toEqual([
      ...['settleMint', 'settleMintBatch', 'settleRedeem', 'decline', 'executeWithAllowance', 'execute'],
    ])
    expect(report.actions).toMatchObject({ total: 6, verified: 6, refused: 0, unavailable: 0 })
    expect(report.books.map(({ blockNumber }) => blockNumber)).toEqual([20n, 25n, 30n, report.range.toBlock])
    for (const { lines } of report.books) {
      expect(lines.length).toBeGreaterThanOrEqual(5)
      for (const { derived, contract } of lines) expect(derived).toBe(contract)
    }
    const last = report.books.at(-1)
    expect(last?.openAccounts).toBe(2)
    expect(last?.lines.find(({ what }) => what === 'fees owed')?.derived).toBeGreaterThan(0n)
    expect(report.deliveries).toMatchObject([{ package: 'verified', result: 'verified', version: 1n }])
    expect(report.metadata).toMatchObject({
      status: 'verified',
      checked: expect.arrayContaining(['reclaim', 'horizon']),
    })
    expect(report.roles.changes.map(({ text }) => text)).toContain(
      `Owner offers the ownership to ${life.agents.address.stranger}`,
    )
    expect(report.roles.periods.filter(({ role }) => role === 'executor')).toMatchObject([
      { account: life.agents.address.executor, fromBlock: expect.any(BigInt) },
    ])
  })

  test('is audited again with the same bytes of a report', async () => {
    const text = (value: unknown) =>
      JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? `${member}` : member))
    expect(text(await audit())).toBe(text(await audit()))
  })

  test('comes to the same where pages are cut because of much dust', async () => {
    expect(await audit({ booksAt: [20n, 25n], maxMovesPerPage: 1 })).toEqual(await audit({ booksAt: [20n, 25n] }))
  })

  test('goes on from the checkpoint of an audit that was interrupted at any step, and comes to the same', async () => {
    const whole = await audit()
    const seen: number[] = []
    for (let stopAt = 1; ; stopAt++) {
      let saved: string | undefined
      let saves = 0
      const checkpoint = {
        load: async () => saved,
        save: async (text: string) => {
          saves += 1
          if (saves === stopAt) throw new Error('the machine stops')
          saved = text
        },
      }
      const progress: AuditProgress[] = []
      const first = await audit({ checkpoint, actionsPerStep: 1 }).catch((error: Error) => error.message)
      if (first !== 'the machine stops') break
      saves = Number.NEGATIVE_INFINITY
      expect(await audit({ checkpoint, actionsPerStep: 1, onProgress: (step) => progress.push(step) })).toEqual(whole)
      seen.push(progress.at(0)?.actions ?? 0)
    }
    // each stop was at another place, and the work before it was not done again
    expect(seen.length).toBeGreaterThan(5)
    expect(seen).toEqual([...seen].sort((one, other) => one - other))
    expect(new Set(seen).size).toBeGreaterThan(4)
  })

  test('begins again where the checkpoint is of another audit, or is none', async () => {
    for (const text of ['{', '{}', 'null', '{"key":"another"}']) {
      const checkpoint = { load: async () => text, save: async () => {} }
      const report = await audit({ checkpoint })
      expect(report.counts).toHaveProperty(['audit.restarted'])
      expect(report.status).toBe('verified')
    }
  })

  test('ends with the reason of an aborted signal', async () => {
    const reason = new Error('enough')
    await expect(audit({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('what Executors may do, and who judges', () => {
  test('the boundary is told in sentences, now and with each change', async () => {
    const { boundary, roles } = await audit()
    expect(boundary).toMatchObject({ isReplayed: true, revision: expect.stringMatching(/^0x/) })
    expect(boundary.sentences.join(' ')).toContain(life.agents.market.task)
    const [birth] = roles.changes.filter(({ text }) => text.startsWith('a change of the boundary takes effect'))
    expect(birth?.text).toContain(boundary.sentences[0])
    expect(renderAuditReport(await audit())).toContain('What Executors may do at the last block')
  })

  test('a tender that the own Owner judges: roles.own-judge', () =>
    life.withSnapshot(async () => {
      const { market, address } = life.agents
      const at = { task: market.task, tokenId: life.tokenId }
      await setAcceptanceAuthorityAndWait(market.as.judge, { ...at, newAuthority: address.stranger })
      expect((await audit()).counts).not.toHaveProperty(['roles.own-judge'])
      await setAcceptanceAuthorityAndWait(life.agents.as.stranger, { ...at, newAuthority: address.owner })
      expect((await audit()).counts).toMatchObject({ 'roles.own-judge': 1 })
    }))
})

test('packages are fetched one after another, also for many records at once', async () => {
  let [running, most] = [0, 0]
  const source: ContentResolver = {
    ...createContentResolver({}),
    source: () => ({
      attempts: [],
      get: async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((done) => setTimeout(done, 5))
        running -= 1
        return undefined
      },
    }),
  }
  const context = { resolver: source, packages: new Map(), findings: noAuditFindings() }
  const hashes = ['a', 'b', 'c', 'd'].map((text) => parseTaskHash(keccak256(utf8(text))))
  const audited = await Promise.all(hashes.map((taskHash) => auditPackage({ taskHash }, 'action 1', context)))
  expect(audited.map(({ status }) => status)).toEqual(hashes.map(() => 'unavailable'))
  expect(most).toBe(1)
})

describe('each planted fault has its own code', () => {
  const planted = (work: () => Promise<void>, codes: readonly string[]) =>
    life.withSnapshot(async () => {
      await work()
      const report = await audit()
      expect(weighing(report.counts)).toEqual(codes)
      return report
    })
  const bob = (): Address => life.agents.address.bob

  test('a record that somebody changed: record.changed', () =>
    planted(async () => {
      const { reasoningHash, reasoningURI, cid } = life.record(bob())
      await settleWith(reasoningHash, reasoningURI)
      life.content.set(cid, utf8('{"decision":"another"}'))
    }, ['record.changed']))

  test('a record that nobody has: record.missing', () =>
    planted(async () => {
      const { reasoningHash, reasoningURI, cid } = life.record(bob())
      await settleWith(reasoningHash, reasoningURI)
      life.content.delete(cid)
    }, ['record.missing']))

  test('a CID of other bytes than those of the hash: record.wrong-cid', () =>
    planted(async () => {
      const [one, other] = [life.record(bob()), life.record(bob())]
      await settleWith(one.reasoningHash, other.reasoningURI)
    }, ['record.wrong-cid']))

  test('a record for another action, and one for another Agent: record.other-action', async () => {
    await planted(async () => {
      const other = life.record(life.agents.address.alice)
      await settleWith(other.reasoningHash, other.reasoningURI)
    }, ['record.other-action'])
    await planted(async () => {
      const other = life.record(bob(), { agent: life.agents.address.alice })
      await settleWith(other.reasoningHash, other.reasoningURI)
    }, ['record.other-action'])
  })

  test('a record that another action cited: record.replayed', () =>
    planted(async () => {
      const [batch] = (await audit()).actions.listed.filter(({ action }) => action === 'settleMintBatch')
      if (batch === undefined) throw new Error('there is a batch')
      await settleWith(batch.reasoningHash, batch.reasoningURI)
    }, ['record.other-action', 'record.replayed']))

  test('anchored bytes that are no record: record.form', () =>
    planted(async () => {
      const bytes = utf8('We thought about it.')
      await settleWith(keccak256(bytes), `ipfs://${life.publish(bytes)}`)
    }, ['record.form']))

  test('a URI that leads nowhere: record.uri', () =>
    planted(async () => {
      const { reasoningHash } = life.record(bob())
      await settleWith(reasoningHash, 'javascript:alert(1)')
    }, ['record.uri']))

  test('an https URI with other bytes: record.hash', () =>
    planted(async () => {
      const { reasoningHash, cid } = life.record(bob())
      const other = life.record(bob())
      await settleWith(reasoningHash, `https://records.example/ipfs/${other.cid}`)
      expect(cid).not.toBe(other.cid)
    }, ['record.hash']))

  test('a tampered package: package.invalid; one that nobody has: package.missing', async () => {
    await planted(async () => {
      life.content.set(life.rootCid, utf8('other'))
    }, ['package.invalid'])
    await planted(async () => {
      life.content.delete(life.rootCid)
    }, ['package.missing'])
  })

  test('a delivery that was changed, or resolves nowhere: delivery.changed, delivery.missing', async () => {
    await planted(async () => {
      life.content.set(life.delivery, utf8('other'))
    }, ['delivery.changed'])
    await planted(async () => {
      life.content.delete(life.delivery)
    }, ['delivery.missing'])
  })

  test('a payment that does not replay, is another, or resolves nowhere', async () => {
    const link = async (digest: string, uri?: string) => {
      const evidence = [{ digest, ...(uri === undefined ? {} : { uri }) }]
      const { reasoningHash, reasoningURI } = life.record(bob(), { claims: { decision: 'Pay.' }, links: { evidence } })
      await settleWith(reasoningHash, reasoningURI)
    }
    const digest = `sha256:${'0a'.repeat(32)}`
    const cid = life.publish(utf8('{}'))
    await planted(() => link(digest), ['evidence.missing'])
    await planted(() => link(digest, `ipfs://${rawCidOf(utf8('none'))}`), ['evidence.missing'])
    await planted(async () => {
      life.content.set(cid, utf8('{}'))
      await link(digest, `ipfs://${cid}`)
    }, ['evidence.digest'])
  })

  test('metadata that disclose no reclaim, another horizon or a function that is not in the code; metadata that are gone', async () => {
    const { as } = life.agents
    const { setAgentURIAndWait } = await import('@oikos/sdk')
    const set = (uri: string) => setAgentURIAndWait(as.owner, { agent: life.agent, agentURI: uri })
    const none = utf8('{"description":"","image":"","name":"A","reclaim":"none"}')
    await planted(async () => {
      await set(`ipfs://${life.publish(none)}`)
    }, ['metadata.reclaim'])
    const other = '{"description":"","image":"","name":"A","reclaim":{"horizon":60,"method":"reclaim()"}}'
    await planted(async () => {
      await set(`ipfs://${life.publish(utf8(other))}`)
    }, ['metadata.reclaim'])
    const strange = '{"description":"","image":"","name":"A","reclaim":{"horizon":86400,"method":"giveBack()"}}'
    await planted(async () => {
      await set(`ipfs://${life.publish(utf8(strange))}`)
    }, ['metadata.reclaim'])
    await planted(async () => {
      await set(`ipfs://${rawCidOf(utf8('gone'))}`)
    }, ['metadata.missing'])
  })

  test('hostile markup in claims is a note, and is text in the page', async () => {
    const decision = '</td><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u001b[2J'
    const report = await planted(async () => {
      const { reasoningHash, reasoningURI } = life.record(bob(), { claims: { decision } })
      await settleWith(reasoningHash, reasoningURI)
    }, [])
    expect(report.counts).toMatchObject({ 'record.markup': 1 })
    const page = renderAuditReport(report)
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('\\u{202e}\\u{1b}[2J')
    for (const tag of ['<script', '<img', 'onerror="', 'href=', 'src="']) expect(page).not.toContain(tag)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  })
})

describe('a tender', () => {
  const tender = (change?: (logs: RawLog[]) => RawLog[]) =>
    auditTender(life.client(change), {
      ...{ task: life.agents.market.task, tokenId: life.tokenId, resolver: life.resolver(), fromBlock: 0n },
    })

  test('is verified: versions, deliveries, counts, powers', async () => {
    const report = await tender()
    expect(report.findings.filter(({ severity }) => severity === 'fault' || severity === 'gap')).toEqual([])
    expect(report).toMatchObject({
      status: 'verified',
      versions: [{ version: 1n, package: 'verified' }],
      deliveries: [{ fulfiller: life.agent, package: 'verified', result: 'verified' }],
    })
    expect(report.changes.map(({ text }) => text)).toContain(`judge is ${life.agents.market.address.judge}`)
    expect(renderAuditReport(report)).toContain('VERIFIED')
  })

  test('whose acceptance the node hides differs from its counts', async () => {
    const report = await tender((logs) =>
      logs.filter(
        ({ topics }) => topics[0] !== toEventSelector('FulfillmentAccepted(uint256,uint256,address,uint256)'),
      ),
    )
    expect(weighing(report.counts)).toEqual(['tender.deliveries'])
  })

  test('whose binding the node hides has a delivery of a version that never was', async () => {
    const report = await tender((logs) =>
      logs.filter(({ topics }) => topics[0] !== toEventSelector('TaskUpdated(uint256,bytes32,bytes32,uint64)')),
    )
    expect(weighing(report.counts)).toEqual(['package.version', 'tender.binding'])
  })
})

describe('a payment', () => {
  test('is replayed and matched with the chain by its signed bytes', async () => {
    const rail = await makeEvmRail('direct')
    try {
      const journal = createMemoryJournal({ clockMs: rail.clockMs })
      const sent = createMemorySentTransactions()
      const { adapter } = await rail.open({ at: ['node'], sent, timeoutMs: 5_000 })
      const payment = { idempotencyKey: 'audit-1', createdAtMs: rail.clockMs(), confirmationTarget: 1 }
      const source = rail.source(payment)
      const payer = createEconomicAgent(rail.policy, hostOver(rail, adapter, journal), { aborted: false })
      const first = await payer.execute(source)
      await rail.chain.mine(3)
      const outcome = await payer.reconcile('audit-1' as never, source)
      if (outcome.kind !== 'run' || first.kind !== 'run') throw new Error('the payment was refused')
      expect(outcome.result.status).toBe('confirmed')
      const { bytes, digest } = outcome.evidence
      const chain = { client: createClient({ transport: http(rail.url) }), chainId: 11155111 }
      const report = await auditEvidence(bytes, { where: 'evidence.json', digest, chain })
      expect(report).toMatchObject({ status: 'verified', payment: { result: 'confirmed', isOnChain: true } })

      // the run that signed holds the digest of the signed bytes, which the chain's transaction is compared with
      const signed = await auditEvidence(first.evidence.bytes, { where: 'evidence.json', chain })
      expect(signed).toMatchObject({ status: 'verified', payment: { result: 'pending', isOnChain: true } })
      const node = http(rail.url)({ retryCount: 0 })
      const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
        const answer = await node.request({ method, params } as never)
        return method === 'eth_getTransactionByHash' ? { ...(answer as object), value: '0x1' } : answer
      }
      const lying = { client: createClient({ transport: custom({ request }) }), chainId: 11155111 }
      const differs = await auditEvidence(first.evidence.bytes, { where: 'evidence.json', chain: lying })
      expect(weighing(differs.counts)).toEqual(['evidence.transaction-differs'])

      const elsewhere = { client: life.client(), chainId: 11155111 }
      const lost = await auditEvidence(bytes, { where: 'evidence.json', chain: elsewhere })
      expect(weighing(lost.counts)).toEqual(['evidence.transaction-missing'])
      const unknown = await auditEvidence(first.evidence.bytes, { where: 'x', chain: elsewhere })
      expect(unknown).toMatchObject({ status: 'verified', counts: { 'evidence.not-matched': 1 } })
      const alone = await auditEvidence(bytes, { where: 'evidence.json' })
      expect(alone).toMatchObject({ status: 'verified', counts: { 'evidence.not-matched': 1 } })
      const other = await auditEvidence(bytes, { where: 'x', digest: `sha256:${'00'.repeat(32)}` })
      expect(weighing(other.counts)).toEqual(['evidence.digest'])
      const changed = new Uint8Array(bytes)
      changed[bytes.length - 40] = 0x20
      expect(weighing((await auditEvidence(changed, { where: 'x' })).counts)).toEqual(['evidence.replay'])
    } finally {
      await rail.close()
    }
  })
})

test('the table of docs/audit.md is the list of codes, in its order', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/audit.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z-]+)` \| (\w+) \| (.+) \|$/gm)].map(([, code, weight, text]) => [
    code,
    [weight, text],
  ])
  expect(rows).toEqual(Object.entries(AUDIT_CODES))
})
