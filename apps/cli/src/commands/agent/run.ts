import { createOperator, type OperatorOptions, type PassReport, serveHealth } from '@oikos/runtime/operator'
import { createWorkshop } from '@oikos/runtime/workers'
import type { Address, LocalAccount } from 'viem'
import { toAccount } from 'viem/accounts'
import { type AgentView, openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, FETCH_OPTIONS, KEY_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { chooseSigner, type Signer } from '../../keys/signer.ts'
import { AGENT, READ_AGENT } from './options.ts'
import { createPurse } from './run-buy.ts'
import { type OperatorConfig, readOperatorConfig } from './run-config.ts'
import { CONFIG_OPTION, openOperatorDatabase } from './run-database.ts'
import { createLog, startTelemetry } from './run-telemetry.ts'

/** `oikos agent run`: the operator loop. */
export const runOperator: CommandSpec = {
  name: 'run',
  summary: 'operate an Agent: watch, decide, work and act, until Ctrl-C',
  details:
    'Settles requests, hands out claims, works for tenders and moves idle capital within the limits of the configuration. Every action is in the database before it is sent, so the program may be ended at any moment and started again. Logs go to standard error as JSON lines.',
  args: [AGENT],
  options: [
    CONFIG_OPTION,
    { flags: '--once', text: 'end when nothing is left to do now' },
    { flags: '--dry-run', text: 'decide and keep the decisions; sign and send nothing, open no key' },
    {
      flags: '--from <key>',
      text: 'key of the Executor, instead of that of the configuration; in a dry run also an address',
    },
    ...OUTPUT_OPTIONS,
    ...READ_AGENT,
    ...KEY_OPTIONS,
    ...FETCH_OPTIONS,
  ],
  examples: [
    'oikos agent run treasury --config operator.json',
    'oikos agent run treasury --config operator.json --once --dry-run --json',
  ],
  endsInOrder: true,
  run: async (context, input) => {
    const config = await readConfig(context, input)
    const view = await openAgent(context, input, input.argument(0))
    const isDry = input.flag('dry-run')
    const signer = await chooseSigner(context.terminal, context.keystore, {
      from: input.text('from') ?? config.executor,
      passphraseFile: input.text('passphrase-file'),
      configured: context.settings.from,
    })
    const account = isDry ? watched(signer.address) : await signer.unlock()
    const names = { agent: view.agent, chainId: String(view.connection.chainId) }
    const endTelemetry = startTelemetry(context.terminal, { 'oikos.agent': view.agent, 'oikos.chain': names.chainId })
    const store = await openOperatorDatabase(config, { mustExist: false })
    try {
      const log = createLog(context.terminal, config.logLevel, names)
      const parts = await gather(context, config, view, { account, isDry })
      return await operate(context, input, config, { ...parts, store, log }, signer)
    } finally {
      await store.close()
      await endTelemetry()
    }
  },
}

/** Reads the file of --config, which every command about an operator needs. */
export async function readConfig(context: Context, input: Input): Promise<OperatorConfig> {
  const path = input.text('config')
  if (path === undefined)
    throw new UsageError('--config is missing.', 'Name the file that says what the operator may do.')
  return readOperatorConfig(context, path)
}

/** An account that can be looked at only: a dry run signs nothing, so it opens no key. */
function watched(address: Address): LocalAccount {
  const refuse = (): never => {
    throw new Error('a dry run does not sign')
  }
  return toAccount({ address, signMessage: refuse, signTransaction: refuse, signTypedData: refuse })
}

async function gather(
  context: Context,
  config: OperatorConfig,
  view: AgentView,
  { account, isDry }: { readonly account: LocalAccount; readonly isDry: boolean },
): Promise<Omit<OperatorOptions, 'store' | 'log'>> {
  const { connection, agent, fromBlock } = view
  const tenders = config.tenders && { ...config.tenders, markets: config.tenders.markets ?? (await marketOf(view)) }
  const { workers, isolation, settings } = config
  const { signal } = context.terminal
  const workshop = tenders === undefined ? undefined : await createWorkshop({ workers, demand: isolation, signal })
  const content = await context.store()
  const { purse } = config
  return {
    ...{ client: connection.client as OperatorOptions['client'], chainId: connection.chainId, account, agent },
    ...{ agentFromBlock: fromBlock, content, resolver: await context.resolver() },
    decider: config.decider(),
    ...(workshop !== undefined && { workshop }),
    ...(purse !== undefined && { buy: createPurse(context.terminal, purse, content) }),
    settings: { ...settings, tenders, dryRun: isDry },
    clockMs: () => BigInt(Date.now()),
  }
}

async function marketOf({ connection }: AgentView): Promise<readonly { task: Address; fromBlock: bigint }[]> {
  const deployment = await connection.knownDeployment()
  if (deployment === undefined)
    throw new NotFoundError('There is no market to watch.', 'Name it in tenders.markets, or name the deployments.')
  return [{ task: deployment.taskToken, fromBlock: deployment.deployedAtBlock }]
}

/** Longest silence of a loop that turns: a pass with work in it. */
const MIN_SILENCE_MS = 120_000

async function operate(
  context: Context,
  input: Input,
  config: OperatorConfig,
  options: OperatorOptions,
  signer: Signer,
): Promise<ExitCode> {
  const { output, terminal } = context
  const operator = createOperator(options)
  const workMs = config.tenders?.work.timeoutMs ?? 0
  const maxSilenceMs = BigInt(Math.max(MIN_SILENCE_MS, workMs * 2, config.settings.pollMs * 10))
  const health =
    config.healthPort === undefined
      ? undefined
      : await serveHealth({ operator, port: config.healthPort, clockMs: options.clockMs, maxSilenceMs })
  options.log?.info({ executor: signer.address, decider: options.decider.name, health: health?.url }, 'operating')
  try {
    if (!input.flag('once')) {
      await operator.run(terminal.signal)
      const last = operator.health().lastPass
      output.result({ ok: true, ended: true, ...reportDocument(last) }, ['Ended. What was begun is in the database.'])
      return EXIT.done
    }
    return await runOnce(context, config, { tick: operator.tick, isDry: input.flag('dry-run') })
  } finally {
    await health?.close()
  }
}

/** Longest wait of --once for a block or for gas that is affordable, without anything that happens. */
const PATIENCE_MS = 300_000

async function runOnce(
  { output, terminal }: Context,
  { settings }: OperatorConfig,
  { tick, isDry }: { readonly tick: (signal: AbortSignal) => Promise<PassReport>; readonly isDry: boolean },
): Promise<ExitCode> {
  const done: PassReport['done'][number][] = []
  // an operator that was killed leaves its leases to run out
  const leaseMs = Number(settings.leaseMs) * 1.5
  for (let since = performance.now(); ; ) {
    const report = await tick(terminal.signal)
    if (report.done.length > 0) since = performance.now()
    done.push(...report.done)
    const patienceMs = isDry ? 0 : report.status === 'standby' ? leaseMs : PATIENCE_MS
    if (report.status !== 'idle' && !terminal.signal.aborted && performance.now() - since < patienceMs) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    const isDone = report.status === 'idle'
    output.result({ ok: isDone, ...reportDocument({ ...report, done }) }, [
      ...done.map(({ action, kind, state }) => `${kind} ${action.split('/').at(-1)}: ${state}`),
      ...report.waiting.map((sentence) => `waiting  ${sentence}`),
      isDone ? 'Nothing is left to do now.' : `Ended while ${report.status}.`,
    ])
    if (isDone) return EXIT.done
    return terminal.signal.aborted ? EXIT.interrupted : EXIT.unavailable
  }
}

function reportDocument(report: PassReport | undefined): Readonly<Record<string, unknown>> {
  if (report === undefined) return {}
  const { status, blockNumber, done, waiting } = report
  return { status, blockNumber: blockNumber?.toString(), done, waiting }
}
