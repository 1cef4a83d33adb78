import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAssetBalance } from '@oikos/sdk'
import { type Address, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketBench, fundedAddress, fundedKey, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createMarketBench>>

const [demander, anna, worker, patron, ben, cleo] = [0, 1, 2, 3, 4, 5]
const REWARD = parseEther('0.1')

let market: Bench
beforeAll(async () => {
  market = await createMarketBench()
  await market.as(demander, 'task', 'init', 'work')
  await writeFile(join(market.bench.folder, 'report.md'), 'the report')
})
afterAll(() => market.stop())

function balanceOf(index: number): Promise<bigint> {
  const account = fundedAddress(index) as Address
  return getAssetBalance(market.market.as.owner, { asset: zeroAddress, account })
}

/** Mints a task for what is named, and funds it for three rewards. */
async function mint(decider: readonly string[], more: readonly string[] = []): Promise<string> {
  const minted = await market.as(
    demander,
    ...['task', 'mint', 'work', '--reward', '0.1 ETH', '--completions', 'unlimited', ...decider],
    ...['--window', '5d', ...more, '--yes'],
  )
  const task = textAt(minted, 'tokenId')
  await market.as(patron, 'task', 'fund', task, '0.3 ETH', '--yes')
  return task
}

/** Runs a command that is refused, and gives what it said. */
async function refusal(index: number, ...args: string[]): Promise<string> {
  const result = await market.bench.run([...args, '--yes'], { env: { OIKOS_PRIVATE_KEY: fundedKey(index) } })
  expect(result.code, args.join(' ')).not.toBe(0)
  return result.err
}

const shown = async (...args: string[]): Promise<string> => {
  const { out, err, code } = await market.bench.run(args)
  expect(code, args.join(' ')).toBe(0)
  return out + err
}

describe('a jury, by commands only', () => {
  let jury: string
  let task: string

  it('is deployed, checked by its code, and named where a task is minted for it', async () => {
    const jurors = [anna, ben, cleo].flatMap((index) => ['--juror', fundedAddress(index)])
    const deployed = await market.as(
      demander,
      ...['jury', 'deploy', ...jurors, '--quorum', '2', '--vote-window', '1d', '--yes'],
    )
    jury = textAt(deployed, 'address')
    expect(deployed).toMatchObject({ kind: 'jury-panel', plan: { function: 'JuryPanel' } })
    expect(await market.as(anna, 'verifier', 'show', jury)).toMatchObject({
      kind: 'jury-panel',
      terms: { quorum: '2' },
    })
    task = await mint(['--judge', jury])
    const text = await shown('task', 'show', task)
    expect(text).toContain('jury (2 of 3)')
    expect(text).toContain('2 of 3 jurors have to vouch')
    expect(text).toContain(fundedAddress(cleo))
    expect(await shown('jury', 'show', jury)).toContain('1 day after the first one')
  })

  it('pays its jurors, and a delivery that two of three vouch for', async () => {
    const { as } = market
    await as(demander, 'jury', 'fee', 'promise', task, '0.02 ETH', '--yes')
    await as(patron, 'jury', 'fee', 'fund', task, '0.05 ETH', '--yes')
    expect(await shown('jury', 'show', task)).toContain('0.02 ETH for each acceptance; 0.05 ETH are there')
    await as(worker, 'task', 'submit', task, '--file', 'report.md', '--yes')
    expect(await shown('task', 'show', task)).toContain(`oikos jury vote ${task} 1 yes`)
    expect(await shown('jury', 'show', task, '1')).toContain('no vote was cast yet')
    expect(await refusal(patron, 'jury', 'vote', task, '1', 'yes')).toContain('is no juror')
    await as(anna, 'jury', 'vote', task, '1', 'yes', '--yes')
    const voted = await as(anna, 'jury', 'show', task, '1')
    expect(voted).toMatchObject({ case: { verdict: 'none', ayes: 1 }, votes: [{ juror: fundedAddress(anna) }] })
    const before = await balanceOf(worker)
    const deciding = await as(ben, 'jury', 'vote', task, '1', 'yes', '--yes')
    expect(deciding).toMatchObject({ event: { name: 'Voted' }, submissionId: '1', approve: true })
    expect((await balanceOf(worker)) - before).toBe(REWARD)
    const withdrawn = await as(cleo, 'jury', 'withdraw', jury, fundedAddress(anna), '--yes')
    expect(withdrawn).toMatchObject({ event: { name: 'Withdrawn', args: { amount: String(parseEther('0.01')) } } })
    const elsewhere = await as(ben, 'jury', 'withdraw', jury, '--to', fundedAddress(cleo), '--yes')
    expect(elsewhere).toMatchObject({ plan: { function: 'withdrawTo' } })
    expect(await refusal(anna, 'jury', 'withdraw', jury)).toContain('Nothing is owed')
  })

  it('refuses a delivery after its window, and hands the judgment over', async () => {
    const { as } = market
    await as(worker, 'task', 'submit', task, '--file', 'report.md', '--yes')
    await as(anna, 'jury', 'vote', task, '2', 'no', '--yes')
    expect(await refusal(cleo, 'jury', 'finalise', task, '2')).toContain('The jurors may vote until')
    await market.market.passTime(86_401n)
    expect(await shown('jury', 'show', task, '2')).toContain(`oikos jury finalise ${task} 2`)
    await as(cleo, 'jury', 'finalise', task, '2', '--yes')
    expect(await refusal(cleo, 'jury', 'execute', task, '1')).toContain('waits for its execution')
    expect(await refusal(anna, 'task', 'authority', 'acceptance', task, fundedAddress(anna))).toContain(
      'jury hand-over',
    )
    await as(anna, 'jury', 'hand-over', task, fundedAddress(anna), '--yes')
    await as(anna, 'jury', 'hand-over', task, fundedAddress(anna), '--withdraw', '--yes')
    await as(ben, 'jury', 'hand-over', task, fundedAddress(anna), '--yes')
    await as(cleo, 'jury', 'hand-over', task, fundedAddress(anna), '--yes')
    const show = await as(anna, 'task', 'show', task)
    expect(show).toMatchObject({ judgment: { kind: 'person', address: fundedAddress(anna) } })
    expect(await refusal(anna, 'jury', 'vote', task, '2', 'yes')).toContain('not by a jury')
  })

  it('whose window does not fit into that of the task is warned of', async () => {
    const late = await market.as(
      demander,
      ...['task', 'mint', 'work', '--reward', '1 wei', '--judge', jury, '--window', '1d', '--yes'],
    )
    const show = await market.as(anna, 'task', 'show', textAt(late, 'tokenId'))
    expect(show).toMatchObject({ judgment: { kind: 'jury' } })
    expect(JSON.stringify(show)).toContain('jury-does-not-fit')
  })
})

describe('a bonded gate, by commands only', () => {
  it('holds bonds by its rule, for a judge', async () => {
    const { as } = market
    const deployed = await as(
      demander,
      ...['gate', 'deploy', '--bond', '0.04 ETH', '--lost-when-refused', '25%', '--judge', fundedAddress(anna)],
      ...['--beneficiary', fundedAddress(patron), '--yes'],
    )
    const gate = textAt(deployed, 'address')
    const task = await mint(['--judge', gate])
    const text = await shown('task', 'show', task)
    expect(text).toContain('bonded gate of the judge')
    expect(text).toContain('0.04 ETH with every delivery')
    const plain = await as(ben, 'task', 'submit', task, '--file', 'report.md', '--yes')
    expect(JSON.stringify(plain)).toContain('carries no bond')
    await as(cleo, 'gate', 'evict', gate, task, textAt(plain, 'submissionId'), '--yes')

    const delivered = await as(worker, 'gate', 'deliver', gate, task, '--file', 'report.md', '--yes')
    expect(delivered).toMatchObject({ submissionId: '2', plan: { valueWei: String(parseEther('0.04')) } })
    const desk = await as(ben, 'gate', 'show', gate, task, '--deliverer', fundedAddress(worker))
    expect(desk).toMatchObject({ desk: textAt(delivered, 'desk'), bonds: [{ submissionId: '2', status: 'pending' }] })
    expect(await shown('task', 'show', task)).toContain(`oikos gate accept ${gate} ${task} 2`)
    await as(anna, 'gate', 'accept', gate, task, '2', '--yes')
    const settled = await as(cleo, 'gate', 'settle', gate, task, '2', '--yes')
    expect(settled).toMatchObject({ event: { name: 'BondSettled', args: { lost: '0' } } })
    const before = await balanceOf(worker)
    await as(cleo, 'gate', 'collect', gate, fundedAddress(worker), '--yes')
    expect((await balanceOf(worker)) - before).toBe(REWARD)

    await as(worker, 'gate', 'deliver', gate, task, '--file', 'report.md', '--yes')
    await as(anna, 'gate', 'reject', gate, task, '3', '--yes')
    await as(cleo, 'gate', 'settle', gate, task, '3', '--yes')
    const lost = await as(cleo, 'gate', 'withdraw', gate, fundedAddress(patron), '--yes')
    expect(lost).toMatchObject({ event: { args: { amount: String(parseEther('0.01')) } } })
    await as(anna, 'gate', 'hand-over', gate, task, fundedAddress(ben), '--yes')
    expect(await as(anna, 'task', 'show', task)).toMatchObject({ judgment: { address: fundedAddress(ben) } })
  })

  it('may stand before a jury, which votes by the number of the task', async () => {
    const { as } = market
    const deployedJury = await as(
      demander,
      ...['jury', 'deploy', '--juror', fundedAddress(anna), '--quorum', '1', '--vote-window', '1d', '--yes'],
    )
    const jury = textAt(deployedJury, 'address')
    const deployed = await as(demander, 'gate', 'deploy', '--bond', '1 wei', '--judge', jury, '--yes')
    const gate = textAt(deployed, 'address')
    const task = await mint(['--judge', gate])
    await as(worker, 'gate', 'deliver', gate, task, '--file', 'report.md', '--yes')
    expect(await shown('task', 'show', task)).toContain(`oikos jury vote ${task} 1 yes`)
    await as(anna, 'jury', 'vote', task, '1', 'yes', '--yes')
    expect(await as(anna, 'task', 'show', task)).toMatchObject({ submissions: [{ status: 'accepted' }] })
  })

  it('is refused where a rule cannot be', async () => {
    expect(await refusal(demander, 'gate', 'deploy', '--bond', '1 ETH', '--lost-when-refused', '10%')).toContain(
      'Lost bonds would go to nobody',
    )
    expect(await refusal(demander, 'gate', 'deploy', '--bond', '0 ETH')).toContain('The bond is zero')
    const { code, err } = await market.bench.run(['gate', 'show', market.market.task])
    expect([code, err]).toEqual([2, expect.stringContaining('is no bonded gate')])
  })
})

describe('a team and a router, by commands only', () => {
  it('delivers as one and shares the reward', async () => {
    const { as } = market
    const members = ['--member', `${fundedAddress(worker)}=33.33%`, '--member', `${fundedAddress(ben)}=66.67%`]
    const deployed = await as(demander, 'split', 'deploy', ...members, '--yes')
    const splitter = textAt(deployed, 'address')
    expect(await refusal(demander, 'split', 'deploy', ...members.slice(2))).toContain('66.67 % in all')
    const task = await mint(['--judge', fundedAddress(anna)])
    expect(await refusal(patron, 'split', 'submit', splitter, task, '--file', 'report.md')).toContain('is no member')
    await as(ben, 'split', 'submit', splitter, task, '--file', 'report.md', '--yes')
    await as(anna, 'task', 'accept', task, '1', '--yes')
    const [first, second] = [(REWARD * 3_333n) / 10_000n, (REWARD * 6_667n) / 10_000n]
    expect(await as(anna, 'split', 'show', splitter)).toMatchObject({
      members: [{ releasableAtomic: String(first) }, { releasableAtomic: String(second) }],
    })
    const paid = await as(anna, 'split', 'withdraw', splitter, fundedAddress(worker), '--yes')
    expect(paid).toMatchObject({ event: { name: 'Withdrawn', args: { amount: String(first) } } })
    expect(await refusal(anna, 'split', 'distribute', splitter)).toContain('not divided yet')
  })

  it('funds a task less a fee, and passes the refund on', async () => {
    const { as } = market
    const deployed = await as(
      demander,
      ...['router', 'deploy', '--treasury', fundedAddress(cleo), '--fee', '2.5%', '--yes'],
    )
    const router = textAt(deployed, 'address')
    const task = await mint(['--judge', fundedAddress(anna)])
    const funded = await as(ben, 'router', 'fund', router, task, '0.2 ETH', '--yes')
    expect(funded).toMatchObject({
      event: { name: 'Funded', args: { net: String(parseEther('0.195')), fee: String(parseEther('0.005')) } },
    })
    expect(await shown('router', 'show', router)).toContain('2.5 % for')
    expect(await shown('router', 'show', router, task, '--funder', fundedAddress(ben))).toContain('0.195 ETH by')
    expect(await refusal(ben, 'router', 'refund', router, task)).toContain('without a time limit')
    await as(demander, 'task', 'cancel', task, '--yes')
    const refund = await as(cleo, 'router', 'refund', router, task, fundedAddress(ben), '--yes')
    expect(refund).toMatchObject({ event: { name: 'Refunded', args: { amount: String(parseEther('0.195')) } } })
    const fees = await as(ben, 'router', 'withdraw', router, fundedAddress(cleo), '--yes')
    expect(fees).toMatchObject({ event: { args: { amount: String(parseEther('0.005')) } } })
  })
})

describe('proofs of the other verifiers, by commands only', () => {
  const deploy = async (kind: string): Promise<string> =>
    textAt(await market.as(demander, 'verifier', 'deploy', kind, '--yes'), 'address')

  it('signatures of two of three attestors settle, and no fewer', async () => {
    const { as, bench } = market
    const task = await mint(['--verifier', await deploy('signed-outcome')])
    expect(await shown('task', 'show', task)).toContain('signed-outcome verifier')
    const attestors = [anna, ben, cleo].flatMap((index) => ['--attestor', fundedAddress(index)])
    await as(demander, 'task', 'commit', 'attestors', task, ...attestors, '--threshold', '2', '--yes')
    expect(await shown('task', 'show', task)).toContain('2 attestors have to sign')
    await as(worker, 'task', 'submit', task, '--file', 'report.md', '--yes')
    expect(await refusal(worker, 'outcome', 'sign', task, '1')).toContain('does not attest')
    for (const [index, file] of [
      [anna, 'anna.json'],
      [ben, 'ben.json'],
    ] as const) {
      const signed = await as(index, 'outcome', 'sign', task, '1', '--out', file, '--yes')
      expect(signed).toMatchObject({ outcome: { submissionId: '1' }, signer: fundedAddress(index) })
    }
    const { signature } = JSON.parse(await readFile(join(bench.folder, 'anna.json'), 'utf8'))
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
    const settle = ['task', 'settle', task, '1', '--signature', 'anna.json']
    expect(await refusal(worker, ...settle, '--signature', 'anna.json')).toContain('1 of the signatures')
    const settled = await as(worker, ...settle, '--signature', 'ben.json', '--yes')
    expect(settled).toMatchObject({ event: { name: 'FulfillmentAccepted' } })
    expect(await refusal(anna, 'task', 'authority', 'acceptance', task, fundedAddress(anna))).toContain(
      'update authority',
    )
  })

  it('secrets settle once each, after the minimum age', async () => {
    const { as, bench } = market
    const task = await mint(['--verifier', await deploy('secrets')])
    await as(demander, 'task', 'secret', 'new', 'secrets.json', '--count', '3')
    await as(demander, 'task', 'secret', 'tree', 'secrets.json', '--out', 'secret-tree.json')
    const commit = ['task', 'commit', 'secrets', task, '--tree', 'secret-tree.json', '--min-age', '10m', '--yes']
    expect(await as(demander, ...commit)).toMatchObject({ event: { name: 'SecretsCommitted' } })
    expect(await shown('task', 'show', task)).toContain('settles after 10 minutes')
    const { secrets } = JSON.parse(await readFile(join(bench.folder, 'secrets.json'), 'utf8'))
    await writeFile(join(bench.folder, 'mine.txt'), secrets[1].secret)
    await as(worker, 'task', 'submit', task, '--secret', 'mine.txt', '--yes')
    const settle = ['task', 'settle', task, '1', '--tree', 'secret-tree.json']
    expect(await refusal(ben, ...settle)).toContain('did not accept')
    await market.market.passTime(600n)
    await as(ben, ...settle, '--yes')
    await as(ben, 'task', 'submit', task, '--result-hash', `0x${'01'.repeat(32)}`, '--yes')
    expect(await refusal(ben, 'task', 'settle', task, '2', '--tree', 'secret-tree.json')).toContain('has nothing for')
  })

  it('a streak pays its provider, epoch after epoch', async () => {
    const { as } = market
    const verifier = await deploy('streak')
    const task = await mint(['--verifier', verifier], ['--epoch', '2d', '--per-epoch', '1'])
    await as(demander, 'task', 'commit', 'streak', task, '--attestor', fundedAddress(anna), '--grace', '2d', '--yes')
    expect(await shown('task', 'show', task)).toContain('free: the first who is attested takes it')
    await as(worker, 'task', 'submit', task, '--file', 'report.md', '--yes')
    await as(anna, 'outcome', 'sign', task, '1', '--out', 'streak.json', '--yes')
    await as(ben, 'task', 'settle', task, '1', '--signature', 'streak.json', '--yes')
    const show = await as(ben, 'task', 'show', task)
    expect(show).toMatchObject({ judgment: { kind: 'streak', provider: fundedAddress(worker) } })
    expect(JSON.stringify(show)).toContain('seat-taken')
  })
})

it('a royalty is set, lowered, passed on and shown', async () => {
  const { as } = market
  const royalty = textAt(await as(demander, 'royalty', 'deploy', '--yes'), 'address')
  const task = await mint(['--judge', fundedAddress(anna)])
  await as(demander, 'royalty', 'set', royalty, task, fundedAddress(ben), '5%', '--yes')
  await as(demander, 'royalty', 'lower', royalty, task, '2.5%', '--yes')
  await as(ben, 'royalty', 'pass', royalty, task, fundedAddress(cleo), '--yes')
  expect(await shown('royalty', 'show', royalty, task)).toContain(`2.5 % of a sale to ${fundedAddress(cleo)}`)
  expect(await refusal(demander, 'royalty', 'lower', royalty, task, '5%')).toContain('above 250')
})

it('what stands at an address is told by its code, and a stranger is not', async () => {
  const { hashlockVerifier } = market.market.deployment
  expect(await market.as(anna, 'verifier', 'show', hashlockVerifier)).toMatchObject({ kind: 'hashlock-verifier' })
  expect(await refusal(anna, 'verifier', 'deploy', 'oracle')).toContain('no stock verifier')
  const { code, err } = await market.bench.run(['verifier', 'show', fundedAddress(anna)])
  expect(code).toBe(4)
  expect(err).toContain('no companion')
})
