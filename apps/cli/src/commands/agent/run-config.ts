import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RAILS } from '@oikos/core/economic'
import { createLocalModel, createModelDecider, createRulesDecider, RulesError } from '@oikos/runtime/deciders'
import {
  DEFAULT_OPERATOR_SETTINGS,
  DEFAULT_TENDER_LIMITS,
  type Decider,
  type OperatorSettings,
  type TenderLimits,
} from '@oikos/runtime/operator'
import {
  ISOLATION_LEVELS,
  type IsolationLevel,
  invoicesWorker,
  labelsWorker,
  reportWorker,
  type Worker,
} from '@oikos/runtime/workers'
import { type Address, getAddress, isAddress, parseEther, parseGwei } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import { isPostgresUrl } from '../../settings.ts'
import type { PurseConfig } from './run-buy.ts'

/** What `oikos agent run` does, from its file. */
export type OperatorConfig = {
  /** Folder of the file, from which its relative paths start. */
  readonly folder: string
  /** SQLite file, or a postgres:// URL, which may hold a password and is never printed. */
  readonly database: string
  /** Key of the keystore that signs as an Executor. */
  readonly executor: string | undefined
  readonly settings: Omit<OperatorSettings, 'dryRun' | 'tenders'>
  /** Markets are those of the deployment where the file names none. */
  readonly tenders:
    | (Omit<TenderLimits, 'markets'> & { readonly markets: TenderLimits['markets'] | undefined })
    | undefined
  /** How it pays for what its work needs; without one it pays for nothing. */
  readonly purse: PurseConfig | undefined
  readonly workers: readonly Worker[]
  readonly isolation: IsolationLevel
  readonly decider: () => Decider
  readonly healthPort: number | undefined
  readonly logLevel: string
}

/** Skills that come with the program. */
const SKILLS = { labels: labelsWorker, report: reportWorker, invoices: invoicesWorker } as const

const MAX_CONFIG_BYTES = 256 * 1024
/** Problems that a message quotes. */
const SHOWN_PROBLEMS = 8

const amount = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,77})$/, 'expected decimal text in smallest units, such as "2500000"')
  .transform((text) => BigInt(text))
const address = z
  .string()
  .refine((text) => isAddress(text), 'expected an address; its checksum must be right')
  .transform((text): Address => getAddress(text))
