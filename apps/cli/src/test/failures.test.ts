import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { formatDeployments, getEscrowBalance } from '@oikos/sdk'
import { stringToHex } from 'viem'
import { getBlockNumber } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketBench, fundedAddress, fundedKey, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createMarketBench>>
const [demander, judge, worker, stranger] = [0, 1, 2, 4]
const key = (index: number) => ({ env: { OIKOS_PRIVATE_KEY: fundedKey(index) } })

let market: Bench
let task: string

beforeAll(async () => {
  market = await createMarketBench()
  await market.as(demander, 'task', 'init', 'work')
  const minted = await market.as(
    demander,
    ...['task', 'mint', 'work', '--reward', '1 ETH', '--judge', fundedAddress(judge), '--window', '1d', '--yes'],
  )
  task = textAt(minted, 'tokenId')
})
afterAll(() => market.stop())

const blockNumber = () => getBlockNumber(market.market.as.owner, { cacheTime: 0 })

describe('refusals of the contract end with 1 and a remedy', () => {
  it('a vault that cannot pay', async () => {
    const submit = ['task', 'submit', task, '--result-hash', `0x${'01'.repeat(32)}`, '--yes', '--json']
    const { code, json, err } = await market.bench.run(submit, key(worker))
    expect(code).toBe(1)
    expect(json).toMatchObject({ error: { name: 'ContractRevertedError', errorName: 'EscrowTooLow', retryable: true } })
    expect(err).toContain('has 0 ETH to spend; 1 ETH are needed.')
    expect(err).toContain('Fund the task with the difference.')
  })

  it('the key of somebody else', async () => {
    const { code, json } = await market.bench.run(['task', 'freeze', task, '--yes', '--json'], key(stranger))
    expect(code).toBe(1)
    expect(json).toMatchObject({
      error: { errorName: 'NotUpdateAuthority', args: { caller: fundedAddress(stranger) } },
    })
  })

  it('raw data only with --verbose', async () => {
    const quiet = await market.bench.run(['task', 'cancel', task, '--yes'], key(stranger))
    const loud = await market.bench.run(['task', 'cancel', task, '--yes', '--verbose'], key(stranger))
    expect(quiet.err).not.toContain('revert data 0x')
    expect(loud.err).toContain('revert data 0x')
  })

  it('money that the sender does not have', async () => {
    const { code, json } = await market.bench.run(['task', 'fund', task, '1000000 ETH', '--yes', '--json'], key(worker))
    expect(code).toBe(1)
    expect(json).toMatchObject({ error: { name: 'InsufficientFundsError' } })
  })
})

describe('what does not exist ends with 4', () => {
  it.each([
    ['a task', ['task', 'show', '999']],
    ['a submission', ['task', 'accept', '1', '999', '--yes']],
    ['a key', ['task', 'freeze', '1', '--yes', '--from', 'nobody']],
    ['a folder', ['task', 'pack', 'nowhere']],
    ['a file', ['task', 'submit', '1', '--file', 'nowhere.md', '--yes']],
    ['a contract', ['task', 'show', `11155111:0x${'12'.repeat(20)}:1`]],
    ['a transaction', ['transaction', 'show', `0x${'12'.repeat(32)}`]],
    ['a deployments file', ['task', 'list', '--deployments', 'nowhere.json']],
    ['content', ['content', 'get', 'bafkreieakhpyskllbaqnzk6jwmr76cnwpv4yfysewwsw3blklpr5dlkj6q']],
  ])('%s', async (_what, args) => {
    const { code, err } = await market.bench.run(args, key(demander))
    expect(err).toContain('error')
    expect(code).toBe(4)
  })

  it('a market that was on another chain with the same id', async () => {
    const genesisHash = `0x${'00'.repeat(32)}` as const
    const file = join(market.bench.folder, 'stale.json')
    await writeFile(file, formatDeployments([{ ...market.market.deployment, genesisHash }]))
    const { code, json, err } = await market.bench.run(['task', 'list', '--deployments', file, '--json'])
    expect(code).toBe(4)
    expect(json).toMatchObject({ error: { name: 'DeploymentMismatchError', codes: ['wrong-genesis'] } })
    expect(err).toContain('npm start')
  })

  it('a market whose address has no code', async () => {
    const file = join(market.bench.folder, 'empty.json')
    const taskToken = `0x${'34'.repeat(20)}` as const
    await writeFile(file, formatDeployments([{ ...market.market.deployment, taskToken }]))
    const { code, json } = await market.bench.run(['task', 'list', '--deployments', file, '--json'])
    expect(code).toBe(4)
    expect(json).toMatchObject({ error: { codes: ['not-a-task-contract'] } })
  })
})

