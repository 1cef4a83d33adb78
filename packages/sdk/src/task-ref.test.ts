import * as fc from 'fast-check'
import { bytesToHex, getAddress, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { formatTaskRef, parseTaskRef, TaskRefFormatError } from './task-ref.ts'

const task = getAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')

test('reads and writes a tender on any chain', () => {
  const ref = parseTaskRef(`11155111:${task.toLowerCase()}:7`)
  expect(ref).toEqual({ chainId: 11155111, task, tokenId: 7n })
  expect(formatTaskRef(ref)).toBe(`11155111:${task}:7`)
})

test.each([
  [''],
  ['7'],
  [`${task}:7`],
  [`11155111:${task}`],
  [`11155111:${task}:0`],
  [`11155111:${task}:07`],
  [`0:${task}:7`],
  [`01:${task}:7`],
  [`9007199254740993:${task}:7`],
  [`11155111:${task}:${maxUint256 + 1n}`],
  [`11155111:${task}:7 `],
  [`11155111:${task}:7\n`],
  [`11155111:${task.slice(0, -1)}:7`],
  [`11155111:${task.slice(0, -1)}B:7`],
  [`11155111:0x5FBDB2315678AFECB367F032D93F642F64180AA3:7`],
  [`11155111:${task}:1e3`],
  [`11155111:${task}:0x7`],
])('refuses %j', (text) => {
  expect(() => parseTaskRef(text)).toThrow(TaskRefFormatError)
})

test('every tender is read back as it was written', () => {
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(bytesToHex(bytes)))
  const tokenId = fc.bigInt({ min: 1n, max: maxUint256 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), address, tokenId, (chainId, contract, id) => {
      const ref = { chainId, task: contract, tokenId: id }
      expect(parseTaskRef(formatTaskRef(ref))).toEqual(ref)
    }),
  )
})
