import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashlockVerifierAbi, taskTokenAbi } from '@oikos/core/abi'
import { hashlockVerifierBytecode } from '@oikos/sdk/bytecode'
import { concat, parseEther, sha256, stringToHex } from 'viem'
import { startChain } from '../scripts/chain.ts'
import { foundryProgram, root, runProgram } from '../scripts/toolchain.ts'
import { daySec, digest, makeStage, readArtifact, runtimeBytes, type Snapshot, windowSec } from './gas/stage.ts'
import { measureVerdicts, verdictsTable } from './gas/verdicts.ts'

/**
 * Gas from receipts on anvil (cancun): every operation of the task market beside a baseline implementation of the same
 * standard on the same scenario, and a delivery judged by a jury beside the same judged by signatures and by one judge.
 * Writes bench/snapshots and has forge write contracts/snapshots; `--check` compares bench/snapshots instead (the
 * contract tests compare their own), `--json` prints the figures as JSON.
 */
/** Gas of the baseline for the rows that it has: the figures to beat. */
const baseline: Readonly<Record<string, number>> = {
  'deploy TaskToken': 5_294_099,
  'mintTask, next': 567_741,
  'fundTask native, first': 114_569,
  'fundTask native, same funder': 63_269,
  'submitFulfillment, first': 167_110,
  'submitFulfillment, next': 133_420,
  'acceptFulfillment, first': 102_751,
  'acceptFulfillment, next': 85_651,
  'settleFulfillment, hash lock': 109_647,
  claimUnjudged: 82_031,
  rejectFulfillment: 43_794,
  releaseExpired: 38_315,
  withdrawCredit: 49_008,
  'reclaimEscrow, first funder': 129_155,
  'reclaimEscrow, last funder': 58_138,
  reclaimResidual: 54_546,
}
/** The rows whose sum is to be 25 % below the baseline: deliver, accept, claim, settle. */
const coreRows = [
  'submitFulfillment, first',
  'submitFulfillment, next',
  'acceptFulfillment, first',
  'acceptFulfillment, next',
  'settleFulfillment, hash lock',
  'claimUnjudged',
] as const

