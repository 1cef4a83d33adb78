import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAssetBalance } from '@oikos/sdk'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketBench, fundedAddress, fundedKey, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createMarketBench>>

const [demander, judge, worker, patron, stranger] = [0, 1, 2, 3, 4]

let market: Bench

beforeAll(async () => {
  market = await createMarketBench()
})
afterAll(() => market.stop())

function balanceOf(index: number): Promise<bigint> {
  const account = fundedAddress(index) as `0x${string}`
  return getAssetBalance(market.market.as.owner, { asset: zeroAddress, account })
}

describe('the life of a judged tender, by commands only', () => {
  let task: string

  it('is packed, minted, frozen and funded', async () => {
    const { as, bench } = market
    await as(demander, 'task', 'init', 'report', '--name', 'Site report')
    const packed = await as(demander, 'task', 'pack', 'report')
    expect(packed).toMatchObject({ schema: 'oikos-cli/1', command: 'task pack', ok: true, version: '1' })
    expect(packed).toMatchObject({ files: [{ path: 'manifest.json' }, { path: 'TASK.md' }] })

    const minted = await as(
      demander,
      ...['task', 'mint', 'report', '--reward', '0.25 ETH', '--completions', '2', '--judge', fundedAddress(judge)],
      ...['--window', '3 days', '--submit-by', '30d', '--yes'],
    )
    expect(minted).toMatchObject({ sent: true, event: { name: 'TaskUpdated' }, taskHash: textAt(packed, 'taskHash') })
    expect(textAt(minted, 'taskRef')).toBe(`11155111:${market.market.task}:${textAt(minted, 'tokenId')}`)
    expect(textAt(minted, 'vault')).toMatch(/^0x[0-9a-fA-F]{40}$/)
    task = textAt(minted, 'tokenId')

    expect(await as(demander, 'task', 'freeze', task, '--yes')).toMatchObject({ event: { name: 'TaskFrozen' } })
    const funded = await as(patron, 'task', 'fund', task, '0.75 ETH', '--yes')
    expect(funded).toMatchObject({
      event: { name: 'TenderFunded', args: { amount: String(parseEther('0.75')) } },
      plan: { valueWei: String(parseEther('0.75')), function: 'fundTask' },
    })
    const shown = await bench.run(['task', 'show', task])
    expect(shown.out).toContain('0.25 ETH a completion, in the native currency')
    expect(shown.out).toContain('No deliveries yet')
    expect(shown.err).toContain(`oikos task verify ${task}`)
  })

  it('verifies against the chain', async () => {
    const verdict = await market.as(stranger, 'task', 'verify', task)
    expect(verdict).toMatchObject({ ok: true, status: 'valid', kind: 'chain', findings: [], version: '1' })
    const ref = textAt(verdict, 'taskRef')
    expect(await market.as(stranger, 'task', 'verify', ref, '--unpack', 'unpacked')).toMatchObject({ ok: true })
    const text = await readFile(join(market.bench.folder, 'unpacked', 'TASK.md'), 'utf8')
    expect(text).toContain('# Site report')
  })

  it('takes a delivery that the judge refuses, and one that the judge pays', async () => {
    const { as, bench } = market
    await writeFile(join(bench.folder, 'first.md'), 'a hasty report')
    await writeFile(join(bench.folder, 'second.md'), 'a careful report')
    const first = await as(worker, 'task', 'submit', task, '--file', 'first.md', '--yes')
    expect(first).toMatchObject({ submissionId: '1', event: { name: 'FulfillmentSubmitted' } })
    await as(judge, 'task', 'reject', task, '1', '--yes')

    const second = await as(worker, 'task', 'submit', task, '--file', 'second.md', '--yes')
    const delivered = await bench.run(['content', 'get', textAt(second, 'resultURI')])
    expect(delivered.out).toBe('a careful report\n')
    const before = await balanceOf(worker)
    const accepted = await as(judge, 'task', 'accept', task, '2', '--yes')
    expect(accepted).toMatchObject({
      event: { name: 'FulfillmentAccepted', args: { reward: String(parseEther('0.25')) } },
    })
    expect((await balanceOf(worker)) - before).toBe(parseEther('0.25'))
  })

  it('pays a delivery by default when the judge stays silent', async () => {
    const { as, bench } = market
    await as(
      worker,
      'task',
      'submit',
      task,
      '--result-hash',
      `0x${'ab'.repeat(32)}`,
      '--uri',
      'https://example.org/r',
      '--yes',
    )
    const early = await bench.run(['task', 'claim', task, '3', '--yes', '--json'], {
      env: { OIKOS_PRIVATE_KEY: fundedKey(stranger) },
    })
    expect(early.code).toBe(1)
    expect(early.json).toMatchObject({
      ok: false,
      exitCode: 1,
      error: { errorName: 'JudgmentWindowOpen', retryable: true },
    })
    await market.market.passTime(3n * 86_400n + 1n)
    const shown = await as(stranger, 'task', 'show', task)
    expect(shown).toMatchObject({ submissions: [{ status: 'pending', resultURI: 'https://example.org/r' }, {}, {}] })
    const before = await balanceOf(worker)
    await as(stranger, 'task', 'claim', task, '3', '--yes')
    expect((await balanceOf(worker)) - before).toBe(parseEther('0.25'))
  })

  it('is cancelled, and the patron gets back what was not spent', async () => {
    const { as, bench } = market
    await as(demander, 'task', 'cancel', task, '--yes')
    const reclaimed = await as(patron, 'task', 'reclaim', 'escrow', task, '--yes')
    expect(reclaimed).toMatchObject({
      event: { name: 'EscrowReclaimed', args: { amount: String(parseEther('0.25')) } },
    })
    expect(await as(stranger, 'task', 'show', task)).toMatchObject({ tender: { balanceAtomic: '0', cancelled: true } })
    const again = await bench.run(['task', 'reclaim', 'escrow', task, '--yes'], {
      env: { OIKOS_PRIVATE_KEY: fundedKey(patron) },
    })
    expect(again.code).toBe(1)
    expect(again.err).toContain('holds nothing that')
  })
})

