import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { taskTokenAbi } from '@oikos/core/abi'
import { taskTokenBytecode } from '@oikos/sdk/bytecode'
import {
  type Abi,
  type Address,
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
import { root } from '../../scripts/toolchain.ts'

/** Figures of one scenario, as they are committed. */
export type Snapshot = { runtimeBytes: Record<string, number>; gas: Record<string, number> }
type Artifact = { abi: Abi; bytecode: { object: Hash }; deployedBytecode: { object: Hash } }

/** Sends a call to one contract and, under a row's name, records its gas. */
type Sender = (
  row: string | undefined,
  account: Address,
  functionName: string,
  args: readonly unknown[],
  value?: bigint,
) => Promise<Address>

export const windowSec = 604_800n
export const daySec = 86_400n

/** Terms of a native, judged tender of ten completions; a scenario changes what it is about. */
const plainTerms = {
  asset: zeroAddress as Address,
  rewardPerCompletion: parseEther('1'),
  maxCompletions: 10n,
  submitBy: 0n,
  settleBy: 0n,
  epochLength: 0n,
  maxCompletionsPerEpoch: 0n,
  judgmentWindow: windowSec,
}

export const digest = (text: string): Hash => sha256(stringToHex(text))

export function readArtifact(source: string, name: string): Artifact {
  const path = join(root, 'contracts', 'out', source, `${name}.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact
}

/** Size of the deployed code of the contracts with these names, each in a file of its own name. */
export function runtimeBytes(names: readonly string[]): Record<string, number> {
  const sizeOf = (name: string): number => (readArtifact(`${name}.sol`, name).deployedBytecode.object.length - 2) / 2
  return Object.fromEntries(names.map((name) => [name, sizeOf(name)]))
}

/**
 * A fresh chain with its accounts, a task contract on it, and a record of the gas of named steps.
 * @param deployRow row under which the deployment of the task contract is recorded, if it is
 */
export async function makeStage(url: string, deployRow?: string) {
  const transport = http(url)
  const node = createTestClient({ chain: sepolia, mode: 'anvil', transport }).extend(publicActions)
  const wallet = createWalletClient({ chain: sepolia, transport })
  const accounts = await wallet.getAddresses()
  const [owner, publisher, judge, funder, secondFunder, worker, stranger] = accounts as [
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
    (address: Address, abi: Abi): Sender =>
    async (row, account, functionName, args, value = 0n) =>
      record(row, await wallet.writeContract({ address, abi, functionName, args, account, value }))
  async function warp(seconds: bigint): Promise<void> {
    await node.increaseTime({ seconds: Number(seconds) })
    await node.mine({ blocks: 1 })
  }

  const task = await deploy(deployRow, taskTokenAbi, taskTokenBytecode, ['Task Token', 'TASK'])
  const onTask = sender(task, taskTokenAbi)
  const mint = (row: string | undefined, authority: Address, changed: Partial<typeof plainTerms> = {}) =>
    onTask(row, owner, 'mintTask', [
      owner,
      publisher,
      authority,
      digest('document'),
      digest('root'),
      'ipfs://task-v1',
      { ...plainTerms, ...changed },
    ])
  /** Mints without a row; resolves to the new tender's id. */
  async function open(authority: Address, changed: Partial<typeof plainTerms> = {}): Promise<bigint> {
    await mint(undefined, authority, changed)
    return (await node.readContract({ address: task, abi: taskTokenAbi, functionName: 'nextId' })) - 1n
  }
  const fund = (row: string | undefined, account: Address, tokenId: bigint, ether: string) =>
    onTask(row, account, 'fundTask', [tokenId, parseEther(ether)], parseEther(ether))
  const people = { owner, publisher, judge, funder, secondFunder, worker, stranger }
  return { node, wallet, gas, people, record, deploy, sender, warp, task, onTask, mint, open, fund }
}

export type Stage = Awaited<ReturnType<typeof makeStage>>
