import { acceptTokenOut, type Charge, DryRunInputError, judgeCall } from '@oikos/core/scope-policy'
import { type Asset, formatAmount, judgeAgentCall, nativeAsset } from '@oikos/sdk'
import { isAddressEqual, keccak256, zeroAddress } from 'viem'
import { getCode } from 'viem/actions'
import { type AgentView, openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import { EXIT } from '../../../exit-codes.ts'
import type { Input } from '../../../input/input.ts'
import { factLines } from '../../../output/layout.ts'
import { countOf } from '../../../output/speech.ts'
import { type AgentCall, CALL_OPTIONS, readCall } from '../call.ts'
import { callDocument, callFacts, judged, reportRefusal } from '../execute.ts'
import { AGENT, READ_AGENT } from '../options.ts'
import { readBoundary } from './boundary-text.ts'

/** `oikos agent scope check`: would this call be made? */
export const check: CommandSpec = {
  name: 'check',
  summary: 'dry-run one call: whether the Agent would make it now, why not, and what it would use up',
  args: [AGENT, ['<target>', 'contract that is called, or account that is paid']],
  options: [...CALL_OPTIONS, ...OUTPUT_OPTIONS, ...READ_AGENT],
  examples: [
    'oikos agent scope check treasury 0x5FbDB2315678afecb367f032d93F642f64180aa3 --call "deposit(uint256 assets, address receiver)" --arg "50 USDC" --arg "the agent" --allow "50 USDC"',
  ],
  run: async (context, input) => {
    const { output } = context
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, snapshot } = view
    const call = await readCall(context, input, view, input.argument(1))
    const at = { agent, blockNumber: snapshot.blockNumber }
    const judgment = await judgeAgentCall(connection.client, { ...at, ...judged(call) })
    if (!judgment.isAllowed) return reportRefusal(context, view, call, judgment)
    const charges = await readCharges(view, call)
    output.result(
      {
        ...{ ok: true, agentRef: view.ref, isAllowed: true, blockNumber: judgment.blockNumber },
        ...{ call: callDocument(call), charges },
      },
      [
        output.paint('good', 'ALLOWED     the Agent would make this call now'),
        ...factLines([...callFacts(call, view), ['uses up', chargeTexts(charges, view.asset)]], output.paint, '  '),
      ],
    )
    output.next(executeStep(input, view.named))
    return EXIT.done
  },
}

/** The command that makes the call that was checked. */
function executeStep(input: Input, named: string): string {
  const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `"${text}"`)
  const options = ['call', 'data', 'value', 'allow'].flatMap((name) => {
    const text = input.text(name)
    return text === undefined ? [] : [`--${name} ${quoted(text)}`]
  })
  const args = input.list('arg').map((text) => `--arg ${quoted(text)}`)
  return ['agent execute', named, input.argument(1), ...options, ...args, '--why "<text>"'].join(' ')
}

/** What the call would take from caps and call limits; undefined where that cannot be told from the history. */
async function readCharges(view: AgentView, call: AgentCall): Promise<readonly Charge[] | undefined> {
  const { agent, connection, asset } = view
  const boundary = await readBoundary(view)
  if (!boundary.isComplete) return undefined
  const code = await getCode(connection.client, { address: call.target })
  const { target, data, allowanceAtomic } = call
  const tokenOut = acceptTokenOut({ target, data, token: asset.address, allowance: allowanceAtomic ?? 0n })
  try {
    const { charges } = judgeCall(boundary.state, {
      ...{ agent, target, value: call.valueWei, data, token: asset.address, tokenOut },
      nowSec: boundary.blockTimestampSec,
      ...(code === undefined ? {} : { targetCodeHash: keccak256(code) }),
    })
    return charges
  } catch (error) {
    if (error instanceof DryRunInputError) return undefined
    throw error
  }
}

function chargeTexts(charges: readonly Charge[] | undefined, asset: Asset): readonly string[] {
  if (charges === undefined) return ['not known: the history was not read as a whole']
  if (charges.length === 0) return ['nothing']
  return charges.map(({ of, amount, available }) => {
    const text = (value: bigint): string => {
      if (of.kind === 'calls') return countOf(value, 'call')
      if (of.asset === zeroAddress) return formatAmount(value, nativeAsset)
      return isAddressEqual(of.asset, asset.address)
        ? formatAmount(value, asset)
        : `${value} smallest units of ${of.asset}`
    }
    return available === undefined
      ? `${text(amount)}, which no cap bounds`
      : `${text(amount)} of ${text(available)} left`
  })
}
