import fc from 'fast-check'
import { concat, encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { agentAbi } from '../abi/index.ts'
import { REASONED_ACTIONS, readReasonedCall } from './call.ts'
import { ReasonedCallError } from './errors.ts'

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8406) })
const hex = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex)
const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const data = fc.uint8Array({ maxLength: 200 }).map(hex)

describe('readReasonedCall', () => {
  it('§4 knows every action of an Agent that carries reasoning', () => {
    expect([...REASONED_ACTIONS].sort()).toEqual([
      'decline',
      'execute',
      'executeWithAllowance',
      'settleMint',
      'settleMintBatch',
      'settleRedeem',
      'settleRedeemBatch',
    ])
  })

  it('hashes selector and arguments without the reasoning, whatever hash and URI stand there', () => {
    fc.assert(
      fc.property(
        address,
        word,
        data,
        fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hex),
        fc.string(),
        (to, value, bytes, hash, uri) => {
          const callData = encodeFunctionData({
            abi: agentAbi,
            functionName: 'execute',
            args: [to, value, bytes, hash, uri],
          })
          const call = readReasonedCall(callData)
          const bound = encodeAbiParameters(
            [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
            [to, value, bytes],
          )
          expect(call.callHash).toBe(keccak256(concat(['0x9bd11128', bound])))
          expect(call.reasoningHash).toBe(hash)
          expect(call.reasoningURI).toBe(new TextDecoder().decode(new TextEncoder().encode(uri)))
        },
      ),
    )
  })

  it('gives different calls different hashes', () => {
    const calls = [
      encodeFunctionData({ abi: agentAbi, functionName: 'settleMint', args: [`0x${'01'.repeat(20)}`, zeroHash, ''] }),
      encodeFunctionData({ abi: agentAbi, functionName: 'settleMint', args: [`0x${'02'.repeat(20)}`, zeroHash, ''] }),
      encodeFunctionData({ abi: agentAbi, functionName: 'settleRedeem', args: [`0x${'01'.repeat(20)}`, zeroHash, ''] }),
      encodeFunctionData({
        abi: agentAbi,
        functionName: 'settleMintBatch',
        args: [[`0x${'01'.repeat(20)}`], zeroHash, ''],
      }),
    ]
    expect(new Set(calls.map((call) => readReasonedCall(call).callHash)).size).toBe(calls.length)
  })

  it('reads arguments that are encoded out of order as the contract does', () => {
    const selector = '0x9bd11128'
    const w = (value: number) => value.toString(16).padStart(64, '0')
    // execute(0, 0, data, 0, uri) with the text before the data, a gap, and bytes behind the end
    const scrambled = `${selector}${w(0)}${w(0)}${w(0x120)}${w(0)}${w(0xc0)}${'ff'.repeat(32)}${w(1)}61${'00'.repeat(31)}${'ff'.repeat(32)}${w(2)}abcd${'ff'.repeat(30)}${'ff'.repeat(5)}`
    const plain = encodeFunctionData({
      abi: agentAbi,
      functionName: 'execute',
      args: [`0x${'00'.repeat(20)}`, 0n, '0xabcd', zeroHash, 'a'],
    })
    expect(readReasonedCall(scrambled)).toEqual(readReasonedCall(plain))
  })

  it('takes the action of another Agent by its signature', () => {
    const abi = parseAbi([
      'function bid(uint256[2] range, (address who, string why)[] list, bytes32 reasoningHash, string reasoningURI)',
    ])
    const args = [[1n, 2n], [{ who: `0x${'03'.repeat(20)}`, why: 'price' }], zeroHash, 'x'] as const
    const callData = encodeFunctionData({ abi, functionName: 'bid', args })
    const bound = encodeAbiParameters(abi[0].inputs.slice(0, 2) as never, args.slice(0, 2) as never)
    const call = readReasonedCall(callData, 'bid(uint256[2],(address,string)[],bytes32,string)')
    expect(call.callHash).toBe(keccak256(concat([call.selector, bound])))
    expect(() => readReasonedCall(callData)).toThrow(ReasonedCallError)
  })

  it.each([
    ['nothing', '0x', undefined],
    ['no hexadecimal', 'settle', undefined],
    ['half a byte', '0x9bd111280', undefined],
    ['an unknown selector', '0x12345678', undefined],
    ['a call without reasoning', '0xa9059cbb', 'transfer(address,uint256)'],
    ['a signature of another selector', '0x9bd11128', 'settleMint(address,bytes32,string)'],
    ['no arguments', '0x9bd11128', undefined],
    ['a pointer beyond the end', `0x9bd11128${'ff'.repeat(160)}`, undefined],
  ])('refuses %s', (_, callData, signature) => {
    expect(() => readReasonedCall(callData, signature)).toThrow(ReasonedCallError)
  })

  it('never does more than throw its own error on hostile call data', () => {
    fc.assert(
      fc.property(fc.constantFrom('9bd11128', '5d4c1d8f'), fc.uint8Array({ maxLength: 400 }), (selector, bytes) => {
        try {
          readReasonedCall(`0x${selector}${Buffer.from(bytes).toString('hex')}`)
        } catch (cause) {
          expect(cause).toBeInstanceOf(ReasonedCallError)
        }
      }),
    )
  })
})