describe('the life of a tender that receipts settle, by commands only', () => {
  it('pays two receipts, releases junk and refunds the rest', async () => {
    const { as, bench, market: chain } = market
    await as(demander, 'task', 'init', 'labels')
    await writeFile(join(bench.folder, 'labels', 'rules.md'), 'Labels that pass get a receipt.')
    const minted = await as(
      demander,
      ...['task', 'mint', 'labels', '--reward', '0.1 ETH', '--completions', 'unlimited', '--verifier', 'batch'],
      ...[
        '--acceptance',
        'rules.md',
        '--acceptance-profile',
        'x-batch-receipt-merkle-minage-v1',
        '--window',
        '1d',
        '--yes',
      ],
    )
    const task = textAt(minted, 'tokenId')
    await as(
      demander,
      ...['task', 'receipt', 'new', 'receipts.json', '--fulfiller', fundedAddress(worker), '--count', '3'],
    )
    const tree = await as(demander, 'task', 'receipt', 'tree', 'receipts.json', '--out', 'tree.json')
    const committed = await as(
      demander,
      'task',
      'commit',
      'batch',
      task,
      '--tree',
      'tree.json',
      '--min-age',
      '10m',
      '--yes',
    )
    expect(committed).toMatchObject({
      event: { name: 'BatchRootCommitted', args: { root: textAt(tree, 'root'), minAge: '600' } },
    })
    await as(demander, 'task', 'freeze', task, '--yes')
    await as(patron, 'task', 'fund', task, '0.5 ETH', '--yes')
    expect(await as(worker, 'task', 'verify', task, '--strict')).toMatchObject({ ok: true, warnings: [] })

    const { receipts } = JSON.parse(await readFile(join(bench.folder, 'receipts.json'), 'utf8'))
    for (const [index, { receipt }] of receipts.slice(0, 2).entries()) {
      const file = `receipt-${index}.txt`
      await writeFile(join(bench.folder, file), receipt)
      const leaf = await as(worker, 'task', 'receipt', 'leaf', file, '--fulfiller', fundedAddress(worker))
      const submitted = await as(worker, 'task', 'submit', task, '--receipt', file, '--yes')
      expect(textAt(submitted, 'resultHash')).toBe(textAt(leaf, 'resultHash'))
      const settle = ['task', 'settle', task, textAt(submitted, 'submissionId'), '--tree', 'tree.json', '--yes']
      const early = await bench.run(settle, { env: { OIKOS_PRIVATE_KEY: fundedKey(stranger) } })
      expect(early.code).toBe(1)
      await chain.passTime(600n)
      const before = await balanceOf(worker)
      await as(stranger, ...settle)
      expect((await balanceOf(worker)) - before).toBe(parseEther('0.1'))
    }

    const junk = await as(stranger, 'task', 'submit', task, '--result-hash', `0x${'01'.repeat(32)}`, '--yes')
    await chain.passTime(86_401n)
    const released = await as(worker, 'task', 'release', task, textAt(junk, 'submissionId'), '--yes')
    expect(released).toMatchObject({ event: { name: 'SubmissionReleased' } })
    await as(demander, 'task', 'cancel', task, '--yes')
    const refund = await as(patron, 'task', 'reclaim', 'escrow', task, '--yes')
    expect(textAt(refund, 'event.args.amount')).toBe(String(parseEther('0.3')))
  })
})

