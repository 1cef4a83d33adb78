import { agentAbi, taskTokenAbi } from '@oikos/core/abi'
import type { Abi, Address, Hex } from 'viem'
import { ANSWERS_MUCH, ANSWERS_NOTHING, BURNS_GAS, logOf, type RawLog, writeLogs } from './raw-logs.ts'
import type { IndexStage } from './stage.ts'

/** Largest word of a contract. */
export const MAX_WORD = 2n ** 256n - 1n

/** Contracts that claim what is not so. */
export type HostileContracts = { readonly agent: Address; readonly tender: Address; readonly much: Address }

/** Events with every kind of poison: sums beyond a word, NUL and invalid UTF-8, lists that do not decode, wild numbers. */
export async function writeHostileEvents({ agents }: IndexStage): Promise<HostileContracts> {
  const abi = agentAbi as Abi
  const account = agents.address.alice
  const hash: Hex = `0x${'77'.repeat(32)}`
  const evil = `ipfs://\0${'x'.repeat(9_000)}`
  const request = { requester: account, assets: MAX_WORD, epoch: 1n, timestamp: MAX_WORD }
  const [topics] = [logOf(abi, 'AgentURIUpdated', { newURI: '' }).topics]
  const agentLogs: RawLog[] = [
    ...Array.from({ length: 12 }, () => logOf(abi, 'MintRequested', request)),
    logOf(abi, 'AgentURIUpdated', { newURI: evil }),
    // offset 32, length 4, bytes that are no UTF-8
    { topics, data: `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'ff00fe80'.padEnd(64, '0')}` },
    // an offset into nowhere
    { topics, data: `0x${'f'.repeat(64)}` },
    logOf(abi, 'Settled', { requester: account, kind: 7, amount: 1n, reasoningHash: hash, reasoningURI: 'ipfs://\0' }),
    logOf(abi, 'Settled', { requester: account, kind: 0, amount: MAX_WORD, reasoningHash: hash, reasoningURI: '' }),
    logOf(abi, 'ExchangeRateUpdated', { newRate: MAX_WORD }),
    logOf(abi, 'SharesRedeemed', {
      requester: account,
      shares: 1n,
      assets: 1n,
      epoch: 0n,
      sharePrice: 0n,
      timestamp: 0n,
    }),
    logOf(abi, 'Executed', {
      ...{
        executor: account,
        target: account,
        value: MAX_WORD,
        selector: '0xdeadbeef',
        returnData: `0x${'ab'.repeat(2_000)}`,
      },
      ...{ reasoningHash: hash, reasoningURI: '\u0000\u0000' },
    }),
    logOf(abi, 'Reasoned', {
      actor: account,
      action: '0x00000000',
      reasoningHash: hash,
      reasoningURI: 'javascript:alert(1)',
    }),
    logOf(abi, 'ExecutorUpdated', { executor: account, enabled: false }),
    // what only our own Agents are heard with
    logOf(abi, 'SettlementDetail', { requester: account, kind: 0, consumed: 1n, produced: 1n, fee: 1n, rate: 1n }),
    logOf(abi, 'OwnershipTransferred', { previousOwner: account, newOwner: account }),
    logOf(abi, 'Transfer', { from: account, to: account, value: MAX_WORD }),
  ]
  const task = taskTokenAbi as Abi
  const tokenId = MAX_WORD
  const taskLogs: RawLog[] = [
    logOf(task, 'FulfillmentAccepted', { tokenId, submissionId: MAX_WORD, fulfiller: account, reward: MAX_WORD }),
    logOf(task, 'TaskUpdated', { tokenId, tdHash: hash, taskHash: hash, version: 2n ** 64n - 1n }),
    ...Array.from({ length: 12 }, () =>
      logOf(task, 'TenderFunded', { tokenId, funder: account, amount: MAX_WORD, escrowBalance: 0n }),
    ),
    logOf(task, 'FulfillmentSubmitted', {
      ...{
        tokenId,
        submissionId: 1n,
        fulfiller: account,
        resultHash: hash,
        resultURI: evil,
        taskVersion: 2n ** 64n - 1n,
      },
    }),
    logOf(task, 'FulfillmentRejected', { tokenId, submissionId: 9n }),
    logOf(task, 'PayoutWithdrawn', { tokenId, account, amount: MAX_WORD }),
    logOf(task, 'AcceptanceAuthorityChanged', { tokenId, previousAuthority: account, newAuthority: account }),
    logOf(task, 'TaskURIUpdated', { tokenId, taskURI: evil }),
  ]
  const { stranger } = agents.as
  return {
    agent: await writeLogs(stranger, agentLogs, BURNS_GAS),
    tender: await writeLogs(stranger, taskLogs, ANSWERS_NOTHING),
    much: await writeLogs(stranger, agentLogs.slice(0, 1), ANSWERS_MUCH),
  }
}