const coins = (parse: (text: string) => bigint, digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9]{1,12}(?:\\.[0-9]{1,${digits}})?$`), 'expected a decimal number as text')
    .transform((text) => parse(text))
const gwei = coins((text) => parseGwei(text), 9)
const ether = coins((text) => parseEther(text), 18)
const whole = (min: number, max: number) => z.int().min(min).max(max)
const seconds = whole(0, 315_360_000).transform((value) => BigInt(value))
const name = z.string().min(1).max(100)

const resource = z.strictObject({ name, url: z.url(), asset: name, maxPriceAtomic: amount })
const tenders = z.strictObject({
  markets: z
    .array(z.strictObject({ task: address, fromBlock: whole(0, 2 ** 48).transform((n) => BigInt(n)) }))
    .max(32)
    .optional(),
  rewards: z
    .array(z.strictObject({ asset: address, minRewardAtomic: amount }))
    .min(1)
    .max(64),
  minSecondsLeft: seconds.default(DEFAULT_TENDER_LIMITS.minSecondsLeft),
  judged: z.boolean().default(true),
  verifiers: z.array(address).max(64).default([]),
  maxJudgmentWindowSec: seconds.default(DEFAULT_TENDER_LIMITS.maxJudgmentWindowSec),
  requireFrozen: z.boolean().default(true),
  maxDeliveriesPerTender: whole(1, 1_000)
    .transform((n) => BigInt(n))
    .default(1n),
  maxAttemptsPerTender: whole(1, 1_000)
    .transform((n) => BigInt(n))
    .default(1n),
  maxPackageBytes: whole(1, 2 ** 30).default(DEFAULT_TENDER_LIMITS.maxPackageBytes),
  work: z
    .strictObject({
      timeoutMs: whole(100, 3_600_000).default(DEFAULT_TENDER_LIMITS.work.timeoutMs),
      memoryMiB: whole(16, 65_536).default(DEFAULT_TENDER_LIMITS.work.memoryMiB),
      outputBytes: whole(1, 2 ** 30).default(DEFAULT_TENDER_LIMITS.work.outputBytes),
    })
    .prefault({}),
  resources: z.record(name, z.array(resource).max(32)).default({}),
})

const path = z.string().min(1).max(1_000)
const purse = z
  .strictObject({
    ...{ policy: path, wallet: name, rail: z.enum(RAILS).default('evm'), maxFee: name },
    ...{ approveRule: path.optional(), approver: path.optional(), signer: path.optional() },
    ...{ passphraseFile: path.optional(), custody: path.optional(), journal: path.optional() },
    ...{ rpc: z.url().optional(), confirmations: whole(1, 1_000).optional(), timeout: name.default('1m') },
    localServers: z.record(z.url(), whole(1, 65_535)).default({}),
  })
  .refine(({ approveRule, approver }) => (approveRule === undefined) !== (approver === undefined), {
    message: 'name either approveRule or approver: nothing is paid that nobody approves',
  })
const defaults = DEFAULT_OPERATOR_SETTINGS
const milliseconds = (max: number, value: number | bigint) => whole(10, max).default(Number(value))
const config = z.strictObject({
  schema: z.literal('oikos-operator/1').default('oikos-operator/1'),
  database: z.string().min(1).max(1_000).default('operator.sqlite'),
  executor: name.optional(),
  decider: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('rules'), rules: z.unknown().optional() }),
      z.strictObject({
        ...{ kind: z.literal('model'), endpoint: z.url(), model: name },
        structuredOutput: z.boolean().default(true),
      }),
    ])
    .default({ kind: 'rules', rules: {} }),
  settle: z
    .strictObject({
      ...{ mint: z.boolean().default(true), redeem: z.boolean().default(true), claims: z.boolean().default(true) },
      maxBatch: whole(1, 128).default(defaults.maxBatch),
    })
    .prefault({}),
  gas: z
    .strictObject({
      maxFeeGwei: gwei.default(defaults.gas.maxFeePerGasWei),
      maxPriorityFeeGwei: gwei.default(defaults.gas.maxPriorityFeePerGasWei),
      limit: whole(21_000, 100_000_000).default(Number(defaults.gas.gasLimit)),
    })
    .prefault({}),
  budgetPerDay: z
    .strictObject({
      gasEther: ether.default(defaults.budget.gasWei),
      spendAtomic: amount.default(0n),
      purchasesAtomic: z.record(z.string().min(1).max(64), amount).default({}),
    })
    .prefault({}),
  finalityBlocks: whole(1, 10_000).default(Number(defaults.finalityBlocks)),
  ownAccounts: z.array(address).max(64).default([]),
  killSwitchFile: z.string().min(1).max(1_000).default('operator.stop'),
  tenders: tenders.optional(),
  purse: purse.optional(),
  workers: z
    .array(z.strictObject({ name, specProfiles: z.array(name).min(1).max(32), module: z.string().min(1).max(1_000) }))
    .max(32)
    .default([]),
  skills: z
    .array(z.enum(['labels', 'report', 'invoices']))
    .max(3)
    .default([]),
  isolation: z.enum(ISOLATION_LEVELS).default('permissions'),
  idle: z.strictObject({ vault: address, keepAtomic: amount, minMoveAtomic: amount }).optional(),
  timing: z
    .strictObject({
      pollMs: milliseconds(600_000, defaults.pollMs),
      mineWaitMs: milliseconds(600_000, defaults.mineWaitMs),
      resendMs: milliseconds(86_400_000, defaults.resendAfterMs),
      raiseFeesMs: milliseconds(86_400_000, defaults.bumpAfterMs),
      leaseMs: whole(1_000, 3_600_000).default(Number(defaults.leaseMs)),
      decideMs: milliseconds(600_000, defaults.decideMs),
      askAgainMs: milliseconds(86_400_000, defaults.askAgainMs),
    })
    .prefault({}),
  healthPort: whole(0, 65_535).optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Reads and checks the file. Throws UsageError with everything that is wrong, NotFoundError. */
export async function readOperatorConfig({ terminal }: Context, path: string): Promise<OperatorConfig> {
  const bytes = await readInputFile(terminal.cwd, path, { maxBytes: MAX_CONFIG_BYTES })
  const folder = dirname(resolve(terminal.cwd, path))
  let document: unknown
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw problems(path, ['it is no JSON'], cause)
  }
  const parsed = config.safeParse(document)
  if (!parsed.success)
    throw problems(
      path,
      parsed.error.issues.map(({ path: where, message }) => `${where.join('.') || 'the document'}: ${message}`),
    )
  return assemble(parsed.data, folder, path)
}

function assemble(data: z.output<typeof config>, folder: string, path: string): OperatorConfig {
  const { settle, gas, budgetPerDay, timing } = data
  if (data.tenders !== undefined && data.workers.length + data.skills.length === 0)
    throw problems(path, ['tenders: nobody works; name skills or workers, or leave tenders out'])
  const isUrl = /^postgres(?:ql)?:\/\//.test(data.database)
  return {
    folder,
    database: isUrl ? data.database : join(folder, data.database),
    executor: data.executor,
    settings: {
      gas: {
        ...{ maxFeePerGasWei: gas.maxFeeGwei, maxPriorityFeePerGasWei: gas.maxPriorityFeeGwei },
        gasLimit: BigInt(gas.limit),
      },
      budget: {
        ...{ gasWei: budgetPerDay.gasEther, spendAtomic: budgetPerDay.spendAtomic },
        purchasesAtomic: budgetPerDay.purchasesAtomic,
      },
      finalityBlocks: BigInt(data.finalityBlocks),
      ...{
        settleMint: settle.mint,
        settleRedeem: settle.redeem,
        crankClaims: settle.claims,
        maxBatch: settle.maxBatch,
      },
      ...{ ownAccounts: data.ownAccounts, idle: data.idle, killSwitchFile: resolve(folder, data.killSwitchFile) },
      ...{ pollMs: timing.pollMs, mineWaitMs: timing.mineWaitMs, decideMs: timing.decideMs },
      ...{ resendAfterMs: BigInt(timing.resendMs), bumpAfterMs: BigInt(timing.raiseFeesMs) },
      ...{ leaseMs: BigInt(timing.leaseMs), askAgainMs: BigInt(timing.askAgainMs) },
      ...{ maxActionsPerPass: defaults.maxActionsPerPass, maxFailures: defaults.maxFailures },
    },
    purse: data.purse === undefined ? undefined : placePurse(data.purse, folder),
    tenders: data.tenders === undefined ? undefined : { ...data.tenders, markets: data.tenders.markets },
    workers: [
      ...data.skills.map((skill) => SKILLS[skill]),
      ...data.workers.map(({ module, ...worker }) => ({ ...worker, module: pathToFileURL(resolve(folder, module)) })),
    ],
    isolation: data.isolation,
    decider: () => makeDecider(data.decider, path),
    healthPort: data.healthPort,
    logLevel: data.logLevel,
  }
}

/** Paths of a purse are those of the configuration's folder, a journal in PostgreSQL is none. */
function placePurse(data: z.output<typeof purse>, folder: string): PurseConfig {
  const at = (named: string | undefined): string | undefined =>
    named === undefined ? undefined : resolve(folder, named)
  const { journal, rpc, confirmations } = data
  return {
    ...{ policy: resolve(folder, data.policy), wallet: data.wallet, rail: data.rail, maxFee: data.maxFee },
    ...{ approveRule: at(data.approveRule), approver: at(data.approver), signer: at(data.signer) },
    ...{ passphraseFile: at(data.passphraseFile), custody: at(data.custody) },
    journal: journal !== undefined && isPostgresUrl(journal) ? journal : at(journal),
    ...{ rpc, confirmations, timeout: data.timeout, localServers: data.localServers },
  }
}

function makeDecider(decider: z.output<typeof config>['decider'], path: string): Decider {
  if (decider.kind === 'model') {
    const { endpoint, model, structuredOutput } = decider
    return createModelDecider({
      model: createLocalModel({ endpoint: { url: endpoint }, model, hasStructuredOutput: structuredOutput }),
    })
  }
  try {
    return createRulesDecider(decider.rules ?? {})
  } catch (cause) {
    if (!(cause instanceof RulesError)) throw cause
    throw problems(
      path,
      cause.problems.map(({ where, message }) => `decider.${where}: ${message}`),
      cause,
    )
  }
}

function problems(path: string, found: readonly string[], cause?: unknown): UsageError {
  const shown = found.slice(0, SHOWN_PROBLEMS).map((line) => `  ${line}`)
  const more = found.length - shown.length
  return new UsageError(
    [`${path} does not configure an operator:`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'),
    'Correct the file; docs/operator.md describes it.',
    cause === undefined ? {} : { cause },
  )
}
