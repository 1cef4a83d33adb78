import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { parsePolicy } from '@oikos/core/economic'
import { createContentResolver, nodeSha256 } from '@oikos/sdk/node'
import { CHAIN_OPTIONS, type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { createFetchFromStrangers } from '../../content/fetch-from-strangers.ts'
import type { Context } from '../../context.ts'
import { readDocument } from '../../economic/document-file.ts'
import { attempt, isRefused } from '../../economic/refusal.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { parseWhole } from '../../input/number.ts'
import { userFolderOf } from '../../settings.ts'
import { writeEndpoint } from './endpoint-file.ts'
import { serveHttp } from './http.ts'
import type { Proposals, Reach } from './reach.ts'
import { createMcpServer } from './server.ts'

/** Milliseconds that one place may take to give content. */
const FETCH_TIMEOUT_MS = 10_000
/** Bytes of one message on standard input; arguments are small. */
const MAX_MESSAGE_BYTES = 1_048_576

/** `oikos mcp`. */
export const mcp: CommandSpec = {
  name: 'mcp',
  summary: 'serve agents of others over the Model Context Protocol: they read, verify and propose, and never sign',
  details:
    'Without --http it speaks over standard input and output, for a client that starts it, until that client closes them. With --http it listens on 127.0.0.1 and writes address and bearer token into a private file. No key, passphrase or wallet is within its reach. See docs/mcp.md.',
  options: [
    { flags: '--http <port>', text: 'listen on this port of 127.0.0.1 instead; 0 for a free one' },
    {
      flags: '--token-file <file>',
      text: 'with --http: file for address and token (default mcp.json of the user folder)',
    },
    { flags: '--deliveries <folder>', text: 'let callers prepare deliveries from folders in this one' },
    { flags: '--policy <file>', text: 'with --proposals: the payment policy that judges what callers propose' },
    { flags: '--proposals <folder>', text: 'let callers propose payments, which are written there' },
    ...CHAIN_OPTIONS,
    ...FETCH_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos mcp --gateway https://ipfs.example',
    'oikos mcp --http 8434 --policy policy.json --proposals proposals --deliveries work',
  ],
  endsInOrder: true,
  run: async (context, input) => {
    const named = input.text('http')
    const reach = await reachOf(context, input)
    const load = { running: 0 }
    const create = () => createMcpServer(reach, load)
    if (named === undefined) {
      if (context.output.json) throw new UsageError('Standard output speaks the protocol.', '--json goes with --http.')
      await serveStdio(create, reach.signal)
      return EXIT.done
    }
    const port = Number(parseWhole(named, '--http', { min: 0n, max: 65_535n }))
    const { output, terminal } = context
    const tokenFile = input.text('token-file')
    const file = tokenFile === undefined ? join(userFolderOf(terminal), 'mcp.json') : resolve(terminal.cwd, tokenFile)
    const token = Buffer.from(terminal.entropy(32)).toString('hex')
    const endpoint = await serveHttp(create, { port, token }).catch((cause: unknown) => {
      throw new UsageError(`Port ${port} of 127.0.0.1 cannot be used.`, 'Name another, or 0.', { cause })
    })
    try {
      await writeEndpoint(file, { url: endpoint.url, token })
      output.result({ ok: true, url: endpoint.url, tokenFile: file }, [endpoint.url])
      output.say(`The bearer token is in ${file}, which only you can read. Ctrl-C ends.`)
      await ended(reach.signal)
      await rm(file, { force: true })
    } finally {
      await endpoint.close()
    }
    return EXIT.done
  },
}

async function reachOf(context: Context, input: Input): Promise<Reach> {
  const { terminal, connection, store, settings } = context
  const deliveries = input.text('deliveries')
  return {
    ...{ connection, store },
    resolver: async () =>
      createContentResolver({
        store: await store(),
        gateways: settings.gateways,
        fetch: createFetchFromStrangers(fetch, settings.gateways),
        hash: nodeSha256,
        limits: { timeoutMs: FETCH_TIMEOUT_MS },
        // strangers write these URIs: neither files nor servers of this machine are theirs to name
        allowLoopbackUris: input.flag('allow-loopback'),
      }),
    deliveries: deliveries === undefined ? undefined : resolve(terminal.cwd, deliveries),
    proposals: await proposalsOf(context, input),
    documents: join(terminal.checkout, 'docs'),
    clockMs: () => Date.now(),
    entropy: terminal.entropy,
    signal: terminal.signal,
  }
}

async function proposalsOf({ terminal }: Context, input: Input): Promise<Proposals | undefined> {
  const [folder, policyFile] = [input.text('proposals'), input.text('policy')]
  if (folder === undefined && policyFile === undefined) return undefined
  if (folder === undefined || policyFile === undefined)
    throw new UsageError('Proposals need a folder and a policy.', 'Give --policy <file> and --proposals <folder>.')
  const bytes = await readDocument(terminal.cwd, policyFile)
  const policy = attempt('policy', () => parsePolicy(bytes))
  if (isRefused(policy)) throw new UsageError(`${policyFile} is no policy.`, `See: oikos policy check ${policyFile}`)
  return { folder: resolve(terminal.cwd, folder), policy, policyFile: resolve(terminal.cwd, policyFile) }
}

/** Speaks to the client that started this process, until it closes standard input or the signal is aborted. */
async function serveStdio(create: () => ReturnType<typeof createMcpServer>, signal: AbortSignal): Promise<void> {
  const server = create()
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const closed = new Promise<void>((end) => {
    process.stdin.once('end', () => end())
    process.stdin.once('close', () => end())
    signal.addEventListener('abort', () => end(), { once: true })
    // a client that sends more than a message may have is not spoken to any further
    server.server.onclose = () => end()
  })
  await server.connect(transport)
  await closed
  await server.close()
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolveEnd) => {
    if (signal.aborted) resolveEnd()
    else signal.addEventListener('abort', () => resolveEnd(), { once: true })
  })
}