describe('the life of a tender behind a hash lock', () => {
  it('pays who knows the answer', async () => {
    const { as, bench } = market
    await writeFile(join(bench.folder, 'answer.txt'), 'forty-two')
    await as(demander, 'task', 'init', 'riddle')
    const minted = await as(
      demander,
      ...['task', 'mint', 'riddle', '--reward', '0.1 ETH', '--verifier', 'hashlock', '--window', '2d', '--yes'],
    )
    const task = textAt(minted, 'tokenId')
    await as(demander, 'task', 'commit', 'hashlock', task, '--answer', 'answer.txt', '--yes')
    await as(patron, 'task', 'fund', task, '0.1 ETH', '--yes')
    await as(worker, 'task', 'submit', task, '--answer', 'answer.txt', '--yes')
    const settled = await as(stranger, 'task', 'settle', task, '1', '--answer', 'answer.txt', '--yes')
    expect(settled).toMatchObject({ event: { name: 'FulfillmentAccepted' } })
  })
})

describe('content and powers', () => {
  it('publishes a next version that links the one before, and its document', async () => {
    const { as, bench } = market
    await as(demander, 'task', 'init', 'versions')
    const terms = ['--reward', '1 wei', '--judge', fundedAddress(judge), '--window', '1d', '--yes']
    const task = textAt(await as(demander, 'task', 'mint', 'versions', ...terms), 'tokenId')
    await writeFile(join(bench.folder, 'versions', 'TASK.md'), '# Versions, corrected\n')
    const updated = await as(demander, 'task', 'update', task, 'versions', '--document', 'versions/TASK.md', '--yes')
    expect(updated).toMatchObject({ event: { name: 'TaskUpdated', args: { version: '2' } }, version: '2' })
    await as(demander, 'task', 'uri', task, textAt(updated, 'uri'), '--yes')
    expect(await as(stranger, 'task', 'verify', task)).toMatchObject({ ok: true, status: 'valid', version: '2' })

    await as(demander, 'task', 'authority', 'update', task, fundedAddress(patron), '--yes')
    await as(judge, 'task', 'authority', 'acceptance', task, market.market.deployment.hashlockVerifier, '--yes')
    const handed = await as(patron, 'task', 'authority', 'acceptance', task, fundedAddress(stranger), '--yes')
    expect(handed).toMatchObject({ plan: { function: 'handOver' }, event: { name: 'AcceptanceAuthorityChanged' } })
    const shown = await as(stranger, 'task', 'show', task)
    expect(shown).toMatchObject({ tender: { updateAuthority: fundedAddress(patron), hasDocument: true } })
  })

  it('publishes the document of the first version', async () => {
    const { as } = market
    await as(demander, 'task', 'init', 'document')
    const terms = ['--reward', '1 wei', '--judge', fundedAddress(judge), '--window', '1d', '--yes']
    const task = textAt(await as(demander, 'task', 'mint', 'document', ...terms), 'tokenId')
    const published = await as(demander, 'task', 'publish', task, 'document/TASK.md', '--yes')
    expect(published).toMatchObject({ event: { name: 'TaskDocumentPublished' } })
  })

  it('lists tasks page by page, and tells what became of a transaction', async () => {
    const { as } = market
    const page = await as(stranger, 'task', 'list', '--limit', '2')
    expect(page).toMatchObject({ tasks: [{ asset: { symbol: 'ETH' }, open: true }, {}] })
    const next = await as(stranger, 'task', 'list', '--limit', '2', '--cursor', textAt(page, 'nextCursor'))
    expect(textAt(next, 'tasks.0.tokenId')).toBe(String(BigInt(textAt(page, 'tasks.1.tokenId')) - 1n))
    const sent = await as(patron, 'task', 'fund', textAt(page, 'tasks.0.tokenId'), '1 wei', '--yes')
    expect(await as(stranger, 'transaction', 'show', textAt(sent, 'transaction.hash'))).toMatchObject({
      status: 'success',
      events: [{ name: 'TenderFunded' }],
    })
  })
})
