import { juryPanelAbi } from '@oikos/core/abi'
import { type Address, encodeDeployData, getContractAddress, type Hex, pad, zeroAddress } from 'viem'
import { getCode } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Market, startMarket } from '../../test/market.ts'
import { juryPanelBytecode } from '../bytecode/index.ts'
import * as sdk from '../index.ts'
import { hasCodeOf } from './expected-code.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

/** Other code at an address of its own. */
async function place(code: Hex): Promise<Address> {
  const address: Address = '0x00000000000000000000000000000000000c0de1'
  await market.setCode(address, code)
  return address
}

const codeOf = async (address: Address): Promise<Hex> => (await getCode(market.as.stranger, { address })) ?? '0x'
const identify = (address: Address) => sdk.identifyCompanion(market.as.stranger, { address })

describe('what stands at an address is told by its code', () => {
  test('each stock verifier', async () => {
    const { as, deployment } = market
    expect(await identify(deployment.hashlockVerifier)).toEqual({ kind: 'hashlock-verifier', terms: {} })
    expect(await identify(deployment.batchReceiptVerifier)).toEqual({ kind: 'batch-receipt-verifier', terms: {} })
    for (const kind of ['signed-outcome-verifier', 'streak-verifier', 'merkle-secret-verifier'] as const) {
      const { address } = await sdk.deployStockVerifier(as.owner, as.owner, { kind })
      expect(await identify(address)).toEqual({ kind, terms: {} })
    }
  })

  test('every other companion, with the terms of its deployment', async () => {
    const { as, address: people, task } = market
    const jury = { jurors: [people.judge, people.owner], quorum: 1n, voteWindowSec: 600n }
    const panel = await sdk.deployJuryPanel(as.owner, as.owner, jury)
    expect(await identify(panel.address)).toMatchObject({ kind: 'jury-panel', terms: jury })
    const rule = {
      ...{ task, bondAsset: zeroAddress, bondAtomic: 3n, rejectedBps: 1, expiredBps: 0 },
      ...{ beneficiary: people.owner, judge: panel.address },
    }
    const gate = await sdk.deployBondedGate(as.owner, as.owner, rule)
    expect(await identify(gate.address)).toEqual({ kind: 'bonded-gate', terms: rule })
    const team = [{ account: people.judge, bps: 10_000 }]
    const splitter = await sdk.deploySplitter(as.owner, as.owner, { team })
    expect(await identify(splitter.address)).toEqual({ kind: 'splitter', terms: { team } })
    const terms = { treasury: people.judge, feeBps: 0n }
    const router = await sdk.deployFundingRouter(as.owner, as.owner, terms)
    expect(await identify(router.address)).toEqual({ kind: 'funding-router', terms })
    const royalty = await sdk.deployTenderRoyalty(as.owner, as.owner, { task })
    expect(await identify(royalty.address)).toEqual({ kind: 'tender-royalty', terms: { task } })
  })

  test('and an account, a task contract and code that differs by one byte are none', async () => {
    expect(await identify(market.address.judge)).toBeUndefined()
    expect(await identify(market.task)).toBeUndefined()
    const code = await codeOf(market.deployment.hashlockVerifier)
    expect(await identify(await place(code))).toEqual({ kind: 'hashlock-verifier', terms: {} })
    const last = code.endsWith('00') ? '01' : '00'
    expect(await identify(await place(`${code.slice(0, -2)}${last}` as Hex))).toBeUndefined()
    expect(await identify(await place(`${code}00` as Hex))).toBeUndefined()
    expect(await identify(await place(code.slice(0, 200) as Hex))).toBeUndefined()
    expect(await identify(await place('0x00'))).toBeUndefined()
  })

  test('a gate whose desk is another contract is none', async () => {
    const { as, address: people, task } = market
    const rule = { task, bondAsset: zeroAddress, bondAtomic: 3n, rejectedBps: 0, expiredBps: 0 }
    const terms = { ...rule, beneficiary: undefined, judge: people.judge }
    const { address: gate } = await sdk.deployBondedGate(as.owner, as.owner, terms)
    const wordOf = (address: Address): string => pad(address.toLowerCase() as Hex).slice(2)
    const code = await codeOf(gate)
    const desk = wordOf(getContractAddress({ from: gate, nonce: 1n }))
    expect(code).toContain(desk)
    await market.setCode(gate, code.replaceAll(desk, wordOf(people.judge)) as Hex)
    expect(await identify(gate)).toBeUndefined()
    await market.setCode(gate, code)
    expect(await identify(gate)).toMatchObject({ kind: 'bonded-gate' })
  })

  test('a verifier whose signing domain is of another address is none', async () => {
    const { as } = market
    const { address } = await sdk.deployStockVerifier(as.owner, as.owner, { kind: 'signed-outcome-verifier' })
    expect(await identify(await place(await codeOf(address)))).toBeUndefined()
  })

  test('a jury that reports terms which no constructor takes is none', async () => {
    const { as, address: people } = market
    const terms = { jurors: [people.judge], quorum: 1n, voteWindowSec: 600n }
    const { address } = await sdk.deployJuryPanel(as.owner, as.owner, terms)
    // the same code without the storage: no jurors, a quorum of one
    expect(await identify(await place(await codeOf(address)))).toBeUndefined()
  })
})

test('code is not that of a creation with other arguments', async () => {
  const { as, address: people } = market
  const terms = { jurors: [people.judge], quorum: 1n, voteWindowSec: 600n }
  const { address } = await sdk.deployJuryPanel(as.owner, as.owner, terms)
  const creation = (voteWindowSec: bigint) => ({
    ...{ abi: juryPanelAbi, bytecode: juryPanelBytecode },
    args: [terms.jurors, terms.quorum, voteWindowSec],
  })
  expect(encodeDeployData(creation(600n) as never)).toMatch(/^0x60/)
  expect(await hasCodeOf(as.stranger, address, creation(600n))).toBe(true)
  expect(await hasCodeOf(as.stranger, address, creation(601n))).toBe(false)
})
