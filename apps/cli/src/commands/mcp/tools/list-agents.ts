import { collectEvents, listAgentCreated } from '@oikos/sdk'
import { z } from 'zod'
import { findFactory } from '../../../chain/open-agent.ts'
import { createInput } from '../../../input/input.ts'
import { decimal, hex } from '../schemas.ts'
import type { Tool } from '../tool.ts'
import { untrusted, untrustedText } from '../untrusted.ts'

/** Agents of one result. */
const MAX_ROWS = 100

const input = z.strictObject({
  limit: z.int().min(1).max(MAX_ROWS).optional().describe('rows (default 25)'),
  skip: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('newest Agents that are left out: nextSkip of the result before'),
})

const output = z.strictObject({
  chainId: z.number(),
  factory: hex,
  total: z.number(),
  isComplete: z.boolean().describe('false where the history is too long to be read as a whole'),
  agents: z.array(
    z.strictObject({
      agent: hex,
      name: untrustedText,
      symbol: untrustedText,
      acceptToken: hex,
      ownerAtBirth: hex,
      bornAtBlock: decimal,
    }),
  ),
  nextSkip: z.number().optional(),
})

/** `list_agents`. */
export const listAgents: Tool<typeof input, typeof output> = {
  name: 'list_agents',
  title: 'List Agents',
  description: 'The Agents of the factory in the deployments, the newest first. show_agent tells about one.',
  input,
  output,
  effects: 'reads',
  deadlineMs: 60_000,
  run: async (reach, wanted) => {
    const connection = await reach.connection()
    const factory = await findFactory(connection, createInput([], {}))
    const { deployedAtBlock } = await connection.deployment()
    const { events, isComplete } = await collectEvents(deployedAtBlock, (fromBlock) =>
      listAgentCreated(connection.client, { factory, fromBlock }),
    )
    const skip = wanted.skip ?? 0
    const end = skip + (wanted.limit ?? 25)
    const creator = 'creator of the Agent'
    return {
      ...{ chainId: connection.chainId, factory, total: events.length, isComplete },
      agents: events
        .toReversed()
        .slice(skip, end)
        .map(({ args: { agent, name, symbol, acceptToken, owner }, blockNumber }) => ({
          ...{ agent, name: untrusted(creator, name), symbol: untrusted(creator, symbol), acceptToken },
          ...{ ownerAtBirth: owner, bornAtBlock: blockNumber },
        })),
      ...(end < events.length ? { nextSkip: end } : {}),
    }
  },
}
