import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAgents } from '../../test/agents.ts'
import { type Market, startMarket } from '../../test/market.ts'
import * as sdk from '../index.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

const failing = (run: () => unknown): sdk.DeploymentError => {
  try {
    run()
  } catch (error) {
    if (error instanceof sdk.DeploymentError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('the registry', () => {
  test('an unknown chain is told with an advice', () => {
    const error = failing(() => sdk.getDeployment(11155111))
    expect(error).toMatchObject({ name: 'DeploymentError', reason: 'unknown', advice: expect.stringMatching(/\w/) })
  })

  test('a local chain and the public one with the same id are told apart by network', () => {
    const local = market.deployment
    const sepolia = { ...local, network: 'sepolia', deployedAtBlock: 5n }
    const deployments = [local, sepolia]
    expect(sdk.getDeployment(11155111, { deployments: [local] })).toBe(local)
    expect(failing(() => sdk.getDeployment(11155111, { deployments }))).toMatchObject({ reason: 'ambiguous' })
    expect(sdk.getDeployment(11155111, { deployments, network: 'local' })).toBe(local)
    expect(sdk.getDeployment(11155111, { deployments, network: 'sepolia' })).toBe(sepolia)
    const error = failing(() => sdk.getDeployment(11155111, { deployments, network: 'mainnet' }))
    expect(error.message).toContain('local, sepolia')
    expect(failing(() => sdk.getDeployment(1, { deployments }))).toMatchObject({ reason: 'unknown' })
  })

  test('of two deployments of one network the later counts', () => {
    const newer = { ...market.deployment, deployedAtBlock: 9n }
    expect(sdk.getDeployment(11155111, { deployments: [market.deployment, newer] })).toBe(newer)
  })
})

describe('a deployments document', () => {
  test('is read back as it was written', () => {
    const { genesisHash: _, ...without } = market.deployment
    const written = [market.deployment, { ...without, network: 'other' }]
    expect(sdk.parseDeployments(sdk.formatDeployments(written))).toEqual(written)
    expect(sdk.parseDeployments(JSON.parse(sdk.formatDeployments(written)))).toEqual(written)
  })

  test('may name a factory of Agents and Agents of it', () => {
    const agentFactory = market.deployment.taskToken
    const written = [
      { ...market.deployment, agentFactory },
      {
        ...market.deployment,
        network: 'other',
        agentFactory,
        agents: { treasury: agentFactory, 'fund-2': agentFactory },
      },
    ]
    expect(sdk.parseDeployments(sdk.formatDeployments(written))).toEqual(written)
  })

  type Document = { schema: unknown; deployments: Record<string, unknown>[] }
  const document = (): Document => JSON.parse(sdk.formatDeployments([market.deployment])) as Document
  const withEntry = (change: Record<string, unknown>) => () => {
    const { schema, deployments } = document()
    return { schema, deployments: [{ ...deployments[0], ...change }] }
  }
  test.each<[string, () => unknown]>([
    ['schema', () => ({ ...document(), schema: 'oikos-deployments/2' })],
    ['extra', () => ({ ...document(), extra: 1 })],
    ['deployments', () => ({ ...document(), deployments: {} })],
    ['deployments', () => ({ ...document(), deployments: Array.from({ length: 1_001 }, () => ({})) })],
    ['deployments[0]', () => ({ ...document(), deployments: [null] })],
    ['deployments[0].chainId', withEntry({ chainId: '11155111' })],
    ['deployments[0].chainId', withEntry({ chainId: 0 })],
    ['deployments[0].network', withEntry({ network: 'Local Chain' })],
    ['deployments[0].deployedAtBlock', withEntry({ deployedAtBlock: 5 })],
    ['deployments[0].deployedAtBlock', withEntry({ deployedAtBlock: '-1' })],
    ['deployments[0].genesisHash', withEntry({ genesisHash: '0x12' })],
    ['deployments[0].taskToken', withEntry({ taskToken: '0x12' })],
    ['deployments[0].taskToken', withEntry({ taskToken: `0x${'0'.repeat(40)}` })],
    ['deployments[0].hashlockVerifier', withEntry({ hashlockVerifier: undefined })],
    ['tasktoken', withEntry({ tasktoken: '' })],
    ['deployments[0].agentFactory', withEntry({ agentFactory: '0x12' })],
    ['deployments[0].agents', withEntry({ agents: {} })],
    ['deployments[0].agents', withEntry({ agentFactory: `0x${'1'.repeat(40)}`, agents: [] })],
    ['deployments[0].agents', withEntry({ agentFactory: `0x${'1'.repeat(40)}`, agents: { 'Big Fund': '0x12' } })],
    ['deployments[0].agents.fund', withEntry({ agentFactory: `0x${'1'.repeat(40)}`, agents: { fund: '0x12' } })],
    [
      'deployments[0].agents',
      withEntry({
        agentFactory: `0x${'1'.repeat(40)}`,
        agents: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, `0x${'1'.repeat(40)}`])),
      }),
    ],
    ['the document', () => '{'],
    ['the document', () => '[]'],
    ['the document', () => undefined],
    ['the document', () => ' '.repeat(1_048_577)],
  ])('with a wrong %s is refused by name', (where, make) => {
    const error = failing(() => sdk.parseDeployments(make()))
    expect(error.reason).toBe('malformed')
    expect(error.message).toContain(where)
    expect(error.message.length).toBeLessThan(500)
  })
})

