import {
  type CallJudgment,
  formatAmount,
  judgeAgentCall,
  nativeAsset,
  simulateExecute,
  simulateExecuteWithAllowance,
} from '@oikos/sdk'
import type { StoredReasoning } from '@oikos/sdk/node'
import { createAddressBook } from '../../chain/address-book.ts'
import { type AgentView, openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { type Fact, factLines } from '../../output/layout.ts'
import type { AddressBook } from '../../output/speech.ts'
import { prepareSigner } from '../../transaction/perform.ts'
import { type AgentCall, CALL_OPTIONS, readCall } from './call.ts'
import { AGENT, REASONED, WRITE_AGENT } from './options.ts'
import { reasonFacts, storeReason } from './reasoning.ts'
import { type AgentWrite, performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent execute`: the Agent acts. */
export const execute: CommandSpec = {
  name: 'execute',
  summary: 'let the Agent make a call inside its Scope, as an Executor',
  details:
    'The Scope is asked first; what it refuses is not sent, and ends with 1. Without --call and --data it is a plain payment.',
  args: [AGENT, ['<target>', 'contract that is called, or account that is paid']],
  options: [...CALL_OPTIONS, ...REASONED, ...OUTPUT_OPTIONS, ...WRITE_AGENT],
  examples: [
    'oikos agent execute treasury 0x5FbDB2315678afecb367f032d93F642f64180aa3 --call "deposit(uint256 assets, address receiver)" --arg "50 USDC" --arg "the agent" --allow "50 USDC" --why "Idle capital earns."',
    'oikos agent execute treasury worker --value "0.1 ETH" --why "Gas for the worker." --dry-run',
  ],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named } = view
    const call = await readCall(context, input, view, input.argument(1))
    const signer = await prepareSigner(context, input)
    const judgment = await judgeAgentCall(connection.client, { agent, ...judged(call) })
    if (!judgment.isAllowed) return reportRefusal(context, view, call, judgment)
    const decision = `Let the Agent call ${call.target}: ${call.text}.`.slice(0, MAX_DECISION)
    const { write, reasoning } =
      call.allowanceAtomic === undefined
        ? await plainWrite(context, input, view, call, decision)
        : await allowanceWrite(context, input, view, call, call.allowanceAtomic, decision)
    const book = await createAddressBook(context)
    const performed = await performAgentWrite(context, input, view, signer, {
      ...write,
      title: `Let ${agent} make a call`,
      effects: executeEffects(view, call, book),
    })
    return reportAgentWrite(context, view, performed, {
      document: { reasoningURI: reasoning.reasoningURI, reasoningHash: reasoning.reasoningHash },
      facts: reasonFacts(reasoning),
      next: [`agent show ${named}`],
    })
  },
}

/** Longest decision that is written for a call; a record takes 2,000 characters. */
const MAX_DECISION = 1_000

/** The parameters of a dry run; an allowance only where there is one. */
export function judged({ target, valueWei, data, allowanceAtomic }: AgentCall) {
  return { target, valueWei, data, ...(allowanceAtomic === undefined ? {} : { allowanceAtomic }) }
}

/** Says that an Agent would not make a call, and why. A verdict, so no error. */
export function reportRefusal(
  { output }: Context,
  view: AgentView,
  call: AgentCall,
  { refusedBy, code, reason, blockNumber }: Extract<CallJudgment, { isAllowed: false }>,
): ExitCode {
  output.result(
    { ok: false, agentRef: view.ref, isAllowed: false, refusedBy, code, reason, blockNumber, call: callDocument(call) },
    [
      output.paint('bad', 'REFUSED     the Agent does not make this call'),
      ...factLines([...callFacts(call, view), ['why', reason]], output.paint, '  '),
    ],
  )
  output.say('Nothing was sent.')
  output.next(`agent scope show ${view.named}`)
  return EXIT.refused
}

/** A call as facts. */
export function callFacts(call: AgentCall, { asset }: AgentView): readonly Fact[] {
  return [
    ['target', call.target],
    ['call', call.text],
    ...(call.valueWei === 0n ? [] : ([['value', formatAmount(call.valueWei, nativeAsset)]] as const)),
    ...(call.allowanceAtomic === undefined ? [] : ([['may pull', formatAmount(call.allowanceAtomic, asset)]] as const)),
  ]
}

/** A call as JSON. */
export function callDocument({ target, valueWei, data, allowanceAtomic, text }: AgentCall) {
  return { target, valueWei, data, allowanceAtomic, text }
}

function executeEffects({ asset, snapshot }: AgentView, call: AgentCall, book: AddressBook): readonly string[] {
  const { freeAtomic } = snapshot.books
  return [
    `The Agent calls ${book(call.target)}: ${call.text}.`,
    ...(call.valueWei === 0n ? [] : [`${formatAmount(call.valueWei, nativeAsset)} of the Agent go with the call.`]),
    ...(call.allowanceAtomic === undefined
      ? []
      : [
          `The target may pull at most ${formatAmount(call.allowanceAtomic, asset)} during the call; what it leaves is withdrawn again.`,
        ]),
    `The Scope allows it now. At worst the Agent loses what the call moves; out of reach are what requesters deposited or are owed. ${formatAmount(freeAtomic, asset)} are free.`,
  ]
}

type Execution = {
  readonly write: Pick<AgentWrite, 'functionName' | 'simulate' | 'event'>
  readonly reasoning: StoredReasoning
}

async function plainWrite(
  context: Context,
  input: Input,
  view: AgentView,
  { target, valueWei, data }: AgentCall,
  decision: string,
): Promise<Execution> {
  const { agent, asset, connection } = view
  const args = [target, valueWei, data] as const
  const reasoning = await storeReason(context, input, view, { action: 'execute', args, decision })
  return {
    write: {
      functionName: 'execute',
      simulate: (account) =>
        simulateExecute(connection.client, { agent, target, valueWei, data, reasoning, account, asset }),
      event: 'Executed',
    },
    reasoning,
  }
}

async function allowanceWrite(
  context: Context,
  input: Input,
  view: AgentView,
  { target, valueWei, data }: AgentCall,
  allowanceAtomic: bigint,
  decision: string,
): Promise<Execution> {
  const { agent, asset, connection } = view
  const args = [target, valueWei, data, allowanceAtomic] as const
  const reasoning = await storeReason(context, input, view, { action: 'executeWithAllowance', args, decision })
  const call = { agent, target, valueWei, data, allowanceAtomic, reasoning, asset }
  return {
    write: {
      functionName: 'executeWithAllowance',
      simulate: (account) => simulateExecuteWithAllowance(connection.client, { ...call, account }),
      event: 'Executed',
    },
    reasoning,
  }
}
