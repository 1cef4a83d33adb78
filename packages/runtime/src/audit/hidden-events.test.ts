import { keccak256 } from '@oikos/core'
import { scopeAbi, taskTokenAbi } from '@oikos/core/abi'
import { utf8 } from '@oikos/core/economic'
import { executeAndWait, fundTaskAndWait } from '@oikos/sdk'
import { type AbiEvent, encodeFunctionData, type Hex, toEventSelector, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditedLife, auditLife, type RawLog, startAuditedLife, weighing } from '../../test/audited-life.ts'
import { renderAuditReport } from './render-report.ts'

let life: AuditedLife
beforeAll(async () => {
  life = await startAuditedLife()
})
afterAll(() => life.stop())

const audit = (options: Parameters<typeof auditLife>[1] = {}, change?: (logs: RawLog[]) => RawLog[]) =>
  auditLife(life, options, change)

describe('a node that drops or changes an event shows as a difference of the books', () => {
  const selector = (event: string | AbiEvent): Hex => toEventSelector(event)
  const policyApplied = scopeAbi.find((item) => item.type === 'event' && item.name === 'PolicyApplied') as AbiEvent
  const drop =
    (signature: string | AbiEvent, which = 0) =>
    (logs: RawLog[]): RawLog[] => {
      const found = logs.filter(({ topics }) => topics[0] === selector(signature))
      return logs.filter((log) => log !== found.at(which))
    }

  test.each<[string, (logs: RawLog[]) => RawLog[], string[]]>([
    ['a request', drop('MintRequested(address,uint256,uint64,uint256)', -1), ['books.reserve']],
    [
      'a claim of shares',
      drop('SharesMinted(address,uint256,uint256,uint64,uint256,uint256)'),
      ['books.claimable', 'books.settled'],
    ],
    ['a transfer of shares', drop('Transfer(address,address,uint256)'), ['books.supply']],
    [
      'the detail of a settlement',
      drop('SettlementDetail(address,uint8,uint256,uint256,uint256,uint256)', -1),
      ['books.claimable', 'books.events', 'books.fees', 'books.pending', 'books.reserve'].filter(
        (code) => code !== 'books.fees',
      ),
    ],
    ['a settlement', drop('Settled(address,uint8,uint256,bytes32,string)', 0), ['books.events']],
    ['the birth of an Executor', drop('ExecutorUpdated(address,bool)'), ['roles.acted-without', 'roles.differ']],
    ['the recipient of fees', drop('FeeRecipientUpdated(address)'), ['roles.differ']],
    ['an offer of the ownership', drop('OwnershipTransferStarted(address,address)'), ['roles.differ']],
    ['the metadata', drop('AgentURIUpdated(string)'), ['terms.differ']],
    ['a change of the boundary', drop(policyApplied), ['scope.differs']],
    ['a delivery', drop('FulfillmentSubmitted(uint256,uint256,address,bytes32,string,uint64)'), ['delivery.unseen']],
  ])('%s is dropped', async (_, change, codes) => {
    const report = await audit({}, change)
    expect(weighing(report.counts)).toEqual(expect.arrayContaining(codes))
    expect(report.status).not.toBe('verified')
  })

  test.each<[string, string, string[]]>([
    [
      'an execution that moved money',
      'Executed(address,address,uint256,bytes4,bytes,bytes32,string)',
      ['books.outflow'],
    ],
    ['a payout', 'SharesRedeemed(address,uint256,uint256,uint64,uint256,uint256)', ['books.outflow']],
  ])('%s is dropped: Accept Token left without a reason', async (_, signature, codes) => {
    const report = await audit({}, drop(signature))
    expect(weighing(report.counts)).toEqual(expect.arrayContaining(codes))
  })

  test('a transfer of the Accept Token is dropped', async () => {
    const transfer = selector('Transfer(address,address,uint256)')
    const report = await audit({}, (logs) => {
      const first = logs.find((log) => log.topics[0] === transfer && log.address === life.agents.token.toLowerCase())
      return logs.filter((log) => log !== first)
    })
    expect(weighing(report.counts)).toContain('books.balance')
  })

  test('an action that delivered is dropped', async () => {
    const executed = selector('Executed(address,address,uint256,bytes4,bytes,bytes32,string)')
    const submit = toFunctionSelector('submitFulfillment(uint256,bytes32,string)')
    const isDelivery = (log: RawLog): boolean =>
      log.topics[0] === executed && log.topics[3]?.startsWith(submit) === true
    // another delivery, so that the market is known
    await life.withSnapshot(async () => {
      const { agents, agent, tokenId } = life
      const data = encodeFunctionData({
        ...{ abi: taskTokenAbi, functionName: 'submitFulfillment' },
        args: [tokenId, keccak256(utf8('more')), ''],
      })
      await fundTaskAndWait(agents.market.as.funder, { task: agents.market.task, tokenId, amountAtomic: 10n ** 18n })
      const reasoning = await agents.reason(agent, 'execute', [agents.market.task, 0n, data])
      for (const [cid, bytes] of agents.store.blocks) life.content.set(cid, bytes)
      const call = { agent, target: agents.market.task, valueWei: 0n, data, reasoning }
      await executeAndWait(agents.as.executor, call)
      const report = await audit({}, (logs) => {
        const [first] = logs.filter(isDelivery)
        return logs.filter((log) => log !== first)
      })
      expect(weighing(report.counts)).toContain('delivery.unexplained')
      expect(weighing((await audit()).counts)).toEqual([])
    })
  })

  test('a rate is told that never was', async () => {
    const report = await audit({}, (logs) =>
      logs.flatMap((log) => {
        if (log.topics[0] !== selector('Reclaimed(address,uint8,uint256)')) return [log]
        const data: Hex = `0x${'0'.repeat(63)}1`
        return [log, { ...log, topics: [selector('ExchangeRateUpdated(uint256)')], data }]
      }),
    )
    expect(weighing(report.counts)).toEqual(['terms.differ'])
  })

  test('an amount is changed', async () => {
    const report = await audit({}, (logs) =>
      logs.map((log) =>
        log.topics[0] === selector('Reclaimed(address,uint8,uint256)')
          ? { ...log, data: `0x${'0'.repeat(126)}01` as Hex }
          : log,
      ),
    )
    expect(weighing(report.counts)).toEqual(['books.outflow', 'books.pending', 'books.reserve'])
    const reserve = report.books.at(-1)?.lines.find(({ what }) => what === 'reserve')
    expect(reserve?.derived).not.toBe(reserve?.contract)
    expect(renderAuditReport(report)).toContain('differs by')
  })
})
