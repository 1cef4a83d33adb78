import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { describeCall, KNOWN_FUNCTIONS } from './known-calls.ts'

describe('a call', () => {
  it('of a known function is told with the names of its arguments', () => {
    const data = encodeFunctionData({
      abi: parseAbi(KNOWN_FUNCTIONS),
      functionName: 'submitFulfillment',
      args: [7n, `0x${'11'.repeat(32)}`, 'ipfs://x'],
    })
    expect(describeCall(data)).toBe(`submitFulfillment(tokenId 7, resultHash 0x${'11'.repeat(32)}, resultURI ipfs://x)`)
  })

  it.each(['0x', '0x12345678', '0xa9059cbb', 'no hex'])('that is not known or whole is not guessed: %s', (data) => {
    expect(describeCall(data)).toBeUndefined()
  })
})
