import { keccak256, rawCidOf } from '@oikos/core'
import { type ExpectedReasoning, ReasonedCallError, readReasonedCall, verifyReasoning } from '@oikos/core/reasoning'
import { CHAIN_OPTIONS, type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import type { Input } from '../../input/input.ts'
import { MAX_UINT256, parseWhole } from '../../input/number.ts'
import { factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'
import { readRecordSource } from './record-source.ts'
import { recordLines, verdictLines } from './record-text.ts'
import { verifyAgentRecords } from './verify-agent.ts'

/** `oikos reason verify`: one record against what should be true of it, or all records of an Agent against the chain. */
export const verify: CommandSpec = {
  name: 'verify',
  summary: 'check one record, or all that an Agent cites, against the chain',
  details:
    'With <record>: its bytes are compared with what the options give; what they do not give is listed as not checked. Without: every record that the events of --agent cite is fetched and compared with hash, URI and call on the chain. Ends with 1 unless everything fits.',
  args: [['[record]', 'URI (ipfs://…), CID, or file; left out: all of --agent']],
  options: [
    { flags: '--agent <agent>', text: 'the Agent: that the record must name, or whose records are all checked' },
    { flags: '--hash <hash>', text: 'reasoningHash that the bytes must have' },
    { flags: '--uri <uri>', text: 'reasoningURI that must lead to the bytes (default: the URI that names it)' },
    { flags: '--chain-id <id>', text: 'chain that the record must name' },
    { flags: '--call-data <hex>', text: 'call that cites it: gives action, call hash, and what it cites' },
    { flags: '--action <name>', text: 'action that the record must name' },
    { flags: '--call-hash <hash>', text: 'call hash that the record must name' },
    { flags: '--nonce <hex>', text: 'nonce that the record must have' },
    { flags: '--limit <count>', text: 'with --agent alone: rows of a page, at most 500 (default 100)' },
    { flags: '--cursor <number>', text: 'with --agent alone: first citation of the page' },
    { flags: '--oldest', text: 'with --agent alone: the oldest first' },
    {
      flags: '--from-block <number>',
      text: 'with --agent alone: first block (default: that of the deployment, else 0)',
    },
    ...FETCH_OPTIONS,
    ...CHAIN_OPTIONS.filter(({ flags }) => !flags.startsWith('--contract')),
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos reason verify --agent treasury',
    'oikos reason verify record.json --hash 0x53ab919e14f6aa037fb530f3ed353bc4d53b4d8577ae438beabe77cfb8035da6',
    'oikos reason verify ipfs://bafkreiapzlh6c4yxczme4judqvqrvcrjctjz5fsduk3hbbli5kce5oflby --agent 0x5FbDB2315678afecb367f032d93F642f64180aa3 --json',
  ],
  run: async (context, input) => {
    const record = input.optionalArgument(0)
    if (record !== undefined) return verifyOne(context, input, record)
    const agent = input.text('agent')
    if (agent !== undefined) return verifyAgentRecords(context, input, agent)
    throw new UsageError('Nothing to verify is named.', 'Name a record, or an Agent with --agent.')
  },
}

async function verifyOne(context: Context, input: Input, text: string): Promise<ExitCode> {
  const { output } = context
  const source = await readRecordSource(context, text)
  const expected = await readExpected(context, input, source.uri)
  const verdict = verifyReasoning(source.bytes, expected)
  const { record, findings, omittedFindings, checked, notChecked, ok, status, anchored, bound } = verdict
  const [reasoningHash, cid] = [keccak256(source.bytes), rawCidOf(source.bytes)]
  output.result(
    {
      ...{ ok, status, anchored, bound, from: source.from, reasoningHash, cid },
      ...{ checked, notChecked, findings, omittedFindings, record },
    },
    [
      ...verdictLines(verdict, output.paint),
      ...factLines(
        [
          ['from', plain(source.from)],
          ['reasoning hash', reasoningHash],
          ['CID', cid],
        ],
        output.paint,
        '  ',
      ),
      ...(record === undefined ? [] : recordLines(record, output.paint)),
    ],
  )
  return ok ? EXIT.done : EXIT.refused
}

async function readExpected(context: Context, input: Input, namedUri: string | undefined): Promise<ExpectedReasoning> {
  const callData = input.text('call-data')
  const call = callData === undefined ? undefined : readCall(callData)
  const agent = input.text('agent')
  const chainId = input.text('chain-id')
  const [hash, uri] = [input.text('hash') ?? call?.reasoningHash, input.text('uri') ?? call?.reasoningURI ?? namedUri]
  const [action, callHash] = [input.text('action') ?? call?.action, input.text('call-hash') ?? call?.callHash]
  const nonce = input.text('nonce')
  return {
    ...(hash === undefined ? {} : { hash }),
    ...(uri === undefined ? {} : { uri }),
    binding: {
      ...(agent === undefined ? {} : { agent: await parseAddress(context, agent, '--agent') }),
      ...(chainId === undefined ? {} : { chainId: parseWhole(chainId, '--chain-id', { min: 1n, max: MAX_UINT256 }) }),
      ...(action === undefined ? {} : { action }),
      ...(callHash === undefined ? {} : { callHash }),
      ...(nonce === undefined ? {} : { nonce }),
    },
  }
}

function readCall(callData: string) {
  try {
    return readReasonedCall(callData)
  } catch (cause) {
    if (!(cause instanceof ReasonedCallError)) throw cause
    throw new UsageError(
      `--call-data is no call of an agent action: ${cause.message}.`,
      'Copy the whole input of the transaction to the Agent.',
      { cause },
    )
  }
}
