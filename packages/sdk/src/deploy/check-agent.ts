import { type Address, type Client, isAddressEqual } from 'viem'
import { getAgentCode } from '../actions/agent/get-agent-code.ts'
import type { AgentReadParameters } from '../actions/agent/read-agent.ts'
import type { AgentBirth } from '../actions/agent-factory/birth.ts'
import { getFactoryTerms } from '../actions/agent-factory/get-factory-terms.ts'

/** Parameters of {@link checkAgent}. */
export type CheckAgentParameters = AgentReadParameters & {
  factory: Address
  /** When given, the immutable arguments are compared with it. */
  birth?: AgentBirth
}

/** One thing about an Agent that is not as it should be. */
export type AgentFinding = {
  readonly code: 'not-a-clone' | 'other-implementation' | 'other-arguments'
  readonly message: string
}

/** Whether an address is an Agent of a factory, born as described. */
export type AgentVerdict = { readonly ok: boolean; readonly findings: readonly AgentFinding[] }

/**
 * Checks that an address runs the code of a factory's Agents and, on request, with the arguments of a birth. Whether the
 * factory is ours says checkFactoryCode.
 * @throws ContractRevertedError, NoContractError for a factory that is none; WrongChainError, RpcError
 */
export async function checkAgent(client: Client, parameters: CheckAgentParameters): Promise<AgentVerdict> {
  const { agent, birth } = parameters
  const [code, terms] = await Promise.all([getAgentCode(client, parameters), getFactoryTerms(client, parameters)])
  if (code === undefined) return verdict([{ code: 'not-a-clone', message: `There is no Agent at ${agent}.` }])
  if (!isAddressEqual(code.implementation, terms.implementation)) {
    const message = `${agent} runs the code of ${code.implementation}, not that of the factory's Agents.`
    return verdict([{ code: 'other-implementation', message }])
  }
  if (birth === undefined) return verdict([])
  const pairs: readonly (readonly [member: string, got: unknown, expected: unknown])[] = [
    ['acceptToken', code.acceptToken.toLowerCase(), birth.acceptToken.toLowerCase()],
    ['initialRate', code.initialRate, birth.initialRate],
    ['reclaimHorizonSec', code.reclaimHorizonSec, birth.reclaimHorizonSec],
    ['fixedPrice', code.fixedPrice, birth.fixedPrice],
    ['name', code.shareName, birth.name],
    ['symbol', code.shareSymbol, birth.symbol],
  ]
  return verdict(
    pairs
      .filter(([, got, expected]) => got !== expected)
      .map(([member, got, expected]) => ({
        code: 'other-arguments',
        message: `The ${member} of ${agent} is ${String(got)}, not ${String(expected)}.`,
      })),
  )
}

function verdict(findings: readonly AgentFinding[]): AgentVerdict {
  return { ok: findings.length === 0, findings }
}
