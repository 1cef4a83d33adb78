import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashlockVerifierAbi, taskTokenAbi } from '@oikos/core/abi'
import { hashlockVerifierBytecode, taskTokenBytecode } from '@oikos/sdk/bytecode'
import {
  type Abi,
  type Address,
  concat,
  createTestClient,
  createWalletClient,
  type Hash,
  http,
  parseEther,
  publicActions,
  sha256,
  stringToHex,
  zeroAddress,
} from 'viem'
import { sepolia } from 'viem/chains'
import { startChain } from '../scripts/chain.ts'
import { root } from '../scripts/toolchain.ts'

/**
 * Gas of every operation of the task market, from receipts on anvil (cancun), beside a baseline implementation of the
 * same standard on the same scenario. Writes bench/snapshots/task-gas.json; `--check` compares with it instead,
 * `--json` prints the figures as JSON.
 */
type Snapshot = { runtimeBytes: Record<string, number>; gas: Record<string, number> }
type Artifact = { abi: Abi; bytecode: { object: Hash }; deployedBytecode: { object: Hash } }

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
const windowSec = 604_800n
const daySec = 86_400n
const snapshotFile = join(root, 'bench', 'snapshots', 'task-gas.json')

function readArtifact(source: string, name: string): Artifact {
  const path = join(root, 'contracts', 'out', source, `${name}.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact
}

function runtimeBytes(source: string, name: string): number {
  return (readArtifact(source, name).deployedBytecode.object.length - 2) / 2
}

const digest = (text: string): Hash => sha256(stringToHex(text))

/** Plays the scenario on a fresh chain and collects the gas of the named steps. */
async function measure(url: string): Promise<Snapshot> {
  const transport = http(url)
  const node = createTestClient({ chain: sepolia, mode: 'anvil', transport }).extend(publicActions)
  const wallet = createWalletClient({ chain: sepolia, transport })
  const [owner, publisher, judge, funder, secondFunder, worker, stranger] = (await wallet.getAddresses()) as [
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
  ]
  const gas: Record<string, number> = {}

  async function record(row: string | undefined, hash: Hash): Promise<Address> {
    const receipt = await node.waitForTransactionReceipt({ hash, pollingInterval: 5 })
    if (receipt.status !== 'success') throw new Error(`${row ?? 'a step without a row'} was reverted`)
    if (row !== undefined) gas[row] = Number(receipt.gasUsed)
    return receipt.contractAddress ?? zeroAddress
  }
  async function deploy(row: string | undefined, abi: Abi, bytecode: Hash, args: readonly unknown[] = []) {
    return record(row, await wallet.deployContract({ abi, bytecode, args, account: owner }))
  }
  const sender =
    (address: Address, abi: Abi) =>
    async (row: string | undefined, account: Address, functionName: string, args: readonly unknown[], value = 0n) =>
      record(row, await wallet.writeContract({ address, abi, functionName, args, account, value }))
  async function warp(seconds: bigint): Promise<void> {
    await node.increaseTime({ seconds: Number(seconds) })
    await node.mine({ blocks: 1 })
  }

  const task = await deploy('deploy TaskToken', taskTokenAbi, taskTokenBytecode, ['Task Token', 'TASK'])
  const hashlock = await deploy('deploy HashlockVerifier', hashlockVerifierAbi, hashlockVerifierBytecode)
  const token = readArtifact('GasFixtures.sol', 'PlainToken')
  const door = readArtifact('GasFixtures.sol', 'DoorFulfiller')
  const asset = await deploy(undefined, token.abi, token.bytecode.object)
  const fulfiller = await deploy(undefined, door.abi, door.bytecode.object)
  const onTask = sender(task, taskTokenAbi)
  const onHashlock = sender(hashlock, hashlockVerifierAbi)
  const onAsset = sender(asset, token.abi)
  const onFulfiller = sender(fulfiller, door.abi)

  const terms = {
    asset: zeroAddress as Address,
    rewardPerCompletion: parseEther('1'),
    maxCompletions: 10n,
    submitBy: 0n,
    settleBy: 0n,
    epochLength: 0n,
    maxCompletionsPerEpoch: 0n,
    judgmentWindow: windowSec,
  }
  const mint = (row: string | undefined, authority: Address, changed: Partial<typeof terms> = {}) =>
    onTask(row, owner, 'mintTask', [
      owner,
      publisher,
      authority,
      digest('document'),
      digest('root'),
      'ipfs://task-v1',
      { ...terms, ...changed },
    ])
  const fund = (row: string | undefined, account: Address, tokenId: bigint, ether: string) =>
    onTask(row, account, 'fundTask', [tokenId, parseEther(ether)], parseEther(ether))

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

  const sizes = {
    TaskToken: runtimeBytes('TaskToken.sol', 'TaskToken'),
    TaskVault: runtimeBytes('TaskVault.sol', 'TaskVault'),
    HashlockVerifier: runtimeBytes('HashlockVerifier.sol', 'HashlockVerifier'),
    BatchReceiptVerifier: runtimeBytes('BatchReceiptVerifier.sol', 'BatchReceiptVerifier'),
  }
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

const chain = await startChain({ flags: ['--timestamp', '1800000000'] })
try {
  const snapshot = await measure(chain.url)
  const text = `${JSON.stringify(snapshot, null, 2)}\n`
  if (process.argv.includes('--check')) {
    if (readFileSync(snapshotFile, 'utf8') !== text) {
      console.error(
        'Gas figures differ from bench/snapshots/task-gas.json. Look at them with npm run gas, and commit them.',
      )
      process.exitCode = 1
    }
  } else {
    mkdirSync(dirname(snapshotFile), { recursive: true })
    writeFileSync(snapshotFile, text)
  }
  console.log(process.argv.includes('--json') ? text : table(snapshot))
} finally {
  await chain.stop()
}
