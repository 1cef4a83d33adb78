import { CHAIN_OPTIONS, type OptionSpec, STORE_OPTIONS, WRITE_OPTIONS } from '../../command.ts'

/** `<agent>` as every command takes it. */
export const AGENT = ['<agent>', 'its address, chain:address, or its name in the deployments'] as const

const HISTORY: readonly OptionSpec[] = [
  { flags: '--from-block <number>', text: 'first block of its history (default: that of the deployment, else 0)' },
]

/** Commands that read an Agent. A task contract is none of their business. */
export const READ_AGENT: readonly OptionSpec[] = [...CHAIN_OPTIONS.filter(isNoTaskContract), ...HISTORY]

/** Commands that write to an Agent. */
export const WRITE_AGENT: readonly OptionSpec[] = [...WRITE_OPTIONS.filter(isNoTaskContract), ...HISTORY]

/** Agent actions, which cite a record. */
export const REASONED: readonly OptionSpec[] = [
  { flags: '--why <text>', text: 'the reason; a record with it is stored and cited' },
  { flags: '--model <name>', text: 'with --why: the model that gave the reason' },
  { flags: '--record <file>', text: 'instead of --why: claims and links, or a whole record for this call' },
  ...STORE_OPTIONS,
]

function isNoTaskContract({ flags }: OptionSpec): boolean {
  return !flags.startsWith('--contract')
}
