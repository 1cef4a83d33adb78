import { buildAgentMetadata, hasSelector, verifyAgentMetadata } from '@oikos/core/agent-metadata'
import { toFunctionSelector } from 'viem'
import { getCode } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as sdk from '../src/index.ts'
import { type Agents, startAgents } from './agents.ts'

let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

const describe_ = (horizon: number, method: string, acceptToken: `0x${string}`) =>
  buildAgentMetadata({
    name: 'Atlas',
    description: 'Labels pictures.',
    image: '',
    reclaim: { horizon, method },
    oikos: { chainId: 11155111n, acceptToken, initialRate: 1_000_000n, fixedPrice: false },
  })

test('§6.4.6, §6.5.3: the reclaim metadata and the function agree, read from the bytecode of a real Agent', async () => {
  const { token, as, implementation } = agents
  const built = describe_(86_400, 'reclaim()', token)
  const agent = await agents.create({ agentURI: built.uri, reclaimHorizonSec: 86_400 })
  const uri = await sdk.getAgentURI(as.stranger, { agent })
  const [code = '0x', implementationCode = '0x'] = await Promise.all([
    getCode(as.stranger, { address: agent }),
    getCode(as.stranger, { address: implementation }),
  ])
  const facts = { chainId: 11155111n, code, implementationCode, knownImplementations: [implementation] }
  const verdict = verifyAgentMetadata(built.bytes, { uri, facts })
  expect(verdict).toMatchObject({
    ok: true,
    notChecked: [],
    agentCode: { shareName: 'Test Agent', shareSymbol: 'TEST' },
  })
  expect(verdict.checked).toEqual(['document', 'uri', 'code', 'reclaim', 'horizon', 'properties'])

  const codesOf = (horizon: number, method: string, acceptToken: `0x${string}`) =>
    verifyAgentMetadata(describe_(horizon, method, acceptToken).bytes, { facts }).findings.map(
      ({ code: found }) => found,
    )
  expect(codesOf(86_401, 'reclaim()', token)).toEqual(['reclaim.horizon'])
  expect(codesOf(86_400, 'takeBack()', token)).toEqual(['reclaim.method-absent'])
  expect(codesOf(86_400, 'reclaim()', agent)).toEqual(['property.accept-token'])
  const none = buildAgentMetadata({ name: 'A', description: '', image: '', reclaim: 'none' })
  expect(verifyAgentMetadata(none.bytes, { facts }).findings.map(({ code: found }) => found)).toEqual([
    'reclaim.contradicted',
  ])

  // the code answers to each function of the Agent, and to none that it does not have
  for (const signature of ['requestMint(uint256)', 'execute(address,uint256,bytes,bytes32,string)', 'reclaimShares()'])
    expect(hasSelector(implementationCode, toFunctionSelector(signature)), signature).toBe(true)
  for (const signature of ['upgradeTo(address)', 'sweep()', 'isValidSignature(bytes32,bytes)'])
    expect(hasSelector(implementationCode, toFunctionSelector(signature)), signature).toBe(false)
})
