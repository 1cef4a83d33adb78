import type { Deployment } from '@oikos/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../../packages/sdk/test/agents.ts'
import { schemaName } from '../start/code-digest.ts'
import { type IndexPlan, parsePlan, readPlan } from './index-plan.ts'
import { type PlanOptions, planChains, writePlan } from './make-plan.ts'
import { IndexPlanError } from './plan-error.ts'

let agents: Agents
let deployment: Deployment
let rpcUrls: Record<number, string>
beforeAll(async () => {
  agents = await startAgents()
  deployment = { ...agents.market.deployment, agentFactory: agents.factory }
  rpcUrls = { 11155111: agents.market.chain.url }
})
afterAll(() => agents.stop())

const planOf = (options: Partial<PlanOptions> = {}) => planChains({ deployments: [deployment], rpcUrls, ...options })

describe('a plan', () => {
  test('has the Scope of each factory, all addresses in lower case, and is read as it was written', async () => {
    const chains = await planOf()
    expect(chains).toMatchObject([
      {
        ...{ chainId: 11_155_111, network: 'local', startBlock: 0, followAllTransfers: true },
        taskContracts: [deployment.taskToken.toLowerCase()],
        agentFactories: [{ address: agents.factory.toLowerCase(), scope: agents.scope.toLowerCase() }],
      },
    ])
    const plan: Omit<IndexPlan, 'schema'> = {
      database: { kind: 'pglite', directory: 'x' },
      checks: { kind: 'sqlite', file: 'y' },
      chains: [...chains],
    }
    expect(parsePlan(writePlan(plan))).toMatchObject(plan)
  })

  test('covers several deployments of one network, each contract once', async () => {
    const later = { ...deployment, taskToken: agents.token, deployedAtBlock: 7n }
    const [chain] = await planOf({ deployments: [deployment, later], followAllTransfers: false })
    expect(chain?.taskContracts).toHaveLength(2)
    expect(chain).toMatchObject({ startBlock: 0, followAllTransfers: false })
    expect(chain?.agentFactories).toHaveLength(1)
  })

  test.each<[string, () => Partial<PlanOptions>, string]>([
    ['no deployment', () => ({ deployments: [] }), 'deployments'],
    [
      'two networks of one id',
      () => ({ deployments: [deployment, { ...deployment, network: 'other' }] }),
      'deployments',
    ],
    ['no node', () => ({ rpcUrls: {} }), 'rpcUrls[11155111]'],
    [
      'a node of another chain',
      () => ({ deployments: [{ ...deployment, chainId: 5 }], rpcUrls: { 5: rpcUrls[11155111] ?? '' } }),
      'rpcUrls[5]',
    ],
    [
      'another block 0',
      () => ({ deployments: [{ ...deployment, genesisHash: `0x${'1'.repeat(64)}` }] }),
      'rpcUrls[11155111]',
    ],
    [
      'a factory of other code',
      () => ({ deployments: [{ ...deployment, agentFactory: agents.token }] }),
      'agentFactory',
    ],
  ])('with %s is refused by name', async (_, options, member) => {
    const refused = planOf(options())
    await expect(refused).rejects.toBeInstanceOf(IndexPlanError)
    await expect(refused).rejects.toMatchObject({ member: expect.stringContaining(member) })
  })

  test.each([
    ['{', 'the plan'],
    [' '.repeat(1_100_000), 'the plan'],
    ['{"schema":"oikos-index-plan/2"}', 'schema'],
    ['{"schema":"oikos-index-plan/1","database":{"kind":"mysql"}}', 'database'],
  ])('that is malformed is refused by name', (text, member) => {
    expect(() => parsePlan(text)).toThrow(expect.objectContaining({ member: expect.stringContaining(member) }))
  })

  test('is named by the environment', () => {
    expect(() => readPlan({})).toThrow(IndexPlanError)
  })
})

describe('the schema of an index', () => {
  test('has a name of its code and its place', () => {
    const room = `${import.meta.dirname}/../..`
    expect(schemaName(room, 'a')).toMatch(/^oikos_[0-9a-f]{12}$/)
    expect(schemaName(room, 'a')).toBe(schemaName(room, 'a'))
    expect(schemaName(room, 'a')).not.toBe(schemaName(room, 'b'))
  })
})
