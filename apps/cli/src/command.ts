import type { Context } from './context.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Input } from './input/input.ts'

/** An option as help lists it; `many` may be given several times. */
export type OptionSpec = { readonly flags: string; readonly text: string; readonly many?: boolean }

/** One command: what help says about it, what it takes, and what it does. */
export type CommandSpec = {
  readonly name: string
  readonly summary: string
  /** More than the summary, for its own help. */
  readonly details?: string
  /** `<required>` or `[optional]`, with a description. */
  readonly args?: readonly (readonly [name: string, text: string])[]
  readonly options?: readonly OptionSpec[]
  /** Complete command lines that run. */
  readonly examples: readonly string[]
  /** Set where the command itself ends in order after Ctrl-C, since it must first record what it has begun. */
  readonly endsInOrder?: true
  /** Returns the exit code; failures are thrown. */
  readonly run: (context: Context, input: Input) => Promise<ExitCode>
}

/** A noun with its verbs, or a verb with finer ones. */
export type GroupSpec = {
  readonly name: string
  readonly summary: string
  /** What the noun does without a verb. */
  readonly main?: CommandSpec
  readonly commands: readonly (CommandSpec | GroupSpec)[]
}

/** Every command has these. */
export const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', text: 'print the result as one JSON document' },
  { flags: '--verbose', text: 'print raw data and causes of errors' },
]

/** Commands that read the chain. */
export const CHAIN_OPTIONS: readonly OptionSpec[] = [
  { flags: '--rpc <url>', text: 'node of the chain (OIKOS_RPC_URL; default http://127.0.0.1:8545)' },
  {
    flags: '--deployments <file>',
    text: 'where the contracts are (OIKOS_DEPLOYMENTS; default .oikos/deployments.json)',
  },
  { flags: '--network <name>', text: 'network, where several have the same chain id' },
  { flags: '--contract <address>', text: 'task contract, instead of that of the deployment' },
]

/** Commands that read or write packages. */
export const STORE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--content <folder>', text: 'content store (OIKOS_CONTENT; default .oikos/content)' },
]

/** Commands that fetch packages. */
export const FETCH_OPTIONS: readonly OptionSpec[] = [
  ...STORE_OPTIONS,
  { flags: '--gateway <url>', text: 'IPFS gateway to ask, not trusted; may be repeated', many: true },
  { flags: '--allow-loopback', text: 'follow http URIs to this machine, which a stranger may have written' },
]

/** Commands that open keys. */
export const KEY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--keystore <folder>', text: 'folder of encrypted keys (OIKOS_KEYSTORE; default ~/.oikos/keystore)' },
  { flags: '--passphrase-file <file>', text: 'first line is the passphrase (else OIKOS_PASSPHRASE, else a question)' },
]

/** Commands that send transactions. */
export const WRITE_OPTIONS: readonly OptionSpec[] = [
  ...CHAIN_OPTIONS,
  ...KEY_OPTIONS,
  { flags: '--from <key>', text: 'key that sends it; with --dry-run also an address' },
  { flags: '--dry-run', text: 'simulate and show what would change; send nothing' },
  { flags: '--yes', text: 'send without asking; needed where nobody can be asked' },
  { flags: '--confirmations <count>', text: 'blocks to wait for (default 1)' },
  { flags: '--timeout <time>', text: 'how long to wait for the chain (default "3m")' },
]
