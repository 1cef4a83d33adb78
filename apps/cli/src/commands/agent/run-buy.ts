import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseEvidence, type Rail } from '@oikos/core/economic'
import type { BoughtResource, BuyResource, PaidResource } from '@oikos/runtime/operator'
import type { ContentStore } from '@oikos/sdk/content'
import { EXIT } from '../../exit-codes.ts'
import type { Terminal } from '../../terminal.ts'

/** How an operator pays for what its work needs: a purse of its own, under a policy of its own. Paths are absolute. */
export type PurseConfig = {
  readonly policy: string
  readonly wallet: string
  readonly rail: Rail
  /** The most that one transfer may cost, with its unit. */
  readonly maxFee: string
  /** A rule, or an approver that is served elsewhere. One of them. */
  readonly approveRule: string | undefined
  readonly approver: string | undefined
  /** A signer in another process; without it, `passphraseFile` opens the wallet. */
  readonly signer: string | undefined
  readonly passphraseFile: string | undefined
  readonly custody: string | undefined
  readonly journal: string | undefined
  readonly rpc: string | undefined
  readonly confirmations: number | undefined
  readonly timeout: string
  /** Ports of this machine that serve an origin. */
  readonly localServers: Readonly<Record<string, number>>
}

/** What `oikos pay --json` says of a payment, as far as it matters here. */
type PaySays = {
  readonly outcome?: 'paid' | 'refused' | 'uncertain'
  readonly amountAtomic?: string
  readonly folder?: string
  readonly code?: string
  readonly message?: string
  readonly error?: { readonly message?: string }
  readonly delivery?: { readonly accepted: boolean; readonly file?: string; readonly reason?: string }
}

/** Bytes of what a payment says, and of what was bought. */
const MAX_SAID_BYTES = 1_048_576

/**
 * Pays by `oikos pay` in a process of its own, so that the operator never has the key of the purse and no payment ends with the
 * operator. One resource of one package has one key: it is looked up before it is paid, and never paid twice.
 */
export function createPurse(
  terminal: Pick<Terminal, 'cwd' | 'env'>,
  purse: PurseConfig,
  content: ContentStore,
): BuyResource {
  return async (resource, signal) => {
    const key = `operator.${createHash('sha256').update(resource.idempotencyKey).digest('hex').slice(0, 48)}`
    const common = commonArguments(purse, resource)
    const known = await ask(terminal, ['pay', 'reconcile', key, ...common], signal)
    const { exitCode, says } =
      known.exitCode === EXIT.notFound
        ? await ask(terminal, ['pay', ...payArguments(purse, resource, key), ...common], signal)
        : known
    return readOutcome(exitCode, says, content)
  }
}

function commonArguments(purse: PurseConfig, { url }: PaidResource): readonly string[] {
  const { signer, passphraseFile, custody, journal, rpc, confirmations, timeout, localServers } = purse
  const port = localServers[new URL(url).origin]
  return [
    ...['--timeout', timeout, '--json'],
    ...option('--signer', signer),
    ...option('--passphrase-file', passphraseFile),
    ...option('--custody', custody),
    ...option('--journal', journal),
    ...option('--rpc', rpc),
    ...option('--confirmations', confirmations?.toString()),
    ...option('--local-server', port?.toString()),
  ]
}

function payArguments(purse: PurseConfig, resource: PaidResource, key: string): readonly string[] {
  const { policy, wallet, rail, maxFee, approveRule, approver } = purse
  return [
    ...['--policy', policy, '--x402', resource.url, '--wallet', wallet, '--rail', rail, '--max-fee', maxFee],
    ...[
      '--max-amount',
      `${resource.maxPriceAtomic} atomic`,
      '--key',
      key,
      '--memo',
      `${resource.name} for ${resource.taskHash}`,
    ],
    ...option('--approve-rule', approveRule),
    ...option('--approver', approver),
  ]
}

function option(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value]
}

type Asked = { readonly exitCode: number; readonly says: PaySays }

/** Runs this program once more. Its environment is the user's settings, without the key of the operator. */
async function ask(
  terminal: Pick<Terminal, 'cwd' | 'env'>,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Asked> {
  const { OIKOS_PRIVATE_KEY: _, ...rest } = terminal.env
  const env = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const main = resolve(import.meta.dirname, '..', '..', 'main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...words], {
    ...{ cwd: terminal.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  // an interrupted payment ends in order by itself, and says how it stands
  const interrupt = (): void => void child.kill('SIGINT')
  signal.addEventListener('abort', interrupt, { once: true })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    if (said.length < MAX_SAID_BYTES) said += chunk.toString('utf8')
  })
  child.stderr.resume()
  try {
    const exitCode = await new Promise<number>((ended, failed) => {
      child.once('error', failed)
      child.once('close', (code) => ended(code ?? EXIT.unknownOutcome))
    })
    return { exitCode, says: readSaid(said) }
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

function readSaid(text: string): PaySays {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as PaySays) : {}
  } catch {
    return {}
  }
}

async function readOutcome(exitCode: number, says: PaySays, content: ContentStore): Promise<BoughtResource> {
  const message = says.message ?? says.error?.message ?? says.delivery?.reason ?? `oikos pay ended with ${exitCode}`
  if (says.outcome === 'paid' && says.delivery?.accepted === true && says.delivery.file !== undefined) {
    const bytes = await readFile(says.delivery.file)
    return {
      ...{ ok: true, bytes, paidAtomic: BigInt(says.amountAtomic ?? '0') },
      ...(says.folder !== undefined && { evidence: await storeEvidence(says.folder, content) }),
    }
  }
  if (says.outcome === 'paid') return { ok: false, code: 'undelivered', message, uncertain: true }
  if (says.outcome === 'refused') return { ok: false, code: says.code ?? 'refused', message, uncertain: false }
  const isBefore = exitCode === EXIT.usage || exitCode === EXIT.unavailable || exitCode === EXIT.declined
  return { ok: false, code: 'pay', message, uncertain: says.outcome === 'uncertain' || !isBefore }
}

/** The Evidence of the run, where anybody can find it by its CID. */
async function storeEvidence(folder: string, content: ContentStore): Promise<{ digest: string; uri: string }> {
  const bytes = await readFile(join(folder, 'evidence.json'))
  const { digest } = parseEvidence(bytes)
  return { digest, uri: `ipfs://${await content.put(bytes)}` }
}
