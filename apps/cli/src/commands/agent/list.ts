import {
  type Asset,
  collectEvents,
  formatAmount,
  getAgentBooks,
  getAssetMetadata,
  listAgentCreated,
  OikosError,
} from '@oikos/sdk'
import type { Address } from 'viem'
import { findFactory } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { MAX_UINT64, parseWhole } from '../../input/number.ts'
import { tableLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'
import { READ_AGENT } from './options.ts'

/** Agents whose books are read at the same time. */
const CONCURRENCY = 4

/** `oikos agent list`: the Agents of a factory. */
export const list: CommandSpec = {
  name: 'list',
  summary: 'list the Agents of a factory, the newest first',
  options: [
    { flags: '--limit <count>', text: 'rows of a page, at most 100 (default 25)' },
    { flags: '--cursor <number>', text: 'first Agent of the page, as the page before named it' },
    { flags: '--oldest', text: 'the oldest first' },
    { flags: '--accept <token>', text: 'only those with this Accept Token: an address' },
    { flags: '--factory <address>', text: 'factory, instead of that of the deployments' },
    ...OUTPUT_OPTIONS,
    ...READ_AGENT,
  ],
  examples: ['oikos agent list', 'oikos agent list --oldest --limit 10 --json'],
  run: async (context, input) => {
    const { output } = context
    const limit = Number(parseWhole(input.text('limit') ?? '25', '--limit', { min: 1n, max: 100n }))
    const connection = await context.connection()
    const { client } = connection
    const factory = await findFactory(connection, input)
    const accept = input.text('accept')
    const acceptToken = accept === undefined ? undefined : await parseAddress(context, accept, '--accept')
    const from = input.text('from-block')
    const deployment = await connection.knownDeployment()
    const isOwn = deployment?.agentFactory === factory
    const fromBlock =
      from === undefined
        ? isOwn
          ? (deployment?.deployedAtBlock ?? 0n)
          : 0n
        : parseWhole(from, '--from-block', { min: 0n, max: MAX_UINT64 })
    const { events, isComplete } = await collectEvents(fromBlock, (block) =>
      listAgentCreated(client, { factory, fromBlock: block, ...(acceptToken === undefined ? {} : { acceptToken }) }),
    )
    const numbered = events.map((event, index) => ({ number: BigInt(index + 1), born: event }))
    const ordered = input.flag('oldest') ? numbered : numbered.toReversed()
    const cursor = input.text('cursor')
    const start =
      cursor === undefined
        ? 0
        : ordered.findIndex(({ number }) => number === parseWhole(cursor, '--cursor', { min: 1n, max: MAX_UINT64 }))
    const page = start === -1 ? [] : ordered.slice(start, start + limit)
    const next = start === -1 ? undefined : ordered[start + limit]?.number
    const assets = new Map<Address, Asset>()
    for (const token of new Set(page.map(({ born }) => born.args.acceptToken))) {
      assets.set(token, await getAssetMetadata(client, { asset: token }))
    }
    const agents: ListedAgent[] = []
    for (let at = 0; at < page.length; at += CONCURRENCY) {
      const part = page.slice(at, at + CONCURRENCY).map(async ({ number, born }): Promise<ListedAgent> => {
        const { agent, name, symbol, acceptToken: token, owner } = born.args
        const asset = assets.get(token)
        const described = { number, agent, name, symbol, acceptToken: token, bornOwner: owner, asset }
        return { ...described, bornAtBlock: born.blockNumber, ...(await readState(client, agent)) }
      })
      agents.push(...(await Promise.all(part)))
    }
    output.result(
      { ok: true, chainId: connection.chainId, factory, agents, isComplete, nextCursor: next },
      agents.length === 0 ? ['No Agents.'] : tableLines(COLUMNS, agents.map(row), output.paint),
    )
    if (!isComplete) output.say('The history is too long to be read as a whole; later Agents are missing.')
    const [first] = agents
    output.next(
      first === undefined ? 'agent create "<name>" <symbol> --price "<amount>"' : `agent show ${first.agent}`,
      ...(next === undefined ? [] : [`agent list --cursor ${next}${input.flag('oldest') ? ' --oldest' : ''}`]),
    )
    return EXIT.done
  },
}

type ListedAgent = {
  readonly number: bigint
  readonly agent: Address
  readonly name: string
  readonly symbol: string
  readonly acceptToken: Address
  /** At birth. */
  readonly bornOwner: Address
  readonly bornAtBlock: bigint
  readonly asset: Asset | undefined
  readonly rate: bigint | undefined
  readonly assetsAtomic: bigint | undefined
  readonly state: string
}

const COLUMNS = [
  { title: 'number', align: 'right' },
  { title: 'agent' },
  { title: 'name' },
  { title: 'shares' },
  { title: 'a share', align: 'right' },
  { title: 'capital', align: 'right' },
  { title: 'state' },
] as const

/** The state of one Agent; one whose token does not answer does not spoil the list. */
async function readState(
  client: Parameters<typeof getAgentBooks>[0],
  agent: Address,
): Promise<Pick<ListedAgent, 'rate' | 'assetsAtomic' | 'state'>> {
  try {
    const { rate, assetsAtomic, isPaused, guard } = await getAgentBooks(client, { agent })
    return { rate, assetsAtomic, state: isPaused ? 'paused' : guard.isHalted ? 'settlement halted' : 'open' }
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) {
      return { rate: undefined, assetsAtomic: undefined, state: 'cannot be read' }
    }
    throw error
  }
}

function row({ number, agent, name, symbol, asset, rate, assetsAtomic, state }: ListedAgent): string[] {
  const amount = (value: bigint | undefined): string =>
    value === undefined ? 'not known' : asset === undefined ? `${value}` : formatAmount(value, asset)
  return [String(number), agent, plain(name), plain(symbol), amount(rate), amount(assetsAtomic), state]
}