describe('mistakes end with 2 and send nothing', () => {
  const mint = ['task', 'mint', 'work', '--judge', fundedAddress(judge), '--window', '1d', '--yes']
  it.each<[string, string[], string]>([
    ['an amount without a unit', ['task', 'fund', '1', '1'], 'unit'],
    ['an amount with excess precision', ['task', 'fund', '1', '0.0000000000000000001 ETH'], 'nothing is rounded'],
    ['an amount in another asset', ['task', 'fund', '1', '5 USDC'], 'not one of ETH'],
    ['a negative amount', ['task', 'fund', '1', '--', '-1 ETH'], 'no plain decimal number'],
    ['a task that is no number', ['task', 'show', 'seven'], 'names no task'],
    ['a task with a wrong checksum', ['task', 'show', '1:0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed:1'], 'checksum'],
    ['a task of another chain', ['task', 'show', `1:0x${'12'.repeat(20)}:1`], 'connected to chain 11155111'],
    [
      'an address with a wrong checksum',
      ['task', 'authority', 'update', '1', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
      'checksum',
    ],
    ['a token that is not configured', [...mint, '--reward', '5 USDC'], 'No asset is known by the name "USDC"'],
    ['no reward', mint, 'how much a completion pays'],
    ['a judge and a verifier', [...mint, '--reward', '1 ETH', '--verifier', 'batch'], 'Both a judge and a verifier'],
    ['a deadline in the past', [...mint, '--reward', '1 ETH', '--submit-by', '2020-01-01T00:00Z'], 'not after'],
    ['half an epoch', [...mint, '--reward', '1 ETH', '--epoch', '1d'], '--per-epoch'],
    ['nothing to deliver', ['task', 'submit', '1', '--yes'], 'Nothing is delivered'],
    ['two deliveries', ['task', 'submit', '1', '--file', 'a', '--answer', 'b', '--yes'], 'Several things'],
    ['a folder that is there', ['task', 'init', 'work'], 'nothing is overwritten'],
    [
      'a commitment to the wrong verifier',
      ['task', 'commit', 'hashlock', '1', '--answer-hash', `0x${'01'.repeat(32)}`, '--yes'],
      'would mean nothing',
    ],
    ['an address without a key', ['task', 'freeze', '1', '--yes', '--from', `0x${'12'.repeat(20)}`], 'no key'],
  ])('%s', async (_what, args, sentence) => {
    const before = await blockNumber()
    const { code, err } = await market.bench.run(args, key(demander))
    expect(err.replaceAll('\n', ' ')).toContain(sentence)
    expect(code).toBe(2)
    expect(await blockNumber()).toBe(before)
  })
})

describe('confirmation', () => {
  const fund = () => ['task', 'fund', task, '0.5 ETH']

  it('is needed: without a terminal and --yes nothing is sent, and the code is 2', async () => {
    const before = await blockNumber()
    const { code, err } = await market.bench.run(fund(), key(demander))
    expect(code).toBe(2)
    expect(err).toContain('--yes')
    expect(await blockNumber()).toBe(before)
  })

  it('can be declined: nothing is sent, and the code is 6', async () => {
    const before = await blockNumber()
    const { code, err } = await market.bench.run(fund(), { ...key(demander), answers: [''] })
    expect(code).toBe(6)
    expect(err).toContain('0.5 ETH go from you into the vault')
    expect(await blockNumber()).toBe(before)
  })

  it('can be given', async () => {
    const { code, out, err } = await market.bench.run(fund(), { ...key(demander), answers: ['y'] })
    expect(code).toBe(0)
    expect(err).toMatch(/Sending 0x[0-9a-f]{64}/)
    expect(out).toContain('TenderFunded')
  })

  it('is not asked for in a dry run, which sends nothing and needs no key', async () => {
    const before = await blockNumber()
    const target = { task: market.market.task, tokenId: BigInt(task) }
    const balance = await getEscrowBalance(market.market.as.owner, target)
    const { code, json, err } = await market.bench.run([
      ...fund(),
      '--dry-run',
      '--json',
      '--from',
      fundedAddress(judge),
    ])
    expect(code).toBe(0)
    expect(json).toMatchObject({ sent: false, plan: { from: fundedAddress(judge), function: 'fundTask' } })
    expect(json).not.toHaveProperty('transaction')
    expect(err).toContain('nothing was sent')
    expect(await blockNumber()).toBe(before)
    expect(await getEscrowBalance(market.market.as.owner, target)).toBe(balance)
  })

  it('does not help a dry run that the contract would refuse', async () => {
    const { code } = await market.bench.run(['task', 'freeze', task, '--dry-run', '--from', fundedAddress(stranger)])
    expect(code).toBe(1)
  })
})

describe('a node that does not answer ends with 3', () => {
  it('where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const rpc = `http://127.0.0.1:${port}/secret-access-key`
    const { code, json, err } = await market.bench.run(['task', 'show', '1', '--rpc', rpc, '--json', '--verbose'])
    expect(code).toBe(3)
    expect(json).toMatchObject({ ok: false, exitCode: 3, error: { name: 'RpcError', retryable: true } })
    expect(err).not.toContain('secret-access-key')
  })
})