describe('checking a deployment against a chain', () => {
  test('what was just deployed is there', async () => {
    expect(market.deployment).toMatchObject({ chainId: 11155111, network: 'local', deployedAtBlock: 0n })
    expect(await sdk.checkDeployment(market.as.stranger, market.deployment)).toEqual({ ok: true, findings: [] })
  })

  test('another chain, and another chain of the same id, are found out', async () => {
    const elsewhere = { ...market.deployment, chainId: 1 }
    const first = await sdk.checkDeployment(market.as.stranger, elsewhere)
    expect(first).toMatchObject({ ok: false, findings: [{ code: 'wrong-chain' }] })
    const restarted = await startMarket()
    try {
      // a chain that starts again in the same second has the same block 0
      const genesis = restarted.deployment.genesisHash
      const asked = genesis === market.deployment.genesisHash ? (`0x${'1'.repeat(64)}` as const) : genesis
      const second = await sdk.checkDeployment(market.as.stranger, {
        ...market.deployment,
        ...(asked === undefined ? {} : { genesisHash: asked }),
      })
      expect(second).toMatchObject({ ok: false, findings: [{ code: 'wrong-genesis' }] })
    } finally {
      await restarted.stop()
    }
  })

  test('the code of a factory and of its Agents is compared', async () => {
    const agents = await startAgents(market)
    const { stranger } = market.as
    const agent = await agents.create()
    const named = { ...market.deployment, agentFactory: agents.factory, agents: { fund: agent } }
    expect(await sdk.checkDeployment(stranger, named)).toEqual({ ok: true, findings: [] })
    const foreign = await sdk.checkDeployment(stranger, { ...named, agents: { fund: agent, bogus: agents.token } })
    expect(foreign).toMatchObject({ ok: false, findings: [{ code: 'not-an-agent' }] })
    expect(foreign.findings[0]?.message).toContain('bogus')
    const wrong = await sdk.checkDeployment(stranger, { ...named, agentFactory: agents.scope })
    expect(wrong).toMatchObject({ ok: false, findings: [{ code: 'not-our-agent-factory' }] })
  })

  test('contracts that are not what they should be are named', async () => {
    const { hashlockVerifier, batchReceiptVerifier, ...rest } = market.deployment
    const swapped = { ...rest, taskToken: market.address.judge, hashlockVerifier: batchReceiptVerifier }
    const verdict = await sdk.checkDeployment(market.as.stranger, {
      ...swapped,
      batchReceiptVerifier: hashlockVerifier,
    })
    expect(verdict.ok).toBe(false)
    expect(verdict.findings.map(({ code }) => code)).toEqual([
      'not-a-task-contract',
      'not-a-hashlock-verifier',
      'not-a-batch-receipt-verifier',
    ])
  })
})
