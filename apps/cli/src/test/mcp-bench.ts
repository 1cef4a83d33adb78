import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { formatDeployments } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { type AuditedLife, startAuditedLife } from '../../../../packages/runtime/test/audited-life.ts'
import { createWorkbench, type Workbench } from './harness.ts'
import { POLICY } from './payments.ts'

/** A chain with an Agent and a tender, and a folder in which a server for other agents can be started. */
export type McpBench = {
  readonly life: AuditedLife
  readonly bench: Workbench
  /** The command with everything that it can offer. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** Plays the life of an Agent, and puts its content, a policy and a folder of work beside it. */
export async function createMcpBench(): Promise<McpBench> {
  const life = await startAuditedLife()
  const { market, factory } = life.agents
  const bench = await createWorkbench({ OIKOS_RPC_URL: market.chain.url })
  const home = join(bench.folder, 'home')
  const deployment = { ...market.deployment, agentFactory: factory, agents: { atlas: life.agent } }
  await writeFile(join(home, 'deployments.json'), formatDeployments([deployment]))
  const store = await openContentStore(join(home, 'content'))
  for (const [cid, bytes] of life.content) await store.put(bytes, cid.startsWith('bafy') ? 'dag-cbor' : 'raw')
  await writeFile(join(bench.folder, 'policy.json'), POLICY)
  for (const [path, text] of WORK) {
    await mkdir(join(bench.folder, 'work', path, '..'), { recursive: true })
    await writeFile(join(bench.folder, 'work', path), text)
  }
  const offers = ['--deliveries', 'work', '--policy', 'policy.json', '--proposals', 'proposals']
  return {
    ...{ life, bench },
    command: ['mcp', ...offers],
    env: { OIKOS_HOME: home, OIKOS_RPC_URL: market.chain.url, PATH: process.env['PATH'] ?? '' },
    stop: async () => {
      await bench.stop()
      await life.stop()
    },
  }
}

const WORK = [
  ['single/report.md', '# Report\n'],
  ['many/README.md', '# Labels\n'],
  ['many/data/labels.csv', 'a,b\n'],
] as const

/** A client of the official library. */
export function createClient(): Client {
  return new Client({ name: 'test', version: '1.0.0' })
}

/** What a tool gave, or its error. */
export type ToolAnswer = { readonly data: Readonly<Record<string, unknown>>; readonly isError: boolean }

/** Calls a tool; the text of its answer must say the same as its structure. */
export async function callTool(client: Client, name: string, args: object = {}): Promise<ToolAnswer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } })
  const [first] = content as { readonly type: string; readonly text: string }[]
  const isFailed = isError === true
  const data = readJson(first?.text ?? '')
  if (!isFailed && JSON.stringify(data) !== JSON.stringify(structuredContent)) throw new Error('text and data differ')
  return { data, isError: isFailed }
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // what the library itself refuses is a sentence
    return { error: { message: text } }
  }
}
