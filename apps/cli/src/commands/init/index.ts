import { lstat, mkdir, open, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Deployment, parseDeployments } from '@oikos/sdk'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { DeclinedError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { createKeystore } from '../../keys/keystore.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { plain } from '../../output/plain.ts'
import { HOME, type ProjectFacts, projectFiles } from './project.ts'
import { TEMPLATES, type Template } from './worker-texts.ts'

/** Longest name of an Agent on the chain, in bytes. */
const MAX_NAME_BYTES = 64

/** `oikos init`. */
export const init: CommandSpec = {
  name: 'init',
  summary:
    'make a project for an operator of your own: settings, policies, rules, a skill with a test, a key; overwrites nothing',
  details:
    'Every file passes the checks of this program, and the skill its test, before you change anything. The key of the Executor is encrypted with a passphrase from a question, OIKOS_PASSPHRASE or --passphrase-file. README.md has the next commands in their order.',
  args: [['[folder]', 'made when it does not exist (default: this one)']],
  options: [
    {
      flags: '--template <kind>',
      text: `labels (default) or reports: ${TEMPLATES.map(({ summary }) => summary).join('; ')}`,
    },
    { flags: '--name <name>', text: 'name of the Agent (default: the name of the folder)' },
    { flags: '--rpc <url>', text: 'node of the chain (OIKOS_RPC_URL; default http://127.0.0.1:8545)' },
    {
      flags: '--deployments <file>',
      text: 'where the contracts are, copied into the project (default: those of this checkout)',
    },
    { flags: '--network <name>', text: 'network, where the file has several' },
    { flags: '--no-keys', text: 'make no key' },
    {
      flags: '--passphrase-file <file>',
      text: 'first line is the passphrase (else OIKOS_PASSPHRASE, else a question)',
    },
    { flags: '--yes', text: 'write without asking; needed where nobody can be asked' },
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos init atlas', 'oikos init atlas --template reports --no-keys --yes --json'],
  run: async (context, input) => {
    const { terminal, output } = context
    const named = input.optionalArgument(0) ?? '.'
    const folder = resolve(terminal.cwd, named)
    const template = templateOf(input.text('template'))
    const name = nameOf(input.text('name') ?? basename(folder))
    const deployment = await deploymentOf(context, input)
    const base = { name, slug: slugOf(name), template, rpcUrl: context.settings.rpcUrl, deployment }
    await refuseExisting(folder, named, [...projectFiles({ ...base, executor: undefined }).keys(), `${HOME}/keystore`])
    const withKeys = input.flag('keys')
    await confirm(context, input, `Make a project in ${folder}${withKeys ? ', with a key' : ''}?`)
    const executor = withKeys ? await makeKey(context, input, folder) : undefined
    const files = projectFiles({ ...base, executor })
    for (const [path, text] of files) await writeNew(join(folder, path), text)
    const written = [...files.keys()]
    output.result(
      {
        ok: true,
        ...{ folder, name, template: template.name, files: written, executor, network: deployment?.network },
      },
      written.map((path) => plain(join(relative(terminal.cwd, folder), path))),
    )
    if (deployment === undefined) output.say('No deployments are known; README.md says what to add.')
    output.say(`Read ${join(named, 'README.md')}: it has the next commands in their order.`)
    output.next(`policy check ${join(named, 'payment-policy.json')}`)
    return EXIT.done
  },
}

function templateOf(named: string | undefined): Template {
  const found = named === undefined ? TEMPLATES[0] : TEMPLATES.find(({ name }) => name === named)
  if (found !== undefined) return found
  const known = TEMPLATES.map(({ name }) => name).join(' or ')
  throw new UsageError(`--template: there is no ${JSON.stringify(named?.slice(0, 40))}.`, `Name ${known}.`)
}

function nameOf(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  throw new UsageError(
    `${JSON.stringify(name.slice(0, 80))} is no name for an Agent.`,
    `Give one with --name: letters, digits, spaces, dots, hyphens, up to ${MAX_NAME_BYTES} bytes.`,
  )
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'agent' : slug
}

/** The contracts that the settings name, where there are any: of the named network, else the only one. */
async function deploymentOf({ settings }: Context, input: Input): Promise<Deployment | undefined> {
  const text = await readFile(settings.deployments.file, 'utf8').catch(() => undefined)
  if (text === undefined) {
    if (!settings.deployments.named) return undefined
    throw new UsageError('The deployments file cannot be read.', 'Check --deployments.')
  }
  const network = input.text('network')
  const known = parseDeployments(text)
  const fitting = network === undefined ? known : known.filter((entry) => entry.network === network)
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return only
  throw new UsageError(
    fitting.length === 0 ? 'The deployments have no such network.' : 'The deployments have several networks.',
    `Name one with --network: ${known.map((entry) => entry.network).join(', ')}.`,
  )
}

async function refuseExisting(folder: string, named: string, paths: readonly string[]): Promise<void> {
  const existing: string[] = []
  for (const path of paths) {
    if ((await lstat(join(folder, path)).catch(() => undefined)) !== undefined) existing.push(path)
  }
  if (existing.length === 0) return
  throw new UsageError(
    `${JSON.stringify(named)} has ${existing.join(', ')} already, and nothing is overwritten.`,
    'Name another folder, or move what is there.',
  )
}

async function confirm({ terminal }: Context, input: Input, question: string): Promise<void> {
  if (input.flag('yes')) return
  if (!terminal.interactive) throw new UsageError('Nobody can be asked here.', 'Add --yes.')
  const answer = await terminal.ask(`${question} [y/N] `, terminal.signal)
  if (!/^y(es)?$/i.test(answer.trim())) throw new DeclinedError()
}

/** Makes the Executor's key in the project. First of all: a passphrase that is missing must leave nothing behind. */
async function makeKey({ terminal }: Context, input: Input, folder: string): Promise<ProjectFacts['executor']> {
  const passphrase = await readPassphrase(terminal, 'executor', { file: input.text('passphrase-file'), fresh: true })
  const keystore = createKeystore(join(folder, HOME, 'keystore'), terminal.entropy, terminal)
  const entry = await keystore.add('executor', 'account', terminal.entropy(32), passphrase)
  return entry.kind === 'account' ? entry.address : undefined
}

/** Writes a file that was not there; one that appeared since it was looked for is refused. */
async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const handle = await open(path, 'wx').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`${JSON.stringify(path)} cannot be written (${cause.code}).`, 'Check the folder.', { cause })
  })
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
