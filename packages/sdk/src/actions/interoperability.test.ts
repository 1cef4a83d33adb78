import * as abis from '@oikos/core/abi'
import { type Abi, type AbiFunction, toFunctionSignature } from 'viem'
import { describe, expect, test } from 'vitest'

const functionsOf = (abi: Abi): string[] =>
  abi.filter((item): item is AbiFunction => item.type === 'function').map(toFunctionSignature)
const constructorOf = (abi: Abi): string[] =>
  abi.flatMap((item) => (item.type === 'constructor' ? item.inputs.map(({ type }) => type) : []))

describe('other tools call the companions by these signatures', () => {
  test.each<[string, Abi, readonly string[], readonly string[]]>([
    [
      'JuryPanel',
      abis.juryPanelAbi,
      ['address[]', 'uint256', 'uint64'],
      ['vote(address,uint256,uint256,bool)', 'finalizeTimeout(address,uint256,uint256)'],
    ],
    [
      'Splitter',
      abis.splitterAbi,
      ['address[]', 'uint256[]'],
      ['submitOnBehalf(address,uint256,bytes32,string)', 'withdraw(address)', 'releasable(address)'],
    ],
    ['HashlockVerifier', abis.hashlockVerifierAbi, [], ['commitAnswer(address,uint256,bytes32)']],
    ['BatchReceiptVerifier', abis.batchReceiptVerifierAbi, [], ['commitBatchRoot(address,uint256,bytes32,uint64)']],
    ['TenderRoyalty (ERC-2981)', abis.tenderRoyaltyAbi, ['address'], ['royaltyInfo(uint256,uint256)']],
  ])('%s', (_, abi, inputs, signatures) => {
    expect(constructorOf(abi)).toEqual(inputs)
    expect(functionsOf(abi)).toEqual(expect.arrayContaining([...signatures]))
  })

  test('a gate answers what a judge asks of a task contract', () => {
    const asked = [
      'acceptFulfillment(uint256,uint256)',
      'rejectFulfillment(uint256,uint256)',
      'setAcceptanceAuthority(uint256,address)',
      'acceptanceAuthorityOf(uint256)',
      'submissionOf(uint256,uint256)',
      'tenderTermsOf(uint256)',
      'pendingOf(uint256)',
      'isTenderCancelled(uint256)',
      'updateAuthorityOf(uint256)',
    ]
    expect(functionsOf(abis.bondedGateAbi)).toEqual(expect.arrayContaining(asked))
    expect(functionsOf(abis.taskTokenAbi)).toEqual(expect.arrayContaining(asked))
  })
})
