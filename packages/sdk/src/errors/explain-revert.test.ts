import {
  agentAbi,
  agentFactoryAbi,
  attestedValuationAbi,
  batchReceiptVerifierAbi,
  bondedGateAbi,
  erc4626ValuationAbi,
  fundingRouterAbi,
  hashlockVerifierAbi,
  juryPanelAbi,
  merkleSecretVerifierAbi,
  scopeAbi,
  signedOutcomeVerifierAbi,
  splitterAbi,
  streakVerifierAbi,
  taskTokenAbi,
  taskVaultAbi,
  tenderRoyaltyAbi,
} from '@oikos/core/abi'
import { type Abi, type AbiParameter, encodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { nativeAsset } from '../asset/asset.ts'
import { explainRevert } from './explain-revert.ts'

/** Some value of a type, such as an error may carry. */
function sample({ type }: AbiParameter): unknown {
  if (type === 'address') return '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  if (type === 'bytes32') return `0x${'ab'.repeat(32)}`
  if (type === 'bytes4') return '0xa9059cbb'
  if (type === 'uint8') return 1
  if (type === 'string') return 'text'
  if (type.startsWith('uint')) return 1_772_366_400n
  throw new Error(`no sample of ${type}`)
}

const contracts: readonly (readonly [string, Abi])[] = [
  ['TaskToken', taskTokenAbi],
  ['TaskVault', taskVaultAbi],
  ['HashlockVerifier', hashlockVerifierAbi],
  ['BatchReceiptVerifier', batchReceiptVerifierAbi],
  ['SignedOutcomeVerifier', signedOutcomeVerifierAbi],
  ['StreakVerifier', streakVerifierAbi],
  ['MerkleSecretVerifier', merkleSecretVerifierAbi],
  ['JuryPanel', juryPanelAbi],
  ['Splitter', splitterAbi],
  ['FundingRouter', fundingRouterAbi],
  ['BondedGate', bondedGateAbi],
  ['TenderRoyalty', tenderRoyaltyAbi],
  ['Agent', agentAbi],
  ['AgentFactory', agentFactoryAbi],
  ['Scope', scopeAbi],
  ['Erc4626Valuation', erc4626ValuationAbi],
  ['AttestedValuation', attestedValuationAbi],
]

describe.each(contracts)('every error of %s', (_, abi) => {
  const errors = abi.flatMap((item) => (item.type === 'error' ? [item] : []))
  test.each(errors.map((item) => [item.name, item] as const))('%s is a sentence with an advice', (errorName, item) => {
    const data = encodeErrorResult({ abi: [item], errorName, args: item.inputs.map(sample) } as never)
    const explained = explainRevert(data, { asset: nativeAsset })
    expect(explained?.errorName).toBe(errorName)
    expect(Object.keys(explained?.args ?? {})).toEqual(item.inputs.map(({ name }) => name))
    for (const text of [explained?.sentence, explained?.advice]) {
      expect(text).toMatch(/^[A-Z0-9][^\n]*[.!…]$/)
      expect(text).not.toMatch(/undefined|\[object|NaN/)
    }
  })
})

describe('reverts that are not custom errors of ours', () => {
  test('a reason text is passed on without what could disguise it, and is cut', () => {
    const reason = `no\u202emoney\n${'x'.repeat(1_000)}`
    const abi = parseAbi(['error Error(string reason)'])
    const explained = explainRevert(encodeErrorResult({ abi, errorName: 'Error', args: [reason] }))
    expect(explained).toMatchObject({ errorName: 'Error', sentence: expect.stringContaining('no\ufffdmoney\ufffdx') })
    expect(explained?.sentence.length).toBeLessThan(400)
  })

  test('a panic is named by its code', () => {
    const abi = parseAbi(['error Panic(uint256 code)'])
    const explained = explainRevert(encodeErrorResult({ abi, errorName: 'Panic', args: [0x11n] }))
    expect(explained).toMatchObject({ errorName: 'Panic', sentence: expect.stringContaining('0x11') })
  })

  const short: Hex = toFunctionSelector('TenderIsCancelled(uint256)')
  test.each([['0x'], ['0x12'], ['0xdeadbeef'], [short]] as const)('%s is not explained', (data) => {
    expect(explainRevert(data)).toBeUndefined()
  })
})

test('DeliveriesPending of the task contract and of a verifier are told apart', () => {
  const ofTask = encodeErrorResult({ abi: taskTokenAbi, errorName: 'DeliveriesPending', args: [7n, 2n] })
  const verifierArgs = ['0x5FbDB2315678afecb367f032d93F642f64180aa3', 7n, 2n] as const
  const ofVerifier = encodeErrorResult({ abi: hashlockVerifierAbi, errorName: 'DeliveriesPending', args: verifierArgs })
  expect(explainRevert(ofTask)?.args).toEqual({ tokenId: 7n, pending: 2n })
  expect(explainRevert(ofVerifier)?.args).toMatchObject({ taskContract: verifierArgs[0] })
})

test('every outcome of a settlement and every verdict of a Scope has its words', () => {
  const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  for (let number = 0; number < 12; number++) {
    const unsettled = encodeErrorResult({ abi: agentAbi, errorName: 'Unsettled', args: [address, number] })
    const refused = encodeErrorResult({
      ...{ abi: agentAbi, errorName: 'OutOfScope' },
      args: [address, '0x00000000', number],
    })
    for (const [data, known] of [
      [unsettled, number < 7],
      [refused, number < 10],
    ] as const) {
      const { sentence = '' } = explainRevert(data) ?? {}
      expect(sentence).toMatch(/ because /)
      expect(sentence.includes('which is not known here')).toBe(!known)
    }
  }
})

test('a time beyond any calendar is still told', () => {
  const args = [7n, 1n, 2n ** 200n] as const
  const data = encodeErrorResult({ abi: taskTokenAbi, errorName: 'JudgmentWindowOpen', args })
  expect(explainRevert(data)?.sentence).toContain(`unix second ${2n ** 200n}`)
})
