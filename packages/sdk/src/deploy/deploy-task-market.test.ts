import { createClient, http } from 'viem'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Market, startMarket } from '../../test/market.ts'
import * as sdk from '../index.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

test('deploys a named market with its verifiers, and tells each transaction as it is sent', async () => {
  const { as } = market
  const before = await sdk.getBlockMoment(as.stranger)
  const sent: string[] = []
  const deployment = await sdk.deployTaskMarket(as.stranger, as.owner, {
    name: 'Second',
    symbol: 'TWO',
    onSent: (hash) => sent.push(hash),
  })
  expect(new Set(sent).size).toBe(3)
  expect(deployment).toMatchObject({ chainId: 11155111, network: 'chain-11155111', deployedAtBlock: before.number })
  expect(deployment.genesisHash).toBe((await sdk.getBlockMoment(as.stranger, 0n)).hash)
  const task = deployment.taskToken
  expect(await sdk.getTaskCollectionName(as.stranger, { task })).toBe('Second')
  expect(await sdk.getTaskCollectionSymbol(as.stranger, { task })).toBe('TWO')
  expect(await sdk.getNextTokenId(as.stranger, { task })).toBe(1n)
  expect(await sdk.checkDeployment(as.stranger, deployment)).toEqual({ ok: true, findings: [] })
})

test('is refused without an account', async () => {
  const reader = createClient({ transport: http(market.chain.url) })
  const naming = { name: 'Tasks', symbol: 'TASK' }
  await expect(sdk.deployTaskMarket(reader, reader, naming)).rejects.toThrow(sdk.AccountMissingError)
})

test('is refused by a wallet that believes to be on another chain', async () => {
  const { account } = market.as.owner
  if (account === undefined) throw new Error('no account')
  const mistaken = createClient({ account, chain: mainnet, transport: http(market.chain.url) })
  const naming = { name: 'Tasks', symbol: 'TASK' }
  await expect(sdk.deployTaskMarket(mistaken, market.as.owner, naming)).rejects.toMatchObject({
    name: 'WrongChainError',
    got: 11155111,
    expected: 1,
  })
})
