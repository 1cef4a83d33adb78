import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** A mock contract, compiled. */
export type Mock = { abi: Abi; bytecode: Hex }

type MockName = 'TestToken' | 'TestVault' | 'HostileToken' | 'FloodingToken' | 'Actor' | 'Failing'

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

/** Compiles mocks.sol with the pinned compiler. */
export function compileMocks(): Record<MockName, Mock> {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
  const content = readFileSync(join(import.meta.dirname, 'mocks.sol'), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'mocks.sol': { content } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const fatal = errors.find(({ severity }) => severity === 'error')
  if (fatal !== undefined || contracts === undefined) throw new Error(fatal?.formattedMessage ?? 'no output of solc')
  const compiled = Object.entries(contracts['mocks.sol'] ?? {}).map(([name, { abi, evm }]) => [
    name,
    { abi, bytecode: `0x${evm.bytecode.object}` },
  ])
  return Object.fromEntries(compiled) as ReturnType<typeof compileMocks>
}