/** Plays the scenario on a fresh chain and collects the gas of the named steps. */
async function measure(url: string): Promise<Snapshot> {
  const { node, wallet, gas, people, record, deploy, sender, warp, task, onTask, mint, fund } = await makeStage(
    url,
    'deploy TaskToken',
  )
  const { owner, publisher, judge, funder, secondFunder, worker, stranger } = people
  const hashlock = await deploy('deploy HashlockVerifier', hashlockVerifierAbi, hashlockVerifierBytecode)
  const token = readArtifact('GasFixtures.sol', 'PlainToken')
  const door = readArtifact('GasFixtures.sol', 'DoorFulfiller')
  const asset = await deploy(undefined, token.abi, token.bytecode.object)
  const fulfiller = await deploy(undefined, door.abi, door.bytecode.object)
  const onHashlock = sender(hashlock, hashlockVerifierAbi)
  const onAsset = sender(asset, token.abi)
  const onFulfiller = sender(fulfiller, door.abi)

  // 1: judged, native
  await mint('mintTask, first', judge)
  await fund('fundTask native, first', funder, 1n, '6')
  await fund('fundTask native, same funder', funder, 1n, '1')
  await fund('fundTask native, second funder', secondFunder, 1n, '3')
  await onTask('submitFulfillment, first', worker, 'submitFulfillment', [1n, digest('d1'), ''])
  await onTask('submitFulfillment, next', worker, 'submitFulfillment', [1n, digest('d2'), 'ipfs://r2'])
  await onTask(undefined, worker, 'submitFulfillment', [1n, digest('d3'), ''])
  await onTask(undefined, worker, 'submitFulfillment', [1n, digest('d4'), ''])
  await onTask('acceptFulfillment, first', judge, 'acceptFulfillment', [1n, 1n])
  await onTask('acceptFulfillment, next', judge, 'acceptFulfillment', [1n, 2n])
  await onTask('rejectFulfillment', judge, 'rejectFulfillment', [1n, 3n])
  await warp(windowSec + 1n)
  await onTask('claimUnjudged', stranger, 'claimUnjudged', [1n, 4n])
  const vault = await node.readContract({ address: task, abi: taskTokenAbi, functionName: 'vaultOf', args: [1n] })
  const gift = { account: stranger, to: vault, value: parseEther('1') }
  await record('gift by plain transfer', await wallet.sendTransaction(gift))
  await onTask('cancelTask', publisher, 'cancelTask', [1n])
  await onTask('reclaimEscrow, first funder', funder, 'reclaimEscrow', [1n])
  await onTask('reclaimEscrow, last funder', secondFunder, 'reclaimEscrow', [1n])
  await onTask('reclaimResidual', owner, 'reclaimResidual', [1n])

  // 2: settled by a machine
  await mint('mintTask, next', hashlock)
  await onHashlock('commitAnswer', publisher, 'commitAnswer', [task, 2n, digest('42')])
  await fund(undefined, funder, 2n, '3')
  const answer = stringToHex('42')
  await onTask('submitFulfillment, machine', worker, 'submitFulfillment', [2n, sha256(concat([answer, worker])), ''])
  await onTask('settleFulfillment, hash lock', stranger, 'settleFulfillment', [2n, 1n, answer])
  await onTask(undefined, stranger, 'submitFulfillment', [2n, digest('junk'), ''])
  await warp(windowSec + 1n)
  await onTask('releaseExpired', stranger, 'releaseExpired', [2n, 2n])

  // 3: a fulfiller that refuses payment
  await mint(undefined, judge)
  await fund(undefined, funder, 3n, '3')
  await onFulfiller(undefined, owner, 'deliver', [task, 3n, digest('x')])
  await onTask('acceptFulfillment, credited', judge, 'acceptFulfillment', [3n, 1n])
  await onFulfiller(undefined, owner, 'open', [])
  await onTask('withdrawCredit', stranger, 'withdrawCredit', [3n, fulfiller])
  await onFulfiller(undefined, owner, 'deliver', [task, 3n, digest('y')])
  await onTask('acceptFulfillment, pays a contract', judge, 'acceptFulfillment', [3n, 2n])

  // 4: ERC-20
  await mint('mintTask, ERC-20', judge, { asset, rewardPerCompletion: 100n })
  for (const account of [funder, secondFunder]) {
    await onAsset(undefined, owner, 'mint', [account, 10_000n])
    await onAsset(undefined, account, 'approve', [task, 2n ** 256n - 1n])
  }
  await onAsset(undefined, owner, 'mint', [worker, 1n])
  await onTask('fundTask ERC-20, first', funder, 'fundTask', [4n, 600n])
  await onTask('fundTask ERC-20, second funder', secondFunder, 'fundTask', [4n, 300n])
  await onTask('submitFulfillment, ERC-20', worker, 'submitFulfillment', [4n, digest('e1'), ''])
  await onTask('acceptFulfillment, ERC-20', judge, 'acceptFulfillment', [4n, 1n])
  await onTask(undefined, publisher, 'cancelTask', [4n])
  await onTask('reclaimEscrow ERC-20, first funder', funder, 'reclaimEscrow', [4n])
  await onTask('reclaimEscrow ERC-20, last funder', secondFunder, 'reclaimEscrow', [4n])

  // 5: paced
  const paced = { maxCompletions: 0n, epochLength: daySec, maxCompletionsPerEpoch: 1n }
  await mint('mintTask, paced', judge, paced)
  await fund(undefined, funder, 5n, '5')
  await onTask(undefined, worker, 'submitFulfillment', [5n, digest('p1'), ''])
  await onTask(undefined, worker, 'submitFulfillment', [5n, digest('p2'), ''])
  await onTask('acceptFulfillment, paced', judge, 'acceptFulfillment', [5n, 1n])
  await warp(daySec)
  await onTask('acceptFulfillment, next epoch', judge, 'acceptFulfillment', [5n, 2n])

  // what a publisher and an owner do
  await onTask('updateTask', publisher, 'updateTask', [5n, digest('document'), digest('root 2')])
  await onTask('setTaskURI', publisher, 'setTaskURI', [5n, 'ipfs://mirror'])
  const document = stringToHex('#'.repeat(1024))
  const withDocument = [5n, document, digest('root 3')]
  await onTask('updateTaskWithDocument, 1,024 bytes', publisher, 'updateTaskWithDocument', withDocument)
  await onTask('freezeTask', publisher, 'freezeTask', [5n])
  await onTask('setUpdateAuthority', publisher, 'setUpdateAuthority', [5n, stranger])
  await onTask('setAcceptanceAuthority', judge, 'setAcceptanceAuthority', [5n, stranger])
  await onTask('transferFrom', owner, 'transferFrom', [owner, secondFunder, 5n])

  const sizes = runtimeBytes(['TaskToken', 'TaskVault', 'HashlockVerifier', 'BatchReceiptVerifier'])
  return { runtimeBytes: sizes, gas }
}

