import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Address, getAddress, isAddress } from 'viem'
import { UsageError } from './errors.ts'
import type { Input } from './input/input.ts'
import { toPlainUrl } from './output/url.ts'
import type { Terminal } from './terminal.ts'

/** The node that `npm start` leaves running. */
const DEFAULT_RPC_URL = 'http://127.0.0.1:8545'

/** Where everything is, after options, environment, configuration and defaults. */
export type Settings = {
  readonly rpcUrl: string
  /** Deployments file, and whether somebody named it, so that its absence is an error. */
  readonly deployments: { readonly file: string; readonly named: boolean }
  readonly contentFolder: string
  readonly keystoreFolder: string
  /** Payment journal: an SQLite file, or a postgres:// URL, which may hold a password and is never printed. */
  readonly journal: string
  readonly gateways: readonly string[]
  /** Key that signs unless --from names another. */
  readonly from: string | undefined
  /** Tokens by the symbol that the user gave them, in upper case. */
  readonly assets: ReadonlyMap<string, Address>
}

/** Bytes of a configuration file that are read. */
const MAX_CONFIG_BYTES = 65_536

const CONFIG_MEMBERS = ['rpc', 'deployments', 'content', 'keystore', 'journal', 'gateways', 'from', 'assets'] as const
type Config = { readonly [name in (typeof CONFIG_MEMBERS)[number]]?: unknown }

/**
 * Resolves the settings of one command. Each comes from its option, else its environment variable, else the user's
 * configuration file, else the default. Keys and configuration belong to the user (`OIKOS_HOME`, else `~/.oikos`); a
 * folder that one happens to work in decides neither. Deployments and content belong to a project (`OIKOS_HOME`, else
 * `.oikos` in the working folder, else in the checkout).
 * @throws UsageError
 */
export async function resolveSettings(terminal: Terminal, input: Input): Promise<Settings> {
  const { env, cwd } = terminal
  const home = homeOf(terminal)
  const userFolder = userFolderOf(terminal)
  const config = await readConfig(join(userFolder, 'config.json'))
  const path = (option: string | undefined, variable: string | undefined, member: unknown, name: string) => {
    if (option !== undefined || variable !== undefined) return resolve(cwd, option ?? variable ?? '')
    const configured = textMember(member, name)
    return configured === undefined ? undefined : resolve(userFolder, configured)
  }
  const projectFolder = home ?? findProjectFolder(cwd, terminal.checkout)
  const deployments = path(input.text('deployments'), env['OIKOS_DEPLOYMENTS'], config.deployments, 'deployments')
  const content = path(input.text('content'), env['OIKOS_CONTENT'], config.content, 'content')
  const keystore = path(input.text('keystore'), env['OIKOS_KEYSTORE'], config.keystore, 'keystore')
  const journal = [input.text('journal'), env['OIKOS_JOURNAL'], config.journal] as const
  const journalText = textMember(
    journal.find((value) => value !== undefined),
    'journal',
  )
  const gateways = input.list('gateway')
  return {
    rpcUrl: checkRpcUrl(input.text('rpc') ?? env['OIKOS_RPC_URL'] ?? textMember(config.rpc, 'rpc') ?? DEFAULT_RPC_URL),
    deployments: { file: deployments ?? join(projectFolder, 'deployments.json'), named: deployments !== undefined },
    contentFolder: content ?? join(projectFolder, 'content'),
    keystoreFolder: keystore ?? join(userFolder, 'keystore'),
    journal:
      journalText !== undefined && isPostgresUrl(journalText)
        ? journalText
        : (path(...journal, 'journal') ?? join(userFolder, 'journal.sqlite')),
    gateways: gateways.length > 0 ? gateways : textList(config.gateways, 'gateways'),
    from: textMember(config.from, 'from'),
    assets: assetsMember(config.assets),
  }
}

/** The folder of keys, wallets, payments and configuration: `OIKOS_HOME`, else `~/.oikos`. */
export function userFolderOf(terminal: Terminal): string {
  return homeOf(terminal) ?? join(terminal.userHome, '.oikos')
}

function homeOf({ env, cwd }: Terminal): string | undefined {
  return env['OIKOS_HOME'] === undefined ? undefined : resolve(cwd, env['OIKOS_HOME'])
}

/** Whether a journal is named by the URL of a PostgreSQL database and not by a file. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text)
}

function findProjectFolder(cwd: string, checkout: string): string {
  const here = join(cwd, '.oikos')
  return existsSync(here) ? here : join(checkout, '.oikos')
}

function checkRpcUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new UsageError(
    `The RPC address ${JSON.stringify(toPlainUrl(text))} is no http or https URL.`,
    `Write it like ${DEFAULT_RPC_URL}.`,
  )
}

async function readConfig(file: string): Promise<Config> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {}
    throw new UsageError(`The configuration ${file} cannot be read.`, 'Check its permissions.', { cause })
  }
  if (text.length > MAX_CONFIG_BYTES) throw configError('the file', `is larger than ${MAX_CONFIG_BYTES} bytes`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`The configuration ${file} is no JSON.`, 'Correct or remove it.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw configError('the file', 'is no object')
  const unknown = Object.keys(value).find((name) => !CONFIG_MEMBERS.some((member) => member === name))
  if (unknown !== undefined) throw configError(unknown, `is not known; known are ${CONFIG_MEMBERS.join(', ')}`)
  return value
}

function textMember(value: unknown, name: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw configError(name, 'is no text')
}

function textList(value: unknown, name: string): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value
  throw configError(name, 'is no list of texts')
}

function assetsMember(value: unknown): ReadonlyMap<string, Address> {
  if (value === undefined) return new Map()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw configError('assets', 'is no object')
  return new Map(
    Object.entries(value).map(([symbol, address]) => {
      if (typeof address !== 'string' || !isAddress(address)) throw configError(`assets.${symbol}`, 'is no address')
      return [symbol.toUpperCase(), getAddress(address)]
    }),
  )
}

function configError(name: string, problem: string): UsageError {
  return new UsageError(`Configuration: ${JSON.stringify(name)} ${problem}.`, 'Correct config.json; see docs/cli.md.')
}