describe('texts of strangers', () => {
  it('reach neither the terminal nor JSON with controls or direction marks in them', async () => {
    const uri = 'https://example.org/\u001b[2J\u001b]0;owned\u0007\u202egpj.exe\u2066'
    const args = ['task', 'uri', task, uri, '--yes']
    const set = await market.bench.run(args, key(demander))
    const shown = await market.bench.run(['task', 'show', task])
    const verified = await market.bench.run(['task', 'verify', task])
    const document = await market.bench.run(['task', 'show', task, '--json'])
    for (const text of [set.out + set.err, shown.out, verified.out + verified.err, document.out]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
    expect(shown.out).toContain('\\u{1b}[2J')
    expect(textAt(document.json, 'tender.taskURI')).toBe(uri)
  })

  it('in a delivery are shown harmless as well', async () => {
    await market.as(demander, 'task', 'fund', task, '1 ETH', '--yes')
    const hash = `0x${'02'.repeat(32)}`
    await market.as(worker, 'task', 'submit', task, '--result-hash', hash, '--uri', '\u001b[1mpaid', '--yes')
    const shown = await market.bench.run(['task', 'show', task])
    expect(shown.out).toContain('\\u{1b}[1mpaid')
  })
})

describe('a package that does not fit the chain ends with 1', () => {
  it('when its bytes are changed', async () => {
    await market.as(demander, 'task', 'init', 'changed')
    const packed = await market.as(demander, 'task', 'pack', 'changed', '--out', 'changed-package')
    await writeFile(join(market.bench.folder, 'changed', 'TASK.md'), 'another task')
    const hash = textAt(packed, 'taskHash')
    const source = await market.bench.run(['task', 'verify', 'changed', '--task-hash', hash, '--json'])
    expect(source.code).toBe(1)
    expect(source.json).toMatchObject({ ok: false, status: 'invalid', findings: [{ code: 'root.hash-mismatch' }] })
    const whole = await market.bench.run(['task', 'verify', 'changed-package', '--task-hash', hash, '--json'])
    expect(whole.json).toMatchObject({ ok: true, kind: 'packed' })
  })

  it('when its objects are nowhere, and a gateway that lies does not help', async () => {
    const minted = await market.as(
      demander,
      ...[
        'task',
        'mint',
        '--td-hash',
        `0x${'01'.repeat(32)}`,
        '--task-hash',
        `0x${'02'.repeat(32)}`,
        '--uri',
        'ipfs://x',
      ],
      ...['--reward', '1 ETH', '--judge', fundedAddress(judge), '--window', '1d', '--yes'],
    )
    const lost = await market.bench.run(['task', 'verify', textAt(minted, 'tokenId'), '--json'])
    expect(lost.code).toBe(1)
    expect(lost.json).toMatchObject({ ok: false, status: 'incomplete', findings: [{ code: 'root.missing' }] })
  })

  it('with --strict also when there is only a warning', async () => {
    await market.as(demander, 'task', 'uri', task, 'ipfs://nowhere', '--yes')
    expect((await market.bench.run(['task', 'verify', task])).code).toBe(0)
    const strict = await market.bench.run(['task', 'verify', task, '--strict', '--json'])
    expect(strict.code).toBe(1)
    expect(strict.json).toMatchObject({ ok: true, warnings: [{ code: 'completions-exhausted' }, { code: 'unfrozen' }] })
  })

  it('cannot be minted when a packed folder is broken', async () => {
    await writeFile(join(market.bench.folder, 'changed-package', 'root.cbor'), stringToHex('no root'))
    const mint = [
      'task',
      'mint',
      'changed-package',
      '--reward',
      '1 ETH',
      '--judge',
      fundedAddress(judge),
      '--window',
      '1d',
    ]
    const { code, json } = await market.bench.run([...mint, '--yes', '--json'], key(demander))
    expect(code).toBe(1)
    expect(json).toMatchObject({ error: { name: 'PackageRefusedError' } })
  })
})