function table({ gas, runtimeBytes: sizes }: Snapshot): string {
  const lines = ['| operation | gas | baseline | difference |', '|---|---:|---:|---:|']
  const row = (name: string, now: number, before: number | undefined): void => {
    const number = (value: number) => value.toLocaleString('en-US')
    const change = before === undefined ? '' : `${((now / before - 1) * 100).toFixed(1)} %`
    lines.push(`| ${name} | ${number(now)} | ${before === undefined ? '' : number(before)} | ${change} |`)
  }
  for (const [name, used] of Object.entries(gas)) row(name, used, baseline[name])
  const sum = (figures: Readonly<Record<string, number>>) =>
    coreRows.reduce((total, name) => total + (figures[name] ?? 0), 0)
  row('**sum of submit, accept, claim, settle**', sum(gas), sum(baseline))
  lines.push('', '| contract | runtime bytes |', '|---|---:|')
  for (const [name, bytes] of Object.entries(sizes)) lines.push(`| ${name} | ${bytes.toLocaleString('en-US')} |`)
  return lines.join('\n')
}

type Scenario = { file: string; measure: (url: string) => Promise<Snapshot>; table: (snapshot: Snapshot) => string }
const scenarios: readonly Scenario[] = [
  { file: 'task-gas.json', measure, table },
  { file: 'verdict-gas.json', measure: measureVerdicts, table: verdictsTable },
]
const checks = process.argv.includes('--check')

async function run(scenario: Scenario): Promise<void> {
  const chain = await startChain({ flags: ['--timestamp', '1800000000'] })
  try {
    const snapshot = await scenario.measure(chain.url)
    const text = `${JSON.stringify(snapshot, null, 2)}\n`
    const path = join(root, 'bench', 'snapshots', scenario.file)
    if (checks) {
      if (readFileSync(path, 'utf8') !== text) {
        console.error(
          `Gas figures differ from bench/snapshots/${scenario.file}. Look at them with npm run gas, and commit them.`,
        )
        process.exitCode = 1
      }
    } else {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    console.log(process.argv.includes('--json') ? text : `${scenario.table(snapshot)}\n`)
  } finally {
    await chain.stop()
  }
}

/** Has the contract tests that measure gas write their files in contracts/snapshots. */
async function writeContractSnapshots(): Promise<void> {
  const { exitCode, output } = await runProgram(foundryProgram('forge'), ['test', '--match-contract', 'GasTest$'], {
    cwd: join(root, 'contracts'),
  })
  if (exitCode === 0) return
  console.error(output)
  process.exitCode = 1
}

for (const scenario of scenarios) await run(scenario)
if (!checks) await writeContractSnapshots()
